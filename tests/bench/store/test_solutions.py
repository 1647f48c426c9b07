"""Whatever the writer takes, reader, report and exports take; what it does not take costs only its run."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nonocsp.bench import load_config, run_campaign
from nonocsp.bench.contradictions import cross_check
from nonocsp.bench.export import write_parquet, write_rows
from nonocsp.bench.merging import merge
from nonocsp.bench.report import Digest
from nonocsp.bench.report.export import to_markdown, to_records
from nonocsp.bench.rows import KEYS, CameBack, Measured, crashed_row
from nonocsp.bench.store import Store, read_campaign
from nonocsp.bench.store.solutions import with_all_solutions

ROW: dict[str, Any] = json.loads((Path(__file__).parents[2] / "corpus" / "campaign" / "rows").read_text())
SIZE, COUNT = 100, 60
MANY = [
    ["".join("#" if (r * SIZE + c) % (n + 2) == 0 else "." for c in range(SIZE)) for r in range(SIZE)]
    for n in range(COUNT)
]
LARGE: dict[str, Any] = ROW | {
    "run": "large",
    "rows": SIZE,
    "columns": SIZE,
    "task": "count",
    "answer": "multiple",
    "solutions": MANY,
}
LARGE.pop("partial", None)

numbers = st.integers() | st.floats() | st.sampled_from([1 << 62, 1 << 63, -(1 << 70), 10**400, 1e308, -0.0])
csv.field_size_limit(1 << 24)
LONG = {"<long>": "x" * (1 << 20), "<longer>": "x" * ((1 << 20) + 1)}
"""Texts that an example names, because it would be too long to print."""
texts = st.text() | st.sampled_from(["\ud800", *LONG, "\0\r\n,;\"'=1", "../.."])
plain = st.none() | st.booleans() | numbers | texts
values = plain | st.lists(plain, max_size=3) | st.dictionaries(texts, plain, max_size=3)
MEASURED = sorted({*get_type_hints(CameBack), *get_type_hints(Measured)} - {"rows", "columns"})
measured = st.dictionaries(st.sampled_from(MEASURED), values, max_size=4)
counts = st.integers(0, 10**30)
asked = st.fixed_dictionaries(
    {},
    optional=dict.fromkeys(("puzzle", "backend", "spec", "puzzle_hash"), texts)
    | dict.fromkeys(("index", "repeat", "bound"), counts)
    | {"seed": st.integers()},
)
stats = st.dictionaries(texts, values, max_size=4)


def stored(folder: Path, *rows: Any) -> Any:
    with Store(folder) as store:
        for row in rows:
            store.append(row)
    return read_campaign(folder)


def grown(value: Any) -> Any:
    """Replace the names of long texts by the texts."""
    if isinstance(value, dict):
        return {grown(key): grown(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [grown(entry) for entry in value]
    return LONG.get(value, value) if isinstance(value, str) else value


@pytest.mark.slow
@given(asked, measured, stats)
@settings(max_examples=100)
def test_whatever_the_writer_takes_reader_report_and_exports_take(
    asked: dict[str, Any], measured: dict[str, Any], stats: dict[str, Any]
) -> None:
    with TemporaryDirectory() as name:
        row = {**ROW, "run": "changed", **grown({**asked, "stats": stats, **measured})}
        campaign = stored(Path(name), row, ROW)
        assert not campaign.faults
        rows = list(campaign.rows)
        assert [row["run"] for row in rows] == ["changed", ROW["run"]]
        assert rows[1] == ROW
        digest = Digest.of([campaign])
        json.dumps(list(to_records(digest)))
        to_markdown(digest)
        cross_check([campaign])
        write_rows(campaign.rows, stream := io.StringIO(newline=""))
        assert len(list(csv.reader(io.StringIO(stream.getvalue(), newline="")))) == 3
        write_parquet(campaign.rows, io.BytesIO())


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"wall_s": math.nan}, "wall_s: expected a finite number"),
        ({"cpu_s": math.inf}, "cpu_s: expected a finite number"),
        ({"message": "x" * (1 << 21)}, "message: expected text of at most"),
        ({"stats": {"nodes": [1, 2]}}, "stats.nodes: expected a number, text"),
        ({"stats": {"\udfff": 1}}, "stats."),
        ({"solutions": [["#"]]}, "solutions: expected grids of 2x2 cells"),
        ({"partial": ["?" * 2] * 3}, "partial: expected grids of 2x2 cells"),
        ({"note": math.nan}, "Out of range float values"),
        ({"stats": {f"{n}": "x" * (1 << 20) for n in range(17)}}, "it has 17 MiB; expected at most 16 MiB"),
    ],
)
def test_a_row_that_no_reader_would_take_becomes_that_of_a_crash(
    tmp_path: Path, change: dict[str, Any], key: str
) -> None:
    (row,) = stored(tmp_path, {**ROW, **change}).rows
    assert (row["run"], row["termination"], row["answer"]) == (ROW["run"], "crashed", "unknown")
    assert row["message"].startswith(f"the row cannot be stored: {key}")
    assert row["solutions"] == []
    assert row["stats"] == {}
    kept = ("puzzle", "puzzle_hash", "backend", "limits", "versions", "machine", "executor", "conditions")
    assert {key: row[key] for key in kept} == {key: ROW[key] for key in kept}


def test_a_crash_keeps_the_order_of_the_keys() -> None:
    row = crashed_row({**ROW, "wall_s": -1.0}, "why")
    assert list(row) == [key for key in KEYS if key in row]


def test_many_solutions_go_to_a_file_and_come_back(tmp_path: Path) -> None:
    campaign = stored(tmp_path, ROW, LARGE)
    small, large = campaign.rows
    assert small == ROW
    assert large["solutions"] == MANY[:2]
    assert (large["solution_count"], large["solutions_file"]) == (COUNT, "solutions/large.json.gz")
    assert json.loads(gzip.decompress((tmp_path / large["solutions_file"]).read_bytes())) == MANY
    assert (tmp_path / "runs.jsonl").stat().st_size < 40_000
    (whole,) = campaign.rows_at([1])
    assert whole["solutions"] == MANY
    assert list(with_all_solutions(large, tmp_path)) == list(large)
    assert [len(row["solutions"]) for row in campaign.rows.complete()] == [len(ROW["solutions"]), COUNT]


def test_contradictions_see_all_solutions(tmp_path: Path) -> None:
    same = {key: LARGE[key] for key in ("puzzle", "puzzle_hash", "index", "rows", "columns", "limits")}
    told = ROW | same | {"run": "other", "backend": "other", "answer": "solved", "solutions": [MANY[50]]}
    told.pop("partial", None)
    complete = LARGE | {"bound": 1000, "termination": "ok"}
    assert not cross_check([stored(tmp_path / "fine", complete, told)]).count
    missing = complete | {"solutions": [grid for grid in MANY if grid != MANY[50]]}
    assert cross_check([stored(tmp_path / "wrong", missing, told)]).count == 1


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
def test_a_row_whose_solutions_are_lost_keeps_the_first(tmp_path: Path, spoil: Callable[[Path], Any]) -> None:
    campaign = stored(tmp_path, LARGE)
    spoil(tmp_path / "solutions" / "large.json.gz")
    (row,) = campaign.rows_at([0])
    assert row["solutions"] == MANY[:2]
    assert not cross_check([campaign]).count


@pytest.mark.parametrize("name", ["../secret.json.gz", "/etc/x.json.gz", "solutions/../../x.json.gz", "x"])
def test_a_file_with_solutions_lies_in_its_folder(tmp_path: Path, name: str) -> None:
    stored(tmp_path, LARGE, ROW)
    path = tmp_path / "runs.jsonl"
    path.write_text(path.read_text().replace("solutions/large.json.gz", name))
    campaign = read_campaign(tmp_path)
    assert list(campaign.rows) == [ROW]
    assert "solutions_file: expected" in campaign.faults[0]


def test_merging_takes_files_with_solutions_along(tmp_path: Path) -> None:
    stored(tmp_path / "1", LARGE)
    stored(tmp_path / "2", LARGE, ROW)
    merged = merge([tmp_path / "1", tmp_path / "2"], tmp_path / "all")
    assert (merged.doubled, merged.disagreements) == (1, [])
    assert [row["solutions"] for row in merged.campaign.rows_at([0])] == [MANY]


COUNTING = """\
name: counting
puzzles: [{file: puzzles.jsonl}]
backends: [hybrid]
task: count
bound: 1000
executor: inline
"""


@pytest.mark.slow
def test_counting_the_solutions_of_a_large_puzzle_is_reported(tmp_path: Path) -> None:
    ones = [[1]] * 140
    (tmp_path / "puzzles.jsonl").write_text(json.dumps({"rows": ones, "columns": ones}) + "\n")
    (tmp_path / "counting.yaml").write_text(COUNTING)
    result = run_campaign(load_config(tmp_path / "counting.yaml"), tmp_path / "out")
    (row,) = result.rows
    assert (row["answer"], row["termination"], row["solution_count"]) == ("multiple", "ok", 1000)
    assert (tmp_path / "out" / "runs.jsonl").stat().st_size < 100_000
    assert run_campaign(load_config(tmp_path / "counting.yaml"), tmp_path / "out").ran == 0
