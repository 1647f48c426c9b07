"""Print for people: in colour on a terminal that shows colours, plain everywhere else."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from textwrap import TextWrapper
from typing import TYPE_CHECKING

NARROWEST = 80
"""Characters in a line of a table: at least so many on a terminal, exactly so many in files and pipes."""

PROSE = 79
"""Characters in a line of prose."""

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import TaskID
    from rich.table import Table

    from nonocsp.formats import NamedPuzzle
    from nonocsp.making.cells import Mask
    from nonocsp.model import Grid, Puzzle


def terminal() -> Console | None:
    """Return the console of standard output; None for a file or a pipe, without loading rich."""
    if not (sys.stdout.isatty() or os.environ.get("FORCE_COLOR")):
        return None
    from rich.console import Console

    return Console(highlight=False)


def print_grid(puzzle: Puzzle, grid: Grid, *, marked: Mask | None = None) -> None:
    """Print a puzzle with its clues and the names of its colours, in the width of a terminal."""
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
    if text.isprintable():
        return text
    text = text.encode(errors="replace").decode()
    return "".join(char if char.isprintable() else " " for char in text)


def json_line(record: object) -> str:
    """Return a record as JSON in ASCII on one line, as `json.dumps` does, in a third of its time."""
    import msgspec

    with suppress(UnicodeEncodeError):  # names of files can be no text
        line = msgspec.json.format(msgspec.json.encode(record), indent=0)
        if line.isascii():
            return line.decode()
    return json.dumps(record)


def heading(source: NamedPuzzle) -> str:
    """Return name, size, title and author of a puzzle in one line."""
    puzzle = source.puzzle
    title = f', "{printable(puzzle.title)}"' if puzzle.title else ""
    author = f" by {printable(puzzle.author)}" if puzzle.author else ""
    return f"{printable(source.name)}: {puzzle.shape[0]}x{puzzle.shape[1]}{title}{author}"


def title_of(source: NamedPuzzle) -> str:
    """Return what to call a puzzle on paper: its title, or its file without folder and ending."""
    from nonocsp.formats.files import split_number
    from nonocsp.formats.unpacking import without_packing

    file, number = split_number(Path(source.name).name)
    name = Path(without_packing(file)).stem
    return source.puzzle.title or (name if number is None else f"{name} {number}")


def counted(number: int, what: str) -> str:
    """Return a number with a noun: ``1 puzzle``, ``3 puzzles``."""
    return f"{number} {what}{'s' * (number != 1)}"


def clock(seconds: float | None) -> str:
    """Return a duration as hours, minutes and seconds: ``0:01:30``; a dash for None."""
    return "–" if seconds is None else str(timedelta(seconds=round(seconds)))


def facts(lines: Mapping[str, str], *, width: int = 12) -> str:
    """Return facts with their names in front, one to a paragraph; those without text are left out."""
    indent = " " * (width + 1)
    wrap = TextWrapper(PROSE, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return "\n".join(wrap.fill(f"{key:<{width}} {text}") for key, text in lines.items() if text)


def print_sentences(sentences: Iterable[str]) -> None:
    """Print sentences, each as a paragraph of its own."""
    wrap = TextWrapper(PROSE, break_long_words=False, break_on_hyphens=False)
    for sentence in sentences:
        print(wrap.fill(printable(sentence)))


def print_rows(heads: Sequence[str], rows: Iterable[Sequence[str]], *, texts: int | None = None) -> None:
    """Print rows of text as a table; the columns behind the first `texts` are aligned to the right."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for number, head in enumerate(heads):
        table.add_column(head, justify="left" if texts is None or number < texts else "right")
    for row in rows:
        table.add_row(*map(Text, row))
    print_table(table)


def print_table(table: Table) -> None:
    """Print a table as wide as the terminal, at least `NARROWEST`, so that no figure is cut."""
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


@contextmanager
def progress_bars() -> Iterator[Callable[[str, float, float, str], None]]:
    """Provide the function that moves a bar on a terminal: its name, how much is done, the total, a text."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import Progress

    *shown, remaining = Progress.get_default_columns()
    console = Console(stderr=True)
    with Progress(
        *shown, "left:", remaining, console=console, transient=True, speed_estimate_period=60.0
    ) as progress:
        tasks: dict[str, TaskID] = {}

        def move(name: str, done: float, total: float, text: str) -> None:
            if name not in tasks:
                tasks[name] = progress.add_task(text, total=total)
            progress.update(tasks[name], completed=done, description=text)

        yield move
