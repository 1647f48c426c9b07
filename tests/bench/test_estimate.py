"""Estimates, against examples computed by hand."""

from __future__ import annotations

import pytest

from nonocsp.backends.base import Limits, Request
from nonocsp.bench.estimate import AROUND_S, END_S, Estimate, Times
from nonocsp.bench.planning import PlannedRun
from nonocsp.bench.table import table_of
from nonocsp.formats import NamedPuzzle
from nonocsp.model import Puzzle


def run(backend: str, size: int, wall: float | None = 10.0) -> PlannedRun:
    puzzle = Puzzle.from_clues([[1]] * size, [[1]] * size)
    return PlannedRun(NamedPuzzle("p", 1, puzzle), backend, Request(limits=Limits(wall)), 0)


def test_a_run_is_estimated_from_the_runs_of_its_spec_under_any_name() -> None:
    named = row("quick", 2, 4.0) | {"spec": "a"}
    assert Times(table_of([named])).likely(run("a", 2)) == 4.0 + AROUND_S


def row(backend: str, size: int, wall_s: float) -> dict[str, object]:
    return {"backend": backend, "rows": size, "columns": size, "wall_s": wall_s}


ROWS = [row("a", 2, 1.0), row("a", 2, 2.0), row("a", 3, 6.0), row("b", 2, 100.0)]


@pytest.mark.parametrize(
    ("runs", "likely"),
    [
        ([run("a", 2)], 1.5 + AROUND_S),
        ([run("a", 3)], 6.0 + AROUND_S),
        ([run("a", 4)], 3.0 + AROUND_S),  # no such size: the mean of all
        ([run("b", 2)], 10.0 + AROUND_S),  # not more than the limit
        ([run("b", 2, wall=None)], 100.0 + AROUND_S),
        ([run("c", 2)], 10.0 + END_S + AROUND_S),  # never measured
        ([run("c", 2, wall=None)], None),
        ([run("a", 2), run("a", 3)], 7.5 + 2 * AROUND_S),
        ([], 0.0),
    ],
)
@pytest.mark.parametrize("jobs", [1, 4])
def test_runs_are_estimated_from_earlier_runs(
    runs: list[PlannedRun], likely: float | None, jobs: int
) -> None:
    found = Times(table_of(ROWS)).estimate(runs, jobs).likely_s
    assert found == (None if likely is None else pytest.approx(likely / jobs))


def test_without_earlier_runs_the_estimate_is_only_an_upper_bound() -> None:
    found = Times(table_of(())).estimate([run("a", 2), run("b", 2, wall=5.0)], jobs=2)
    assert found == Estimate(pytest.approx((15 + 2 * END_S + 2 * AROUND_S) / 2), None)


def test_without_a_wall_limit_there_is_no_upper_bound() -> None:
    assert Times(table_of(())).estimate([run("a", 2), run("a", 2, wall=None)], jobs=1) == Estimate(None, None)
