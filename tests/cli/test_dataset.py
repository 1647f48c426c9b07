"""``nonocsp dataset``: the command writes what the rule makes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from typer.testing import Result

from nonocsp.datasets.tcga import tournament_set
from nonocsp.formats import load_all

Cli = Callable[..., Result]


def test_the_command_writes_the_set_of_the_rule(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "set.txt.gz"
    args = ["--seed", 7, "--count", 5, "--rows", 4, "--columns", 6]
    assert cli("dataset", "tcga", *args, "--output", path).exit_code == 0
    made = list(tournament_set(7, count=5, rows=4, columns=6))
    read = list(load_all(path, size=(4, 6)))
    assert [(p.rows, p.columns, p.title) for p in read] == [(p.rows, p.columns, p.title) for p in made]


def test_standard_output_is_a_tournament_file_with_unix_line_ends(cli: Cli) -> None:
    text = cli("dataset", "tcga", "--seed", 1, "--count", 2, "--rows", 3, "--columns", 3).stdout
    assert text.startswith("$1\n")
    assert "\r" not in text
    assert len(text.split("\n")) == 2 * 7 + 1


def test_another_format_keeps_the_goal(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    cli("dataset", "tcga", "--seed", 3, "--count", 2, "--to", "jsonl", "--output", path)
    assert [p.goal for p in load_all(path)] == [p.goal for p in tournament_set(3, count=2)]
