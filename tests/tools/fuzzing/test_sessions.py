"""What a session keeps: an input that is fine without the fuzzer is no finding."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.fuzzing import sessions


def test_only_inputs_that_fail_by_themselves_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fine, missing = tmp_path / "slow.fine", tmp_path / "slow.missing"
    fine.write_bytes(b"#.\n.#\n")
    monkeypatch.setattr(sessions, "findings", lambda target: [fine])
    sessions._drop_what_is_fine_alone("text")
    assert not fine.exists()
    assert sessions._python("tools.fuzzing", "text", "--replay", str(missing)) != 0


def test_a_session_keeps_inputs_that_reach_new_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("atheris")
    monkeypatch.setattr(sessions, "FOLDER", tmp_path)
    done = sessions.fuzz("grid", 1.0)
    assert done.runs > 100
    assert done.new > 10


def test_a_session_goes_on_in_another_process_when_one_has_grown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_s: list[str] = []

    def end_early(module: str, target: str, folder: str, seconds: str, log: Path) -> int:
        Path(folder, "child.json").write_text(json.dumps({"runs": 5, "cpu_s": 0.25}))
        left_s.append(seconds)
        return 0

    monkeypatch.setattr(sessions, "FOLDER", tmp_path)
    monkeypatch.setattr(sessions, "_python", end_early)
    assert sessions.fuzz("grid", 6.0).runs == 120
    assert left_s[:2] == ["6.0", "5.75"]


def test_a_process_ends_when_it_has_grown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("atheris")
    from tools.fuzzing import child

    def end(code: int) -> None:
        raise SystemExit(code)

    monkeypatch.setattr("os._exit", end)
    work = child._Work(tmp_path, 1000.0)
    work.count()
    work.told_s = -1.0
    work.count()
    work.grown_bytes, work.told_s = 0, -1.0
    with pytest.raises(SystemExit, match="0"):
        work.count()
    assert json.loads((tmp_path / "child.json").read_text())["runs"] == 3
