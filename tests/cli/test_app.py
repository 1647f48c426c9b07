"""What all commands share: exit codes, errors, start-up."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version

import pytest
from typer.testing import Result

from nonocsp.backends.base import Answer, Outcome, Task, Termination
from nonocsp.cli.shared.exit_codes import ExitCode, of_outcome

Cli = Callable[..., Result]


def test_the_help_explains_the_exit_codes(cli: Cli) -> None:
    text = cli("--help").stdout
    assert all(f"{code} " in text for code in (0, 1, 2, 3, 130))


def test_version_prints_the_version_of_the_package(cli: Cli) -> None:
    assert cli("--version").stdout == f"nonocsp {version('nonocsp')}\n"


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["nosuch"], "no such command"),
        (["solve"], "missing argument"),
        (["solve", "--nosuch", "x"], "no such option"),
        (["solve", "--task", "guess", "x"], "guess"),
        (["solve", "--bound", "0", "x"], "--bound"),
        (["solve", "--limit", "soon", "x"], "10s"),
        (["solve", "--limit", "0", "x"], "10s"),
        (["solve", "--memory", "lots", "x"], "2GiB"),
        (["solve", "--index", "0", "x"], "counted from 1"),
        (["solve", "--size", "25", "x"], "rows x columns"),
        (["dataset", "tcga"], "--seed"),
        (["dataset", "tcga", "--seed", "-1"], "--seed"),
        (["convert", "x"], "missing argument"),
        (["bench", "--jobs", "0", "x"], "--jobs"),
        (["check", "--jobs", "0", "x"], "--jobs"),
        (["check", "--task", "solve", "x"], "solve"),
        (["bench", "--limit"], "option '--limit' requires an argument; see nonocsp bench --help"),
        (
            ["results", "merge", "x", "--output"],
            "'--output' requires an argument; see nonocsp results merge --",
        ),
        (["sat", "--limit"], "option '--limit' requires an argument; see nonocsp sat --help"),
        (["solve", "--json=3", "x"], "option '--json' does not take a value; see nonocsp solve --help"),
        (["--version=3"], "option '--version' does not take a value; see nonocsp --help"),
    ],
)
def test_a_wrong_command_line_says_what_is_wrong_and_exits_with_2(
    cli: Cli, args: list[str], complaint: str
) -> None:
    result = cli(*args)
    assert result.exit_code == 2
    (message,) = result.stderr.splitlines()
    assert message.startswith("error: ")
    assert complaint in message
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("answer", "termination", "task", "code"),
    [
        ("unique", "ok", "decide", 0),
        ("multiple", "ok", "decide", 1),
        ("unsat", "ok", "decide", 1),
        ("partial", "ok", "decide", 1),
        ("unknown", "ok", "decide", 1),
        ("solved", "ok", "decide", 1),
        ("solved", "ok", "solve", 0),
        ("unsat", "ok", "solve", 1),
        ("partial", "ok", "solve", 1),
        ("multiple", "ok", "count", 0),
        ("unique", "ok", "count", 0),
        ("unsat", "ok", "count", 1),
        ("unknown", "wall", "decide", 3),
        ("solved", "cpu", "decide", 3),
        ("unknown", "memory", "solve", 3),
        ("unknown", "crashed", "decide", 1),
        ("unknown", "killed", "decide", 1),
        ("unknown", "unsupported", "decide", 2),
    ],
)
def test_the_exit_code_says_what_the_outcome_means_for_the_task(
    answer: str, termination: str, task: str, code: int
) -> None:
    outcome = Outcome(Answer(answer), Termination(termination))
    assert of_outcome(outcome, Task(task)) == ExitCode(code)


def test_help_imports_neither_numpy_nor_rich() -> None:
    script = (
        "import sys; from nonocsp.cli.app import app; print({'numpy', 'rich', 'pydantic'} & set(sys.modules))"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout == "set()\n"
