"""The store: no written row is lost, whatever happens to the writer, and what is no row costs only itself."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
import subprocess
import sys
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any, BinaryIO

import pytest

from nonocsp.bench.report.digest import Digest
from nonocsp.bench.rows import RunRow
from nonocsp.bench.store import Store, read_campaign, set_aside
from nonocsp.bench.store.contents import MOST_FAULTS, Contents
from nonocsp.bench.table import RunTable
from nonocsp.model import FormatError, UsageError
from tests.waiting import wait_until

ROW: dict[str, Any] = json.loads((Path(__file__).parents[2] / "corpus" / "campaign" / "rows").read_text())
ROWS: list[RunRow] = [{**ROW, "run": f"{number:04}", "message": "ä\n" * number} for number in range(5)]


def fill(folder: Path, rows: list[RunRow] = ROWS, **options: int) -> Path:
    with Store(folder, **options) as store:
        for row in rows:
            store.append(row)
    return folder / "runs.jsonl"


def stored(folder: Path) -> list[RunRow]:
    return list(read_campaign(folder).rows)


def test_rows_come_back_in_order(tmp_path: Path) -> None:
    fill(tmp_path / "new" / "folder")
    assert stored(tmp_path / "new" / "folder") == ROWS


def test_a_row_is_readable_as_soon_as_it_is_appended(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.append(ROWS[0])
        assert list(store.campaign().rows) == stored(tmp_path) == ROWS[:1]


def test_cells_that_look_like_lists_of_values_are_stored_as_they_are(tmp_path: Path) -> None:
    grid = ["{" * 800] * 800
    large: RunRow = {**ROWS[0], "rows": 800, "columns": 800, "solutions": [], "partial": grid}
    fill(tmp_path, [large])
    assert stored(tmp_path) == [large]


def test_a_campaign_stays_as_it_was_when_it_was_opened(tmp_path: Path) -> None:
    with Store(tmp_path, segment_bytes=3000) as store:
        for row in ROWS[:2]:
            store.append(row)
        before = read_campaign(tmp_path)
        for row in ROWS[2:]:
            store.append(row)
        store.append({**ROWS[0], "answer": "unknown", "solutions": []})
    assert list(before.rows) == ROWS[:2]
    assert [row["run"] for row in stored(tmp_path)] == ["0001", "0002", "0003", "0004", "0000"]


def test_a_file_cut_anywhere_loses_only_the_torn_row(tmp_path: Path) -> None:
    path = fill(tmp_path)
    whole = path.read_bytes()
    ends = list(accumulate(map(len, whole.splitlines())))  # without line feeds: a row is whole without one
    ends = [end + number for number, end in enumerate(ends)]
    near_ends = [end + more for end in ends for more in (-1, 0, 1, 2) if end + more <= len(whole)]
    for length in sorted({*range(0, len(whole), 97), *near_ends, len(whole)}):
        path.write_bytes(whole[:length])
        seen = stored(tmp_path)
        with Store(tmp_path) as store:
            kept = list(store.campaign().rows)
            store.append({**ROW, "run": "next"})
        assert kept == seen == ROWS[: sum(length >= end for end in ends)]
        assert stored(tmp_path) == [*kept, {**ROW, "run": "next"}]


def test_two_writers_cannot_open_the_same_folder(tmp_path: Path) -> None:
    with Store(tmp_path), pytest.raises(UsageError, match="another process is writing"), Store(tmp_path):
        pass
    with Store(tmp_path):
        pass


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b"nonsense\n", "not a row"),
        (b"[1]\n", "not a row"),
        (b"\n", "not a row"),
        (b"\x00\x00\n", "not a row"),
        (b"{}\n", "the keys 'run', 'campaign', "),
        (b'{"run":\n', "not a row"),
        (json.dumps({**ROW, "note": json.loads("[" * 65 + "]" * 65)}).encode() + b"\n", "not a row"),
        (
            json.dumps({**ROW, "conditions": {"started": "0001-01-01T00:00:00+14:00"}}).encode() + b"\n",
            "conditions.started: expected a time",
        ),
        (b'"' + b"x" * (17 << 20) + b'"\n', "a line is too long"),
        (json.dumps({**ROW, "wall_s": -1.0}).encode() + b"\n", "wall_s: expected a number of at least 0"),
        (json.dumps({**ROW, "cpu_s": float("nan")}).encode() + b"\n", "cpu_s: expected a finite number"),
        (json.dumps({**ROW, "machine": "\ud800"}).encode() + b"\n", "machine: expected text without half"),
    ],
)
@pytest.mark.parametrize("position", [0, 3, 5])
def test_a_line_that_is_no_row_costs_only_itself(
    tmp_path: Path, line: bytes, fault: str, position: int
) -> None:
    path = fill(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:position], line, *lines[position:]]))
    campaign = read_campaign(tmp_path)
    assert list(campaign.rows) == ROWS
    (warning,) = campaign.faults
    assert warning.startswith(f"{path}:{position + 1}: {fault}")
    assert warning.endswith("; the line is skipped, and its run counts as not done")
    with Store(tmp_path) as store:
        assert list(store.campaign().rows) == ROWS


@pytest.mark.parametrize("position", [0, 1, 999, 1000, 1001, 2400])
def test_a_torn_row_before_the_last_is_named_with_its_line(tmp_path: Path, position: int) -> None:
    lines = [json.dumps({**ROW, "run": f"{number}"}).encode() + b"\n" for number in range(2500)]
    lines[position] = b'{"run":\n'
    (tmp_path / "runs.jsonl").write_bytes(b"".join(lines))
    campaign = read_campaign(tmp_path)
    assert [row["run"] for row in campaign.rows] == [f"{n}" for n in range(2500) if n != position]
    assert f"runs.jsonl:{position + 1}: not a row" in campaign.faults[0]


def test_a_row_split_over_two_lines_is_two_faults(tmp_path: Path) -> None:
    path = fill(tmp_path)
    path.write_bytes(b'{"run":[1\n2]}\n' + path.read_bytes())
    assert len(read_campaign(tmp_path).faults) == 2


def test_two_lines_that_are_two_rows_only_together_are_two_faults(tmp_path: Path) -> None:
    path = fill(tmp_path)
    row = json.dumps(ROW).encode()
    path.write_bytes(row[:-1] + b',"note":[1\n2]},' + row + b"\n" + path.read_bytes())
    campaign = read_campaign(tmp_path)
    assert (len(campaign.faults), list(campaign.rows)) == (2, ROWS)


def test_of_many_faults_some_are_named_and_all_are_counted(tmp_path: Path) -> None:
    path = fill(tmp_path)
    path.write_bytes(b"{}\n" * 1000 + path.read_bytes())
    campaign = read_campaign(tmp_path)
    assert list(campaign.rows) == ROWS
    assert campaign.faults[-1] == "980 more lines are skipped"
    assert len(campaign.faults) == 21


@pytest.mark.parametrize("line", [b"\n", b"{}\n", b"[1\n"])
def test_a_file_of_faults_is_not_read_to_its_end(tmp_path: Path, line: bytes) -> None:
    path = fill(tmp_path)
    path.write_bytes(path.read_bytes() + line * (MOST_FAULTS + 1) + json.dumps(ROW).encode() + b"\n")
    campaign = read_campaign(tmp_path)
    assert list(campaign.rows) == ROWS
    assert campaign.faults[0] == f"{path}: {MOST_FAULTS} lines are no rows; what follows is lost"
    assert campaign.faults[-1] == f"{MOST_FAULTS - 20} more lines are skipped"
    with pytest.raises(FormatError, match="remove the lines that are no rows"), Store(tmp_path):
        pass


def test_a_file_larger_than_any_that_nonocsp_writes_is_not_read(tmp_path: Path) -> None:
    path = fill(tmp_path, segment_bytes=1)
    segment = tmp_path / "segments" / "000009.jsonl"
    for each in (path, segment):
        each.touch()
        os.truncate(each, 16 << 30)  # takes no room
    campaign = read_campaign(tmp_path)
    said = "it has 16384 MiB, and at most 2048 MiB are read; what follows is lost"
    assert [fault.rpartition(": ")[2] for fault in campaign.faults] == [said, said]
    assert list(campaign.rows) == ROWS
    with (
        pytest.raises(FormatError, match=r"runs\.jsonl: too large; expected at most 2048 MiB"),
        Store(tmp_path),
    ):
        pass
    path.write_bytes(b"")
    with Store(tmp_path) as store:
        assert list(store.campaign().rows) == ROWS
    assert segment.exists()  # not compressed


@pytest.mark.parametrize("content", [b"nonsense\n", b"{}\n{}\n", b"\x89PNG\r\n\x1a\n"])
def test_a_file_without_a_single_row_is_an_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "runs.jsonl").write_bytes(content)
    with pytest.raises(FormatError, match=r"runs\.jsonl:1: .*; no line here is a row"):
        read_campaign(tmp_path)
    with pytest.raises(FormatError, match=r"runs\.jsonl:1: .*; no line here is a row"), Store(tmp_path):
        pass
    assert (tmp_path / "runs.jsonl").read_bytes().startswith(content[:5])


def test_the_last_row_of_a_repeated_run_counts(tmp_path: Path) -> None:
    answers = (("a", "unknown"), ("b", "unique"), ("a", "multiple"))
    fill(tmp_path, [{**ROW, "run": run, "answer": answer} for run, answer in answers])
    assert [(row["run"], row["answer"]) for row in stored(tmp_path)] == [("b", "unique"), ("a", "multiple")]


def test_what_only_a_replaced_row_said_is_forgotten(tmp_path: Path) -> None:
    """A machine that no row names any more would make a report warn of several machines."""
    fill(tmp_path, [{**ROW, "run": "a", "machine": "slow", "backend": "settle"}, {**ROW, "run": "a"}])
    campaign = read_campaign(tmp_path)
    assert campaign.backends == [ROW["backend"]]
    assert [setting.machine for setting in campaign.table.settings] == [ROW["machine"]]
    assert [entrant.backend for entrant in Digest.of([campaign]).entrants] == [ROW["backend"]]


def test_a_folder_with_only_rows_is_a_campaign_without_sessions(tmp_path: Path) -> None:
    with Store(tmp_path / "folder") as store:
        assert read_campaign(tmp_path / "folder").name == "folder"
        store.append({**ROW, "campaign": "old"})
        found = read_campaign(tmp_path / "folder")
    assert (found.name, found.info, len(found.rows)) == ("old", {"name": "", "sessions": []}, 1)


def test_a_folder_without_rows_is_not_a_campaign(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"holds no campaign: there is no runs\.jsonl in it"):
        read_campaign(tmp_path)


def test_results_that_are_set_aside_get_the_first_free_number(tmp_path: Path) -> None:
    folder = tmp_path / "results"
    assert set_aside(folder) is None
    (tmp_path / "results.2").mkdir()
    (tmp_path / "results.3").symlink_to("nowhere")
    for name in ("results.1", "results.4"):
        path = fill(folder)
        before = path.read_bytes()
        assert set_aside(folder) == tmp_path / name
        assert (tmp_path / name / "runs.jsonl").read_bytes() == before
        assert not folder.exists()


@pytest.mark.parametrize(
    ("here", "there"), [(".", "."), ("sub", ".."), ("sub", "../../results"), (".", "sub/..")]
)
def test_the_current_folder_is_not_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, here: str, there: str
) -> None:
    fill(tmp_path / "results")
    (tmp_path / "results" / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "results" / here)
    with pytest.raises(UsageError, match="this process runs in it: start from another folder"):
        set_aside(Path(there))
    monkeypatch.chdir(tmp_path)
    assert set_aside(Path("results/sub/..")) == tmp_path / "results.1"


def test_results_that_cannot_be_set_aside_are_an_error_with_advice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rename(*_: Path) -> None:
        raise OSError(errno.EBUSY, "Device or resource busy")

    fill(tmp_path / "results")
    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(
        UsageError, match=r"cannot be renamed to results\.1: Device .* busy; choose another folder"
    ):
        set_aside(tmp_path / "results")


def test_results_are_not_set_aside_while_a_writer_is_open(tmp_path: Path) -> None:
    fill(tmp_path / "results")
    with Store(tmp_path / "results"), pytest.raises(UsageError, match="another process is writing"):
        set_aside(tmp_path / "results")
    assert (tmp_path / "results").is_dir()


def test_a_folder_that_is_set_aside_meanwhile_gets_no_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path / "results")
    lock = fcntl.flock

    def lock_late(file: BinaryIO, how: int) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(fcntl, "flock", lock)
            set_aside(tmp_path / "results")
        lock(file, how)

    with monkeypatch.context() as patch:
        patch.setattr(fcntl, "flock", lock_late)
        with pytest.raises(UsageError, match=r"has just moved .*: give the same command again"):
            Store(tmp_path / "results").__enter__()


@pytest.mark.parametrize("name", ["runs.jsonl", "segments", "campaign.json"])
@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_nothing_is_read_through_a_link_or_from_a_pipe(tmp_path: Path, name: str, kind: str) -> None:
    fill(tmp_path / "other", segment_bytes=1)
    (tmp_path / "other" / "campaign.json").write_text('{"format": 1, "name": "", "sessions": []}')
    folder = tmp_path / "folder"
    shutil.copytree(tmp_path / "other", folder)
    shutil.move(folder / name, tmp_path / "moved")
    if kind == "link":
        (folder / name).symlink_to(tmp_path / "moved")
    else:
        os.mkfifo(folder / name)
    with pytest.raises(UsageError, match=f"{name} is (a link to .*moved, which|neither a file nor a folder)"):
        read_campaign(folder)


def test_no_row_is_written_that_nobody_would_read(tmp_path: Path) -> None:
    fill(tmp_path, segment_bytes=1)
    (tmp_path / "segments" / "999999999.jsonl").write_bytes(b"")
    (tmp_path / "segments" / "0000001.jsonl").write_text("this is the name of no segment")
    with pytest.raises(FormatError, match=r"segments: 999999999.jsonl\S* is the last possible segment"):
        Store(tmp_path).__enter__()
    assert read_campaign(tmp_path).rows


def test_of_large_rows_few_are_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = list[int]()
    monkeypatch.setattr(RunTable, "of", lambda rows: sizes.append(len(rows)))
    contents = Contents()
    for number in range(60):
        contents.add({**ROW, "run": f"{number}"}, number * (3 << 20))
    contents._flush()
    assert sum(sizes) == 60
    assert max(sizes) <= 4


WRITER = """\
import json, sys
from pathlib import Path
from nonocsp.bench.store import Store
row, folder, start = json.loads(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
with Store(folder, segment_bytes=20_000) as store:
    print("open", flush=True)
    for number in range(start, start + 100_000):
        store.append({**row, "run": f"{number:06}"})
        print(number, flush=True)
"""


@pytest.mark.slow
def test_a_writer_killed_at_any_moment_loses_no_row_and_doubles_none(tmp_path: Path) -> None:
    random, appended = Random(1), -1
    for _ in range(15):
        arguments = [sys.executable, "-c", WRITER, json.dumps(ROW), str(tmp_path), str(appended + 1)]
        with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout
            assert writer.stdout.readline() == "open\n"
            for _ in range(random.randrange(40)):
                writer.stdout.readline()
            writer.kill()
            told = [int(line) for line in writer.stdout.read().splitlines(keepends=True) if line[-1] == "\n"]
        campaign = read_campaign(tmp_path)
        runs = [int(row["run"]) for row in campaign.rows]
        assert runs == list(range(len(runs)))
        assert len(runs) > max(told, default=appended)
        assert not campaign.faults
        assert [number for _, number in campaign.rows.numbered(map(Run, map("{:06}".format, runs)))] == runs
        appended = len(runs) - 1
    assert len(list((tmp_path / "segments").iterdir())) > 5


@pytest.mark.slow
def test_whoever_reads_beside_a_writer_sees_each_row_once(tmp_path: Path) -> None:
    """The writer closes and compresses a segment every 20 rows."""
    arguments = [sys.executable, "-c", WRITER, json.dumps(ROW), str(tmp_path), "0"]
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL) as writer:
        wait_until((tmp_path / "segments").exists)
        for _ in range(40):
            campaign = read_campaign(tmp_path)
            assert [int(row["run"]) for row in campaign.rows] == [*range(len(campaign.table))]
        writer.kill()


class Run:
    """A planned run."""

    def __init__(self, run: str) -> None:
        self.id = run
