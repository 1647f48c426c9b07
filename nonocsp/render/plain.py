"""Write a puzzle as plain characters, folded where it is too wide.

If there is room, the clues stand outside and the cells inside. If there is less, the clues are left out and a
cell is one character. A grid that is still too wide is cut into panels of columns.
"""

from __future__ import annotations

from collections.abc import Iterator

from nonocsp.model import Grid, Puzzle, pretty


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


def panels(columns: int, width: int) -> Iterator[tuple[str, slice]]:
    """Yield a heading (empty if there is one panel) and the columns of each panel of `width` characters."""
    for start in range(0, columns, width):
        end = min(start + width, columns)
        heading = f"columns {start + 1} to {end}" if columns > width else ""
        yield heading, slice(start, end)
