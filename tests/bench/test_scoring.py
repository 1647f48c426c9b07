"""Scores against examples worked out by hand."""

from __future__ import annotations

import itertools
import statistics
from typing import Any

import pytest

from nonocsp.bench.scoring import Score, is_decided, score_all
from nonocsp.bench.store import Row

_number = itertools.count()


def score(rows: list[Row]) -> Score:
    (only,) = score_all(rows)
    return only


def row(answer: str, wall_s: float, termination: str = "ok", **rest: Any) -> Row:
    return {
        "puzzle": "cat",
        "puzzle_hash": "cat",
        "index": next(_number),
        "rows": 5,
        "columns": 5,
        "backend": "sat",
        "bound": 1000,
        "seed": 0,
        "repeat": 0,
        "task": "decide",
        "answer": answer,
        "termination": termination,
        "wall_s": wall_s,
        "limits": {"wall": 10.0, "cpu": None, "memory": None},
        **rest,
    }


ROWS = [
    row("unique", 1.0),
    row("multiple", 2.0),
    row("unsat", 3.0),
    row("solved", 10.25, "wall"),
    row("unknown", 4.0, "cpu"),
    row("unknown", 0.5, "memory"),
    row("unknown", 0.25, "crashed"),
    row("partial", 0.125),
]


def test_the_counts_add_up() -> None:
    result = score(ROWS)
    assert (result.runs, result.decided, result.timeouts, result.failed) == (8, 3, 2, 2)
    assert (result.unique, result.multiple, result.unsat, result.solved, result.partial) == (1, 1, 1, 1, 1)


def test_par2_punishes_every_undecided_run_with_twice_the_limit() -> None:
    assert score(ROWS).par2_s == (1 + 2 + 3 + 5 * 20) / 8


def test_par2_is_unknown_for_an_undecided_run_without_a_limit() -> None:
    unlimited = {"wall": None, "cpu": None, "memory": None}
    assert score([row("unique", 1.0, limits=unlimited)]).par2_s == 1.0
    assert score([*ROWS, row("partial", 1.0, limits=unlimited)]).par2_s is None


def test_quantiles_are_over_all_runs() -> None:
    times = [1.0, 2.0, 3.0] + 5 * [10.0]
    result = score(ROWS)
    assert result.median_s == statistics.median(times) == 10.0
    assert result.p25_s == pytest.approx(statistics.quantiles(times, n=4, method="inclusive")[0])
    assert result.max_s == 10.25


@pytest.mark.parametrize(
    ("task", "answer", "termination", "decided"),
    [
        ("solve", "solved", "ok", True),
        ("solve", "unsat", "ok", True),
        ("decide", "solved", "ok", False),
        ("decide", "unique", "ok", True),
        ("decide", "unique", "wall", False),
        ("decide", "partial", "ok", False),
        ("count", "multiple", "ok", True),
        ("count", "multiple", "wall", False),
        ("count", "unsat", "ok", True),
    ],
)
def test_a_run_is_decided_if_it_settled_its_task_by_itself(
    task: str, answer: str, termination: str, decided: bool
) -> None:
    assert is_decided(row(answer, 1.0, termination, task=task)) is decided


def test_each_backend_is_scored_over_its_own_rows() -> None:
    scores = score_all([*ROWS, row("unique", 7.0, backend="cpsat"), row("unique", 9.0)])
    assert [(entry.backend, entry.runs) for entry in scores] == [("sat", 9), ("cpsat", 1)]
