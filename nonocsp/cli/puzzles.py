"""The puzzles that a command is about: read lazily, selected, and named as every report names them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice

from nonocsp.formats import load_all
from nonocsp.model import Puzzle, UsageError


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


def named_puzzles(
    files: Iterable[str],
    *,
    selected: range | None = None,
    format: str | None = None,
    size: tuple[int, int] | None = None,
) -> Iterator[NamedPuzzle]:
    """Yield the puzzles of all files, of each only those at the `selected` places (counted from 1).

    Raises
    ------
    UsageError
        If a file ends before the first selected place.
    """
    for file in files:
        puzzles = load_all(file, format=format, size=size)
        first_two = list(islice(puzzles, 2))
        several, index = len(first_two) > 1, 0
        for index, puzzle in enumerate(chain(first_two, puzzles), start=1):
            if selected is None or index in selected:
                yield NamedPuzzle(f"{file}#{index}" if several else file, index, puzzle)
            if selected and index == selected[-1]:
                break
        if selected and index < selected[0]:
            raise UsageError(f"{file} has no puzzle {selected[0]}; it has {index}")
