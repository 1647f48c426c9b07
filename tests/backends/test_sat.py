"""Backend ``sat``: its solvers, what they are told to try first, its statistics."""

from contextlib import closing
from typing import get_args

import numpy as np
import pytest
from pysat.solvers import SolverNames

from nonocsp.backends.base import Answer, Request, Run
from nonocsp.backends.registry import create
from nonocsp.backends.sat import likely_colours
from nonocsp.backends.sat_solver import SatSolver, SolverName
from nonocsp.engine import LineSolver, StopFlag
from nonocsp.engine.encodings import Cnf
from nonocsp.model import Grid, Puzzle, UsageError
from nonocsp.testing import n_dom
from tests.backends.asking import outcome_of, random_puzzles

SOLVERS = get_args(SolverName)


def test_all_but_three_of_pysats_solvers_are_offered_and_prove_uniqueness():
    known = {name for name in vars(SolverNames) if not name.startswith("_")}
    assert known - set(SOLVERS) == {"cryptosat", "ergo", "kissat404"}
    for solver in SOLVERS:
        assert outcome_of(n_dom(4), f"sat:solver={solver}").answer is Answer.UNIQUE


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("solver=glucose5", r"solver=glucose5 does not fit.*glucose4\|glucose42"),
        ("solver=cadical103,phase=likely", "solver=cadical103 takes no hints"),
    ],
)
def test_options_that_do_not_fit_are_usage_errors(options, message):
    with pytest.raises(UsageError, match=message):
        create(f"sat:{options}")


@pytest.mark.parametrize("solver", [solver for solver in SOLVERS if solver != "cadical103"])
def test_a_solver_tries_the_preferred_values_first(solver):
    some = Cnf(4, 1, np.array([1, 2, 3, 4, 0], np.int32))
    for preferred in ([1, -2, 3, -4], [-1, 2, -3, 4]):
        with closing(SatSolver(solver, some, Run(Request(), StopFlag()))) as sat:
            sat.set_phases(preferred)
            assert sat.solve(Run(Request(), StopFlag()))
            assert sat.model() == preferred


def test_the_likely_colour_follows_from_the_claims_of_row_and_column_and_is_possible():
    puzzle = Puzzle.from_clues([[4], [4], []], [[], [2], [2], [2], [2], []])
    everything = Grid.unknown(3, 6, puzzle.palette).candidates
    likely = likely_colours(LineSolver(puzzle), everything)
    assert likely.tolist() == [[0, 1, 1, 1, 1, 0], [0, 1, 1, 1, 1, 0], [0] * 6]
    for puzzle in random_puzzles(10, 2, 12, 12):
        solver = LineSolver(puzzle)
        candidates = solver.propagate().candidates
        likely = likely_colours(solver, candidates)
        assert (candidates >> likely.astype(np.uint64) & np.uint64(1) == 1).all()
