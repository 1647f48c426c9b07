"""The ``.mk`` files of the Olšáks' nonogram solver: a size, row clues, ``#``, column clues; one colour.

The first line is ``HEIGHT WIDTH``, height first (``.nin`` files, which look alike, have the width first and
nothing between rows and columns). A blank line or ``0`` is an empty clue; blank lines beyond the expected
number of clues mean nothing, nor does what follows ``#`` in its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nonocsp.formats.base import Evidence, Format, Sureness, text_writer
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import (
    NumberedLine,
    fit,
    is_cut,
    is_lengths,
    lengths_text,
    mk_middle,
    parse_clue,
    parse_header,
    shortened,
    sized_lines,
    skip_comments,
    with_lost_clue,
)
from nonocsp.model import Clue, Puzzle


def sniff(head: bytes) -> Evidence:
    """Say whether a size is followed by as many clues and ``#``, which may come behind a long head."""
    lines = sized_lines(head)
    if not lines:
        return Evidence(Sureness.NO, "no line HEIGHT WIDTH comes first", 1)
    wrong = next((line for line in lines[1:] if not is_lengths(line[1].partition("#")[0])), None)
    if wrong:
        return Evidence(Sureness.WEAK, f"line {wrong[0]} is {shortened(wrong[1])}, no clue", wrong[0])
    if mk_middle(lines):
        return Evidence(Sureness.STRONG, "a size, as many clues, and a line with #")
    if is_cut(head) and len(lines) <= int(lines[0][1].split()[0]) + 1:
        return Evidence(Sureness.STRONG, "a size and clues below it")
    return Evidence(Sureness.NO, "no line with # follows the row clues", lines[-1][0])


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the one puzzle."""
    header, *lines = skip_comments(source)
    height, width = parse_header(source, header, ("height", "width"))
    middle = next((i for i, (_, text) in enumerate(lines) if text.lstrip().startswith("#")), None)
    if middle is None:
        expected = f"{height} row clues, #, column clues"
        raise source.error("no line with # below the row clues", expected=expected)
    rows = _clues(source, lines[:middle], height)
    _check_number(source, rows, height, "row clues between the size and #", header[0])
    clues = with_lost_clue((*rows, *_clues(source, lines[middle + 1 :], width)), height + width, height)
    columns = clues[height:]
    _check_number(source, columns, width, "column clues below #", lines[middle][0])
    yield Puzzle(rows, columns)


@text_writer
def write(puzzle: Puzzle) -> list[str]:
    """Write a puzzle."""
    height, width = puzzle.shape
    rows, columns = (map(lengths_text, clues) for clues in (puzzle.rows, puzzle.columns))
    return [f"{height} {width}", *rows, "#", *columns]


def _clues(source: Source, lines: Sequence[NumberedLine], expected: int) -> tuple[Clue, ...]:
    return tuple(parse_clue(source, line) for line in fit(lines, expected))


def _check_number(source: Source, clues: Sequence[Clue], expected: int, what: str, number: int) -> None:
    if len(clues) != expected:
        wanted = f"{expected}, as the size says (height first)"
        raise source.error(f"{len(clues)} {what}", line=number, expected=wanted)


_SUMMARY = "one puzzle: HEIGHT WIDTH (height first), row clues, #, column clues"
FORMATS = (Format("mk", (".mk",), _SUMMARY, sniff, read, write),)
