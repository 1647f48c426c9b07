"""The maker's claims are true and verify; a maker that is cut off claims nothing."""

import hashlib
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given, settings
from pysat.solvers import Solver

from nonocsp.backends.base import Answer, Interrupted, Request
from nonocsp.backends.hybrid import Hybrid, HybridOptions
from nonocsp.backends.in_core import run_method
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.certificates.checking import checked
from nonocsp.certificates.document import Attachment, Claim, Document
from nonocsp.certificates.formula import formula_of
from nonocsp.certificates.maker import certify, save
from nonocsp.certificates.verifier import verify
from nonocsp.engine import StopFlag
from nonocsp.engine.searches import ProofLog
from nonocsp.engine.verification import check_drat
from nonocsp.formats import load_all
from nonocsp.model import Grid, Puzzle
from nonocsp.testing import SMALL, SMALL_IN_COLOUR, n_dom, solutions
from tests.certificates.cases import puzzles, truth


@pytest.mark.parametrize("puzzle", [*SMALL, *SMALL_IN_COLOUR, n_dom(6)], ids=lambda puzzle: puzzle.title)
def test_every_certificate_is_true_and_verifies(puzzle, tmp_path):
    found = verify(save(certify(puzzle), tmp_path, puzzle.title))
    assert found, found.fault
    expected = solutions(puzzle) if puzzle.shape != (13, 13) else [certify(puzzle).solutions[0]]
    assert found.claim is truth(expected)
    assert found.puzzle == puzzle
    figures = found.variables, found.clauses, found.lemmas
    assert all(figures[:2]) if found.claim is not Claim.MULTIPLE else figures == (0, 0, 0)


@given(puzzle=puzzles())
@settings(max_examples=40)
def test_claims_about_random_puzzles_are_true_and_verify(puzzle, tmp_path_factory):
    expected = solutions(puzzle)
    certificate = certify(puzzle)
    assert certificate.claim is truth(expected)
    assert set(certificate.solutions) <= set(expected)
    assert verify(save(certificate, tmp_path_factory.getbasetemp() / "random", "random"))


def test_nothing_is_claimed_when_cut_off():
    with pytest.raises(Interrupted):
        certify(n_dom(16), wall=0.2)
    assert certify(n_dom(3), wall=600.0).claim is Claim.UNIQUE
    stop = StopFlag()
    stop.set()
    with pytest.raises(Interrupted):
        certify(n_dom(3), stop=stop)


def test_different_names_become_different_file_names(tmp_path):
    names = ["a/b", "a\\b", "a:b", "A/b", "..", "-", "", "x" * 300, "x" * 301, "ä", "é", "con"]
    paths = [save(certify(SMALL[1]), tmp_path / "new" / "folder", name) for name in names]
    assert len({path.name.lower() for path in paths}) == len(names)
    assert {path.parent for path in paths} == {tmp_path / "new" / "folder"}
    assert all(verify(path) for path in paths)
    assert len(save(certify(SMALL[0]), tmp_path, "a/b").name) < 80
    assert save(certify(SMALL[0]), tmp_path, "a/b").name != paths[0].name


def test_certificates_are_reproducible_and_have_no_place_for_the_goal(tmp_path):
    puzzle = Puzzle.from_grid(Grid.from_cells([[1, 1], [0, 1]]))
    for one in (n_dom(5), puzzle):
        first, second = (save(certify(one), tmp_path / name, one.title) for name in ("a", "b"))
        assert "goal" not in first.read_text()
    pairs = zip(sorted(first.parent.iterdir()), sorted(second.parent.iterdir()), strict=True)
    assert all(a.read_bytes() == b.read_bytes() for a, b in pairs)


@pytest.mark.parametrize("name", ["unique", "unsatisfiable"])
def test_what_probes_agree_on_is_proved(repository, name):
    for puzzle in load_all(repository / f"datasets/tcga/{name}.txt"):
        outcome = run_backend(create("hybrid:budget=10000"), puzzle, Request(certify=True), StopFlag())
        assert checked(outcome, puzzle).proved, puzzle.title


