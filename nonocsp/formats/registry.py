"""All formats, and reading and writing in any of them.

A file's format is recognised by its content, then by its suffix. What does not depend on a format is done
here: choosing it, naming the file and the number of a faulty puzzle, and refusing what a format cannot
hold.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from pathlib import Path

from nonocsp.formats.base import Format
from nonocsp.formats.image import IMAGES
from nonocsp.formats.nin import NIN
from nonocsp.formats.project_json import JSON, JSON_LINES
from nonocsp.formats.simpson import NON
from nonocsp.formats.source import Source, open_source
from nonocsp.formats.target import open_target
from nonocsp.formats.text_grid import TEXT_GRID
from nonocsp.formats.tournament import TOURNAMENT
from nonocsp.formats.webpbn import WEBPBN
from nonocsp.model import Puzzle, PuzzleError, UsageError

_FORMATS = (*IMAGES, JSON, JSON_LINES, WEBPBN, TOURNAMENT, NON, NIN, TEXT_GRID)


def formats() -> tuple[Format, ...]:
    """Return all formats in the order in which they are tried on a file."""
    return _FORMATS


def load(source: str | Path, *, format: str | None = None, size: tuple[int, int] | None = None) -> Puzzle:
    """Return the first puzzle of a file.

    Parameters and errors are those of `load_all`.
    """
    puzzles = load_all(source, format=format, size=size)
    try:
        return next(puzzles)
    finally:
        puzzles.close()


def load_all(
    source: str | Path, *, format: str | None = None, size: tuple[int, int] | None = None
) -> Generator[Puzzle, None, None]:
    """Yield the puzzles of a file one by one; sets of thousands are read as you go.

    Parameters
    ----------
    source
        A path, or ``"-"`` for standard input. Gzip is unpacked.
    format
        The name of a format (see `formats`); by default it is recognised.
    size
        (rows, columns), for tournament sets, which do not say it. Puzzles of another size are refused.

    Raises
    ------
    UsageError
        If the file cannot be opened or the format is unknown.
    FormatError
        If the file does not follow its format, with the place and what was expected.
    PuzzleError
        If clues describe no puzzle, with the file and, in a set, the puzzle's number.
    """
    named = _by_name(format) if format else None
    with open_source(source, size) as opened:
        chosen = named or _recognise(opened)
        number = 1
        try:
            for puzzle in chosen.read(opened):
                _check_size(puzzle, size)
                yield puzzle
                number += 1
        except PuzzleError as error:
            file = f"{opened.name}#{number}" if chosen.holds_many else opened.name
            raise PuzzleError(error.message, line=error.line, file=file) from error
        if number == 1:
            raise opened.error("no puzzle in the file", expected=f"at least one in the format {chosen.name}")


def save(puzzles: Puzzle | Iterable[Puzzle], target: str | Path, *, format: str | None = None) -> None:
    """Write puzzles to a file.

    Parameters
    ----------
    target
        A path, or ``"-"`` for standard output. The suffix ``.gz`` compresses.
    format
        The name of a format; by default the suffix decides.

    Raises
    ------
    UsageError
        If the format is unknown, if it cannot hold these puzzles (the message names others that can), or if
        the file cannot be made. The target is then as it was before.
    """
    chosen = _by_name(format) if format else _by_suffix(target)
    if chosen.write is None:
        raise UsageError(
            f"{chosen.name} files are only read; write {_names(f for f in _FORMATS if f.can_write)}"
        )
    several = [puzzles] if isinstance(puzzles, Puzzle) else puzzles
    with open_target(target) as stream:
        chosen.write(_that_fit(several, chosen), stream)


def _by_name(name: str) -> Format:
    for known in _FORMATS:
        if known.name == name:
            return known
    raise UsageError(f"unknown format {name!r}; there are {_names(_FORMATS)}")


def _by_suffix(target: str | Path) -> Format:
    found = _with_suffix(target)
    if len(found) == 1:
        return found[0]
    if str(target) == "-":
        raise UsageError(f"standard output has no suffix; name the format: {_names(_FORMATS)}")
    suffix = _suffix(target)
    problem = (
        f"{suffix} is the suffix of several formats" if found else f"no format has the suffix {suffix!r}"
    )
    raise UsageError(f"{target}: {problem}; name one: {_names(found or _FORMATS)}")


def _recognise(source: Source) -> Format:
    head = source.head
    for known in _FORMATS:
        if known.sniff(head):
            return known
    found = _with_suffix(source.name)
    if len(found) == 1:
        return found[0]
    raise source.error("the format is not recognised", expected=f"one of {_names(found or _FORMATS)}")


def _with_suffix(path: str | Path) -> list[Format]:
    return [known for known in _FORMATS if _suffix(path) in known.suffixes]


def _suffix(path: str | Path) -> str:
    return Path(str(path).removesuffix(".gz")).suffix.lower()


def _check_size(puzzle: Puzzle, size: tuple[int, int] | None) -> None:
    if size and puzzle.shape != size:
        found, wanted = (f"{rows}x{columns}" for rows, columns in (puzzle.shape, size))
        raise PuzzleError(f"the puzzle is {found}, not {wanted} as the given size says")


def _that_fit(puzzles: Iterable[Puzzle], chosen: Format) -> Iterator[Puzzle]:
    """Yield the puzzles as long as the format can hold them; UsageError otherwise."""
    number = 0
    for puzzle in puzzles:
        number += 1
        if number > 1 and not chosen.holds_many:
            able = _names(f for f in _FORMATS if f.can_write and f.holds_many)
            raise UsageError(f"a {chosen.name} file holds one puzzle; for several write {able}")
        if not chosen.holds_colours and _colour_count(puzzle) > 1:
            able = _names(f for f in _FORMATS if f.can_write and f.holds_colours)
            raise UsageError(f"{chosen.name} has no colours; write {able}")
        yield puzzle
    if number == 0:
        raise UsageError("there is no puzzle to write")


def _colour_count(puzzle: Puzzle) -> int:
    return len({*puzzle.flat_rows.colours.tolist()})


def _names(found: Iterable[Format]) -> str:
    return ", ".join(known.name for known in found)
