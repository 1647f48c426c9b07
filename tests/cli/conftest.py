"""Fixtures that call the command line, in this process where possible, else as a user does."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from nonocsp.cli.app import app
from nonocsp.formats import save
from nonocsp.model import Puzzle
from nonocsp.testing import n_dom

UNIQUE = Puzzle.from_clues([[1, 1], [3], [1]], [[2], [2], [2]], title="Cat")
MULTIPLE = Puzzle.from_clues([[1], [1]], [[1], [1]])
UNSAT = Puzzle.from_clues([[3], [], [3]], [[1, 1], [2], [1, 1]])


@pytest.fixture(autouse=True)
def _machine_at_rest(monkeypatch):
    """Campaigns do not check for other processes, which takes a moment, and do not warn of them."""
    monkeypatch.setattr("nonocsp.bench.campaign.disturbances", lambda jobs, cores, pin: [])


@pytest.fixture
def cli(monkeypatch) -> Callable[..., Result]:
    """Run the command line in this process: ``cli("solve", path, input="…", NO_COLOR="1")``."""
    monkeypatch.setattr(sys, "argv", ["nonocsp"])

    def run(*args: object, input: str | bytes | None = None, **env: str | None) -> Result:
        settings = {"NO_COLOR": None, "FORCE_COLOR": None, "COLUMNS": "80", **env}
        return CliRunner().invoke(
            app, [str(arg) for arg in args], input=input, env=settings, prog_name="nonocsp"
        )

    return run


@pytest.fixture
def records(cli) -> Callable[..., list[dict[str, Any]]]:
    """Run a command with ``--json``, check its exit code if given, and return the objects that it prints."""

    def run(*args: object, code: int | None = None, **rest: Any) -> list[dict[str, Any]]:
        result = cli(*args, "--json", **rest)
        assert code in (None, result.exit_code), result.output
        return [json.loads(line) for line in result.stdout.splitlines()]

    return run


@pytest.fixture
def start() -> Callable[..., subprocess.Popen[str]]:
    """Start the command line as a process of its own."""

    def run(*args: object, **rest: object) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", "from nonocsp.cli import main; main()", *map(str, args)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
        return subprocess.Popen(command, text=True, **pipes, **rest)

    return run


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    """A folder of its own, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def files(tmp_path) -> Callable[[str], Path]:
    """Provide small puzzle files by answer: unique, multiple, unsat; set has all three."""
    puzzles = {"unique": [UNIQUE], "multiple": [MULTIPLE], "unsat": [UNSAT], "set": [UNIQUE, MULTIPLE, UNSAT]}

    def make(name: str) -> Path:
        path = tmp_path / f"{name}.json"
        save(puzzles[name], path)
        return path

    return make


@pytest.fixture
def hard(tmp_path) -> Path:
    """A puzzle that no backend decides within a minute."""
    path = tmp_path / "hard.json"
    save(n_dom(16), path)
    return path
