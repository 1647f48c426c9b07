"""The proof checker accepts lemmas that follow and rejects everything else."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import Generator
from pysat.solvers import Solver

from nonocsp.certificates.drup import ProofFault, Propagator, check_proof
from nonocsp.engine.verification import check_drat
from tests.certificates.cases import binary

SQUARE = [[1, 2], [-1, 2], [1, -2], [-1, -2]]
"""No model: every combination of two variables is forbidden."""
CUBE = [
    [sign * variable for sign, variable in zip(signs, (1, 2, 3), strict=True)]
    for signs in product((1, -1), repeat=3)
]
OPEN = [[1, 2], [-1, 2]]
"""Has models: variable 2 is true."""


def random_formula(random: Generator, variables: int, clauses: int) -> list[list[int]]:
    lengths = random.integers(1, 4, clauses)
    picks = (random.choice(variables, min(length, variables), replace=False) + 1 for length in lengths)
    return [[int(v) * int(random.choice((-1, 1))) for v in pick] for pick in picks]


def proof(*lines: str) -> list[bytes]:
    return [f"{line}\n".encode() for line in lines]


@pytest.mark.parametrize(
    ("clauses", "lines", "lemmas"),
    [
        (SQUARE, ["2 0", "0"], 2),
        (SQUARE, ["0"], None),
        (CUBE, ["1 2 0", "1 0", "-1 2 0", "0"], 4),
        (CUBE, ["1 2 0", "d 1 2 0", "1 2 0", "1 0", "-1 2 0", "0"], 5),
        ([[1], [-1]], ["0"], 1),
        ([[]], ["0"], 1),
        ([[1], [-1]], ["d 1 0", "d -1 0", "0"], 1),
    ],
)
def test_a_proof_derives_the_empty_clause_step_by_step(clauses, lines, lemmas):
    if lemmas is None:
        with pytest.raises(ProofFault, match="does not follow"):
            check_proof(3, clauses, proof(*lines))
    else:
        assert check_proof(3, clauses, proof(*lines)) == lemmas


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        ([], 1, "ends without the empty clause"),
        (["2 0"], 1, "ends without the empty clause"),
        (["2 0", "d 2 0"], 2, "ends without the empty clause"),
        (["2 0", "d 0"], 2, "ends without the empty clause"),
        (["2 0", "0", "1 0"], 3, "goes on after the empty clause"),
        (["2 0", "0", ""], 3, "goes on after the empty clause"),
        (["1 2 3 0", "0"], 2, "the clause () does not follow"),
        (["3 0", "2 0", "0"], 1, "the clause (3) does not follow"),  # it only keeps satisfiability (RAT)
        (["2 0", "4 -2 0", "0"], 2, "unknown variable 4; the formula has 1 to 3"),
        (["d 4 0", "0"], 1, "unknown variable 4"),
        (["2 2 0", "0"], 1, "the clause (2 2) has a variable twice"),
        (["2 -2 0", "0"], 1, "the clause (2 -2) has a variable twice"),
        (["1 0 2 0", "0"], 1, "not a list of literals"),
        (["2", "0"], 1, "not a list of literals"),
        (["2 0 ", "0"], 1, "not a list of literals"),
        (["+2 0", "0"], 1, "not a list of literals"),
        (["2_0 0", "0"], 1, "not a list of literals"),
        (["02 0", "0"], 1, "not a list of literals"),
        (["-0 0", "0"], 1, "not a list of literals"),
        (["٢ 0", "0"], 1, "not a list of literals"),
        (["2 x 0", "0"], 1, "not a list of literals"),
        (["99999999999 0", "0"], 1, "not a list of literals"),
        (["c a comment", "2 0", "0"], 1, "not a list of literals"),
        (["a 2 0", "0"], 1, "not a list of literals"),
        (["", "2 0", "0"], 1, "not a list of literals"),
    ],
)
def test_a_malformed_proof_is_rejected_with_its_line(lines, line, message):
    with pytest.raises(ProofFault) as caught:
        check_proof(3, SQUARE, proof(*lines))
    assert caught.value.line == line
    assert message in str(caught.value)


def test_deleting_a_clause_proves_nothing_new():
    for lines in (["d 1 2 0", "0"], ["2 0", "d 2 0", "d -1 2 0", "0"], ["2 0", "d 2 0", "-2 0"]):
        with pytest.raises(ProofFault):
            check_proof(2, OPEN, proof(*lines))


def test_a_deleted_lemma_is_no_longer_used():
    either = [[1, 2, 3, 4], [1, 2, 3, -4], [1, 2, -3, 5], [1, 2, -3, -5]]  # 1 or 2: a lemma (1 2 3) shows it
    clauses = [*either, [-1, 2], [1, -2], [-1, -2]]
    assert check_proof(5, clauses, proof("3 1 2 0", "1 2 0", "2 0", "0")) == 4
    with pytest.raises(ProofFault, match=r"\(1 2\) does not follow") as caught:
        check_proof(5, clauses, proof("3 1 2 0", "d 1 2 3 0", "1 2 0", "2 0", "0"))
    assert caught.value.line == 3


def test_the_checker_refutes_exactly_the_lemmas_that_a_sat_solvers_propagation_refutes():
    random = np.random.default_rng(1)
    refuted = 0
    for _ in range(300):
        clauses = random_formula(random, 8, 14)
        known = Propagator(8)
        for clause in clauses:
            known.add(clause)
        with Solver("minisat22", bootstrap_with=clauses) as solver:
            for lemma in random_formula(random, 8, 6):
                negated = [-literal for literal in lemma]
                consistent, _ = solver.propagate(assumptions=negated)
                assert known.refutes(negated) is not consistent
                assert known.refutes(negated) is not consistent, "a question leaves no trace"
                refuted += not consistent
    assert refuted > 100


@pytest.mark.parametrize("name", ["glucose3", "glucose4", "maplechrono"])
def test_solvers_prove_the_formulas_that_have_no_model(name):
    random = np.random.default_rng(3)
    proved = 0
    for _ in range(60):
        clauses = random_formula(random, 12, 60)
        with Solver(name, bootstrap_with=clauses, with_proof=True) as solver:
            if solver.solve():
                continue
            lines = [line for line in solver.get_proof() if line != "0"]
        check_proof(12, clauses, proof(*lines, "0"))
        proved += 1
        with pytest.raises(ProofFault):
            check_proof(12, [[*map(abs, clause)] for clause in clauses], proof(*lines, "0"))
    assert proved > 10


@given(data=st.data())
@settings(max_examples=200)
def test_the_fast_checker_accepts_what_this_one_does_and_proves_no_formula_that_has_a_model(data):
    literals = st.integers(-5, 5).filter(bool)
    clauses = data.draw(st.lists(st.lists(literals, min_size=1, max_size=3, unique_by=abs), max_size=16))
    lemmas = data.draw(st.lists(st.lists(literals, min_size=1, max_size=3, unique_by=abs), max_size=12))
    flat = np.array([literal for clause in clauses for literal in (*clause, 0)], np.int32)
    _, fault = check_drat(flat, binary([*lemmas, []]), None)
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        assert fault or not solver.solve()
    try:
        check_proof(5, clauses, proof(*(" ".join(map(str, [*lemma, 0])) for lemma in [*lemmas, []])))
    except ProofFault:
        return
    assert not fault
