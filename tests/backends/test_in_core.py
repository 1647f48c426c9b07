"""Backends that the core runs give the outcomes that they give when Python takes one solution at a time."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from nonocsp import Answer, Grid, Palette, Puzzle, Termination, solve, solve_many
from nonocsp.backends import in_core, run
from nonocsp.backends.base import Limits, Outcome, Request, Task
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag
from nonocsp.engine.searches import End
from nonocsp.testing import n_dom, permutations

SPECS = (
    "hybrid",
    "hybrid:backtracking=no,budget=0",
    "blocks",
    "gac",
    "segments",
    "probing:level=fp2",
    "twosat",
)
INCOMPLETE = "twosat:search=no"
UNDECIDED = {Answer.SOLVED, Answer.PARTIAL, Answer.UNKNOWN}
SQUARE = Puzzle.from_clues([[1], [1]], [[1], [1]])


def puzzles(number: int) -> list[Puzzle]:
    """Return puzzles of one to three colours, some of them without a solution."""
    rng = np.random.default_rng(7)
    found = [SQUARE, permutations(4)]
    for _ in range(number):
        cells = rng.integers(0, rng.integers(2, 5), rng.integers(2, 8, 2))
        puzzle = Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(3))
        turned = tuple(clue.reversed() for clue in puzzle.rows)
        found.append(replace(puzzle, rows=turned, goal=None) if rng.random() < 0.2 else puzzle)
    return found


def what_matters(outcome: Outcome) -> tuple[Any, ...]:
    """Return everything but the times."""
    return (
        (*outcome.record(SQUARE).items(),)[2:4],
        outcome.solutions,
        outcome.partial,
        dict(outcome.stats),
        outcome.message,
        outcome.wrong,
        outcome.count,
        outcome.count_at_least,
    )


@pytest.mark.parametrize("request_", [Request(Task.SOLVE), Request(seed=3), Request(Task.COUNT, bound=2)])
@pytest.mark.parametrize("spec", [*SPECS, INCOMPLETE])
def test_the_outcomes_are_those_of_solutions_taken_one_by_one(spec, request_, monkeypatch):
    backend, found = create(spec), []
    for puzzle in puzzles(40):
        assert in_core.method_of(backend, request_) is not None
        quick = run_backend(backend, puzzle, request_, StopFlag())
        with monkeypatch.context() as patch:
            patch.setattr(run, "method_of", lambda *_: None)
            slow = run_backend(backend, puzzle, request_, StopFlag())
        assert what_matters(quick) == what_matters(slow)
        found.append(quick.answer)
    expected = {Answer.UNSAT, Answer.SOLVED} if request_.task is Task.SOLVE else set(Answer) - UNDECIDED
    assert {*found} >= ({Answer.PARTIAL} if spec == INCOMPLETE else expected)


def test_a_method_is_stopped_by_others_or_by_its_limits():
    backend, stop = create("blocks"), StopFlag()
    late = run_backend(backend, n_dom(14), Request(limits=Limits(wall=0.05)), stop)
    assert (late.termination, late.message) == (Termination.WALL, "the wall limit of 0.05 s was reached")
    assert late.wall_s > 0.04
    stop.set()
    stopped = run_backend(backend, n_dom(14), Request(), stop)
    assert (stopped.answer, stopped.termination) == (Answer.UNKNOWN, Termination.KILLED)
    assert stopped.message == "stopped on request"
    refused = solve(permutations(12), "gac:max_placements=5")
    assert (refused.answer, refused.termination) == (Answer.UNKNOWN, Termination.UNSUPPORTED)


DIAGONAL = Grid.from_cells([[1, 0], [0, 1]]).candidates.tobytes()
FULL = Grid.from_cells([[1, 1], [1, 1]]).candidates.tobytes()
ENDS = {
    End.WRONG: (FULL, "", Termination.CRASHED, "wrong answer: row 1 does not have the clue 1"),
    End.MEMORY: (None, "", Termination.MEMORY, "the backend ran out of memory"),
    End.FAULT: (None, "why", Termination.CRASHED, "the backend raised RuntimeError: why"),
}


@pytest.mark.parametrize("end", list(ENDS))
def test_every_end_in_the_core_has_its_outcome(end, monkeypatch):
    wrong, said, termination, message = ENDS[end]
    solutions = [] if wrong else [DIAGONAL]
    result = solutions, None, wrong, False, end, said, {"nodes": 1}, 0.5, 0.25
    monkeypatch.setattr(in_core, "run", lambda *_: result)
    (outcome,) = solve_many([SQUARE], "gac", jobs=1)
    assert (outcome.termination, outcome.message, outcome.wrong) == (termination, message, wrong is not None)
    assert outcome.answer is (Answer.UNKNOWN if wrong else Answer.SOLVED)
    assert (outcome.stats, outcome.wall_s, outcome.cpu_s) == ({"nodes": 1}, 0.5, 0.25)
    if end is End.FAULT:
        with pytest.raises(RuntimeError, match="why"):
            solve(SQUARE, "gac")


def test_a_solution_that_comes_twice_is_a_wrong_answer(monkeypatch):
    result = [], None, DIAGONAL, False, End.WRONG, "", {}, 0.0, 0.0
    monkeypatch.setattr(in_core, "run", lambda *_: result)
    assert solve(SQUARE, "gac").message == "wrong answer: the same solution came twice"


def test_a_slow_supply_does_not_hold_back_outcomes():
    asked = 0

    def supply() -> Iterator[Puzzle]:
        nonlocal asked
        while True:
            asked += 1
            yield SQUARE if asked < 50 else n_dom(14)

    outcomes = solve_many(supply(), "blocks", jobs=2)
    assert [next(outcomes).answer for _ in range(40)] == [Answer.MULTIPLE] * 40
    outcomes.close()
    assert asked < 40 + 2 * 256 + 64
