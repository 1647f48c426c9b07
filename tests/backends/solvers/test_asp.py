"""Backend ``asp``: its answer sets, clingo's options, its statistics."""

from __future__ import annotations

import numpy as np
import pytest

from nonocsp.backends.base import Answer, Limits, Request, Task, Termination
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag
from nonocsp.model import Grid, Puzzle
from nonocsp.testing import n_dom, permutations, solutions

pytest.importorskip("clingo", reason="clingo is not installed: pip install 'nonocsp[solvers]'")


def test_every_solution_is_one_answer_set_with_blocks_that_touch_and_that_do_not() -> None:
    random = np.random.default_rng(31)
    for colours in (1, 2, 3):
        cells = random.integers(1, colours + 1, (5, 6)) * (random.random((5, 6)) < 0.6)
        puzzle = Puzzle.from_grid(Grid.from_cells(cells))
        outcome = run_backend(create("asp"), puzzle, Request(Task.COUNT, bound=10_000), StopFlag())
        assert not outcome.wrong, outcome.message
        assert set(outcome.solutions) == set(solutions(puzzle))


def test_a_seed_changes_the_order_of_the_solutions_and_0_does_not() -> None:
    orders = [
        run_backend(
            create("asp"), permutations(5), Request(Task.COUNT, bound=20, seed=seed), StopFlag()
        ).solutions
        for seed in (0, 0, 1, 2)
    ]
    assert orders[0] == orders[1]
    assert len(set(orders)) == 3


@pytest.mark.parametrize("spec", ["asp:configuration=tweety", "asp:configuration=crafty"])
def test_a_configuration_changes_the_course_and_not_the_answer(spec: str) -> None:
    plain, other = (run_backend(create(each), n_dom(5), Request(), StopFlag()) for each in ("asp", spec))
    assert plain.answer is other.answer is Answer.UNIQUE
    assert plain.stats["rules"] == other.stats["rules"] > 0


def test_the_counts_of_a_search_that_was_cut_off_are_kept() -> None:
    for wall in (0.5, 4.0, 30.0):  # on a busy machine the first may end while the program is made
        outcome = run_backend(create("asp"), n_dom(14), Request(limits=Limits(wall=wall)), StopFlag())
        assert outcome.termination is Termination.WALL
        if "conflicts" in outcome.stats:
            break
    assert int(outcome.stats["conflicts"]) > 0
