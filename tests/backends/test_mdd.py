"""Backend ``mdd`` and the count of ``hybrid``: exact numbers, few grids, limits and statistics."""

from __future__ import annotations

from math import factorial

import pytest

import nonocsp
from nonocsp.backends.base import LISTED, Answer, Limits, Request, Run, Task, Termination
from nonocsp.backends.interruption import memory_for_states
from nonocsp.bench.agreement import Finding, check_puzzles
from nonocsp.engine import StopFlag
from nonocsp.formats import NamedPuzzle
from nonocsp.testing import permutations

BOTH = pytest.mark.parametrize("backend", ["mdd", "hybrid"])


@BOTH
@pytest.mark.parametrize(("size", "listed"), [(5, 120), (6, 720), (7, 2)])
def test_all_solutions_are_listed_only_if_they_are_few(backend: str, size: int, listed: int) -> None:
    outcome = nonocsp.solve(permutations(size), backend, "count")
    assert outcome.count == factorial(size)
    assert len(outcome.solutions) == listed <= LISTED


@BOTH
def test_a_count_that_runs_out_of_memory_keeps_a_lower_bound(backend: str) -> None:
    option = {"mdd": "memory", "hybrid": "count_memory"}[backend]
    outcome = nonocsp.solve(permutations(14), f"{backend}:{option}=1", "count")
    assert outcome.termination is Termination.MEMORY
    assert "do not fit into 1 MiB" in outcome.message or "than fit into 1 MiB" in outcome.message
    assert LISTED < outcome.count_at_least < factorial(14)
    assert outcome.count is None


def test_states_get_half_of_the_memory_limit_of_a_run() -> None:
    for limit, states in ((None, 1 << 30), (300 << 20, 150 << 20), (1 << 40, 1 << 30)):
        run = Run(Request(limits=Limits(memory=limit)), StopFlag())
        assert memory_for_states(run, 1024) == states


@BOTH
def test_a_count_that_runs_out_of_time_keeps_a_lower_bound(backend: str) -> None:
    outcome = nonocsp.solve(permutations(24), backend, "count", wall=0.3)
    assert outcome.termination is Termination.WALL
    assert 1 <= outcome.count_at_least < factorial(24)


def test_the_diagram_says_how_large_it_is() -> None:
    """After the first cell of 2x2 permutations everything is forced: one node, then two before each cell."""
    stats = nonocsp.solve(permutations(2), "mdd", "count").stats
    assert stats == {"open_cells": 4, "components": 1, "states": 7, "nodes": 7, "width": 2}


def test_two_ways_to_count_are_cross_checked_and_agree() -> None:
    source = NamedPuzzle("permutations", 1, permutations(10))
    request = Request(Task.COUNT, Limits(wall=30))
    (checked,) = check_puzzles([source], ["hybrid", "mdd"], request)
    assert checked.finding is Finding.AGREED
    assert {outcome.count for outcome in checked.outcomes.values()} == {factorial(10)}
    assert {outcome.answer for outcome in checked.outcomes.values()} == {Answer.MULTIPLE}
