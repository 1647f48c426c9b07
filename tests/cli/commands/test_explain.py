"""``nonocsp explain``: text, records, files and hints."""

from pathlib import Path

import pytest

from nonocsp.formats import save
from nonocsp.model import Puzzle

PROBED = Puzzle.from_clues([[1], [2], [1, 1], [2]], [[1, 1], [1, 1], [1, 1], [1]])
"""Line solving gets stuck in it."""


def test_each_step_shows_the_line_before_and_after(cli, records, files):
    result = cli("explain", files("unique"))
    assert result.exit_code == 0
    first, *_ = result.stdout.split("\n\n")[1:]
    assert first.splitlines()[:2] == ["   1. finished in row 2 (3), grade 1", "      ??? → ###"]
    assert "Solved in" in result.stdout
    assert "1 1 # . #" in result.stdout
    *steps, end = records("explain", files("unique"))
    assert [step["step"] for step in steps] == list(range(1, len(steps) + 1))
    assert {"puzzle", "index", "technique", "grade", "line", "cells", "text"} <= set(steps[0])
    assert (end["verdict"], end["steps"], end["grid"]) == ("solved", len(steps), ["#.#", "###", ".#."])
    assert sum(end["techniques"].values()) == len(steps)


def test_the_summary_of_a_set_says_how_each_puzzle_ends(cli, records, files):
    ends = records("explain", "--summary", files("set"), code=1)
    assert [end["verdict"] for end in ends] == ["solved", "stuck", "contradiction"]
    assert [(end["index"], end["level"]) for end in ends] == [(1, "easy"), (2, None), (3, None)]
    text = cli("explain", "--summary", files("set")).stdout
    assert "Stuck after 0 steps: 4 cells stay open" in text
    assert "no placement of the blocks of column 2 fits" in text
    assert "Level easy: 5 steps; the hardest techniques are finished and fit" in text
    assert text.count("Level none: the puzzle has several solutions or none.") == 2


@pytest.mark.parametrize(
    ("suffix", "start"),
    [
        (".html", b"<!doctype html>"),
        (".gif", b"GIF89a"),
        (".svg", b"<svg "),
        (".txt", b""),
        (".json", b'{"puzzle"'),
    ],
)
def test_the_suffix_selects_the_saved_format(cli, files, here, suffix, start):
    path = Path(f"cat{suffix}")
    result = cli("explain", "--output", path, "--pace", "250ms", files("unique"))
    assert (result.exit_code, path.read_bytes().startswith(start)) == (0, True)
    assert ("finished in row" in result.stdout, "Solved in" in result.stdout) == (False, True)
    if suffix == ".html":
        refused = cli("explain", "--output", path, files("set"))
        assert (refused.exit_code, "choose one puzzle with --index" in refused.stderr) == (2, True)
    if suffix == ".txt":
        steps = cli("explain", files("unique")).stdout
        assert path.read_text().split() == steps.split()


def test_without_probes_the_explanation_ends_with_line_solving(records, here):
    save(PROBED, "puzzle.json")
    [without] = records("explain", "--no-probes", "--summary", "puzzle.json")
    [with_probes] = records("explain", "--summary", "puzzle.json")
    assert (without["verdict"], with_probes["verdict"], with_probes["grade"]) == ("stuck", "solved", 5)


def test_a_hint_is_one_step_and_reads_the_output_of_solve(cli, records, here):
    save(PROBED, "puzzle.json")
    Path("grid.txt").write_text(cli("solve", "--backend", "settle", "puzzle.json").stdout)
    result = cli("explain", "--hint", "grid.txt", "puzzle.json")
    assert result.exit_code == 0
    assert "   1. probe against" in result.stdout
    assert "   2." not in result.stdout
    [record] = records("explain", "--hint", "-", "puzzle.json", input=Path("grid.txt").read_text())
    assert record["sound"]
    assert [step["technique"] for step in record["steps"]] == ["probe"]


@pytest.mark.parametrize(
    ("grid", "options", "code", "said"),
    [
        ("##?\n???\n???\n", "", 1, "Wrong: row 1, column 2 is not black."),
        ("#.#\n###\n.#.\n", "--solution", 0, "full, and right"),
    ],
)
def test_a_hint_names_a_wrong_cell_and_confirms_a_full_grid(
    cli, *, records, files, here, grid, options, code, said
):
    Path("grid.txt").write_text(grid)
    hint = ("explain", "--hint", "grid.txt", *options.split())
    result = cli(*hint, files("unique"))
    assert (result.exit_code, said in result.stdout) == (code, True)
    [record] = records(*hint, "--index", 1, files("set"))
    assert (record["sound"], record["wrong"]) == (not code, [{"row": 1, "column": 2}] * code)
