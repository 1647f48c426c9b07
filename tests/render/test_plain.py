"""Puzzles as text: plain and coloured, wide and folded, read back cell by cell."""

from io import StringIO

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from rich.console import Console
from rich.segment import Segment

from nonocsp.model import Grid, Palette, Puzzle
from nonocsp.render.plain import NO_ROOM, plain, pretty
from nonocsp.render.terminal import coloured

CELLS = arrays(np.uint8, array_shapes(min_dims=2, max_dims=2, max_side=14), elements=st.integers(0, 2))


def painted(puzzle: Puzzle, grid: Grid, width: int) -> list[list[tuple[str, str]]]:
    """Return the characters of each line with the colour of their ground ("" without)."""
    console = Console(file=StringIO(), width=width, color_system="truecolor", force_terminal=True)
    lines = console.render_lines(coloured(puzzle, grid, width=width), pad=False)
    return [[(char, _ground(segment)) for segment in line for char in segment.text] for line in lines]


def _ground(segment: Segment) -> str:
    colour = segment.style.bgcolor if segment.style else None
    return colour.get_truecolor().hex if colour else ""


def test_pretty_text_aligns_clues_with_cells():
    puzzle = Puzzle.from_grid(Grid.from_strings(["#.#", "##."]))
    assert pretty(puzzle, puzzle.goal).splitlines() == [
        "    2 1 1",
        "1 1 # . #",
        "  2 # # .",
    ]
    assert pretty(puzzle).splitlines()[1] == "1 1 ? ? ?"


@settings(max_examples=30)
@given(CELLS, st.integers(1, 20))
def test_folded_plain_text_has_every_cell_and_no_line_too_wide(cells, width):
    puzzle = Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(2))
    lines = plain(puzzle, puzzle.goal, width=width).splitlines()
    if lines[-1] != NO_ROOM:
        assert max(map(len, lines)) <= width
        words = [line.split()[-cells.shape[1] :] for line in lines[-len(puzzle.rows) :]]
        assert ["".join(row) for row in words] == puzzle.goal.strings(puzzle.palette)
        return
    cut = [line.replace(" ", "") for line in lines[:-1] if not line.startswith("columns")]
    rows = len(puzzle.rows)
    whole = ["".join(cut[r::rows]) for r in range(rows)]
    assert whole == puzzle.goal.strings(puzzle.palette)
    assert max(map(len, cut)) <= width


@settings(max_examples=30)
@given(CELLS)
def test_painted_cells_have_the_colours_of_the_palette(cells):
    palette = Palette.of(2)
    puzzle = Puzzle.from_grid(Grid.from_cells(cells), palette=palette)
    grid_lines = painted(puzzle, puzzle.goal, 200)[-len(puzzle.rows) :]
    cell = 3 if max((b.length for clue in puzzle.columns for b in clue), default=1) > 9 else 2
    for line, row in zip(grid_lines, cells, strict=True):
        grounds = [ground for _, ground in line[-cell * len(row) :]]
        assert grounds == [palette[colour].rgb for colour in row for _ in range(cell)]


def test_undecided_cells_are_question_marks_in_every_rendering():
    puzzle = Puzzle.from_clues([[1], [1]], [[1], [1]])
    grid = Grid.unknown(2, 2)
    assert plain(puzzle, grid).count("?") == 4
    assert plain(puzzle, grid, width=2).count("?") == 4
    assert plain(puzzle, grid, width=80) == pretty(puzzle)
    wide = Puzzle.from_grid([[1] * 30] * 3)
    for shown, open_grid, width, count in ((puzzle, grid, 80, 4), (wide, Grid.unknown(3, 30), 32, 90)):
        lines = painted(shown, open_grid, width)
        assert sum(char == "?" for line in lines for char, _ in line) == count
