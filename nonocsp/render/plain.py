"""Write a puzzle as plain characters, folded where it is too wide.

If there is room, the clues stand outside and the cells inside. If there is less, the clues are left out and a
cell is one character. A grid that is still too wide is cut into panels of columns.
"""

from __future__ import annotations

from collections.abc import Iterator

from nonocsp.model import Clue, Grid, Palette, Puzzle


def plain(puzzle: Puzzle, grid: Grid, *, width: int | None = None) -> str:
    """Return the puzzle as text.

    Parameters
    ----------
    puzzle
        The clues.
    grid
        The cells to show; unknown ones are ``?``.
    width
        Most characters of a line, at least 1; None for no limit.
    """
    whole = pretty(puzzle, grid)
    if width is None or whole.index("\n") <= width:
        return whole
    rows = grid.strings(puzzle.palette)
    lines: list[str] = []
    for heading, columns in panels(puzzle.shape[1], width):
        lines += [heading] * bool(heading) + [row[columns] for row in rows]
    return "\n".join(lines)


def pretty(puzzle: Puzzle, grid: Grid | None = None) -> str:
    """Return the puzzle with its clues on top and at the left, and its cells.

    Parameters
    ----------
    puzzle
        The clues. In one colour a block is its length; in several its colour's character follows (``3#``).
    grid
        The cells to show, shape (rows, columns); default: all unknown.
    """
    grid = grid or Grid.unknown(*puzzle.shape, puzzle.palette)
    left = [" ".join(block_strings(clue, puzzle.palette)) for clue in puzzle.rows]
    margin = max(map(len, left))
    top = [block_strings(clue, puzzle.palette) for clue in puzzle.columns]
    height, width = max(map(len, top)), max(len(block) for clue in top for block in clue)
    padded = [[""] * (height - len(clue)) + clue for clue in top]
    lines = [
        " " * margin + " " + " ".join(block.rjust(width) for block in blocks)
        for blocks in zip(*padded, strict=True)
    ]
    lines += [
        f"{clue.rjust(margin)} " + " ".join(char.rjust(width) for char in row)
        for clue, row in zip(left, grid.strings(puzzle.palette), strict=True)
    ]
    return "\n".join(lines)


def block_strings(clue: Clue, palette: Palette) -> list[str]:
    """Return the blocks of a clue as text.

    Parameters
    ----------
    clue
        The blocks; an empty clue is ``0``.
    palette
        If it has several colours, the character of the block's colour follows the length.
    """
    if not clue:
        return ["0"]
    if palette.is_one_colour:
        return [str(block.length) for block in clue]
    return [f"{block.length}{palette[block.colour].char}" for block in clue]


def panels(columns: int, width: int) -> Iterator[tuple[str, slice]]:
    """Yield the heading (empty if there is one panel) and the columns of each panel.

    Parameters
    ----------
    columns
        Number of columns, one character each.
    width
        Most characters of a panel, at least 1.
    """
    for start in range(0, columns, width):
        end = min(start + width, columns)
        heading = f"columns {start + 1} to {end}" if columns > width else ""
        yield heading, slice(start, end)
