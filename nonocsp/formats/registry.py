"""Read and write puzzles in any format, and recognise formats.

A file's format is recognised by its content and suffix (`recognition`); formats with the file's suffix are
asked first. This module does what does not depend on a format: it chooses the format, names the file and the
number of a faulty puzzle, and refuses puzzles that a format cannot hold.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from io import BufferedReader
from pathlib import Path

from nonocsp.formats.base import Format
from nonocsp.formats.files import File, files_of, split_number
from nonocsp.formats.recognition import recognise
from nonocsp.formats.source import AS_USUAL, ReadOptions, Source, source_of
from nonocsp.formats.unpacking import without_packing
from nonocsp.model import Puzzle, PuzzleError, UsageError, unknown

_SUFFIXES = {
    "pictures.image": (".png", ".gif", ".pbm", ".pgm", ".ppm", ".bmp", ".tiff", ".tif", ".webp"),
    "data.json_files": (".json", ".jsonl", ".ndjson"),
    "documents.webpbn": (".xml", ".pbn"),
    "clue_lists.lists": (".tcga", ".txt", ".nin", ".mk", ".lp", ".cwd", ".keen", ".g"),
    "clue_lists.non": (".non", ".nonpack"),
    "data.dzn": (".dzn",),
    "data.pynogram": (".txt",),
    "clue_lists.game_id": (),
    "clue_lists.gnonograms": (".gno",),
    "data.asp": (".lp",),
    "data.dzn_states": (".dzn",),
    "data.nonogrid": (".toml",),
    "data.puzzlekit": (),
    "data.table": (".csv", ".tsv", ".xlsx"),
    "documents.freenono": (".nonogram",),
    "documents.latex": (".tex",),
    "documents.links": (),
    "documents.pattern_save": (),
    "documents.web_page": (".html", ".htm"),
    "pictures.text": (".grid", ".txt"),
    "clue_lists.typed": (),
}
"""The suffixes of each module's formats, so that only the modules that a file needs are imported."""

_ALL_SUFFIXES = frozenset(suffix for known in _SUFFIXES.values() for suffix in known)
_OF_ALL_TEXTS = (".txt", ".csv", ".tsv")
"""Suffixes that say nothing about the format."""


def formats() -> tuple[Format, ...]:
    """Return all formats."""
    return tuple(known for module in _SUFFIXES for known in _formats_of(module))


@lru_cache
def _formats_of(module: str) -> tuple[Format, ...]:
    found: tuple[Format, ...] = import_module(f"nonocsp.formats.codecs.{module}").FORMATS
    return found


def load(
    source: str | Path,
    *,
    format: str | None = None,
    size: tuple[int, int] | None = None,
    cell: int | tuple[int, int] | None = None,
    invert: bool = False,
    columns_first: bool = False,
    transpose: bool = False,
) -> Puzzle:
    """Return the first puzzle of a file.

    Parameters
    ----------
    source, format, size, cell, invert, columns_first, transpose
        As for `load_all`, which also says what is raised.
    """
    puzzles = load_all(
        source,
        format=format,
        size=size,
        cell=cell,
        invert=invert,
        columns_first=columns_first,
        transpose=transpose,
    )
    try:
        return next(puzzles)
    finally:
        puzzles.close()


def load_all(
    source: str | Path,
    *,
    format: str | None = None,
    size: tuple[int, int] | None = None,
    cell: int | tuple[int, int] | None = None,
    invert: bool = False,
    columns_first: bool = False,
    transpose: bool = False,
) -> Generator[Puzzle, None, None]:
    """Yield puzzles one by one; sets of millions are read as you go.

    Parameters
    ----------
    source
        A file, compressed or not; a folder; a zip or tar archive; a member such as ``"set.zip/cat.non"``; a
        glob; or ``"-"`` for standard input. ``"set.txt#3"`` is the third puzzle only. Of folders and
        archives, the files whose suffix is that of a format are read.
    format
        The name of a format (see `formats`); by default it is recognised.
    size
        (rows, columns), for tournament sets, which do not say it. Puzzles of another size are refused.
    cell
        Pixels along a side of a cell in a picture, or (rows, columns) of pixels; by default they are found.
    invert
        Whether the background of a picture is dark.
    columns_first
        Whether the clues that come first are those of the columns, in formats that do not say it.
    transpose
        Whether to exchange rows and columns.

    Raises
    ------
    UsageError
        If the file cannot be opened, the format is unknown, or there is no such puzzle.
    FormatError
        If a file does not follow its format, with the place and what was expected.
    PuzzleError
        If clues describe no puzzle, with the file and, in a set, the puzzle's number.
    """
    path, number = split_number(source)
    found = 0
    sides = (cell, cell) if isinstance(cell, int) else cell
    options = ReadOptions(sides, invert, columns_first, transpose)
    for _, puzzles in load_files(path, format=format, size=size, options=options):
        for found, puzzle in enumerate(puzzles, start=found + 1):  # noqa: B020  (goes on counting)
            if number in (None, found):
                yield puzzle
            if found == number:
                return
    if number is not None:
        raise no_such_puzzle(path, number, found)


