"""Tournament sets (TAAI, TCGA, ICGA): thousands of one-colour puzzles in one text file.

A puzzle is a header ``$k``, then the clues of the columns, then those of the rows, a line each, separated
by TABs or blanks; LF or CRLF. An empty line is the clue of an empty line of the grid. The format does not
say how large a puzzle is: that comes from `Source.size`, else from the number of clue lines of the first
puzzle, taken as a square. The k of the header is the puzzle's title; nothing else of it is kept. Reading is
lazy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import BinaryIO

from nonocsp.formats.base import Evidence, Format, Sureness
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import (
    NumberedLine,
    fit,
    is_lengths,
    numbered_head,
    parse_clue,
    shortened,
    with_lost_clue,
)
from nonocsp.model import MAX_LINES, Puzzle

_HEADER = re.compile(r"\$\s*[0-9]+")
_ASK_FOR_SIZE = "as many column clues as row clues, or the size: --size ROWSxCOLUMNS"


def sniff(head: bytes) -> Evidence:
    """Say whether the first line that is not blank is a header, and clues or headers follow."""
    lines = [line for line in numbered_head(head) if line[1].strip()]
    if not lines or not lines[0][1].lstrip().startswith("$"):
        return Evidence(Sureness.NO, "the first line is no header such as $1", 1)
    below = [line for line in lines if not line[1].lstrip().startswith("$")]
    wrong = next((line for line in below if not is_lengths(line[1])), None)
    is_numbered = bool(_HEADER.fullmatch(lines[0][1].strip()))
    if wrong and not (is_numbered and wrong is not below[0]):
        return Evidence(Sureness.WEAK, f"line {wrong[0]} is {shortened(wrong[1])}, no clue", wrong[0])
    if wrong or not below:
        return Evidence(Sureness.STRONG, f"line {lines[0][0]} is a header")
    return Evidence(Sureness.CERTAIN if is_numbered else Sureness.STRONG, "headers such as $1, and clues")


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the puzzles of a set."""
    size = source.size
    for header, lines in _sections(source):
        rows, columns = size = size or _square(source, header, lines)
        expected, name = rows + columns, header[1].strip()
        kept = fit(lines, expected)
        clues = with_lost_clue([parse_clue(source, line) for line in kept[:expected]], expected, columns)
        if len(kept) > expected or len(clues) != expected:
            raise source.error(
                f"puzzle {name} has {len(kept)} clue lines",
                line=header[0],
                expected=f"{columns} column clues and {rows} row clues (--size ROWSxCOLUMNS says otherwise)",
            )
        yield Puzzle(clues[columns:], clues[:columns], title=name.removeprefix("$").strip())


def write(puzzles: Iterable[Puzzle], stream: BinaryIO) -> None:
    """Write a set; a puzzle whose title is not a number gets its place in the set as its number."""
    for k, puzzle in enumerate(puzzles, start=1):
        title = puzzle.title if puzzle.title.isascii() and puzzle.title.isdigit() else str(k)
        lines = ["\t".join(str(block.length) for block in clue) for clue in (*puzzle.columns, *puzzle.rows)]
        stream.write("\n".join([f"${title}", *lines, ""]).encode())


def _sections(source: Source) -> Iterator[tuple[NumberedLine, list[NumberedLine]]]:
    """Yield each header with the lines below it."""
    header: NumberedLine | None = None
    lines: list[NumberedLine] = []
    for number, text in source.lines():
        if text.lstrip().startswith("$"):
            if header:
                yield header, lines
            header, lines = (number, text), []
        elif header:
            lines.append((number, text))
        elif text.strip():
            raise source.error("a clue before the first header", line=number, expected="a header such as $1")
        if len(lines) > 2 * MAX_LINES + 1:
            raise source.error("too many clue lines", line=number, expected="the next header, such as $2")
    if header:
        yield header, lines


def _square(source: Source, header: NumberedLine, lines: list[NumberedLine]) -> tuple[int, int]:
    """Return the one square size with which columns and rows have the same number of cells.

    Blank lines at the end may be clues or not, hence the search.
    """
    clues = [parse_clue(source, line) for line in lines[: 2 * MAX_LINES]]
    filled = len(fit(lines, 0))
    longest = min(len(lines) + 1, 2 * MAX_LINES)
    sums = [*accumulate((sum(block.length for block in clue) for clue in clues), initial=0)]
    sizes = range((max(filled, 2) + 1) // 2, longest // 2 + 1)
    sides = [side for side in sizes if 2 * sums[side] == sums[-1]]
    if len(sides) == 1:
        return sides[0], sides[0]
    found = f"more than one size fits puzzle {header[1].strip()}" if sides else "no square puzzle"
    raise source.error(f"{found}: {len(lines)} clue lines", line=header[0], expected=_ASK_FOR_SIZE)


_SUMMARY = "sets of one-colour puzzles: $k, column clues, then row clues (size: square, or as given)"
FORMATS = (Format("tournament", (".tcga", ".txt"), _SUMMARY, sniff, read, write, holds_many=True),)
