"""``nonocsp backends --try``: what the author of a program is told."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from nonocsp.backends.base import Answer
from nonocsp.testing import trial
from nonocsp.testing.trial import Verdict, summary, ten_puzzles, trials
from tests.backends.command.conftest import Script


def declared(script: Script, text: str, **rest: Any) -> str:
    return json.dumps({"name": "program", "command": [script(text), "{puzzle}"], **rest})


def test_the_ten_puzzles_are_of_every_kind() -> None:
    ten = ten_puzzles()
    assert len(ten) == 10
    assert {puzzle.shape for puzzle in ten} >= {(1, 1), (1, 5), (5, 1), (3, 4)}
    assert [puzzle.palette.is_one_colour for puzzle in ten] == [True] * 9 + [False]


@pytest.mark.parametrize("spec", ["hybrid", "settle"])
def test_an_installed_backend_can_be_tried(spec: str) -> None:
    tried = [*trials(spec)]
    assert len(tried) == 11
    assert all(one.verdict is not Verdict.WRONG for one in tried)
    assert (len({one.verdict for one in tried}) == 1) == (spec == "hybrid")
    assert any(line.startswith("missing: gives up") for line in summary(spec, tried)) == (spec == "settle")


def test_a_program_that_prints_nonsense_is_told_what_was_expected(script: Script) -> None:
    spec = declared(script, "echo no idea")
    lines = summary(spec, [*trials(spec)])
    assert lines[0] == "right: 0 of 10 puzzles"
    assert any(
        "wrong: the program's answer cannot be read: expected 3 lines of 4 cells" in line for line in lines
    )
    assert any(line.startswith("missing: its version") for line in lines)


def test_a_program_that_always_claims_the_same_is_wrong_where_that_is_false(script: Script) -> None:
    spec = declared(script, "exit 7", rules={"exit_codes": {7: "unsat"}})
    verdicts = {one.puzzle.title: one for one in trials(spec)}
    for one in verdicts.values():
        if one.outcome.answer is Answer.UNSAT:
            assert (one.verdict is Verdict.RIGHT) == (one.found == 0)
    assert verdicts["two solutions"].reason == "it claims no solution; there are 2"
    assert verdicts["one row"].reason == "it claims no solution; there is 1"


def test_a_program_that_hangs_is_cut_off(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "LIMITS", trial.Limits(wall=0.05))
    spec = declared(script, "sleep 300")
    tried = [*trials(spec)]
    assert {one.verdict for one in tried[:9]} == {Verdict.WRONG}
    assert any("wall limit" in line for line in summary(spec, tried))


@pytest.mark.parametrize(("answer", "code"), [("", 0), ("exit 1", 1)])
def test_the_exit_code_says_whether_something_is_wrong(answer: str, code: int, script: Script) -> None:
    unknown = "echo gave up"
    spec = declared(script, answer or unknown, rules={"unknown": "gave up"})
    run = [sys.executable, "-c", "from nonocsp.cli import main; main()", "backends", "--try", spec]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert ("wrong" in done.stdout) == bool(code)
    if code:
        assert "the program ended with exit code 1" in done.stdout
    else:
        assert "missing: gives up on some puzzles" in done.stdout


def test_records_have_the_keys_of_every_report(tmp_path: Path) -> None:
    run = [
        sys.executable,
        "-c",
        "from nonocsp.cli import main; main()",
        "backends",
        "--try",
        "hybrid",
        "--json",
    ]
    done = subprocess.run(run, capture_output=True, text=True, check=True, cwd=tmp_path)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(records) == 11
    assert {"puzzle", "rows", "columns", "task", "answer", "termination", "expected", "verdict"} <= {
        *records[0]
    }
