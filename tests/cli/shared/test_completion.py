"""The Tab key: commands, options, backends with their options, formats, campaigns and files."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from nonocsp.cli.app import app
from nonocsp.cli.shared.completion import whole_words

Complete = Callable[..., list[str]]


@pytest.fixture
def program(tmp_path) -> Path:
    """The command as a file that a shell can start."""
    path = tmp_path / "bin" / "nonocsp"
    path.parent.mkdir()
    path.write_text(f"#!/bin/sh\nexec {sys.executable} -c 'from nonocsp.cli import main; main()' \"$@\"\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def offered(tmp_path, monkeypatch, capsys) -> Complete:
    """What the command answers to bash after some words, which it takes apart at ``:`` and ``=``."""

    def complete(*words: str) -> list[str]:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("_NONOCSP_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", "\n".join(["nonocsp", *words]))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        with pytest.raises(SystemExit), whole_words():
            app(prog_name="nonocsp")
        return capsys.readouterr().out.split()

    return complete


def test_bash_asks_the_command(program, tmp_path):
    script = (
        'eval "$(nonocsp --show-completion)"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1));'
        'COMPREPLY=(); _nonocsp_completion nonocsp; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    words = ["nonocsp", "solve", "'a b:c'", "--backend", "settle", ":", "order", "=", "q"]
    done = subprocess.run(
        ["bash", "--norc", "-c", script, "bash", *words],
        env={**os.environ, "PATH": path, "SHELL": "/bin/bash"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["queue"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["so"], ["solve"]),
        (["set"], ["settle"]),
        (["solve", "--ta"], ["--task"]),
        (["solve", "--task", ""], ["solve", "decide", "count"]),
        (["settle", "--order", "q"], ["queue"]),
        (["backends", "cp"], ["cpmpy", "cpsat"]),
        (["convert", "--to", "tour"], ["tournament"]),
        (["bench", "--executor", "for"], ["fork"]),
        (["bench", "--retry", "cr"], ["crashed"]),
        (["bench", "smo"], ["smoke"]),
        (["bench", "mi"], ["mine.yaml", "mix/"]),
        (["bench", "mix/"], ["mix/other.yml"]),
        (["solve", "--backend", "set"], ["settle"]),
        (["solve", "--backend", "=", "set"], ["settle"]),
        (
            ["solve", "--backend", "settle", ":"],
            ["order=queue", "order=sweeps", "order=sweeps_columns_first"],
        ),
        (
            ["solve", "--backend", "settle", ":", "or"],
            ["order=queue", "order=sweeps", "order=sweeps_columns_first"],
        ),
        (
            ["solve", "--backend", "=", "settle", ":", "order", "="],
            ["queue", "sweeps", "sweeps_columns_first"],
        ),
        (["solve", "--backend", "settle", ":", "order", "=", "q"], ["queue"]),
        (
            ["solve", "--backend", "sat", ":", "encoding", "=", "order,ph"],
            ["order,phase=none", "order,phase=likely"],
        ),
        (["check", "--backends", "gac,set"], ["gac,settle"]),
        (["check", "--backends", "settle", ":", "order", "=", "queue,ga"], ["queue,gac"]),
    ],
    ids=" ".join,
)
def test_words_are_completed(offered, tmp_path, words, expected):
    (tmp_path / "mine.yaml").touch()
    (tmp_path / "mix").mkdir()
    (tmp_path / "mix" / "other.yml").touch()
    assert offered(*words) == expected


@pytest.mark.parametrize("words", [["solve", "ca"], ["report", "res"], ["print", "-o", "x"], ["bench", "zz"]])
def test_completion_leaves_file_names_to_the_shell(offered, words):
    assert offered(*words) == []


@pytest.mark.parametrize(
    ("shell", "env", "expected"),
    [("zsh", {}, '"cadical195"'), ("fish", {"_TYPER_COMPLETE_FISH_ACTION": "get-args"}, "cadical195")],
)
def test_other_shells_complete_too(program, shell, env, expected):
    typed = {
        "_NONOCSP_COMPLETE": f"complete_{shell}",
        "_TYPER_COMPLETE_ARGS": "nonocsp sat --solver cadical195",
    }
    done = subprocess.run(
        [program], env={**os.environ, **env, **typed}, capture_output=True, text=True, check=False
    )
    assert expected in done.stdout


@pytest.mark.parametrize(("shell", "file"), [("bash", ".bashrc"), ("zsh", ".zshrc")])
def test_installing_completion_changes_only_the_users_own_files(program, tmp_path, shell, file):
    home = tmp_path / "home"
    home.mkdir()
    env = {**os.environ, "HOME": str(home), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    done = subprocess.run(
        [program, "--install-completion", shell], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert f"{shell} completion installed" in done.stdout
    assert "nonocsp" in "".join(path.read_text() for path in home.rglob("*") if path.is_file())
    assert (home / file).exists()
