"""Paint a puzzle in a terminal's colours with rich, laid out like `nonocsp.render.plain`.

Where cells of two characters are too wide, a full grid without clues has two cells in one character, one
above the other, so that it keeps its proportions.

This module imports rich at the top: import it only where something is painted.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, zip_longest

import numpy as np
from numpy.typing import NDArray
from rich.text import Text

from nonocsp.model import UNKNOWN_CHAR, Clue, Grid, Palette, Puzzle
from nonocsp.render.drawing import contrasting
from nonocsp.render.plain import NO_ROOM, cell_width, legend_colours, levels, panels

UNDECIDED_STYLE = "#808080 on #d8d8d8"
_UPPER_HALF = "▀"
_BETWEEN = 2
"""Characters between pictures that stand side by side."""


def coloured(
    puzzle: Puzzle,
    grid: Grid,
    *,
    width: int,
    has_blocks: bool = True,
    marked: NDArray[np.bool_] | None = None,
) -> Text:
    """Return the puzzle as styled text; cells are spaces on the palette's colours."""
    marks = np.zeros(puzzle.shape, bool) if marked is None else marked
    columns = puzzle.shape[1]
    left = [Text(" ").join(_numbers(clue, puzzle.palette)) + " " for clue in puzzle.rows]
    top = [_numbers(clue, puzzle.palette) for clue in puzzle.columns]
    if cell := cell_width(left, top, width):
        return Text("\n").join(_with_clues(left, top, _painted(grid, puzzle.palette, cell, marks), cell))
    if 2 * columns <= width:
        return Text("\n").join([*_painted(grid, puzzle.palette, 2, marks), Text(NO_ROOM)])
    rows = (
        _halved(grid, puzzle.palette)
        if grid.is_full and has_blocks
        else _painted(grid, puzzle.palette, 1, marks)
    )
    lines = list[Text]()
    for heading, part in panels(columns, width):
        lines += [Text(heading, "bold")] * bool(heading) + [row[part] for row in rows]
    return Text("\n").join([*lines, Text(NO_ROOM)])


def abreast(titled: Sequence[tuple[str, Puzzle]], *, width: int) -> Text:
    """Return solutions side by side, without clues, two rows of cells in each line; empty if none fits."""
    blocks: list[list[Text]] = []
    used = 0
    for title, puzzle in titled:
        columns = puzzle.shape[1]
        used += columns + _BETWEEN * bool(blocks)
        if used > width or puzzle.goal is None:
            break
        blocks.append([Text(title[:columns].ljust(columns), "bold"), *_halved(puzzle.goal, puzzle.palette)])
    lines = list[Text]()
    for parts in zip_longest(*blocks):
        shown = [part or Text(" " * len(block[0])) for part, block in zip(parts, blocks, strict=True)]
        lines.append(Text(" " * _BETWEEN).join(shown))
    return Text("\n").join(lines)


def coloured_legend(puzzle: Puzzle) -> Text:
    """Return the name of each colour that the clues use, after a sample; empty for one colour."""
    entries = []
    for colour in legend_colours(puzzle):
        name = "".join(char if char.isprintable() else " " for char in colour.name)
        entries.append(Text.assemble((f" {colour.char} ", _on(colour.rgb)), f" {name}"))
    return Text("  ").join(entries)


def _with_clues(left: list[Text], top: list[list[Text]], painted: list[Text], cell: int) -> list[Text]:
    """Return the lines of a puzzle with its clues."""
    margin = max(map(len, left))
    lines = list[Text]()
    for numbers in levels(top, cell, Text()):
        line = Text()
        for c, number in enumerate(numbers):
            if number:
                line += _right_aligned(number, margin + cell * (c + 1) - len(line))
        lines.append(line)
    return lines + [_right_aligned(clue, margin) + row for clue, row in zip(left, painted, strict=True)]


def _right_aligned(text: Text, width: int) -> Text:
    return Text(" " * (width - len(text))) + text


def _on(rgb: str) -> str:
    """Return the style of text on a colour."""
    return f"{contrasting(rgb)} on {rgb}"


def _numbers(clue: Clue, palette: Palette) -> list[Text]:
    """Return the lengths of the blocks, each on its colour if there are several."""
    if palette.is_one_colour or not clue:
        return [Text(str(block.length)) for block in clue] or [Text("0")]
    return [Text(str(block.length), _on(palette[block.colour].rgb)) for block in clue]


def _painted(grid: Grid, palette: Palette, cell: int, marked: NDArray[np.bool_]) -> list[Text]:
    """Return the rows of the grid as spaces on colours; marked cells have parentheses."""
    mark = "()".center(cell)[:cell]
    pieces = {(colour.char, False): (" " * cell, f"on {colour.rgb}") for colour in palette.colours}
    pieces |= {(colour.char, True): (mark, _on(colour.rgb)) for colour in palette.colours}
    pieces |= {(UNKNOWN_CHAR, seen): (UNKNOWN_CHAR.center(cell), UNDECIDED_STYLE) for seen in (False, True)}
    return [
        Text.assemble(
            *((text * len([*run]), style) for (text, style), run in groupby(pieces[piece] for piece in row))
        )
        for row in (
            zip(chars, marks, strict=True)
            for chars, marks in zip(grid.strings(palette), marked.tolist(), strict=True)
        )
    ]


def _halved(grid: Grid, palette: Palette) -> list[Text]:
    """Return two rows of a full grid in each line: the upper one in the colour of the text."""
    inks = {colour.char: colour.rgb for colour in palette.colours}
    rows = grid.strings(palette)
    lines = list[Text]()
    for upper, lower in zip_longest(rows[::2], rows[1::2]):
        styles = [
            inks[above] if below is None else f"{inks[above]} on {inks[below]}"
            for above, below in zip_longest(upper, lower or "")
        ]
        runs = ((style, len([*run])) for style, run in groupby(styles))
        lines.append(Text.assemble(*((_UPPER_HALF * length, style) for style, length in runs)))
    return lines
