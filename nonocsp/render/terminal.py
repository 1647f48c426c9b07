"""A puzzle in a terminal's colours, through rich; laid out and folded like `nonocsp.render.text`.

Imports rich at the top: import this module only where something is painted.
"""

from __future__ import annotations

from rich.text import Text

from nonocsp.model import UNKNOWN_CHAR, Block, Clue, Grid, Palette, Puzzle
from nonocsp.render.drawing import contrasting
from nonocsp.render.text import panels

UNDECIDED_STYLE = "#808080 on #d8d8d8"


def coloured(puzzle: Puzzle, grid: Grid, *, width: int) -> Text:
    """Return the puzzle as styled text, its lines at most `width` characters.

    Cells are painted as ground in their palette's colours: of use only where colours are shown.
    """
    lines = _with_clues(puzzle, grid)
    if lines[0].cell_len > width:
        lines = _folded(_painted(grid, puzzle.palette, 1), puzzle.shape[1], width)
    return Text("\n").join(lines)


def _folded(rows: list[Text], columns: int, width: int) -> list[Text]:
    lines: list[Text] = []
    for heading, part in panels(columns, width):
        lines += [Text(heading, "bold")] * bool(heading) + [row[part] for row in rows]
    return lines


def _with_clues(puzzle: Puzzle, grid: Grid) -> list[Text]:
    left = [Text(" ").join(_numbers(clue, puzzle.palette)) for clue in puzzle.rows]
    margin = max(text.cell_len for text in left)
    top = [_numbers(clue, puzzle.palette) for clue in puzzle.columns]
    cell = 1 + max(number.cell_len for numbers in top for number in numbers)
    head = [Text(" " * (margin + 1)) + line for line in _stacked(top, cell)]
    rows = zip(left, _painted(grid, puzzle.palette, cell), strict=True)
    return head + [_right_aligned(clue, margin) + " " + row for clue, row in rows]


def _stacked(columns: list[list[Text]], cell: int) -> list[Text]:
    """Return the lines of numbers above the grid, bottom-aligned, `cell` characters a column."""
    depth = max(map(len, columns))
    padded = [[Text()] * (depth - len(numbers)) + numbers for numbers in columns]
    levels = zip(*padded, strict=True)
    return [Text().join(_right_aligned(number, cell) for number in level) for level in levels]


def _right_aligned(text: Text, width: int) -> Text:
    return Text(" " * (width - text.cell_len)) + text


def _numbers(clue: Clue, palette: Palette) -> list[Text]:
    return [_number(block, palette) for block in clue] or [Text("0")]


def _number(block: Block, palette: Palette) -> Text:
    """Return a block's length, on its colour if there are several."""
    if palette.is_one_colour:
        return Text(str(block.length))
    rgb = palette[block.colour].rgb
    return Text(str(block.length), f"{contrasting(rgb)} on {rgb}")


def _painted(grid: Grid, palette: Palette, cell: int) -> list[Text]:
    """Return the rows of the grid as coloured ground, `cell` characters a cell."""
    pieces = {colour.char: (" " * cell, f"on {colour.rgb}") for colour in palette.colours}
    pieces[UNKNOWN_CHAR] = (UNKNOWN_CHAR.center(cell), UNDECIDED_STYLE)
    return [Text.assemble(*(pieces[char] for char in row)) for row in grid.strings(palette)]