def load_files(
    path: str,
    *,
    format: str | None = None,
    size: tuple[int, int] | None = None,
    options: ReadOptions = AS_USUAL,
) -> Iterator[tuple[File, Iterator[Puzzle]]]:
    """Yield each file that a path leads to with its puzzles, to be read before the next file."""
    named = _by_name(format) if format else None
    pictures = () if named else _SUFFIXES["pictures.image"]
    for file in files_of(path, size, _ALL_SUFFIXES, pictures):
        yield file, _puzzles(file, named, size, options)


def load_stream(name: str, stream: BufferedReader, *, format: str | None = None) -> Iterator[Puzzle]:
    """Yield the puzzles of an open file, compressed or not."""
    file = File(name, False, lambda: source_of(name, stream))
    return _puzzles(file, _by_name(format) if format else None, None)


def _puzzles(
    file: File, named: Format | None, size: tuple[int, int] | None, options: ReadOptions = AS_USUAL
) -> Iterator[Puzzle]:
    stream = file.open()
    if options != AS_USUAL:
        stream = replace(stream, options=options)
    suffix = _suffix(stream.name)
    chosen, opened = (named, stream) if named else recognise(stream, _likely_first(suffix))
    number = 1
    is_told = chosen.tells_axes or options.columns_first or options.transpose
    is_doubtful = not (named or is_told or suffix in chosen.suffixes)
    try:
        for read in chosen.read(opened):
            puzzle = read if options == AS_USUAL else _turned(opened, read, chosen)
            if size and puzzle.shape != size:
                found, wanted = (f"{rows}x{columns}" for rows, columns in (puzzle.shape, size))
                raise PuzzleError(f"the puzzle is {found}, not {wanted} as the given size says")
            if is_doubtful:
                _doubt_axes(opened, puzzle)
            yield puzzle
            opened.next_puzzle()
            number += 1
    except PuzzleError as error:
        error.file = f"{opened.name}#{number}" if chosen.holds_many else opened.name
        raise
    if number == 1:
        raise opened.error("no puzzle in the file", expected=f"at least one in the format {chosen.name}")


def _turned(source: Source, puzzle: Puzzle, chosen: Format) -> Puzzle:
    """Return the puzzle as the options want its axes."""
    options = source.options
    if (options.cell or options.invert) and not chosen.is_picture:
        raise UsageError(f"{source.name}: cells of pixels and inverting are for pictures, not {chosen.name}")
    if options.columns_first and chosen.tells_axes:
        raise UsageError(
            f"{source.name}: {chosen.name} files say which clues are those of the columns; "
            "--transpose (in Python, transpose=True) exchanges rows and columns"
        )
    return puzzle.transposed() if options.columns_first != options.transpose else puzzle


def _doubt_axes(source: Source, puzzle: Puzzle) -> None:
    """Say which clues were read as those of the rows, if the others could be."""
    if puzzle.flat_rows != puzzle.flat_columns:
        source.note("the clues of the rows are read first; if those of the columns are, add --columns-first")


def no_such_puzzle(path: str, number: int, found: int) -> UsageError:
    """Return the error for a number beyond the end of a set."""
    return UsageError(f"{path} has no puzzle {number}; it has {found}")


