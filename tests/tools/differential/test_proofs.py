"""`tools.differential.proofs` finds a fault that is put into the proofs of hybrid."""

from typer.testing import CliRunner

from nonocsp.engine.verification import check_drat
from tools.differential import proofs
from tools.differential.__main__ import app


def test_half_a_proof_is_a_fault_and_its_puzzle_is_saved(tmp_path, monkeypatch):
    def half(clauses, proof: bytes, progress):
        return check_drat(clauses, proof[: len(proof) // 2], progress)

    monkeypatch.setattr(proofs, "check_drat", half)
    result = CliRunner().invoke(app, ["proofs", "--folder", str(tmp_path), "--random", "0"])
    assert result.exit_code == 1
    assert "byte" in result.stdout
    assert list(tmp_path.glob("*.json"))
