"""``nonocsp certificate verify``: verdicts, exit codes, output."""

import json
from pathlib import Path

import pytest

from nonocsp.backends.base import Interrupted
from nonocsp.certificates.maker import certify, save
from nonocsp.formats import save as write_puzzle
from nonocsp.making.drawings import motifs
from nonocsp.model import Grid, Puzzle
from nonocsp.testing import n_dom, permutations

UNSAT = Puzzle.from_clues([[3], [], [3]], [[1, 1], [2], [1, 1]])
PUZZLES = {"unique": n_dom(3), "multiple": permutations(3), "unsat": UNSAT}


@pytest.fixture
def certificates(tmp_path) -> dict[str, Path]:
    return {name: save(certify(puzzle), tmp_path, name) for name, puzzle in PUZZLES.items()}


def damaged(path: Path) -> Path:
    path.write_text(path.read_text().replace('"unique"', '"unsat"'))
    return path


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("unique", 'the 7x7 puzzle "3-Dom" has exactly one solution'),
        ("multiple", 'the 3x3 puzzle "permutations of 3" has more than one solution'),
        ("unsat", "the 3x3 puzzle has no solution"),
    ],
)
def test_a_valid_certificate_is_put_into_words(cli, certificates, name, says):
    result = cli("certificate", "verify", certificates[name])
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == f"{certificates[name]}: valid"
    assert says in result.stdout
    assert ("lemmas" in result.stdout) == (name != "multiple")


def test_an_invalid_certificate_is_a_negative_finding_and_the_others_are_still_checked(cli, certificates):
    result = cli("certificate", "verify", damaged(certificates["unique"]), certificates["unsat"])
    assert result.exit_code == 1
    assert f"{certificates['unique']}: INVALID" in result.stdout
    assert "the file was changed" in result.stdout
    assert f"{certificates['unsat']}: valid" in result.stdout


def test_json_is_one_object_a_certificate(cli, certificates):
    paths = [certificates["multiple"], damaged(certificates["unique"])]
    found = [json.loads(line) for line in cli("certificate", "verify", "--json", *paths).stdout.splitlines()]
    assert [record["certificate"] for record in found] == [str(path) for path in paths]
    assert [record["valid"] for record in found] == [True, False]
    assert (found[0]["claim"], found[0]["rows"], found[0]["title"]) == ("multiple", 3, "permutations of 3")
    assert "the file was changed" in found[1]["fault"]


def test_solve_writes_a_certificate_that_verifies(cli, files, records, tmp_path):
    [record] = records("solve", "--proof", tmp_path / "proofs", files("unique"))
    path = Path(record["stats"]["certificate"])
    assert path.parent == tmp_path / "proofs"
    [verified] = records("certificate", "verify", path)
    assert (verified["valid"], verified["claim"]) == (True, record["answer"])
    for option in (["--jobs", "2"], ["--task", "count"], ["--backend", "sat"], ["--memory", "1G"]):
        assert cli("solve", "--proof", tmp_path / "proofs", *option, files("unique")).exit_code == 2


@pytest.fixture
def drawings(tmp_path, monkeypatch) -> None:
    """``two.json``, which has two solutions, and ``note.png`` in the present folder."""
    monkeypatch.chdir(tmp_path)
    write_puzzle(Puzzle.from_grid(Grid.from_strings(["#.", ".#"])), "two.json")
    next(motif for motif in motifs() if motif.name == "note").image().save("note.png")


@pytest.mark.parametrize(
    ("command", "proved"),
    [
        (("repair", "two.json"), 1),
        (("generate", "note.png", "--size", "10x10"), 1),
        (("generate", "note.png", "--size", "10x10", "--vary", "3"), 2),
        (("generate", "--pack", "--count", "2", "--output", "pack"), 2),
    ],
)
@pytest.mark.usefixtures("drawings")
def test_made_puzzles_get_certificates_that_verify(cli, command, proved):
    assert cli(*command, "--proof", "proofs").exit_code == 0
    found = [*Path("proofs").glob("*.json")]
    assert len(found) == proved
    told = cli("certificate", "verify", *found)
    assert told.exit_code == 0
    assert told.stdout.count("exactly one solution") == proved


@pytest.mark.parametrize(
    ("command", "limit"),
    [
        (("repair", "two.json"), 20),
        (("repair", "two.json", "--time", "70s"), 70),
        (("generate", "note.png", "--size", "10x10"), 60),
        (("generate", "note.png", "--size", "10x10", "--time", "70s"), 70),
    ],
)
@pytest.mark.usefixtures("drawings")
def test_a_certificate_that_takes_too_long_is_left_out(cli, monkeypatch, command, limit):
    def stopped(puzzle, *, wall):
        assert wall == limit
        raise Interrupted

    monkeypatch.setattr("nonocsp.certificates.maker.certify", stopped)
    told = cli(*command, "--proof", "proofs")
    assert told.exit_code == 0
    assert f"no certificate within {limit} s" in told.stderr
    assert not Path("proofs").exists()
