"""The store: no written row is lost, whatever happens to the writer."""

from __future__ import annotations

import json
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from nonocsp.bench.rows import RunRow
from nonocsp.bench.store import (
    Store,
    read_campaign,
    read_rows,
    set_aside,
)
from nonocsp.model import FormatError, UsageError

ROW: dict[str, Any] = json.loads((Path(__file__).parents[1] / "corpus" / "campaign" / "rows").read_text())
ROWS: list[RunRow] = [{**ROW, "run": f"{number:04}", "message": "ä\n" * number} for number in range(5)]


def fill(folder: Path) -> Path:
    with Store(folder) as store:
        for row in ROWS:
            store.append(row)
    return folder / "runs.jsonl"


def test_rows_come_back_in_order(tmp_path: Path) -> None:
    assert list(read_rows(fill(tmp_path / "new" / "folder"))) == ROWS


def test_a_row_is_readable_as_soon_as_it_is_appended(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.append(ROWS[0])
        assert store.rows() == ROWS[:1]


def test_a_file_cut_anywhere_loses_only_the_torn_row(tmp_path: Path) -> None:
    path = fill(tmp_path)
    whole = path.read_bytes()
    ends = list(accumulate(map(len, whole.splitlines())))  # without line feeds: a row is whole without one
    ends = [end + number for number, end in enumerate(ends)]
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        seen = list(read_rows(path))
        with Store(tmp_path) as store:
            kept = store.rows()
            store.append({**ROW, "run": "next"})
        assert kept == seen == ROWS[: sum(length >= end for end in ends)]
        assert list(read_rows(path)) == [*kept, {**ROW, "run": "next"}]


def test_two_writers_cannot_open_the_same_folder(tmp_path: Path) -> None:
    with Store(tmp_path), pytest.raises(UsageError, match="another process is writing"), Store(tmp_path):
        pass
    with Store(tmp_path):
        pass


@pytest.mark.parametrize("line", [b"nonsense\n", b"[1]\n", b"\x00\x00\n"])
def test_a_malformed_row_is_reported_with_its_line(tmp_path: Path, line: bytes) -> None:
    path = fill(tmp_path)
    path.write_bytes(path.read_bytes() + line)
    with pytest.raises(FormatError, match=r"runs\.jsonl:6: not a row"):
        list(read_rows(path))


@pytest.mark.parametrize("position", [0, 1, 999, 1000, 1001, 2400])
def test_a_torn_row_before_the_last_is_reported_with_its_line(tmp_path: Path, position: int) -> None:
    lines = [json.dumps({**ROW, "run": f"{number}"}).encode() + b"\n" for number in range(2500)]
    lines[position] = b'{"run":\n'
    (tmp_path / "runs.jsonl").write_bytes(b"".join(lines))
    with pytest.raises(FormatError, match=rf"runs\.jsonl:{position + 1}: not a row.*it is done again"):
        list(read_rows(tmp_path / "runs.jsonl"))


def test_a_row_split_over_two_lines_is_refused(tmp_path: Path) -> None:
    (tmp_path / "runs.jsonl").write_bytes(b'{"run":[1\n2]}\n{"run":"x"}\n')
    with pytest.raises(FormatError, match=r"runs\.jsonl:1: not a row"):
        list(read_rows(tmp_path / "runs.jsonl"))


def test_the_last_row_of_a_repeated_run_counts(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        for run, answer in (("a", "unknown"), ("b", "unique"), ("a", "multiple")):
            store.append({**ROW, "run": run, "answer": answer})
    assert [(row["run"], row["answer"]) for row in read_campaign(tmp_path).rows] == [
        ("a", "multiple"),
        ("b", "unique"),
    ]


def test_a_folder_with_only_rows_is_a_campaign_without_sessions(tmp_path: Path) -> None:
    with Store(tmp_path / "folder") as store:
        assert read_campaign(tmp_path / "folder").name == "folder"
        store.append({**ROW, "campaign": "old"})
        found = read_campaign(tmp_path / "folder")
    assert (found.name, found.info, len(found.rows)) == ("old", {"name": "", "sessions": []}, 1)


def test_a_folder_without_rows_is_not_a_campaign(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"holds no campaign: there is no runs\.jsonl in it"):
        read_campaign(tmp_path)


def test_values_shared_by_many_rows_are_in_memory_once(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        for number in range(1500):
            store.append({**ROW, "run": str(number)})
    first, *_, last = read_rows(tmp_path / "runs.jsonl")
    assert all(first[key] is last[key] for key in ("backend", "limits", "versions"))
    assert first["solutions"][0] is last["solutions"][0]
    assert first == {**ROW, "run": "0"}


def test_results_that_are_set_aside_get_the_first_free_number(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    assert set_aside(folder) is None
    (tmp_path / "results.2").mkdir()
    for name in ("results.1", "results.3"):
        path = fill(folder)
        before = path.read_bytes()
        assert set_aside(folder) == tmp_path / name
        assert (tmp_path / name / "runs.jsonl").read_bytes() == before
        assert not folder.exists()


def test_results_are_not_set_aside_while_a_writer_is_open(tmp_path: Path) -> None:
    fill(tmp_path / "results")
    with Store(tmp_path / "results"), pytest.raises(UsageError, match="another process is writing"):
        set_aside(tmp_path / "results")
    assert (tmp_path / "results").is_dir()
