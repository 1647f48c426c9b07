"""The answer follows from the grids of a backend, for every task and ending; rows hold what it counts."""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from nonocsp.backends.base import (
    Answer,
    Capabilities,
    Interrupted,
    Limits,
    Outcome,
    Request,
    Run,
    Task,
    Termination,
    Unsupported,
)
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag
from nonocsp.model import Grid, Puzzle

PERMUTATIONS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)
SOLUTIONS = [Grid.from_cells(np.eye(3, dtype=int)[list(order)]) for order in permutations(range(3))]
PARTIAL = Grid.unknown(3, 3)


@dataclass(frozen=True)
class NoOptions:
    """A backend without options."""


class Scripted:
    """A backend that yields the grids of a script."""

    Options = NoOptions
    summary = paper = ""
    requires = ()

    def __init__(self, script: Callable[[Run], Iterator[Grid]], colours: bool = True) -> None:
        self.options: Any = NoOptions()
        self.capabilities = Capabilities(colours=colours)
        self.script = script

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        return self.script(run)


def outcome_of(script: Callable[[Run], Iterator[Grid]], task: Task = Task.DECIDE, **request: Any) -> Outcome:
    return run_backend(Scripted(script), PERMUTATIONS, Request(task, **request), StopFlag())


def yielding(*grids: Grid) -> Callable[[Run], Iterator[Grid]]:
    return lambda run: iter(grids)


@pytest.mark.parametrize(
    ("task", "found", "answer"),
    [
        (Task.SOLVE, 0, Answer.UNSAT),
        (Task.SOLVE, 1, Answer.SOLVED),
        (Task.SOLVE, 6, Answer.SOLVED),
        (Task.DECIDE, 0, Answer.UNSAT),
        (Task.DECIDE, 1, Answer.UNIQUE),
        (Task.DECIDE, 6, Answer.MULTIPLE),
        (Task.COUNT, 0, Answer.UNSAT),
        (Task.COUNT, 1, Answer.UNIQUE),
        (Task.COUNT, 6, Answer.MULTIPLE),
    ],
)
def test_the_number_of_solutions_determines_the_answer(task, found, answer):
    outcome = outcome_of(yielding(*SOLUTIONS[:found]), task)
    assert (outcome.answer, outcome.termination) == (answer, Termination.OK)
    wanted = {Task.SOLVE: 1, Task.DECIDE: 2, Task.COUNT: 1000}[task]
    assert outcome.solutions == tuple(SOLUTIONS[: min(found, wanted)])


def test_a_run_takes_no_more_solutions_than_its_task_needs():
    taken = []

    def script(run: Run) -> Iterator[Grid]:
        for grid in SOLUTIONS:
            taken.append(grid)
            yield grid

    assert len(outcome_of(script, Task.COUNT, bound=4).solutions) == 4
    assert len(taken) == 4


class ScriptedCounter(Scripted):
    """A backend whose count follows a script; its search finds nothing."""

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        return iter(())

    def count(self, puzzle: Puzzle, run: Run) -> Generator[Grid, None, int]:
        return self.script(run)  # type: ignore[return-value]


Counter = Callable[[Run], Generator[Grid, None, int]]


def counted(script: Counter, **request: Any) -> Outcome:
    return run_backend(ScriptedCounter(script), PERMUTATIONS, Request(Task.COUNT, **request), StopFlag())


def counting(number: Any, *grids: Grid) -> Counter:
    def script(run: Run) -> Generator[Grid, None, int]:
        yield from grids
        return number

    return script


@pytest.mark.parametrize(
    ("number", "returned"),
    [(0, 1), (1, 0), (1, 2), (2, 1), (5, 6), (6, 5), (1001, 1)],
)
def test_a_count_that_its_grids_refute_is_wrong(number, returned):
    outcome = counted(counting(number, *SOLUTIONS[:returned]))
    assert (outcome.answer, outcome.termination, outcome.wrong) == (
        Answer.UNKNOWN,
        Termination.CRASHED,
        True,
    )
    assert outcome.message == f"wrong answer: {number} solutions were counted and {returned} returned"


def test_a_count_that_is_cut_off_keeps_its_lower_bound():
    def script(run: Run) -> Generator[Grid, None, int]:
        yield from SOLUTIONS[:2]
        run.at_least = 10**30
        raise MemoryError("too many states")

    outcome = counted(script)
    assert (outcome.answer, outcome.termination) == (Answer.MULTIPLE, Termination.MEMORY)
    assert (outcome.count, outcome.count_at_least) == (None, 10**30)
    assert outcome.message == "too many states"


def test_a_run_that_is_cut_off_keeps_only_what_it_proved():
    def script(run: Run) -> Iterator[Grid]:
        run.stats["nodes"] = 7
        yield SOLUTIONS[0]
        raise Interrupted

    outcome = outcome_of(script, limits=Limits(wall=5))
    assert (outcome.answer, outcome.termination) == (Answer.SOLVED, Termination.WALL)
    assert outcome.stats == {"nodes": 7}


@pytest.mark.parametrize(
    ("error", "termination"),
    [(Unsupported("more than 64 lines"), Termination.UNSUPPORTED), (MemoryError(), Termination.MEMORY)],
)
def test_a_backend_that_gives_up_ends_with_the_termination_of_its_error(error, termination):
    def script(run: Run) -> Iterator[Grid]:
        raise error
        yield PARTIAL

    assert outcome_of(script).termination is termination
