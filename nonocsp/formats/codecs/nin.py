"""The ``.nin`` files of Jakub Wilk's nonogram solver: a size, row clues, column clues; one colour.

The first line is ``WIDTH HEIGHT``, width first (``.mk`` files, which look alike, have the height first). A
blank line or ``0`` is an empty clue; ``#`` starts a comment. What follows the last clue is ignored, as by
the solver itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from nonocsp.formats.base import Evidence, Format, Sureness
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import (
    head_lines,
    is_comment,
    is_mk,
    is_size,
    lengths_text,
    parse_clue,
    parse_header,
    skip_comments,
    with_lost_clue,
)
from nonocsp.model import Puzzle


def sniff(head: bytes) -> Evidence:
    """Say whether two numbers come first, then a clue if anything, and the whole is no ``.mk``."""
    lines = [line.partition("#")[0] for line in head_lines(head)[:2]]
    is_clue = set("".join(lines[1:])) <= set("0123456789[] \t")
    if lines and is_size(lines[0]) and is_clue and not is_mk(head):
        return Evidence(Sureness.STRONG, "a size, then a clue")
    return Evidence(Sureness.NO, "no size with a clue below", 1)


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the one puzzle."""
    (number, header), *below = skip_comments(source)
    width, height = parse_header(source, (number, header.partition("#")[0]), ("width", "height"))
    lines = [(number, text.partition("#")[0]) for number, text in below if not is_comment(text)]
    expected = height + width
    clues = with_lost_clue([parse_clue(source, line) for line in lines[:expected]], expected, height)
    if len(clues) != expected:
        wanted = f"{height} row clues and {width} column clues, as line {number} says (width first)"
        raise source.error(f"{len(clues)} clue lines", line=number + len(clues), expected=wanted)
    yield Puzzle(clues[:height], clues[height:])


def write(puzzles: Iterable[Puzzle], stream: BinaryIO) -> None:
    """Write a puzzle.

    Parameters
    ----------
    puzzles
        One puzzle in one colour.
    stream
        Where the text goes.
    """
    for puzzle in puzzles:
        height, width = puzzle.shape
        clues = map(lengths_text, (*puzzle.rows, *puzzle.columns))
        stream.write("\n".join([f"{width} {height}", *clues, ""]).encode())


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
