"""Lists of clues as solvers and contests write them, read by the core with its table of dialects.

Here is what each dialect is called and how it is written. ``nonocsp/cpp/reading/lists.cpp`` says what heads
a file and what stands between the axes; how far the reader gets is how much a file speaks for the dialect.
An empty line or ``0`` is the empty clue, except in keen and counted, where an empty line separates. Sets are
read in parts, in constant memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import BinaryIO

from nonocsp.engine.reading import Reading, ReadPuzzle, list_evidence, read_list
from nonocsp.formats.base import Evidence, Format, Sureness
from nonocsp.formats.palettes import BLACK, WHITE, Sketch, complete, rgb_of, unique_chars
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import is_cut, lengths_text
from nonocsp.model import BLACK_AND_WHITE, Clue, Palette, Puzzle, PuzzleError

_Lines = Callable[[Puzzle, int], list[str]]
_BACKGROUND, _DEFAULT = "0", "1"
_NOT_FOR_COLOURS = " 0123456789,:#\t"


def _sniff(name: str, head: bytes) -> Evidence:
    sureness, why, line = list_evidence(name, head, is_cut=is_cut(head))
    return Evidence(Sureness(sureness), why, line)


def _read(name: str, holds_many: bool, source: Source) -> Iterator[Puzzle]:
    parts = _parts(name, source) if holds_many else [read_list(name, source.text(), size=source.size)]
    for reading in parts:
        yield from map(puzzle_of, found_in(source, reading))


def found_in(source: Source, reading: Reading) -> Iterator[ReadPuzzle]:
    """Tell the notes of a reading, yield what was found, and raise its fault as a FormatError."""
    for note in reading.notes:
        source.note(note.message, note.place.line)
    yield from reading.puzzles
    if reading.fault:
        message, expected, (line, column) = reading.fault
        raise source.error(message, line=line, column=column, expected=expected)


def _parts(name: str, source: Source) -> Iterator[Reading]:
    """Yield what is read of a set, in parts, which grow until a puzzle fits into one."""
    size, rest, line, pending = source.size, b"", 1, list[bytes]()
    for part in source.parts():
        pending.append(part)
        if sum(map(len, pending)) < len(rest):
            continue
        text = b"".join([rest, *pending])
        found = read_list(name, text.decode(), line=line, is_whole=False, size=size)
        rest, line = text[found.used :], found.line
        pending.clear()
        yield found
        if found.puzzles and not size:
            first = found.puzzles[0]
            size = first.rows.line_count, first.columns.line_count
    text = b"".join([rest, *pending])
    yield read_list(name, text.decode(), line=line, size=size)


def puzzle_of(found: ReadPuzzle) -> Puzzle:
    """Return the puzzle that a reader of the core found, without its goal; PuzzleError if it is none."""
    palette = _palette(found) if found.colours else BLACK_AND_WHITE
    try:
        return Puzzle.from_flat(found.rows, found.columns, palette=palette, title=found.title)
    except PuzzleError as error:
        axis, _, number = (error.line or "").partition(" ")
        message = error.message
        if number:
            message = f"{message} (line {found.line_of(axis, int(number))})"
        message = "; ".join(filter(None, (message, found.advice)))
        raise PuzzleError(message, line=error.line, draft=error.draft) from None


def _palette(found: ReadPuzzle) -> Palette:
    sketches: dict[str, Sketch] = {_BACKGROUND: WHITE}
    for key, char, word, remark in found.colours:
        name = remark if word.startswith("#") else word
        taken = {sketch.name for known, sketch in sketches.items() if known != _BACKGROUND}
        sketches[key] = Sketch("" if name in taken else name, rgb_of(word), char)
    return complete(sketches.values())


def _texts(clues: Iterable[Clue]) -> list[str]:
    return [lengths_text(clue) for clue in clues]


def _plain(head: str, between: list[str], puzzle: Puzzle, _: int) -> list[str]:
    size = head.format(*puzzle.shape).splitlines()
    return [*size, *_texts(puzzle.rows), *between, *_texts(puzzle.columns)]


def _tournament(puzzle: Puzzle, number: int) -> list[str]:
    title = puzzle.title if puzzle.title.isascii() and puzzle.title.isdigit() else number
    clues = (*puzzle.columns, *puzzle.rows)
    return [f"${title}", *("\t".join(str(length) for length, _ in clue) for clue in clues)]


def _picross(puzzle: Puzzle, number: int) -> list[str]:
    rows, columns = ([f"[ {text} ]" for text in _texts(clues)] for clues in (puzzle.rows, puzzle.columns))
    title = " ".join(puzzle.title.split())
    return [*[""] * (number > 1), f"GRID {title}".rstrip(), "ROWS", *rows, "COLUMNS", *columns]


def _olsak(puzzle: Puzzle, _: int) -> list[str]:
    palette = puzzle.palette
    is_plain = palette.is_one_colour and [c.rgb for c in palette.colours] == [WHITE.rgb, BLACK.rgb]
    letters = [_DEFAULT] if palette.is_one_colour else unique_chars(palette.chars[1:], _NOT_FOR_COLOURS)
    lines = [] if is_plain else ["#d"]
    for letter, colour in zip(
        [_BACKGROUND, *letters], () if is_plain else palette.colours, strict=not is_plain
    ):
        char = "" if colour.char.isspace() else colour.char
        lines.append(f"   {letter}:{char}  {colour.rgb.upper()}   {' '.join(colour.name.split())}")
    suffixes = ["", *(letter.replace(_DEFAULT, "") for letter in letters)]
    for name, clues in (("rows", puzzle.rows), ("columns", puzzle.columns)):
        lines.append(f": {name}")
        lines += [" ".join(f"{length}{suffixes[colour]}" for length, colour in clue) for clue in clues]
    return [*lines, ": end"]


def _bosch(puzzle: Puzzle, _: int) -> list[str]:
    lines = [f"number_of_rows: {len(puzzle.rows)}", f"number_of_columns: {len(puzzle.columns)}"]
    for axis, clues in (("row", puzzle.rows), ("column", puzzle.columns)):
        for i, clue in enumerate(clues, start=1):
            sizes = " ".join(str(length) for length, _ in clue)
            lines += ["", f"{axis}_{i}", f"number_of_clusters: {len(clue)}", f"size(s): {sizes}".rstrip()]
    return lines


def _write(lines_of: _Lines, puzzles: Iterable[Puzzle], stream: BinaryIO) -> None:
    for number, puzzle in enumerate(puzzles, start=1):
        stream.write(("\n".join(lines_of(puzzle, number)) + "\n").encode())


def _list(name: str, suffix: str, summary: str, lines_of: _Lines | None = None, **more: bool) -> Format:
    """Return the format of a dialect; `lines_of` writes a puzzle with its number in the file."""
    writer = partial(_write, lines_of) if lines_of else None
    reader = partial(_read, name, more.get("holds_many", False))
    return Format(name, tuple(suffix.split()), summary, partial(_sniff, name), reader, writer, **more)


_SETS = "sets of one-colour puzzles: $k, column clues, then row clues (size: square, or as given)"
_NIN = "one puzzle: WIDTH HEIGHT (width first), row clues, column clues"
_MK = "one puzzle: HEIGHT WIDTH (height first), row clues, #, column clues"
_GRIDS = "named grids of picross-solver: GRID, ROWS, COLUMNS, a clue such as [ 1 2 ] a line"
_LP = "Bosch's .lp: number_of_rows:, number_of_columns:, then row_1, number of blocks, sizes"
_CWD = "one puzzle: height, width, row clues, an empty line, column clues"
_KEEN = "Keen, ish, syro, pbnsol: row clues, an empty line or &, column clues, no size"
_G = "the Olsaks' .g: #d and colours, then : rows, : columns, a clue a line"
_COUNTED = "clues with their number of lengths before them, with a size or an empty line between"
_HEIGHT_FIRST = "one puzzle as in nin, but HEIGHT WIDTH (height first)"

# ``tells_axes=False``: nothing in the file says which axis comes first.
FORMATS = (
    _list("tournament", ".tcga .txt", _SETS, _tournament, holds_many=True),
    _list("nin", ".nin", _NIN, partial(_plain, "{1} {0}", []), tells_axes=False),
    _list("mk", ".mk", _MK, partial(_plain, "{0} {1}", ["#"]), tells_axes=False),
    _list("picross", ".txt", _GRIDS, _picross, holds_many=True),
    _list("bosch", ".lp", _LP, _bosch),
    _list("cwd", ".cwd", _CWD, partial(_plain, "{0}\n{1}", [""]), tells_axes=False),
    _list("keen", ".keen", _KEEN, partial(_plain, "", [""]), tells_axes=False),
    _list("olsak", ".g", _G, _olsak, holds_colours=True),
    _list("counted", "", _COUNTED, tells_axes=False),
    _list("height-first", "", _HEIGHT_FIRST),
)
