"""Write a puzzle as plain characters, as large as the room allows.

The first of these layouts that is narrow enough is used:

1. Clues outside, cells inside, each cell as wide as the longest number and a blank.
2. The same with cells of two characters. Where numbers above neighbouring columns would touch, every second
   one stands a line lower.
3. No clues, cells of two characters, which look square.
4. No clues, cells of one character, cut into panels of columns if that is still too wide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

from nonocsp.late import numpy as np
from nonocsp.model import Clue, Colour, Grid, Palette, Puzzle

if TYPE_CHECKING:
    from numpy.typing import NDArray

LARGEST = 120
"""The most rows and the most columns of a puzzle that `described` draws."""
NO_ROOM = "(no room for the clues: use a wider window, or --output FILE.svg)"
"""The last line of a layout without clues."""
_MOST_STAGGERED = 3
"""Characters of a number that stands free above cells of two characters if its neighbours are a line off."""
Number = TypeVar("Number", bound=Sized)


def plain(
    puzzle: Puzzle, grid: Grid, *, width: int | None = None, marked: NDArray[np.bool_] | None = None
) -> str:
    """Return the puzzle as text."""
    rows = grid.strings(puzzle.palette)
    marks = [[False] * puzzle.shape[1]] * puzzle.shape[0] if marked is None else marked.tolist()
    left, top = _beside(puzzle)
    if cell := cell_width(left, top, width):
        return "\n".join(_with_clues(left, top, _spread(rows, marks, cell), cell))
    room = width or 1
    if 2 * puzzle.shape[1] - 1 <= room:
        spread = _spread(rows, marks, 2)
        if not any(row[0] or row[-1] for row in marks):
            spread = [row[1:-1] for row in spread]
        return "\n".join([*(row.rstrip() for row in spread), NO_ROOM])
    lines: list[str] = []
    for heading, columns in panels(puzzle.shape[1], room):
        lines += [heading] * bool(heading) + [row[columns] for row in rows]
    return "\n".join([*lines, NO_ROOM])


def numbered(puzzle: Puzzle, grid: Grid, numbers: NDArray[np.int32]) -> str:
    """Return the numbers of the cells; those of filled cells follow the character of their colour."""
    chars = [" ", *puzzle.palette.chars[1:], " "]
    marks = np.array(chars)[grid.colours(unknown=len(chars) - 1).astype(int)]
    width = len(str(numbers.max())) + 2
    rows = zip(marks.tolist(), numbers.tolist(), strict=True)
    return "\n".join(
        "".join(f"{mark}{number or '?'}".rjust(width) for mark, number in zip(*row, strict=True))
        for row in rows
    )


def pretty(puzzle: Puzzle, grid: Grid | None = None) -> str:
    """Return the puzzle with its clues on top and at the left, and its cells.

    Parameters
    ----------
    puzzle
        The clues. In one colour a block is its length; in several its colour's character follows (``3#``).
    grid
        The cells to show, shape (rows, columns); default: all unknown.
    """
    return plain(puzzle, grid or Grid.unknown(*puzzle.shape, puzzle.palette))


def described(puzzle: Puzzle) -> str:
    """Return title, size and colours of a puzzle, and below it the puzzle, unless it is very large."""
    rows, columns = puzzle.shape
    title = "".join(char if char.isprintable() else " " for char in puzzle.title) or "untitled"
    colours = "" if puzzle.palette.is_one_colour else f", {len(puzzle.palette) - 1} colours"
    heading = f"{title}: {rows}x{columns}{colours}"
    if max(rows, columns) > LARGEST:
        return f"{heading}, too large to draw as text"
    return "\n".join([heading, pretty(puzzle), *filter(None, [legend(puzzle)])])


def legend(puzzle: Puzzle) -> str:
    """Return the character and the name of each colour that the clues use; empty for one colour."""
    return ", ".join(f"{colour.char} {colour.name}" for colour in legend_colours(puzzle))


def legend_colours(puzzle: Puzzle) -> list[Colour]:
    """Return the background and the colours that the clues use; none for one colour."""
    if puzzle.palette.is_one_colour:
        return []
    used = {0} | puzzle.flat_rows.colours_used
    return [colour for i, colour in enumerate(puzzle.palette.colours) if i in used]


def cell_width(left: Sequence[Sized], top: Sequence[Sequence[Sized]], width: int | None) -> int:
    """Return the characters of a cell beside clues; 0 if there is no room for clues."""
    margin, widest = max(map(len, left)), max(len(number) for column in top for number in column)
    cells = [widest + 1] if widest > _MOST_STAGGERED else [widest + 1, 2]
    return next((cell for cell in cells if width is None or margin + cell * len(top) <= width), 0)


def levels(top: Sequence[Sequence[Number]], cell: int, none: Number) -> list[list[Number]]:
    """Return the lines of numbers above the grid, an entry for each column, aligned at the bottom."""
    depth = max(map(len, top))
    padded = [[none] * (depth - len(column)) + list(column) for column in top]
    found = []
    for numbers in map(list, zip(*padded, strict=True)):
        if any(len(a) and len(b) >= cell for a, b in pairwise(numbers)):
            found += [[none if c % 2 else number for c, number in enumerate(numbers)]]
            found += [[number if c % 2 else none for c, number in enumerate(numbers)]]
        else:
            found.append(numbers)
    return found


def _beside(puzzle: Puzzle) -> tuple[list[str], list[list[str]]]:
    """Return the clues of the rows, and the numbers of the columns."""
    left = [" ".join(block_strings(clue, puzzle.palette)) for clue in puzzle.rows]
    return left, [block_strings(clue, puzzle.palette) for clue in puzzle.columns]


def _with_clues(left: list[str], top: list[list[str]], cells: list[str], cell: int) -> list[str]:
    """Return the lines of a puzzle with its clues."""
    margin = max(map(len, left))
    lines = []
    for numbers in levels(top, cell, ""):
        line = ""
        for c, number in enumerate(numbers):
            line += number.rjust(margin + cell * (c + 1) - len(line)) if number else ""
        lines.append(line)
    return lines + [f"{clue:>{margin}}{row}".rstrip() for clue, row in zip(left, cells, strict=True)]


def _spread(rows: list[str], marked: list[list[bool]], cell: int) -> list[str]:
    """Return rows with `cell` characters a cell and one more at the end, marked cells between parentheses."""
    lines = []
    for row, marks in zip(rows, marked, strict=True):
        line = [*"".join(char.rjust(cell) for char in row), " "]
        for column, is_marked in enumerate(marks, start=1):
            if is_marked:
                line[cell * column - 2], line[cell * column] = "()"
        lines.append("".join(line))
    return lines


def block_strings(clue: Clue, palette: Palette) -> list[str]:
    """Return the blocks of a clue as text."""
    if not clue:
        return ["0"]
    if palette.is_one_colour:
        return [str(block.length) for block in clue]
    return [f"{block.length}{palette[block.colour].char}" for block in clue]


def panels(columns: int, width: int) -> Iterator[tuple[str, slice]]:
    """Yield the heading (empty if there is one panel) and the columns of each panel."""
    for start in range(0, columns, width):
        end = min(start + width, columns)
        heading = f"columns {start + 1} to {end}" if columns > width else ""
        yield heading, slice(start, end)
