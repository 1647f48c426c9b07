"""Backend ``cpsat``: its automata, its two ways to the next solution, colours."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from nonocsp.backends.base import Answer, Request, Task
from nonocsp.backends.cpsat import automaton
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag
from nonocsp.model import Clue, Grid, Puzzle, UsageError
from nonocsp.testing import n_dom, permutations, placements, solutions

CLUES = [
    Clue.of(),
    Clue.of(2),
    Clue.of(1, 1),
    Clue.of(2, 1, 1),
    Clue.of(1, (1, 2)),
    Clue.of((2, 2), 1, 1, (1, 2)),
]


@pytest.mark.parametrize("clue", CLUES, ids=str)
def test_an_automaton_accepts_exactly_the_lines_of_its_clue(clue: Clue) -> None:
    start, finals, transitions = automaton(clue)
    step = {(state, colour): following for state, colour, following in transitions}
    assert len(step) == len(transitions), "not deterministic"
    for length in range(1, 8):
        accepted = set()
        for line in product(range(3), repeat=length):
            state: int | None = start
            for colour in line:
                state = None if state is None else step.get((state, colour))
            if state in finals:
                accepted.add(line)
        assert accepted == set(placements(clue, length))


@pytest.mark.parametrize("spec", ["cpsat", "cpsat:workers=2"])
def test_one_worker_enumerates_and_several_solve_again_alike(spec: str) -> None:
    for puzzle in (permutations(3), n_dom(3), *coloured(2)):
        outcome = run_backend(create(spec), puzzle, Request(Task.COUNT, bound=10_000), StopFlag())
        assert set(outcome.solutions) == set(solutions(puzzle))


def coloured(count: int) -> list[Puzzle]:
    random = np.random.default_rng(11)
    shapes = random.integers(4, 6, (count, 2))
    return [
        Puzzle.from_grid(Grid.from_cells(random.integers(1, 4, shape) * (random.random(shape) < 0.6)))
        for shape in shapes
    ]


def test_larger_coloured_puzzles_are_decided_as_by_sat() -> None:
    random = np.random.default_rng(12)
    for colours in (2, 3, 2, 3):
        cells = random.integers(1, colours + 1, (8, 8)) * (random.random((8, 8)) < 0.5)
        puzzle = Puzzle.from_grid(Grid.from_cells(cells))
        answers = {run_backend(create(s), puzzle, Request(), StopFlag()).answer for s in ("sat", "cpsat")}
        assert len(answers) == 1
        assert answers <= {Answer.UNIQUE, Answer.MULTIPLE}


def test_an_abandoned_search_leaves_no_thread_behind() -> None:
    import threading

    before = threading.active_count()
    run_backend(create("cpsat"), permutations(6), Request(Task.SOLVE), StopFlag())
    assert threading.active_count() == before


def test_no_worker_at_all_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="workers=0 does not fit"):
        create("cpsat:workers=0")
