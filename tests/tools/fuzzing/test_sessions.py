"""What a session keeps: an input that is fine without the fuzzer is no finding."""

import pytest

from tools.fuzzing import sessions


def test_only_inputs_that_fail_by_themselves_are_kept(tmp_path, monkeypatch):
    fine, missing = tmp_path / "slow.fine", tmp_path / "slow.missing"
    fine.write_bytes(b"#.\n.#\n")
    monkeypatch.setattr(sessions, "findings", lambda target: [fine])
    sessions._drop_what_is_fine_alone("text")
    assert not fine.exists()
    assert sessions._python("tools.fuzzing", "text", "--replay", str(missing)) != 0


def test_a_session_keeps_inputs_that_reach_new_lines(tmp_path, monkeypatch):
    pytest.importorskip("atheris")
    monkeypatch.setattr(sessions, "FOLDER", tmp_path)
    done = sessions.fuzz("grid", 1.0)
    assert done.runs > 100
    assert done.new > 10
