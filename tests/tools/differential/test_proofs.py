"""`tools.differential.proofs` finds no fault in the proofs of hybrid, and every one that is put into them."""

from typer.testing import CliRunner, Result

from nonocsp.engine.verification import check_drat
from tools.differential import proofs
from tools.differential.__main__ import app


def run(folder, *arguments: object) -> Result:
    return CliRunner().invoke(app, ["proofs", "--folder", str(folder), *map(str, arguments)])


def test_the_proofs_of_random_puzzles_and_dominoes_hold(tmp_path):
    result = run(tmp_path, "--random", 100, "--seed", 3)
    assert result.exit_code == 0, result.stdout
    assert "unique by learning" in result.stdout
    assert "0 faults" in result.stdout


def test_half_a_proof_is_a_fault_and_its_puzzle_is_saved(tmp_path, monkeypatch):
    def half(clauses, proof: bytes, progress):
        return check_drat(clauses, proof[: len(proof) // 2], progress)

    monkeypatch.setattr(proofs, "check_drat", half)
    result = run(tmp_path, "--random", 0)
    assert result.exit_code == 1
    assert "byte" in result.stdout
    assert list(tmp_path.glob("*.json"))
