"""Paint a puzzle in a terminal's colours with rich, laid out and folded like `nonocsp.render.plain`.

This module imports rich at the top: import it only where something is painted.
"""

from __future__ import annotations

from rich.text import Text

from nonocsp.model import UNKNOWN_CHAR, Clue, Grid, Palette, Puzzle
from nonocsp.render.drawing import contrasting
from nonocsp.render.plain import panels

UNDECIDED_STYLE = "#808080 on #d8d8d8"


def coloured(puzzle: Puzzle, grid: Grid, *, width: int) -> Text:
    """Return the puzzle as styled text; cells are spaces on the palette's colours.

    Parameters
    ----------
    puzzle
        The clues.
    grid
        The cells to show.
    width
        Most characters of a line, at least 1.
    """
    left = [Text(" ").join(_numbers(clue, puzzle.palette)) for clue in puzzle.rows]
    margin = max(text.cell_len for text in left)
    top = [_numbers(clue, puzzle.palette) for clue in puzzle.columns]
    cell = 1 + max(number.cell_len for numbers in top for number in numbers)
    depth = max(map(len, top))
    levels = zip(*([Text()] * (depth - len(numbers)) + numbers for numbers in top), strict=True)
    lines = [
        Text(" " * (margin + 1)) + Text().join(_right_aligned(number, cell) for number in level)
        for level in levels
    ]
    if lines[0].cell_len <= width:
        painted = _painted(grid, puzzle.palette, cell)
        lines += [_right_aligned(clue, margin) + " " + row for clue, row in zip(left, painted, strict=True)]
    else:
        rows = _painted(grid, puzzle.palette, 1)
        lines = []
        for heading, part in panels(puzzle.shape[1], width):
            lines += [Text(heading, "bold")] * bool(heading) + [row[part] for row in rows]
    return Text("\n").join(lines)


def _right_aligned(text: Text, width: int) -> Text:
    return Text(" " * (width - text.cell_len)) + text


def _numbers(clue: Clue, palette: Palette) -> list[Text]:
    """Return the lengths of the blocks, each on its colour if there are several."""
    if palette.is_one_colour or not clue:
        return [Text(str(block.length)) for block in clue] or [Text("0")]
    return [
        Text(str(block.length), f"{contrasting(rgb := palette[block.colour].rgb)} on {rgb}") for block in clue
    ]


def _painted(grid: Grid, palette: Palette, cell: int) -> list[Text]:
    """Return the rows of the grid as spaces on colours, `cell` characters a cell."""
    pieces = {colour.char: (" " * cell, f"on {colour.rgb}") for colour in palette.colours}
    pieces[UNKNOWN_CHAR] = (UNKNOWN_CHAR.center(cell), UNDECIDED_STYLE)
    return [Text.assemble(*(pieces[char] for char in row)) for row in grid.strings(palette)]
