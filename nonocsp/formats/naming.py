"""Name the puzzles of a file as every report does: by the file, followed by ``#k`` in a set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from nonocsp.formats.registry import load_all
from nonocsp.model import NonocspError, Puzzle


@dataclass(frozen=True, slots=True)
class NamedPuzzle:
    """A puzzle and where it stands.

    Parameters
    ----------
    name
        Its file, and ``#index`` behind it if the file holds several.
    index
        Its place in the file, from 1.
    """

    name: str
    index: int
    puzzle: Puzzle


def load_named(
    source: str | Path,
    *,
    name: str = "",
    format: str | None = None,
    size: tuple[int, int] | None = None,
) -> Iterator[NamedPuzzle]:
    """Yield the puzzles of a file with their names, each read when it is asked for.

    Parameters
    ----------
    source, format, size
        As for `load_all`, which also says what is raised.
    name
        What the file is called in the names; default: `source`.
    """
    puzzles = load_all(source, format=format, size=size)
    name = name or str(source)
    first = next(puzzles)
    try:
        second: Puzzle | NonocspError | None = next(puzzles, None)
    except NonocspError as error:  # raised below, so that it does not hide the first puzzle
        second = error
    yield NamedPuzzle(name if second is None else f"{name}#1", 1, first)
    if isinstance(second, NonocspError):
        raise second
    if second is not None:
        for index, puzzle in enumerate(chain([second], puzzles), start=2):
            yield NamedPuzzle(f"{name}#{index}", index, puzzle)
