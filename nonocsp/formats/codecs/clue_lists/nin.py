"""The ``.nin`` files of Jakub Wilk's nonogram solver: a size, row clues, column clues; one colour.

The first line is ``WIDTH HEIGHT``, width first (``.mk`` files, which look alike, have the height first). A
blank line or ``0`` is an empty clue; ``#`` starts a comment. What follows the last clue is ignored, as by
the solver itself, but a note says so if it is clues.
"""

from __future__ import annotations

from collections.abc import Iterator

from nonocsp.formats.base import Evidence, Format, Sureness, text_writer
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import (
    is_comment,
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
from nonocsp.model import Puzzle


def sniff(head: bytes) -> Evidence:
    """Say whether a size is followed by as many clues as it says, and by nothing else."""
    header, *below = sized_lines(head) or [(0, "")]
    if not header[0]:
        return Evidence(Sureness.NO, "no line WIDTH HEIGHT comes first", 1)
    if mk_middle([header, *below]):
        return Evidence(Sureness.NO, "a line with # stands between the clues, as in mk", 2)
    expected = sum(map(int, header[1].partition("#")[0].split()))
    clues = [(number, text.partition("#")[0]) for number, text in below if not is_comment(text)]
    for i, (number, text) in enumerate(clues):
        if i < expected and not is_lengths(text):
            return Evidence(Sureness.WEAK, f"line {number} is {shortened(text.strip())}, no clue", number)
        if i >= expected and text.strip() and is_lengths(text):
            return Evidence(Sureness.WEAK, f"line {number} follows the last of {expected} clues", number)
    if len(clues) < expected - 1 and not is_cut(head):
        return Evidence(
            Sureness.WEAK, f"there are {len(clues)} clues, not {expected}", len(clues) + header[0]
        )
    return Evidence(Sureness.STRONG, f"a size and {expected} clues")


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
    spare = next((n for n, text in lines[expected:] if text.strip() and is_lengths(text)), 0)
    if spare:
        source.note(f"ignored from here on: line {number} says {expected} clues", spare)
    yield Puzzle(clues[:height], clues[height:])


@text_writer
def write(puzzle: Puzzle) -> list[str]:
    """Write a puzzle."""
    height, width = puzzle.shape
    clues = map(lengths_text, (*puzzle.rows, *puzzle.columns))
    return [f"{width} {height}", *clues]


_SUMMARY = "one puzzle: WIDTH HEIGHT (width first), row clues, column clues"
FORMATS = (Format("nin", (".nin",), _SUMMARY, sniff, read, write),)
