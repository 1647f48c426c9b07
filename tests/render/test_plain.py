"""Puzzles as text: plain and coloured, wide and folded, read back cell by cell."""

from __future__ import annotations

from io import StringIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from rich.color import Color
from rich.console import Console
from rich.segment import Segment

from nonocsp.model import Grid, Palette, Puzzle
from nonocsp.render.plain import plain, pretty
from nonocsp.render.terminal import coloured

CELLS = arrays(np.uint8, array_shapes(min_dims=2, max_dims=2, max_side=14), elements=st.integers(0, 2))


def painted(puzzle: Puzzle, grid: Grid, width: int) -> list[list[tuple[str, str]]]:
    """Return the characters of each line with the colour of their ground ("" without)."""
    console = Console(file=StringIO(), width=width, color_system="truecolor", force_terminal=True)
    lines = console.render_lines(coloured(puzzle, grid, width=width), pad=False)
    return [[(char, _ground(segment)) for segment in line for char in segment.text] for line in lines]


def _ground(segment: Segment) -> str:
    colour: Color | None = segment.style.bgcolor if segment.style else None
    return colour.get_truecolor().hex if colour else ""


def test_pretty_text_aligns_clues_with_cells() -> None:
    puzzle = Puzzle.from_grid(Grid.from_strings(["#.#", "##."]))
    assert pretty(puzzle, puzzle.goal).splitlines() == [
        "    2 1 1",
        "1 1 # . #",
        "  2 # # .",
    ]
    assert pretty(puzzle).splitlines()[1] == "1 1 ? ? ?"


def test_pretty_text_marks_blocks_with_their_colour() -> None:
    puzzle = Puzzle.from_clues([[(1, 1), (1, 2)]], [[(1, 1)], [(1, 2)]])
    assert pretty(puzzle).splitlines() == ["      1# 1a", "1# 1a  ?  ?"]


@settings(max_examples=30)
@given(CELLS, st.integers(1, 20))
def test_folded_plain_text_has_every_cell_and_no_line_too_wide(cells: np.ndarray, width: int) -> None:
    puzzle = Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(2))
    lines = plain(puzzle, puzzle.goal, width=width).splitlines()
    if "\n".join(lines) == pretty(puzzle, puzzle.goal):
        assert max(map(len, lines)) <= width
        return
    cut = [line for line in lines if not line.startswith("columns")]
    rows = len(puzzle.rows)
    whole = ["".join(cut[r::rows]) for r in range(rows)]
    assert whole == puzzle.goal.strings(puzzle.palette)
    assert max(map(len, cut)) <= width


@settings(max_examples=30)
@given(CELLS)
def test_painted_cells_have_the_colours_of_the_palette(cells: np.ndarray) -> None:
    palette = Palette.of(2)
    puzzle = Puzzle.from_grid(Grid.from_cells(cells), palette=palette)
    grid_lines = painted(puzzle, puzzle.goal, 200)[-len(puzzle.rows) :]
    cell = 3 if max((b.length for clue in puzzle.columns for b in clue), default=1) > 9 else 2
    for line, row in zip(grid_lines, cells, strict=True):
        grounds = [ground for _, ground in line[-cell * len(row) :]]
        assert grounds == [palette[colour].rgb for colour in row for _ in range(cell)]


@settings(max_examples=20)
@given(CELLS)
def test_painted_text_has_its_numbers_where_plain_text_has_them(cells: np.ndarray) -> None:
    puzzle = Puzzle.from_grid(Grid.from_cells(np.minimum(cells, 1)))
    depth = max(1, *map(len, (*puzzle.columns, ())))
    rows = len(puzzle.rows)
    expected = pretty(puzzle).splitlines()
    lines = ["".join(char for char, _ in line) for line in painted(puzzle, puzzle.goal, 200)]
    assert len(lines) == depth + rows
    assert [line.split() for line in lines[:depth]] == [line.split() for line in expected[:depth]]
    margin = max(len(str(clue)) for clue in puzzle.rows)
    assert [line[:margin].strip() for line in lines[depth:]] == [str(clue) for clue in puzzle.rows]


@pytest.mark.parametrize("width", [3, 7, 30])
def test_painted_lines_are_never_wider_than_the_terminal(width: int) -> None:
    puzzle = Puzzle.from_grid(Grid.from_cells([[1] * 10 + [0] * 5 + [1] * 13] * 3))
    lines = painted(puzzle, puzzle.goal, width)
    cells = [line for line in lines if any(ground for _, ground in line)]
    assert max(map(len, cells)) <= width
    assert sum(map(len, cells)) == 3 * 28


def test_undecided_cells_are_question_marks_in_every_rendering() -> None:
    puzzle = Puzzle.from_clues([[1], [1]], [[1], [1]])
    grid = Grid.unknown(2, 2)
    assert plain(puzzle, grid).count("?") == 4
    assert plain(puzzle, grid, width=2).count("?") == 4
    assert sum(char == "?" for line in painted(puzzle, grid, 80) for char, _ in line) == 4


def test_a_puzzle_that_fits_is_not_folded() -> None:
    puzzle = Puzzle.from_clues([[1], [1]], [[1], [1]])
    assert plain(puzzle, Grid.unknown(2, 2), width=80) == pretty(puzzle)
