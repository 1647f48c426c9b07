"""``nonocsp explain``: text, records, files, hints, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from nonocsp.formats import save
from nonocsp.model import Puzzle

Cli = Callable[..., Result]
Files = Callable[[str], Path]


def records(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_each_step_shows_the_line_before_and_after(cli: Cli, files: Files) -> None:
    result = cli("explain", files("unique"))
    assert result.exit_code == 0
    first, *_ = result.stdout.split("\n\n")[1:]
    assert first.splitlines()[:2] == ["   1. finished in row 2 (3), grade 1", "      ??? → ###"]
    assert "Solved in" in result.stdout
    assert "1 1 # . #" in result.stdout


def test_json_has_a_record_for_each_step_and_one_for_the_end(cli: Cli, files: Files) -> None:
    *steps, end = records(cli("explain", "--json", files("unique")))
    assert [step["step"] for step in steps] == list(range(1, len(steps) + 1))
    assert {"puzzle", "index", "technique", "grade", "line", "cells", "text"} <= set(steps[0])
    assert (end["verdict"], end["steps"], end["grid"]) == ("solved", len(steps), ["#.#", "###", ".#."])
    assert sum(end["techniques"].values()) == len(steps)


def test_the_summary_of_a_set_says_how_each_puzzle_ends(cli: Cli, files: Files) -> None:
    result = cli("explain", "--summary", "--json", files("set"))
    assert result.exit_code == 1
    ends = records(result)
    assert [end["verdict"] for end in ends] == ["solved", "stuck", "contradiction"]
    assert [end["index"] for end in ends] == [1, 2, 3]
    assert [end["level"] for end in ends] == ["easy", None, None]
    text = cli("explain", "--summary", files("set")).stdout
    assert "Stuck after 0 steps: 4 cells stay open" in text
    assert "no placement of the blocks of column 2 fits" in text
    assert "Level easy: about 5 steps; the hardest techniques are finished and fit" in text
    assert text.count("Level none: the puzzle has several solutions or none.") == 2


@pytest.mark.parametrize(("name", "code"), [("unique", 0), ("multiple", 1), ("unsat", 1)])
def test_the_exit_code_says_whether_the_grid_is_full(cli: Cli, files: Files, name: str, code: int) -> None:
    assert cli("explain", files(name)).exit_code == code


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
def test_the_suffix_selects_the_saved_format(
    cli: Cli, files: Files, tmp_path: Path, suffix: str, start: bytes
) -> None:
    path = tmp_path / f"cat{suffix}"
    result = cli("explain", "--output", path, "--pace", "250ms", files("unique"))
    assert result.exit_code == 0
    assert path.read_bytes().startswith(start)
    assert "finished in row" not in result.stdout
    assert "Solved in" in result.stdout


def test_without_probes_the_explanation_ends_with_line_solving(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "puzzle.json"
    save(Puzzle.from_clues([[1], [2], [1, 1], [2]], [[1, 1], [1, 1], [1, 1], [1]]), path)
    [without] = records(cli("explain", "--no-probes", "--summary", "--json", path))
    [with_probes] = records(cli("explain", "--summary", "--json", path))
    assert (without["verdict"], with_probes["verdict"]) == ("stuck", "solved")
    assert with_probes["grade"] == 5


def test_a_hint_is_one_step_and_reads_the_output_of_solve(cli: Cli, tmp_path: Path) -> None:
    path, grid = tmp_path / "puzzle.json", tmp_path / "grid.txt"
    save(Puzzle.from_clues([[1], [2], [1, 1], [2]], [[1, 1], [1, 1], [1, 1], [1]]), path)
    grid.write_text(cli("solve", "--backend", "settle", path).stdout)
    result = cli("explain", "--hint", grid, path)
    assert result.exit_code == 0
    assert "   1. probe against" in result.stdout
    assert "   2." not in result.stdout
    [record] = records(cli("explain", "--hint", "-", "--json", path, input=grid.read_text()))
    assert record["sound"]
    assert [step["technique"] for step in record["steps"]] == ["probe"]


def test_a_wrong_cell_of_a_hint_is_named(cli: Cli, files: Files, tmp_path: Path) -> None:
    grid = tmp_path / "grid.txt"
    grid.write_text("##?\n???\n???\n")
    result = cli("explain", "--hint", grid, files("unique"))
    assert result.exit_code == 1
    assert "Wrong: row 1, column 2 is not black." in result.stdout
    [record] = records(cli("explain", "--hint", grid, "--json", files("unique")))
    assert (record["sound"], record["wrong"]) == (False, [{"row": 1, "column": 2}])


def test_a_full_and_correct_grid_is_confirmed(cli: Cli, files: Files, tmp_path: Path) -> None:
    grid = tmp_path / "grid.txt"
    grid.write_text("#.#\n###\n.#.\n")
    result = cli("explain", "--hint", grid, "--solution", files("unique"))
    assert (result.exit_code, "full, and right" in result.stdout) == (0, True)


def test_a_page_holds_one_puzzle(cli: Cli, files: Files, tmp_path: Path) -> None:
    result = cli("explain", "--output", tmp_path / "x.html", files("set"))
    assert (result.exit_code, "choose one puzzle with --index" in result.stderr) == (2, True)
