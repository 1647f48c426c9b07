"""Declared programs wherever a backend is named: the command line and configs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from nonocsp.bench import load_config
from nonocsp.model import FormatError

PROGRAM = """#!/bin/sh
printf '%s\\n' '#.#' '###' '.#.'
"""
CONFIG = """
name: own
puzzles: [{file: cat.non}]
backends:
  - hybrid
  - ./mine.yaml
  - {spec: ./mine.yaml, name: again}
  - {name: here, command: [./program, "{puzzle}"], solutions: all}
  - {name: absent, command: [./absent, "{puzzle}"], optional: true}
limits: {wall: 20}
"""


@pytest.fixture
def folder(tmp_path) -> Path:
    """A folder with a puzzle, a program and its declaration."""
    (tmp_path / "program").write_text(PROGRAM)
    (tmp_path / "program").chmod(0o755)
    (tmp_path / "mine.yaml").write_text('name: mine\ncommand: [./program, "{puzzle}"]\nsolutions: all\n')
    (tmp_path / "cat.non").write_text("width 3\nheight 3\n\nrows\n1 1\n3\n1\n\ncolumns\n2\n2\n2\n")
    (tmp_path / "own.yaml").write_text(CONFIG)
    return tmp_path


def nonocsp(folder: Path, *words: str, code: int = 0) -> str:
    command = [sys.executable, "-c", "from nonocsp.cli import main; main()", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


@pytest.mark.slow
def test_a_declared_program_is_solved_with_checked_and_measured(folder):
    record = json.loads(nonocsp(folder, "solve", "--backend", "./mine.yaml", "--json", "cat.non"))
    assert (record["backend"], record["answer"]) == ("mine", "unique")
    assert "agreed" in nonocsp(folder, "check", "--backends", "mine.yaml,hybrid", "cat.non")
    shown = nonocsp(folder, "check", "--json", "--backends", "mine.yaml,hybrid", "cat.non")
    assert [*json.loads(shown.splitlines()[0])["backends"]] == ["mine", "hybrid"]
    assert "absent" in nonocsp(folder, "bench", "own.yaml", "--output", "out")
    rows = [json.loads(line) for line in (folder / "out" / "runs.jsonl").read_text().splitlines()]
    measured = {row["backend"]: row for row in rows}
    assert {name: row["answer"] for name, row in measured.items()} == dict.fromkeys(
        ("hybrid", "mine", "again", "here"), "unique"
    )
    assert json.loads(measured["mine"]["spec"])["command"][0] == str(folder / "program")
    assert measured["mine"]["versions"]["mine"] == "unknown"
    assert measured["mine"]["code"] != measured["hybrid"]["code"]
    assert "0 now, 4 before" in nonocsp(folder, "bench", "own.yaml", "--output", "out")
    assert "again" in nonocsp(folder, "report", "out")


def test_a_spec_that_is_wrong_is_told_in_one_line(folder):
    (folder / "bad.yaml").write_text("name: bad\ncomand: [x]\n")
    message = nonocsp(folder, "solve", "-b", "bad.yaml", "cat.non", code=2)
    assert "bad.yaml:2:1: unknown key 'comand' (did you mean 'command'?)" in message


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("{name: x, comand: [a], input: nin}", "unknown key 'comand' (did you mean 'command'?)"),
        ("{name: sat, command: [/bin/sh]}", "'sat' is an installed backend"),
        ("{name: x, command: [./absent]}", "there is no file"),
        ("./absent.yaml", "there is no such file; nonocsp comes with cadical.yaml"),
        ("{name: x, command: [/bin/sh, '{puzle}']}", "unknown placeholder 'puzle'"),
    ],
)
def test_a_wrong_program_in_a_config_is_named_with_its_line(entry, message, folder):
    (folder / "own.yaml").write_text(f"name: own\npuzzles: [{{file: cat.non}}]\nbackends:\n  - {entry}\n")
    with pytest.raises(FormatError) as error:
        load_config(folder / "own.yaml")
    assert message in str(error.value)
    assert "own.yaml:4:" in str(error.value)