def diagonal(*grids: np.ndarray) -> Puzzle:
    """Return the puzzle of grids along a diagonal, with a second colour around them that keeps them apart."""
    sizes = [len(grid) for grid in grids]
    cells = np.full((sum(sizes) + 9 * (len(grids) - 1),) * 2, 2)
    for begin, grid in zip(accumulate(size + 9 for size in [-9, *sizes[:-1]]), grids, strict=True):
        cells[begin : begin + len(grid), begin : begin + len(grid)] = grid
        cells[begin + len(grid) : begin + len(grid) + 9] = 0
    return Puzzle.from_grid(Grid.from_cells(cells))


FIVE, SIX = (certify(n_dom(n)).solutions[0].cells for n in (5, 6))


@pytest.mark.parametrize(
    ("puzzle", "components"),
    [(n_dom(7), 1), (diagonal(FIVE, SIX), 2)],
    ids=["one component", "two components"],
)
@pytest.mark.parametrize("model", ["cells", "starts", "both"])
@pytest.mark.parametrize("backtracking", [True, False])
def test_the_learning_stage_proves_what_it_finds(puzzle, components, model, backtracking):
    search = f"model={model}+cells_first=1+reduce_first=30+reduce_interval=20+dive_interval=20+dive_first=20"
    log = ProofLog(1 << 24)
    options = HybridOptions(backtracking=backtracking, budget=0, search=search)
    outcome = run_method(Hybrid(options).method(0, log), puzzle, Request(), StopFlag())
    assert outcome.answer is Answer.UNIQUE
    assert outcome.stats["components"] == components
    assert outcome.stats["conflicts"] > 0
    assert outcome.stats["reductions"] > 0
    clauses = formula_of(puzzle, outcome.solutions).clauses
    literals = np.array([literal for clause in clauses for literal in (*clause, 0)], np.int32)
    lemmas, fault = check_drat(literals, log.content, None)
    assert (lemmas > 0, fault) == (True, "")
    for kept in range(0, len(log.content), len(log.content) // 10 + 1):
        assert check_drat(literals, log.content[:kept], None)[1]


@pytest.mark.parametrize("puzzle", [n_dom(4), *SMALL_IN_COLOUR], ids=lambda puzzle: puzzle.title)
def test_certificates_of_version_1_still_verify(puzzle, tmp_path):
    found = certify(puzzle)
    if not found.claim.has_proof:
        return
    formula = formula_of(puzzle, found.solutions, version=1)
    with Solver("glucose4", bootstrap_with=formula.clauses, with_proof=True) as solver:
        assert not solver.solve()
        lemmas = [line for line in solver.get_proof() if line != "0"]
    files = {"old.cnf": b"".join(formula.dimacs()), "old.drat": "\n".join([*lemmas, "0\n"]).encode()}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    attached = [Attachment(name, hashlib.sha256(content).hexdigest()) for name, content in files.items()]
    path = tmp_path / "old.json"
    path.write_text(Document(found.claim, puzzle, found.solutions, *attached, version=1).text())
    assert verify(path), verify(path).fault
    path.write_text(Document(found.claim, puzzle, found.solutions, *attached).text())
    assert not verify(path)
    for wrong in ("1 2", "1 0 2 0", "+1 0", "01 0", "1  0", "", "c text", "a 1 0", "9999999999 0", "٢ 0"):
        content = f"{wrong}\n0\n".encode()
        (tmp_path / "old.drat").write_bytes(content)
        damaged = attached[0], Attachment("old.drat", hashlib.sha256(content).hexdigest())
        path.write_text(Document(found.claim, puzzle, found.solutions, *damaged, version=1).text())
        assert "old.drat:1: " in verify(path).fault
