"""``nonocsp dataset``: the command writes what the rule makes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from nonocsp import difficulty, load
from nonocsp.datasets.random_images import random_set
from nonocsp.datasets.tcga import tournament_set
from nonocsp.formats import load_all

Cli = Callable[..., Result]


def test_the_command_writes_the_set_that_the_rule_defines(cli: Cli, tmp_path: Path) -> None:
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


def test_the_hardest_of_a_size_is_written_with_its_sweeps(cli: Cli, tmp_path: Path) -> None:
    result = cli("dataset", "hardest", "--rows", 10, "--columns", 14)
    assert (result.exit_code, result.stderr) == (0, "10x14, 93 sweeps, by snakes\n")
    path = tmp_path / "hardest.non"
    path.write_text(result.stdout)
    assert difficulty(load(path)).sweeps == 93


def test_a_construction_can_be_chosen(cli: Cli) -> None:
    size = "--rows", 18, "--columns", 18
    assert "183 sweeps, by zigzags" in cli("dataset", "hardest", *size).stderr
    assert "115 sweeps, by theorem-4.5" in cli("dataset", "hardest", *size, "--family", "theorem-4.5").stderr
    assert cli("dataset", "hardest", *size, "--family", "zigzags", "--search").exit_code == 2


@pytest.mark.parametrize("figure", ["snakes-6x16", "snakes-8x16", "zigzags-23x18"])
def test_a_figure_of_the_manual_is_the_map_that_the_command_writes(
    cli: Cli, tmp_path: Path, repository: Path, figure: str
) -> None:
    family, rows, columns = figure.replace("x", "-").split("-")
    puzzle, written = tmp_path / "member.non", tmp_path / "map.svg"
    cli("dataset", "hardest", "--rows", rows, "--columns", columns, "--family", family, "-o", puzzle)
    assert cli("difficulty", "--map", written, puzzle).exit_code == 0
    shown = repository / "docs" / "results" / "figures" / f"family-{figure}.svg"
    assert written.read_text() == shown.read_text()


def test_a_search_writes_its_best_puzzle(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "found.json"
    args = "--rows", 4, "--columns", 4, "--search", "--time", "500ms", "--output", path
    result = cli("dataset", "hardest", *args, "--to", "json")
    assert result.exit_code == 0
    sweeps = difficulty(load(path)).sweeps
    assert result.stderr.startswith(f"4x4: {sweeps} sweeps, the most among ")


def test_random_images_follow_the_rule(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    size = ("--rows", 4, "--columns", 6, "--count", 3)
    assert cli("dataset", "random", "--seed", 5, *size, "--colours", 2, "--output", path).exit_code == 0
    assert list(load_all(path)) == list(random_set(5, count=3, rows=4, columns=6, colours=2))
