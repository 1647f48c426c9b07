"""Backend ``milp``: its solutions, HiGHS's options, its end."""

from __future__ import annotations

import numpy as np
import pytest

from nonocsp.backends.base import Answer, Limits, Request, Task, Termination
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.datasets.random_images import random_set
from nonocsp.engine import StopFlag
from nonocsp.model import BackendError, Grid, Puzzle, UsageError
from nonocsp.testing import n_dom, solutions

pytest.importorskip("highspy", reason="highspy is not installed: pip install 'nonocsp[solvers]'")


def test_cuts_forbid_one_solution_each() -> None:
    random = np.random.default_rng(32)
    for colours in (1, 2, 3):
        cells = random.integers(1, colours + 1, (4, 5)) * (random.random((4, 5)) < 0.6)
        puzzle = Puzzle.from_grid(Grid.from_cells(cells))
        outcome = run_backend(create("milp"), puzzle, Request(Task.COUNT, bound=10_000), StopFlag())
        assert not outcome.wrong, outcome.message
        assert set(outcome.solutions) == set(solutions(puzzle))


def test_a_larger_puzzle_is_decided_and_its_program_counted() -> None:
    outcome = run_backend(create("milp"), n_dom(6), Request(), StopFlag())
    assert outcome.answer is Answer.UNIQUE
    assert outcome.stats["solves"] == 2
    assert int(outcome.stats["variables"]) > 100
    assert int(outcome.stats["constraints"]) > 100


def test_a_search_within_highs_is_ended_in_time() -> None:
    hard = next(iter(random_set(2017, count=1, rows=45, columns=45, density=0.5)))
    outcome = run_backend(create("milp"), hard, Request(limits=Limits(wall=1.0)), StopFlag())
    assert outcome.termination is Termination.WALL
    assert outcome.answer is Answer.UNKNOWN


def test_options_reach_highs() -> None:
    spec = "milp:parameters=mip_max_nodes:0 presolve:off"
    with pytest.raises(BackendError, match="HiGHS ended before its search did"):
        run_backend(create(spec), n_dom(8), Request(), StopFlag())


@pytest.mark.parametrize(
    ("parameters", "complaint"),
    [
        ("presolving:off", "HiGHS has no option 'presolving'"),
        ("presolve:sometimes", "presolve:sometimes does not fit"),
        ("mip_detect_symmetry:maybe", "mip_detect_symmetry:maybe does not fit"),
        ("mip_max_nodes:many", "mip_max_nodes:many does not fit"),
        ("presolve", "presolve: does not fit"),
        ("threads:4", "option threads of HiGHS is set by the backend, to 1"),
        ("random_seed:4", "option random_seed of HiGHS is set by the seed of the request"),
    ],
)
def test_an_option_that_highs_does_not_take_is_a_usage_error_that_names_it(
    parameters: str, complaint: str
) -> None:
    with pytest.raises(UsageError, match=complaint):
        create(f"milp:parameters={parameters}")
