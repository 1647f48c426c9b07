"""``nonocsp difficulty``: tables, records, files and exit codes."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import nonocsp
from nonocsp.datasets.dominoes import n_dom
from nonocsp.formats import save

Cli = Callable[..., Result]
Files = Callable[[str], Path]


def test_one_puzzle_is_shown_in_full(cli: Cli, files: Files) -> None:
    result = cli("difficulty", files("unique"))
    assert result.exit_code == 0
    assert "level        easy: about 5 steps; the hardest techniques are finished and fit\n" in result.stdout
    assert "class        simple\n" in result.stdout
    assert "sweeps       2 rows first, 3 columns first\n" in result.stdout
    assert "cells fixed  6 3 (in each sweep)\n" in result.stdout
    assert "clues alone  2 rows fully, 1 not at all; 3 columns partly\n" in result.stdout
    assert "note" not in result.stdout


def test_a_set_is_a_table_of_80_columns_with_a_summary(cli: Cli, files: Files, tmp_path: Path) -> None:
    path = tmp_path / "a name that is too long for a table of eighty columns.json"
    save([n_dom(5)], path)
    result = cli("difficulty", files("set"), path)
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert result.exit_code == 1
    assert lines[-5:-1] == [
        "4 puzzles: 1 easy, 1 expert, 2 without a level",
        "classes: 1 simple, 1 k-deep, 1 multiple, 1 unsat",
        "contextually solvable: 0 of 1 with several solutions",
        "simple: 25.00%; unknown after line solving: 50.00% of cells",
    ]
    assert [line.split()[-1] for line in lines if line.rstrip().endswith("%")] == [
        "0.0%",
        "100.0%",
        "0.0%",
        "100.0%",
    ]
    assert "2-deep" in result.stdout


def test_json_is_one_object_a_puzzle_and_nothing_else(cli: Cli, files: Files) -> None:
    result = cli("difficulty", "--json", files("set"))
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert [record["class"] for record in records] == ["simple", "multiple", "unsat"]
    assert [record["level"] for record in records] == ["easy", None, None]
    assert [record["reasons"].partition(":")[0] for record in records] == ["easy", "none", "none"]
    assert [record["steps"] for record in records] == [5, None, None]
    assert [record["index"] for record in records] == [1, 2, 3]
    for key in ("puzzle", "rows", "columns", "sweeps", "sweeps_columns_first", "unknown"):
        assert all(key in record for record in records)


def test_two_jobs_print_the_same_as_one(cli: Cli) -> None:
    args = "difficulty", "--random", "12x9", "--colours", 2, "--count", 30, "--json"
    one, two = cli(*args), cli(*args, "--jobs", 2)
    assert (one.exit_code, one.stdout) == (0, two.stdout)
    assert len(one.stdout.splitlines()) == 30


def test_the_summary_of_random_images_agrees_with_their_records(cli: Cli) -> None:
    args = "difficulty", "--random", "6x6", "--density", 0.6, "--count", 40, "--seed", 3, "--json"
    records = [json.loads(line) for line in cli(*args).stdout.splitlines()]
    (summary,) = map(json.loads, cli(*args, "--summary").stdout.splitlines())
    simple = [record["sweeps"] for record in records if record["class"] in ("simple", "trivial")]
    assert summary["simple"] == len(simple) / 40
    assert summary["mean_sweeps"] == pytest.approx(sum(simple) / len(simple))
    assert summary["unknown"] == pytest.approx(sum(record["unknown"] for record in records) / 40)
    assert sum(summary["classes"].values()) == 40
    levels = [record["level"] for record in records if record["level"]]
    assert summary["levels"] == {level: levels.count(level) for level in summary["levels"]}
    assert sum(summary["levels"].values()) == len(levels)
    assert summary["histogram"] == {str(s): simple.count(s) for s in sorted(set(simple))}


def test_csv_has_a_row_a_puzzle_with_the_figures_of_the_records(
    cli: Cli, files: Files, tmp_path: Path
) -> None:
    path = tmp_path / "figures.csv"
    records = [
        json.loads(line)
        for line in cli("difficulty", "--json", "--csv", path, files("set")).stdout.splitlines()
    ]
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["class"] for row in rows] == [record["class"] for record in records]
    assert rows[0]["cells_per_sweep"] == "6 3"
    assert list(rows[0]) == list(records[0])


def test_the_plot_is_drawn(cli: Cli, files: Files, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "plot.svg"
    assert cli("difficulty", "--plot", path, files("set")).exit_code == 1
    assert "<svg" in path.read_text()
    result = cli("difficulty", "--plot", tmp_path / "plot.gif", files("set"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "the suffix says what to draw" in result.stderr


def test_a_limit_makes_the_class_unknown_and_the_exit_code_3(cli: Cli, hard: Path) -> None:
    result = cli("difficulty", "--limit", "200ms", hard)
    assert result.exit_code == 3
    assert "class        unknown" in result.stdout
    assert "level        unknown, hard or harder if there is one solution\n" in result.stdout
    assert "note         the wall limit of 0.2 s was reached" in result.stdout


def test_puzzles_graded_before_a_broken_file_are_shown_and_kept(
    cli: Cli, files: Files, tmp_path: Path
) -> None:
    broken, kept = tmp_path / "broken.json", tmp_path / "kept.csv"
    broken.write_text("{")
    result = cli("difficulty", "--csv", kept, files("set"), broken)
    assert result.exit_code == 2
    assert "broken.json" in result.stderr
    assert "3 puzzles:" in result.stdout
    assert len(kept.read_text().splitlines()) == 4


def test_the_records_equal_those_of_the_python_interface(cli: Cli, files: Files) -> None:
    record = json.loads(cli("difficulty", "--json", files("unique")).stdout)
    found = nonocsp.difficulty(nonocsp.load(files("unique")))
    assert record == {**record, **found.record()}


def test_a_map_has_the_sweep_of_every_cell_with_black_ones_marked(
    cli: Cli, files: Files, tmp_path: Path
) -> None:
    path = tmp_path / "sweeps.txt"
    assert cli("difficulty", "--map", path, files("unique")).exit_code == 0
    heading, *rows = path.read_text().split("\n")
    assert heading == f"{files('unique')}:"
    numbers = [int(cell.lstrip("#")) for row in rows for cell in row.split()]
    assert sorted(numbers) == [1] * 6 + [2] * 3


def test_a_map_marks_the_cells_that_line_solving_leaves_open(cli: Cli, tmp_path: Path) -> None:
    save([n_dom(5)], tmp_path / "two.json")
    cli("difficulty", "--map", tmp_path / "sweeps.txt", tmp_path / "two.json")
    assert "?" in (tmp_path / "sweeps.txt").read_text()


def test_a_map_can_be_a_picture_of_one_puzzle(cli: Cli, files: Files, tmp_path: Path) -> None:
    picture = tmp_path / "sweeps.svg"
    assert cli("difficulty", "--map", picture, files("unique")).exit_code == 0
    assert picture.read_text().count(">2</text>") >= 3
    assert cli("difficulty", "--map", picture, files("set")).exit_code == 2
    refused = cli("difficulty", "--map", tmp_path / "sweeps.gif", files("unique"))
    assert refused.exit_code == 2
    assert "the suffix of --map says what to write: .txt, .svg, .png" in refused.stderr
