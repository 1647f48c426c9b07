"""The store: no written row is lost, whatever happens to the writer, and what is no row costs only itself."""

import csv
import errno
import gzip
import io
import json
import os
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nonocsp import json_lines
from nonocsp.bench.contradictions import cross_check
from nonocsp.bench.export import write_parquet, write_rows
from nonocsp.bench.merging import merge
from nonocsp.bench.report.digest import Digest
from nonocsp.bench.report.writing import to_markdown, to_records
from nonocsp.bench.rows import CameBack, RunRow
from nonocsp.bench.store import Campaign, Store, read_campaign, set_aside
from nonocsp.model import FormatError, UsageError

ROW: dict[str, Any] = json.loads((Path(__file__).parents[1] / "corpus" / "campaign" / "rows").read_text())
ROWS: list[Any] = [{**ROW, "run": f"{number:04}", "message": "ä\n" * number} for number in range(5)]
SIZE, COUNT = 100, 60
MANY = [
    ["".join("#" if (r * SIZE + c) % (n + 2) == 0 else "." for c in range(SIZE)) for r in range(SIZE)]
    for n in range(COUNT)
]
LARGE: dict[str, Any] = ROW | {
    **{"run": "large", "rows": SIZE, "columns": SIZE},
    **{"task": "count", "answer": "multiple", "solutions": MANY},
}


def stored(folder: Path, *rows: Any) -> Campaign:
    with Store(folder) as store:
        for row in rows:
            store.append(row)
    return read_campaign(folder)


def test_rows_come_back_in_order_and_as_soon_as_they_are_appended(tmp_path):
    folder = tmp_path / "new" / "folder"
    with Store(folder) as store:
        for number, row in enumerate(ROWS, start=1):
            assert store.append(row) == row
            assert list(store.campaign().rows) == list(read_campaign(folder).rows) == ROWS[:number]
        with pytest.raises(UsageError, match="another process is writing"), Store(folder):
            pass
        with pytest.raises(UsageError, match="another process is writing"):
            set_aside(folder)
    before = read_campaign(folder)
    assert list(before.rows.at([1, 3])) == [ROWS[1], ROWS[3]]
    assert before.rows.numbers(["0004", "none", "0000"]).tolist() == [4, -1, 0]
    stored(folder, {**ROW, "run": "0000", "machine": "other", "backend": "settle"}, ROWS[0] | {"wall_s": 3.0})
    after = read_campaign(folder)  # the last row of a run counts, and nothing names the others
    assert list(before.rows) == ROWS
    assert list(after.rows) == [*ROWS[1:], ROWS[0] | {"wall_s": 3.0}]
    assert (after.backends, [it.machine for it in after.table.settings]) == (
        [ROW["backend"]],
        [ROW["machine"]],
    )


def test_a_file_cut_anywhere_loses_only_the_torn_row(tmp_path):
    stored(tmp_path, *ROWS)
    path = tmp_path / "runs.jsonl"
    whole = path.read_bytes()
    ends = [end + number for number, end in enumerate(accumulate(map(len, whole.splitlines())))]
    near_ends = [end + more for end in ends for more in (-1, 0, 1, 2) if end + more <= len(whole)]
    for length in sorted({*range(0, len(whole), 97), *near_ends, len(whole)}):
        path.write_bytes(whole[:length])
        seen = list(read_campaign(tmp_path).rows)
        rows = list(stored(tmp_path, {**ROW, "run": "next"}).rows)
        assert seen == ROWS[: sum(length >= end for end in ends)]  # a row is whole without its line feed
        assert rows == [*seen, {**ROW, "run": "next"}]


def test_a_full_disk_leaves_no_part_of_a_row(tmp_path, monkeypatch):
    class Full(io.FileIO):
        def write(self, data: Any) -> int:
            super().write(bytes(data)[:100])
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(json_lines, "PATIENCE_S", 0.05)
    stored(tmp_path, *ROWS[:2])
    with Store(tmp_path) as store:
        store.append(ROWS[2])
        store._lines._file.close()
        store._lines._file = Full(tmp_path / "runs.jsonl", "a+")
        with pytest.raises(UsageError, match=r"runs\.jsonl cannot be written: No space.*free some space"):
            store.append(ROWS[3])
    assert (tmp_path / "runs.jsonl").read_bytes().endswith(b"\n")
    assert list(stored(tmp_path, *ROWS[3:]).rows) == ROWS

    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(gzip, "compress", fail)
    with pytest.raises(UsageError, match="the solutions of large cannot be written: No space"):
        stored(tmp_path, LARGE)
    assert list(read_campaign(tmp_path).rows) == ROWS


