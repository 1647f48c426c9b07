"""``nonocsp dataset``: the command writes what the rule makes, in the format that is asked for."""

from pathlib import Path

import pytest

from nonocsp import difficulty, load
from nonocsp.datasets import random_set, tournament_set
from nonocsp.formats import load_all


def test_the_command_writes_the_set_that_the_rule_defines(cli, here):
    args = ["--seed", 7, "--count", 5, "--rows", 4, "--columns", 6]
    assert cli("dataset", "tcga", *args, "--output", "set.txt.gz").exit_code == 0
    made = list(tournament_set(7, count=5, rows=4, columns=6))
    read = list(load_all("set.txt.gz", size=(4, 6)))
    assert [(p.rows, p.columns, p.title) for p in read] == [(p.rows, p.columns, p.title) for p in made]
    text = cli("dataset", "tcga", *args).stdout
    assert (text[:3], "\r" in text, len(text.split("\n"))) == ("$1\n", False, 5 * (4 + 6 + 1) + 1)
    size = ("--rows", 4, "--columns", 6, "--count", 3, "--colours", 2)
    assert cli("dataset", "random", "--seed", 5, *size, "--output", "set.jsonl").exit_code == 0
    assert list(load_all("set.jsonl")) == list(random_set(5, count=3, rows=4, columns=6, colours=2))


@pytest.mark.parametrize(
    ("rule", "name", "format", "start"),
    [
        ("tcga --seed 3 --count 2", "x.json", "", "["),
        ("tcga --seed 3 --count 2", "x.json", "tournament", "$1\n"),
        ("random --seed 3 --count 2", "x.tcga", "", "$1\n"),
        ("random --seed 3 --count 2", "x", "", '{"'),
        ("hardest --rows 6 --columns 8", "x.grid", "", ""),
        ("hardest --rows 6 --columns 8", "x", "", "title"),
    ],
)
def test_the_suffix_or_the_named_format_decides_what_is_written(cli, *, here, rule, name, format, start):
    options = ("--to", format) if format else ()
    result = cli("dataset", *rule.split(), "--output", name, *options)
    assert result.exit_code == 0, result.stderr
    assert Path(name).read_text().startswith(start)
    if name == "x.json" and not format:
        assert all(puzzle.goal for puzzle in load_all(name))


def test_the_hardest_of_a_size_is_written_with_its_sweeps(cli, here):
    result = cli("dataset", "hardest", "--rows", 10, "--columns", 14)
    assert (result.exit_code, result.stderr) == (0, "10x14, 93 sweeps, by snakes\n")
    Path("hardest.non").write_text(result.stdout)
    assert difficulty(load("hardest.non")).sweeps == 93
    size = "--rows", 18, "--columns", 18
    assert "183 sweeps, by zigzags" in cli("dataset", "hardest", *size).stderr
    assert "115 sweeps, by theorem-4.5" in cli("dataset", "hardest", *size, "--family", "theorem-4.5").stderr


@pytest.mark.parametrize("figure", ["snakes-6x16", "snakes-8x16", "zigzags-23x18"])
def test_a_figure_of_the_manual_is_the_map_that_the_command_writes(cli, here, repository, figure):
    family, rows, columns = figure.replace("x", "-").split("-")
    size = ("--rows", rows, "--columns", columns)
    cli("dataset", "hardest", *size, "--family", family, "-o", "member.non")
    assert cli("difficulty", "--map", "map.svg", "member.non").exit_code == 0
    shown = repository / "docs" / "results" / "figures" / f"family-{figure}.svg"
    assert Path("map.svg").read_text() == shown.read_text()


def test_a_search_writes_its_best_puzzle(cli, here):
    args = "--rows", 4, "--columns", 4, "--search", "--time", "500ms", "--output", "found.json"
    result = cli("dataset", "hardest", *args)
    assert result.exit_code == 0
    sweeps = difficulty(load("found.json")).sweeps
    assert result.stderr.startswith(f"4x4: {sweeps} sweeps, the most among ")
