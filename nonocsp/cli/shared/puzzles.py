"""Read the puzzles of a command: all of its files, or a selection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import typer

from nonocsp.cli.shared.endings import last_words
from nonocsp.formats import NamedPuzzle, load_named
from nonocsp.model import UsageError


def named_puzzles(
    files: Iterable[str],
    *,
    selected: range | None = None,
    format: str | None = None,
    size: tuple[int, int] | None = None,
) -> Iterator[NamedPuzzle]:
    """Yield the puzzles of all files.

    Parameters
    ----------
    files
        Paths, or ``-`` for standard input.
    selected
        Places in each file, counted from 1; by default all.
    format
        Name of the format; by default recognised.
    size
        Rows and columns of puzzles in a file that does not say so.

    Raises
    ------
    UsageError
        If a file ends before the first selected place.
    """
    for file in files:
        index = 0
        for named in load_named(file, format=format, size=size):
            index = named.index
            if selected is None or index in selected:
                yield named
            if selected and index == selected[-1]:
                break
        if selected and index < selected[0]:
            raise UsageError(f"{file} has no puzzle {selected[0]}; it has {index}")


@contextmanager
def resumable() -> Iterator[Callable[[str, int], None]]:
    """Provide the function to call with each finished puzzle; after Ctrl-C, say how to go on."""
    advice = ""

    def done(name: str, index: int) -> None:
        nonlocal advice
        is_set = name.endswith(f"#{index}")
        rest = f"; in that file go on with --index {index + 1}-" if is_set else ""
        advice = f"done up to {name}{rest}"
        last_words(advice)

    try:
        yield done
    except KeyboardInterrupt:
        if advice:
            typer.echo(advice, err=True)
        raise