NO_ROWS = [b"nonsense", b"[1]", b"", b"\x00\x00", b"{}", b'{"run":', b'{"run":[1', b"[" * 99999]
NO_ROWS += [json.dumps(ROW | change).encode() for change in ({"wall_s": -1.0}, {"machine": "\ud800"})]


@pytest.mark.parametrize(
    ("more", "first", "faults"),
    [
        (b"{}\n" * 1000, "object missing required field", 21),
        (b"\n" * 20_001, "20000 lines are no rows; what follows is lost", 22),
        (b'"' + b"x" * (17 << 20) + b'"\n', "a line has more than 16 MiB, or millions of values", 1),
        (
            b'{"note":[' + b"[]," * (1 << 20) + b"[]]}\n",
            "a line has more than 16 MiB, or millions of values",
            1,
        ),
    ],
)
def test_of_many_faults_some_are_named(tmp_path, more, first, faults):
    stored(tmp_path, *ROWS)
    path = tmp_path / "runs.jsonl"
    path.write_bytes(path.read_bytes() + more + json.dumps({**ROW, "run": "last"}).encode() + b"\n")
    campaign = read_campaign(tmp_path)
    assert first in campaign.faults[0]
    assert len(campaign.faults) == faults
    is_lost = "lost" in campaign.faults[0]
    assert [row["run"] for row in campaign.rows] == [row["run"] for row in ROWS] + ["last"] * (not is_lost)
    if is_lost:
        with pytest.raises(FormatError, match="remove the lines that are no rows"), Store(tmp_path):
            pass


@pytest.mark.parametrize("content", [b"nonsense\n", b"{}\n{}\n", b"\x89PNG\r\n\x1a\n"])
def test_a_file_without_a_single_row_is_an_error(tmp_path, content):
    (tmp_path / "runs.jsonl").write_bytes(content)
    for reader in (read_campaign, lambda folder: Store(folder).__enter__()):
        with pytest.raises(FormatError, match=r"runs\.jsonl:1: .*; no line here is a row"):
            reader(tmp_path)
    assert (tmp_path / "runs.jsonl").read_bytes().startswith(content[:5])


@pytest.mark.parametrize("name", ["runs.jsonl", "campaign.json"])
@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_nothing_is_read_or_written_through_a_link_or_a_pipe(tmp_path, name, kind):
    stored(tmp_path / "folder", ROW)
    path = tmp_path / "folder" / name
    path.unlink(missing_ok=True)
    if kind == "link":
        path.symlink_to(tmp_path / "moved")
    else:
        os.mkfifo(path)
    for reader in (read_campaign, lambda folder: Store(folder).__enter__()):
        with pytest.raises(UsageError, match=f"{name} is (a link to .*moved|neither a file nor a folder)"):
            reader(tmp_path / "folder")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"message": "x" * (1 << 21)}, "message: expected str of length <= 1048576"),
        ({"stats": {"nodes": [1, 2]}}, "stats[...]: expected"),
        ({"stats": {"\udfff": 1}}, "'utf-8' codec can't encode"),
        ({"stats": {"nodes": {1: object()}}}, "Encoding objects of type object is unsupported"),
        ({"solutions": [["#"]]}, "solutions: expected grids of 2x2 cells"),
        ({"partial": ["?" * 2] * 3}, "partial: expected grids of 2x2 cells"),
        ({"stats": {f"{n}": "x" * (1 << 20) for n in range(17)}}, "it has 17 MiB; expected at most 16 MiB"),
    ],
)
def test_a_row_that_no_reader_takes_is_a_crash(tmp_path, change, why):
    (row,) = stored(tmp_path, {**ROW, **change}).rows
    assert (row["run"], row["termination"], row["answer"]) == (ROW["run"], "crashed", "unknown")
    assert row["message"].startswith(f"the row cannot be stored: {why}")
    kept = ("puzzle", "puzzle_hash", "backend", "limits", "versions", "machine", "executor", "conditions")
    assert [row[key] for key in kept] == [ROW[key] for key in kept]  # type: ignore[literal-required]


