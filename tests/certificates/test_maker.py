"""The maker's claims are true and verify; a maker that is cut off claims nothing."""

import pytest
from hypothesis import given, settings

from nonocsp.backends.base import Interrupted
from nonocsp.certificates.document import Claim
from nonocsp.certificates.maker import certify, save
from nonocsp.certificates.verifier import verify
from nonocsp.engine import StopFlag
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
    assert all(figures) if found.claim is not Claim.MULTIPLE else figures == (0, 0, 0)


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
