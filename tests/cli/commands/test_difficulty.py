"""``nonocsp difficulty``: tables, records, files and exit codes."""

import csv
from pathlib import Path

import pytest

import nonocsp
from nonocsp.datasets import n_dom
from nonocsp.formats import save


def test_one_puzzle_is_shown_in_full_as_python_grades_it(cli, records, files):
    result = cli("difficulty", files("unique"))
    assert result.exit_code == 0
    for fact in (
        "level        easy: 5 steps; the hardest techniques are finished and fit (grade",
        "class        simple",
        "sweeps       2 rows first, 3 columns first",
        "cells fixed  6 3 (in each sweep)",
        "clues alone  2 rows fully, 1 not at all; 3 columns partly",
    ):
        assert f"{fact}\n" in result.stdout
    assert "note" not in result.stdout
    (record,) = records("difficulty", files("unique"))
    assert record == {**record, **nonocsp.difficulty(nonocsp.load(files("unique"))).record()}


def test_a_set_is_a_table_of_80_columns_with_a_summary(cli, records, files, tmp_path):
    path = tmp_path / "a name that is too long for a table of eighty columns.json"
    save([n_dom(5)], path)
    result = cli("difficulty", files("set"), path)
    lines = result.stdout.splitlines()
    assert (result.exit_code, max(map(len, lines)) <= 80) == (1, True)
    assert lines[-5:-1] == [
        "4 puzzles: 1 easy, 1 expert, 2 without a level",
        "classes: 1 simple, 1 k-deep, 1 multiple, 1 unsat",
        "contextually solvable: 0 of 1 with several solutions",
        "simple: 25.00%; unknown after line solving: 50.00% of cells",
    ]
    shares = [line.split()[-1] for line in lines if line.rstrip().endswith("%")]
    assert shares == ["0.0%", "100.0%", "0.0%", "100.0%"]
    assert "2-deep" in result.stdout
    found = records("difficulty", files("set"))
    assert [record["class"] for record in found] == ["simple", "multiple", "unsat"]
    assert [record["level"] for record in found] == ["easy", None, None]
    assert [record["reasons"].partition(":")[0] for record in found] == ["easy", "none", "none"]
    assert [(record["index"], record["steps"]) for record in found] == [(1, 5), (2, None), (3, None)]
    keys = {"puzzle", "rows", "columns", "sweeps", "sweeps_columns_first", "unknown"}
    assert all(keys <= set(record) for record in found)


def test_the_summary_of_random_images_agrees_with_their_records_for_any_number_of_jobs(cli, records):
    args = "difficulty", "--random", "6x6", "--density", 0.6, "--count", 40, "--seed", 3
    found = records(*args, code=0)
    assert found == records(*args, "--jobs", 2)
    (summary,) = records(*args, "--summary")
    simple = [record["sweeps"] for record in found if record["class"] in ("simple", "trivial")]
    assert summary["simple"] == len(simple) / 40
    assert summary["mean_sweeps"] == pytest.approx(sum(simple) / len(simple))
    assert summary["unknown"] == pytest.approx(sum(record["unknown"] for record in found) / 40)
    assert sum(summary["classes"].values()) == 40
    levels = [record["level"] for record in found if record["level"]]
    assert {level: n for level, n in summary["levels"].items() if n} == {
        level: levels.count(level) for level in set(levels)
    }
    assert summary["histogram"] == {str(s): simple.count(s) for s in sorted(set(simple))}
    coloured = records("difficulty", "--random", "5x5", "--colours", 2, "--count", 3)
    assert len(coloured) == 3


def test_csv_has_the_figures_of_the_records_and_the_plot_is_drawn(cli, records, files, here):
    found = records("difficulty", "--csv", "figures.csv", files("set"))
    with Path("figures.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["class"] for row in rows] == [record["class"] for record in found]
    assert (rows[0]["cells_per_sweep"], list(rows[0])) == ("6 3", list(found[0]))
    pytest.importorskip("matplotlib")
    assert cli("difficulty", "--plot", "plot.svg", files("set")).exit_code == 1
    assert "<svg" in Path("plot.svg").read_text()


def test_a_limit_makes_the_class_unknown_and_the_exit_code_3(cli, hard):
    result = cli("difficulty", "--limit", "200ms", hard)
    assert result.exit_code == 3
    assert "class        unknown" in result.stdout
    assert "level        unknown, hard or harder if there is one solution\n" in result.stdout
    assert "note         the wall limit of 0.2 s was reached" in result.stdout


def test_a_map_has_the_sweep_of_every_cell(cli, files, here):
    assert cli("difficulty", "--map", "sweeps.txt", files("unique")).exit_code == 0
    heading, *rows = Path("sweeps.txt").read_text().split("\n")
    assert heading == f"{files('unique')}:"
    numbers = [cell for row in rows for cell in row.split()]
    assert sorted(int(cell.lstrip("#")) for cell in numbers) == [1] * 6 + [2] * 3
    assert sum(cell.startswith("#") for cell in numbers) == 6
    save([n_dom(5)], "two.json")
    cli("difficulty", "--map", "open.txt", "two.json")
    assert "?" in Path("open.txt").read_text()
    assert cli("difficulty", "--map", "sweeps.svg", files("unique")).exit_code == 0
    assert Path("sweeps.svg").read_text().count(">2</text>") >= 3
    assert cli("difficulty", "--map", "sweeps.png", files("set")).exit_code == 2