numbers = st.integers() | st.floats() | st.sampled_from([1 << 62, 1 << 63, -(1 << 70), 10**400, 1e308, -0.0])
LONG = {"<long>": "x" * (1 << 20), "<longer>": "x" * ((1 << 20) + 1)}
"""Texts that an example names, because it would be too long to print."""
texts = st.text() | st.sampled_from(["\ud800", *LONG, "\0\r\n,;\"'=1", "../.."])
plain = st.none() | st.booleans() | numbers | texts
values = plain | st.lists(plain, max_size=3) | st.dictionaries(texts, plain, max_size=3)
FOUND = sorted({*get_type_hints(CameBack)} - {"rows", "columns", "solutions", "wall_s", "cpu_s"})
found = st.dictionaries(st.sampled_from(FOUND), values, max_size=4)


def _grown(value: Any) -> Any:
    """Replace the names of long texts by the texts."""
    if isinstance(value, dict):
        return {_grown(key): _grown(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [_grown(entry) for entry in value]
    return LONG.get(value, value) if isinstance(value, str) else value


@pytest.mark.slow
@given(found, st.dictionaries(texts, values, max_size=4))
@settings(max_examples=40)
def test_readers_take_what_the_writer_takes(found, stats):
    csv.field_size_limit(1 << 24)
    with TemporaryDirectory() as name:
        campaign = stored(Path(name), {**ROW, "run": "changed", **_grown({"stats": stats, **found})}, ROW)
        assert not campaign.faults
        rows = list(campaign.rows)
        assert [row["run"] for row in rows] == ["changed", ROW["run"]]
        assert rows[1] == ROW
        digest = Digest.of([campaign])
        json.dumps(list(to_records(digest)))
        to_markdown(digest)
        write_rows(campaign.rows, stream := io.StringIO(newline=""))
        assert len(list(csv.reader(io.StringIO(stream.getvalue(), newline="")))) == 3
        write_parquet(campaign.rows, io.BytesIO())


def test_many_solutions_go_to_a_file_and_come_back(tmp_path):
    campaign = stored(tmp_path / "1", ROW, LARGE)
    small, large = campaign.rows
    assert small == ROW
    assert large["solutions"] == MANY[:2]
    assert (large["solution_count"], large["solutions_file"]) == (COUNT, "solutions/large.json.gz")
    assert json.loads(gzip.decompress((tmp_path / "1" / large["solutions_file"]).read_bytes())) == MANY
    assert (tmp_path / "1" / "runs.jsonl").stat().st_size < 40_000
    (whole,) = campaign.rows.at([1])
    assert whole["solutions"] == MANY
    assert [len(row["solutions"]) for row in campaign.rows.complete()] == [len(ROW["solutions"]), COUNT]
    stored(tmp_path / "2", LARGE)
    (tmp_path / "1" / "solutions" / "large.json.gz").unlink()  # so that it is copied from the other
    merged = merge([tmp_path / "1", tmp_path / "2"], tmp_path / "all")
    assert (merged.doubled, merged.disagreements) == (1, [])
    assert [row["solutions"] for row in merged.campaign.rows.at([1])] == [MANY]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.unlink(),
        lambda path: path.write_bytes(b"nonsense"),
        lambda path: path.write_bytes(path.read_bytes()[:-20]),
        lambda path: path.write_bytes(gzip.compress(json.dumps(MANY[:3]).encode())),
        lambda path: path.write_bytes(gzip.compress(b" " * (1 << 28))),
        lambda path: path.write_bytes(gzip.compress(b"[" * 100_000)),
    ],
)
def test_a_row_whose_solutions_are_lost_keeps_the_first(tmp_path, spoil):
    campaign = stored(tmp_path, LARGE)
    spoil(tmp_path / "solutions" / "large.json.gz")
    row: RunRow
    (row,) = campaign.rows.at([0])
    assert row["solutions"] == MANY[:2]
    assert not cross_check([campaign]).count
