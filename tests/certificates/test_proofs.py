"""The core's proof checker accepts lemmas that follow, and proves no formula that has a model."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import Generator
from pysat.solvers import Solver

from nonocsp.engine.verification import check_drat
from tests.certificates.cases import binary


def fault(clauses: Sequence[Sequence[int]], lemmas: Sequence[Sequence[int]]) -> str:
    """Return why lemmas do not prove that clauses have no model; empty if they do."""
    flat = np.array([literal for clause in clauses for literal in (*clause, 0)], np.int32)
    return check_drat(flat, binary(lemmas), None)[1]


def random_formula(random: Generator, variables: int, clauses: int) -> list[list[int]]:
    lengths = random.integers(1, 4, clauses)
    picks = (random.choice(variables, min(length, variables), replace=False) + 1 for length in lengths)
    return [[int(v) * int(random.choice((-1, 1))) for v in pick] for pick in picks]


@pytest.mark.parametrize("name", ["glucose3", "glucose4", "maplechrono"])
def test_solvers_prove_the_formulas_that_have_no_model(name):
    random = np.random.default_rng(3)
    proved = 0
    for _ in range(60):
        clauses = random_formula(random, 12, 60)
        with Solver(name, bootstrap_with=clauses, with_proof=True) as solver:
            if solver.solve():
                continue
            lines = [line.split() for line in solver.get_proof() if not line.startswith("d")]
        lemmas = [[*map(int, line[:-1])] for line in lines if len(line) > 1]
        assert not fault(clauses, [*lemmas, []])
        assert fault([[*map(abs, clause)] for clause in clauses], [*lemmas, []])
        proved += 1
    assert proved > 10


@given(data=st.data())
@settings(max_examples=200)
def test_no_proof_is_accepted_of_a_formula_that_has_a_model(data):
    literals = st.integers(-5, 5).filter(bool)
    clauses = data.draw(st.lists(st.lists(literals, min_size=1, max_size=3, unique_by=abs), max_size=16))
    lemmas = data.draw(st.lists(st.lists(literals, min_size=1, max_size=3, unique_by=abs), max_size=12))
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        assert fault(clauses, [*lemmas, []]) or not solver.solve()
