"""Game IDs of Pattern, the nonograms of Simon Tatham's Portable Puzzle Collection; one colour.

::

    3x2:1/2//1.1/1

``WIDTHxHEIGHT:``, then the clues of the columns and of the rows, all between ``/``, lengths between ``.``. An
empty field is the empty clue. A file holds an ID a line, read lazily; empty lines and those that start with
``#`` mean nothing. ``Pattern`` may come first, and ``#`` with a seed behind the clues, which mean nothing.

Two kinds of IDs are refused by name: a seed without clues (``15x15#123``), of which only Pattern itself makes
a puzzle, and given cells, which follow the clues behind a comma.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nonocsp.formats.base import Evidence, Format, Sureness, text_writer
from nonocsp.formats.source import HEAD_BYTES, Source
from nonocsp.formats.text_lines import head_lines, parse_clue, parse_size, shortened
from nonocsp.model import Clue, Puzzle

_ID = re.compile(r"(?:pattern:?\s+)?([0-9]{1,9})x([0-9]{1,9})([:#])(.*)", re.IGNORECASE)
_CLUES = re.compile(r"[0-9./]*")
_FIELD = re.compile(r"[0-9.]*")


def sniff(head: bytes) -> Evidence:
    """Return whether the first line is a size and as many clues as it says, or a size and a seed."""
    first, *others = head_lines(head) or [""]
    found = _ID.fullmatch(first)
    if not found:
        return Evidence(Sureness.NO, "no size such as 15x10: at the start", 1)
    width, height, mark, rest = found.groups()
    if mark == "#":
        whole = rest.isalnum() and not others
        return Evidence(Sureness.STRONG if whole else Sureness.NO, f"{shortened(first)} is a size and a seed")
    clues = rest.partition("#")[0].partition(",")[0].rstrip()
    fields, wanted = clues.count("/") + 1, int(width) + int(height)
    is_cut = len(head) >= HEAD_BYTES and not others
    if not _CLUES.fullmatch(clues) or (fields != wanted and not (is_cut and fields < wanted)):
        why = f"a size of {width}x{height}, but not {wanted} clues of digits, dots and slashes behind it"
        return Evidence(Sureness.NO, why, 1)
    return Evidence(Sureness.CERTAIN, f"{width}x{height}: is followed by {fields} clues between slashes")


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the puzzle of each line."""
    for number, text in source.lines():
        if text.strip() and not text.lstrip().startswith("#"):
            yield puzzle_of_id(source, number, text)


@text_writer
def write(puzzle: Puzzle) -> list[str]:
    """Write an ID a line."""
    height, width = puzzle.shape
    fields = (".".join(str(length) for length, _ in clue) for clue in (*puzzle.columns, *puzzle.rows))
    return [f"{width}x{height}:{'/'.join(fields)}"]


def puzzle_of_id(source: Source, number: int, text: str) -> Puzzle:
    """Return the puzzle of a game ID, which stands in a line of the source."""
    found = _ID.fullmatch(text.strip())
    if not found:
        expected = "WIDTHxHEIGHT: and the clues, such as 2x2:1/1/1/1"
        raise source.error(f"{shortened(text.strip())} is no game ID", line=number, expected=expected)
    width, height = (
        parse_size(source, number, size, what)
        for size, what in zip(found.groups(), ("width", "height"), strict=False)
    )
    if found[3] == "#":
        expected = "an ID with clues, which Pattern shows under Game > Specific"
        message = f"{shortened(text.strip())} is a random seed, of which only Pattern can make the puzzle"
        raise source.error(message, line=number, expected=expected)
    clues, comma, _ = found[4].partition("#")[0].partition(",")
    if comma:
        expected = "clues alone"
        raise source.error("given cells behind a comma, which no clue holds", line=number, expected=expected)
    fields, at = clues.rstrip().split("/"), text.index(":") + 2
    if len(fields) != width + height:
        expected = f"{width} of columns and {height} of rows, between slashes"
        raise source.error(f"{len(fields)} clues", line=number, expected=expected)
    read: list[Clue] = []
    for field in fields:
        if not _FIELD.fullmatch(field):
            expected = "lengths between dots, such as 3.1, or nothing for an empty line"
            raise source.error(f"{shortened(field)} is no clue", line=number, column=at, expected=expected)
        read.append(parse_clue(source, (number, field.replace(".", " "))))
        at += len(field) + 1
    return Puzzle(tuple(read[width:]), tuple(read[:width]))


_SUMMARY = "game IDs of Simon Tatham's Pattern, one a line: WIDTHxHEIGHT:, columns, rows"
FORMATS = (Format("game-id", (), _SUMMARY, sniff, read, write, holds_many=True),)
