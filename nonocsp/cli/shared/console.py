"""Print for people: in colour on a terminal that shows colours, plain everywhere else."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

NARROWEST = 80
"""Characters in a line of a table: at least so many on a terminal, exactly so many in files and pipes."""

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from nonocsp.making.cells import Mask
    from nonocsp.model import Grid, Puzzle


def terminal() -> Console | None:
    """Return the console of standard output; None for a file or a pipe, without loading rich."""
    if not (sys.stdout.isatty() or os.environ.get("FORCE_COLOR")):
        return None
    from rich.console import Console

    return Console(highlight=False)


def print_grid(puzzle: Puzzle, grid: Grid, *, marked: Mask | None = None) -> None:
    """Print a puzzle with its clues and the names of its colours, in the width of a terminal.

    Parameters
    ----------
    puzzle
        Its clues and colours.
    grid
        The cells to show, of the puzzle's shape.
    marked
        The cells to put between parentheses where there is room, shape (rows, columns).
    """
    from nonocsp.render.plain import legend, plain

    console = terminal()
    if console is None or console.no_color or console.color_system is None:
        print(plain(puzzle, grid, width=console.width if console else None, marked=marked))
        print(printable(legend(puzzle)), end="\n" * (not puzzle.palette.is_one_colour))
    else:
        from nonocsp.render.terminal import coloured, coloured_legend

        has_blocks = not console.options.ascii_only
        console.print(coloured(puzzle, grid, width=console.width, has_blocks=has_blocks, marked=marked))
        console.print(coloured_legend(puzzle), end="\n" * (not puzzle.palette.is_one_colour))


def printable(text: str) -> str:
    """Return text from a file without control characters; a byte that is no text becomes ``?``."""
    text = text.encode(errors="replace").decode()
    return "".join(char if char.isprintable() else " " for char in text)


def clock(seconds: float | None) -> str:
    """Return a duration as hours, minutes and seconds: ``0:01:30``; a dash for None."""
    return "–" if seconds is None else str(timedelta(seconds=round(seconds)))


def print_rows(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows of text as a table.

    Parameters
    ----------
    heads
        Headings of the columns.
    rows
        A text for each column; markup in it is printed as it is.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(*heads, box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for row in rows:
        table.add_row(*map(Text, row))
    print_table(table)


def print_table(table: Table) -> None:
    """Print a table as wide as the terminal, but at least `NARROWEST` characters, so that no figure is cut.

    A narrower terminal folds the lines.
    """
    from rich.console import Console

    console = terminal()
    if console:
        console.width = max(console.width, NARROWEST)
        console.print(table, soft_wrap=False, crop=False)
        return
    plainly = Console(width=NARROWEST, highlight=False)
    with plainly.capture() as captured:
        plainly.print(table)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))
