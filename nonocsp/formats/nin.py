"""The ``.nin`` files of Jakub Wilk's nonogram solver: a size, row clues, column clues; one colour.

The first line is ``WIDTH HEIGHT``, width first (``.mk`` files, which look alike, have the height first). A
blank line or ``0`` is an empty clue; ``#`` starts a comment. What follows the last clue is ignored, as by
the solver itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from nonocsp.formats.base import Format
from nonocsp.formats.source import Source
from nonocsp.formats.text import NumberedLine, head_lines, is_comment, parse_clue, parse_size, same_sums
from nonocsp.model import Clue, Puzzle


def sniff(head: bytes) -> bool:
    """Whether the first line is two numbers and the second one, if any, is a clue."""
    lines = [line.partition("#")[0] for line in head_lines(head)[:2]]
    return bool(lines) and _is_size(lines[0]) and set("".join(lines[1:])) <= set("0123456789[] \t")


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the one puzzle."""
    lines = [(number, text.partition("#")[0]) for number, text in source.lines() if not is_comment(text)]
    while lines and not lines[0][1].strip():
        lines.pop(0)
    if not lines:
        raise source.error("nothing but comments", expected="a puzzle")
    number, header = lines.pop(0)
    width, height = _size(source, number, header)
    clues = _clues(source, number, lines, height, width)
    yield Puzzle(clues[:height], clues[height:])


def write(puzzles: Iterable[Puzzle], stream: BinaryIO) -> None:
    """Write a puzzle."""
    for puzzle in puzzles:
        height, width = puzzle.shape
        clues = (
            " ".join(str(block.length) for block in clue) or "0" for clue in (*puzzle.rows, *puzzle.columns)
        )
        stream.write("\n".join([f"{width} {height}", *clues, ""]).encode())


def _is_size(text: str) -> bool:
    words = text.partition("#")[0].split()
    return len(words) == 2 and all(word.isascii() and word.isdigit() for word in words)


def _size(source: Source, number: int, header: str) -> tuple[int, int]:
    if not _is_size(header):
        raise source.error("no size", line=number, expected="WIDTH HEIGHT, two numbers, width first")
    width, height = header.split()
    return parse_size(source, number, width, "width"), parse_size(source, number, height, "height")


def _clues(
    source: Source, number: int, lines: list[NumberedLine], height: int, width: int
) -> tuple[Clue, ...]:
    expected = height + width
    clues = tuple(parse_clue(source, line) for line in lines[:expected])
    if len(clues) == expected - 1 and same_sums(clues, height):
        return (*clues, Clue())  # the file ends with an empty clue whose newline was cut off
    if len(clues) != expected:
        wanted = f"{height} row clues and {width} column clues, as line {number} says (width first)"
        raise source.error(f"{len(clues)} clue lines", line=number + len(clues), expected=wanted)
    return clues


FORMATS = (
    Format(
        name="nin",
        suffixes=(".nin",),
        summary="one puzzle: WIDTH HEIGHT (width first), row clues, column clues",
        sniff=sniff,
        read=read,
        write=write,
    ),
)
