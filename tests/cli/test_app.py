"""What all commands share: help, exit codes, errors, completion, start-up."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version

import pytest
from typer.testing import Result

from nonocsp.backends.base import Answer, Outcome, Task, Termination
from nonocsp.cli.exit_codes import ExitCode, of_outcome

Cli = Callable[..., Result]
COMMANDS = [["solve"], ["check"], ["bench"], ["convert"], ["backends"], ["dataset", "tcga"], ["doctor"]]


@pytest.mark.parametrize("command", [[], *COMMANDS], ids=" ".join)
def test_help_fits_80_columns_and_has_summary_options_and_examples(cli: Cli, command: list[str]) -> None:
    result = cli(*command, "--help")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert max(map(len, lines)) <= 80
    assert lines[0].startswith("Usage: nonocsp")
    assert lines[2].endswith(".")
    assert "Examples:" in result.stdout or not command


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_example_in_a_help_text_uses_options_that_exist(cli: Cli, command: list[str]) -> None:
    text = cli(*command, "--help").stdout
    options, examples = text.split("Examples:")
    used = [word for word in examples.split() if word.startswith("--")]
    assert [option for option in used if option not in options] == []
    assert examples.count("nonocsp " + " ".join(command)) >= 2


def test_the_help_explains_the_exit_codes(cli: Cli) -> None:
    text = cli("--help").stdout
    assert all(f"{code} " in text for code in (0, 1, 2, 3, 130))


def test_the_version_is_that_of_the_package(cli: Cli) -> None:
    assert cli("--version").stdout == f"nonocsp {version('nonocsp')}\n"


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["nosuch"], "No such command"),
        (["solve"], "Missing argument"),
        (["solve", "--nosuch", "x"], "No such option"),
        (["solve", "--task", "guess", "x"], "guess"),
        (["solve", "--bound", "0", "x"], "--bound"),
        (["solve", "--limit", "soon", "x"], "10s"),
        (["solve", "--limit", "0", "x"], "10s"),
        (["solve", "--memory", "lots", "x"], "2GiB"),
        (["solve", "--index", "0", "x"], "counted from 1"),
        (["solve", "--size", "25", "x"], "rows x columns"),
        (["dataset", "tcga"], "--seed"),
        (["dataset", "tcga", "--seed", "-1"], "--seed"),
        (["convert", "x"], "Missing argument"),
        (["bench", "--jobs", "0", "x"], "--jobs"),
        (["check", "--jobs", "0", "x"], "--jobs"),
        (["check", "--task", "solve", "x"], "solve"),
    ],
)
def test_a_wrong_command_line_says_what_is_wrong_and_exits_with_2(
    cli: Cli, args: list[str], complaint: str
) -> None:
    result = cli(*args)
    assert result.exit_code == 2
    assert complaint in result.stderr
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


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("nonocsp so", {"solve"}),
        ("nonocsp solve --backend set", {"settle"}),
        ("nonocsp backends cp", {"cpsat"}),
        ("nonocsp convert --to tour", {"tournament"}),
        ("nonocsp solve --task ", {"solve", "decide", "count"}),
    ],
)
def test_the_shell_completes_commands_backends_and_formats(words: str, expected: set[str]) -> None:
    env = {**os.environ, "_NONOCSP_COMPLETE": "complete_bash", "COMP_WORDS": words}
    env["COMP_CWORD"] = str(len(words.split(" ")) - 1)
    command = [sys.executable, "-c", "from nonocsp.cli import main; main()"]
    result = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert set(result.stdout.split()) == expected
