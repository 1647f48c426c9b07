"""Name the puzzles of a file as every report does: by the file, followed by ``#k`` in a set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from pathlib import Path

from nonocsp.formats.files import split_number
from nonocsp.formats.registry import load_files, no_such_puzzle
from nonocsp.formats.source import AS_USUAL, ReadOptions
from nonocsp.model import NonocspError, Puzzle, bounds


@dataclass(frozen=True, slots=True)
class NamedPuzzle:
    """A puzzle and where it stands."""

    name: str  # its file, and ``#index`` behind it if the file holds several
    index: int  # its place from 1 among all puzzles of the file, folder or archive that was opened
    puzzle: Puzzle


def load_named(
    source: str | Path,
    *,
    name: str = "",
    format: str | None = None,
    size: tuple[int, int] | None = None,
    options: ReadOptions = AS_USUAL,
    failed: Callable[[NonocspError], None] | None = None,
) -> Iterator[NamedPuzzle]:
    """Yield puzzles with their names, each read when it is asked for; parameters as for `load_all`.

    `name` is what the file is called in the names, by default `source`. `failed` gets the error of a file in
    a folder or archive, and the next file is read; after `bounds.UNREADABLE_FILES` errors one is raised.
    """
    path, number = split_number(source)
    index = failures = 0
    for file, puzzles in load_files(path, format=format, size=size, options=options):
        label = path if path == "-" and not file.is_member else file.name
        if name:
            label = name + label[len(str(Path(path))) :]
        try:
            for named, puzzle in _labelled(label, puzzles):
                index += 1
                if number in (None, index):
                    yield NamedPuzzle(named, index, puzzle)
                if index == number:
                    return
        except NonocspError as error:
            failures += 1
            if failed is None or not file.is_member or failures > bounds.UNREADABLE_FILES:
                raise
            failed(error)
    if number is not None:
        raise no_such_puzzle(path, number, index)


def sampled(puzzles: Iterable[NamedPuzzle], count: int, seed: int) -> list[NamedPuzzle]:
    """Return a uniform sample of puzzles in their order, read once (algorithm R; Vitter 1985)."""
    from random import Random

    chance = Random(seed)
    chosen: list[tuple[int, NamedPuzzle]] = []
    for number, puzzle in enumerate(puzzles):
        if number < count:
            chosen.append((number, puzzle))
        elif (place := int(chance.random() * (number + 1))) < count:
            chosen[place] = number, puzzle
    return [puzzle for _, puzzle in sorted(chosen, key=itemgetter(0))]


def _labelled(label: str, puzzles: Iterator[Puzzle]) -> Iterator[tuple[str, Puzzle]]:
    """Yield the puzzles of a file with its name, and with their number if there are several."""
    first = next(puzzles)
    try:
        second: Puzzle | NonocspError | None = next(puzzles, None)
    except NonocspError as error:  # raised below, so that it does not hide the first puzzle
        second = error
    yield (label if second is None else f"{label}#1"), first
    if isinstance(second, NonocspError):
        raise second
    if second is not None:
        for number, puzzle in enumerate(chain([second], puzzles), start=2):
            yield f"{label}#{number}", puzzle
