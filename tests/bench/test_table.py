"""The columns of a table say what the rows say."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Any

import numpy as np
import pytest

from nonocsp.bench.rows import RunRow
from nonocsp.bench.scoring import Runs, is_decided
from nonocsp.bench.table import (
    ANSWERS,
    NO_OTHER,
    TERMINATIONS,
    TYPES,
    RunTable,
    claim_digest,
    found_digest,
    joined,
    open_share,
)
from tools.benchmarks.harness import synthetic

A, B = ["#.", ".#"], [".#", "#."]
ROW: dict[str, Any] = {
    "backend": "sat",
    "task": "decide",
    "bound": 10,
    "answer": "unknown",
    "termination": "ok",
    "solutions": [],
}


@pytest.fixture(scope="module")
def rows() -> list[RunRow]:
    made = list(synthetic.rows(backends=3, puzzles=200, repeats=2))
    made[5] |= {"claimed_wall_s": 0.25, "session": "2026-01-01T00:00:00Z", "left": ["a file"], "wrong": True}
    made[6] |= {"peak_rss_bytes": None, "conditions": None, "reliable": False, "code": "0123456789abcdef"}
    made[8] |= {"conditions": {"isolated": True}}
    made[7] |= {"spec": "sat:solver=glucose4", "solutions": [], "stats": {"painted_by_settle": 3}}
    return made


def test_every_entry_of_a_table_is_what_the_row_of_its_number_says(rows: list[RunRow]) -> None:
    table = RunTable.of(rows)
    assert len(table) == len(rows)
    assert {name: str(table[name].dtype) for name in TYPES} == {
        name: str(np.dtype(kind)) for name, kind in TYPES.items()
    }
    puzzles = table.puzzles
    for run, row in enumerate(rows):
        puzzle, request, setting = (table[name][run] for name in ("puzzle", "request", "setting"))
        assert table.backends[table["backend"][run]] == row["backend"]
        assert (puzzles.names[puzzle], puzzles.index[puzzle]) == (row["puzzle"], row["index"])
        assert f"{puzzles.hash[puzzle]:016x}" == row["puzzle_hash"][:16]
        assert (puzzles.rows[puzzle], puzzles.columns[puzzle]) == (row["rows"], row["columns"])
        asked = table.requests[request]
        assert asked[:2] == (row["task"], row["bound"])
        assert asked[2:5] == tuple(row["limits"].values())
        assert asked[5:] == (row["seed"], row["repeat"])
        how = table.settings[setting]
        assert how.spec == row.get("spec", row["backend"])
        assert (how.executor, how.machine, dict(how.versions), how.code) == (
            row["executor"], row["machine"], row["versions"], row.get("code", ""))  # fmt: skip
        assert table.sessions[table["session"][run]] == row.get("session", "")
        assert ANSWERS[table["answer"][run]] == row["answer"]
        assert TERMINATIONS[table["termination"][run]] == row["termination"]
        assert table["reliable"][run] == row["reliable"]
        assert table["wrong"][run] == row.get("wrong", False)
        assert table["left"][run] == ("left" in row)
        for name in ("wall_s", "cpu_s", "claimed_wall_s", "peak_rss_bytes"):
            value = row.get(name)
            np.testing.assert_equal(table[name][run], math.nan if value is None else value)
        conditions = row.get("conditions") or {}
        started = conditions.get("started")
        expected = datetime.fromisoformat(str(started)).timestamp() if started else math.nan
        np.testing.assert_equal(table["started_s"][run], expected)
        np.testing.assert_equal(table["open_share"][run], np.float32(open_share(row)))
        assert table["found"][run] == found_digest(row)
        assert table["claim"][run] == claim_digest(row)
        assert table.is_decided[run] == is_decided(row)
        assert table.is_isolated[run] == conditions.get("isolated", False)


def test_a_run_takes_at_most_150_bytes_even_if_each_has_its_own_puzzle() -> None:
    table = RunTable.of(synthetic.rows(backends=1, puzzles=1000))
    puzzles = table.puzzles
    columns = [*table.columns.values(), *(getattr(puzzles, name) for name in vars(puzzles))]
    texts = sum(len(name) for name in puzzles.names)  # at most: short texts are in the column itself
    assert len(puzzles) == len(table)
    assert sum(column.nbytes for column in columns) + texts <= 150 * len(table)


def test_a_table_of_no_rows_has_every_column() -> None:
    table = RunTable.of([])
    assert len(table) == 0
    assert {*table.columns} == {*TYPES}
    assert Runs.of(table).wall_s.shape == (0, 0)


def test_joined_tables_are_the_table_of_all_rows(rows: list[RunRow]) -> None:
    slower = list(synthetic.rows(backends=4, puzzles=250, slower={"settle": 3.0}))
    whole = Runs.of([*rows, *slower])
    parts = Runs.of(joined([RunTable.of(rows), RunTable.of(slower)]))
    assert parts.backends == whole.backends
    assert list(parts.instances) == list(whole.instances)
    for name in ("wall_s", "cpu_s", "is_decided", "answer", "termination", "puzzle_of"):
        np.testing.assert_array_equal(getattr(parts, name), getattr(whole, name))
    np.testing.assert_array_equal(parts.instances.key, whole.instances.key)


def test_only_some_runs_have_the_table_of_their_rows(rows: list[RunRow]) -> None:
    chosen = np.array([row["backend"] != "sat" and row["index"] % 3 == 1 for row in rows])
    only = RunTable.of(rows).only(chosen)
    alone = RunTable.of(row for row, is_chosen in zip(rows, chosen, strict=True) if is_chosen)
    for name in ("backends", "requests", "settings", "sessions"):
        assert sorted(map(repr, getattr(only, name))) == sorted(map(repr, getattr(alone, name)))
    assert {name: str(only[name].dtype) for name in TYPES} == {name: str(alone[name].dtype) for name in TYPES}
    for name in ("wall_s", "found"):
        np.testing.assert_array_equal(only[name], alone[name])
    np.testing.assert_array_equal(only.puzzles.key[only["puzzle"]], alone.puzzles.key[alone["puzzle"]])
    assert len(only.puzzles) == len(alone.puzzles)


def test_a_part_of_a_table_is_the_table_of_those_rows(rows: list[RunRow]) -> None:
    chosen = np.arange(len(rows)) % 3 == 1
    part = Runs.of(RunTable.of(rows).take(chosen))
    alone = Runs.of([row for row, is_chosen in zip(rows, chosen, strict=True) if is_chosen])
    assert list(part.instances) == list(alone.instances)
    np.testing.assert_array_equal(part.of_backends(part.has_run.any(axis=1)).wall_s, alone.wall_s)


@pytest.mark.parametrize(
    ("change", "is_same"),
    [
        ({"solutions": [B, A]}, True),
        ({"solutions": [A]}, False),
        ({"solutions": [A, ["##", "##"]]}, False),
        ({"solutions": [A, B], "solution_count": 9, "solutions_file": "solutions/x.json.gz"}, False),
    ],
)
def test_solutions_have_one_digest_in_any_order(change: dict[str, Any], is_same: bool) -> None:
    assert (found_digest(ROW | change) == found_digest(ROW | {"solutions": [A, B]})) is is_same
    assert found_digest(ROW) == 0


@pytest.mark.parametrize(
    ("change", "claims"),
    [
        ({}, "nothing"),
        ({"answer": "solved", "solutions": [A]}, "nothing"),
        ({"answer": "multiple", "solutions": [A, B]}, "nothing"),
        ({"answer": "multiple", "solutions": [A, B], "task": "count"}, "no other"),
        ({"answer": "multiple", "solutions": [A, B], "task": "count", "bound": 2}, "nothing"),
        ({"answer": "multiple", "solutions": [A, B], "task": "count", "solution_count": 10}, "nothing"),
        ({"answer": "multiple", "solutions": [A, B], "task": "count", "termination": "wall"}, "nothing"),
        ({"answer": "unsat"}, "no other"),
        ({"answer": "unique", "solutions": [A]}, "no other"),
        ({"answer": "partial", "partial": ["#?", "??"]}, "cells"),
    ],
)
def test_what_a_row_excludes_has_a_digest(change: dict[str, Any], claims: str) -> None:
    found = claim_digest(ROW | change)
    assert claims == {0: "nothing", NO_OTHER: "no other"}.get(found, "cells")
