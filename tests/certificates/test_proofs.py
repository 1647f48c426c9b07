"""The core's proof checker accepts lemmas that follow, and proves no formula that has a model."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import Generator
from pysat.solvers import Solver

from nonocsp.backends.base import Proof, Request, Termination
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.certificates.checking import checked
from nonocsp.engine import StopFlag
from nonocsp.engine.verification import check_drat
from nonocsp.testing import n_dom
from tests.certificates.cases import binary


def fault(clauses: Sequence[Sequence[int]], lemmas: Sequence[Sequence[int]]) -> str:
    """Return why lemmas do not prove that clauses have no model; empty if they do."""
    flat = np.array([literal for clause in clauses for literal in (*clause, 0)], np.int32)
    return check_drat(flat, binary(lemmas), None)[1]


@pytest.mark.parametrize(
    ("puzzle", "proof", "said"),
    [
        (n_dom(4), None, ""),
        (n_dom(4), b"", "ends without the empty clause"),
        (n_dom(4), b"0\n", "does not follow by unit propagation"),
        (n_dom(4), b"1 2\n", "line 1: "),
        (n_dom(5), None, "does not follow"),
    ],
)
def test_a_run_whose_proof_does_not_hold_is_wrong(puzzle, proof, said):
    own = run_backend(create("hybrid"), n_dom(4), Request(certify=True), StopFlag())
    outcome = run_backend(create("hybrid"), puzzle, Request(certify=True), StopFlag())
    found = checked(replace(outcome, proof=own.proof if proof is None else Proof(proof)), puzzle)
    assert (found.proved, found.wrong, found.proof) == (not said, bool(said), None)
    assert found.termination is (Termination.CRASHED if said else Termination.OK)
    assert said in found.message


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