def save(
    puzzles: Puzzle | Iterable[Puzzle], target: str | Path, *, format: str | None = None, lossy: bool = True
) -> list[str]:
    """Write puzzles to a file; read it back and compare before it takes its place.

    Parameters
    ----------
    puzzles
        At least one; they are read one by one.
    target
        A path, or ``"-"`` for standard output. The suffix ``.gz`` compresses.
    format
        The name of a format; by default the suffix decides.
    lossy
        Whether the file may lack what its format has no place for: texts, the goal, colours and their names,
        the size. Clues are never lost.

    Returns
    -------
    list[str]
        What the file lacks, such as ``["title", "goal"]``.

    Raises
    ------
    UsageError
        If the format is unknown, if it cannot hold these puzzles (the message names others that can), if
        other puzzles were read back, if something is lost that may not be, or if the file cannot be made. The
        target is then as it was before.
    """
    from nonocsp.formats.readback import Ledger  # not for reading, which is all that most commands do

    chosen = format_to_write(target, format)
    lost: list[str] = []

    def check(draft: Path) -> None:
        try:
            lost.extend(ledger.losses(draft, chosen, lossy=lossy))
        except UsageError as error:
            raise UsageError(f"{target}: {error}") from None

    with Ledger([puzzles] if isinstance(puzzles, Puzzle) else puzzles) as ledger:
        _write(ledger, target, chosen, check)
    return lost


def write_for_program(puzzles: Puzzle | Iterable[Puzzle], target: Path, format: str) -> None:
    """Write puzzles for a program, which needs their clues and is told their size; nothing is checked."""
    several = [puzzles] if isinstance(puzzles, Puzzle) else puzzles
    _write(several, target, format_to_write(target, format))


def _write(
    puzzles: Iterable[Puzzle], target: str | Path, chosen: Format, check: Callable[[Path], None] | None = None
) -> None:
    from nonocsp.formats.target import open_target

    assert chosen.write
    with open_target(target, check=check) as stream:
        chosen.write(_that_fit(puzzles, chosen), stream)


def format_to_write(target: str | Path, format: str | None = None) -> Format:
    """Return the format that `save` would write; UsageError if there is none, or if it can only be read."""
    suffix = _suffix(target)
    found = [_by_name(format)] if format else [known for known in formats() if suffix in known.suffixes]
    if len(found) != 1 and str(target) == "-":
        raise UsageError(f"standard output has no suffix; name the format: {_names(formats())}")
    if len(found) != 1:
        several = f"{suffix} is the suffix of several formats;"
        none = f"no format has the suffix {suffix!r}; take one such as .json, .non or .png, or"
        names = _names(found or (known for known in formats() if known.can_write))
        raise UsageError(f"{target}: {several if found else none} name a format with --to: {names}")
    (chosen,) = found
    if not chosen.can_write:
        able = _names(known for known in formats() if known.can_write)
        raise UsageError(f"{chosen.name} files are only read; write {able}")
    return chosen


def _by_name(name: str) -> Format:
    own = f".{name.replace('-', '_')}"
    # The module of that name comes first, so that the others are not imported.
    for module in sorted(_SUFFIXES, key=lambda module: not module.endswith(own)):
        for known in _formats_of(module):
            if known.name == name:
                return known
    raise unknown("format", name, [known.name for known in formats()])


def _likely_first(suffix: str) -> Iterator[tuple[Format, bool]]:
    """Yield all formats, each with whether this suffix is its own and counts: those first."""
    modules, told = _of_suffix(suffix)
    for known in told:
        yield known, True
    for module in modules:
        yield from ((known, False) for known in _formats_of(module) if known not in told)


@lru_cache
def _of_suffix(suffix: str) -> tuple[list[str], list[Format]]:
    """Return all modules, those with formats of a suffix first, and these formats if it says something."""
    likely = [module for module in _SUFFIXES if suffix in _SUFFIXES[module]]
    formats = [known for module in likely for known in _formats_of(module) if suffix in known.suffixes]
    return list(dict.fromkeys([*likely, *_SUFFIXES])), [] if suffix in _OF_ALL_TEXTS else formats


def _suffix(path: str | Path) -> str:
    return os.path.splitext(without_packing(str(path)))[1].lower()  # noqa: PTH122  (a Path takes longer)


def _that_fit(puzzles: Iterable[Puzzle], chosen: Format) -> Iterator[Puzzle]:
    """Yield the puzzles; raise UsageError at the first one that the format cannot hold."""
    number = 0
    for puzzle in puzzles:
        number += 1
        if number > 1 and not chosen.holds_many:
            able = _names(f for f in formats() if f.can_write and f.holds_many)
            raise UsageError(f"a {chosen.name} file holds one puzzle; for several write {able}")
        if not chosen.holds_colours and len(puzzle.flat_rows.colours_used) > 1:
            able = _names(f for f in formats() if f.can_write and f.holds_colours)
            raise UsageError(f"{chosen.name} has no colours; write {able}")
        yield puzzle
    if number == 0:
        raise UsageError("there is no puzzle to write")


def _names(found: Iterable[Format]) -> str:
    return ", ".join(known.name for known in found)
