"""A puzzle as plain characters, folded where it is too wide.

With room for it, the clues stand outside and the cells inside. In less room the clues are left out and a cell
is one character; what is still too wide is cut into panels of columns that fit.
"""

from __future__ import annotations

from collections.abc import Iterator

from nonocsp.model import Grid, Puzzle, pretty


def plain(puzzle: Puzzle, grid: Grid, *, width: int | None = None) -> str:
    """Return the puzzle as lines of at most `width` characters (None: as many as it takes)."""
    whole = pretty(puzzle, grid)
    if width is None or whole.index("\n") <= width:
        return whole
    rows = grid.strings(puzzle.palette)
    lines: list[str] = []
    for heading, columns in panels(puzzle.shape[1], width):
        lines += [heading] * bool(heading) + [row[columns] for row in rows]
    return "\n".join(lines)


def panels(columns: int, width: int) -> Iterator[tuple[str, slice]]:
    """Cut `columns` cells of one character each into panels; each has a heading if there are several."""
    for start in range(0, columns, width):
        end = min(start + width, columns)
        heading = f"columns {start + 1} to {end}" if columns > width else ""
        yield heading, slice(start, end)
