"""Backend ``sat``: its solvers, what they are told to try first, its statistics."""

from typing import get_args

import pytest
from pysat.solvers import SolverNames

from nonocsp.backends.base import Answer
from nonocsp.backends.registry import create
from nonocsp.backends.sat_solver import SolverName
from nonocsp.model import UsageError
from nonocsp.testing import n_dom
from tests.backends.asking import outcome_of

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
