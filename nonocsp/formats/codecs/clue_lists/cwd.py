"""The ``.cwd`` files of QNonograms and of Sukhoy's solver, exported by webpbn.com; one colour.

The height stands in the first line and the width in the second. The clues of the rows follow, a line each, an
empty line, and the clues of the columns. ``0`` or an empty line is the empty clue: the size tells which empty
line is the one between rows and columns.
"""

from __future__ import annotations

from collections.abc import Iterator

from nonocsp.formats.base import Evidence, Format, Sureness, text_writer
from nonocsp.formats.source import HEAD_BYTES, Source
from nonocsp.formats.text_lines import (
    NumberedLine,
    fit,
    lengths_text,
    parse_clue,
    parse_size,
    shortened,
    skip_comments,
    with_lost_clue,
)
from nonocsp.model import Puzzle

_OF_CLUES = frozenset("0123456789 ,\t\r")


def sniff(head: bytes) -> Evidence:
    """Return whether two sizes, a line each, are followed by as many clues, an empty line and clues."""
    lines = head.decode(errors="replace").removeprefix("\ufeff").lstrip("\n").split("\n")
    for number, what in enumerate(("height", "width"), start=1):
        text = lines[number - 1].strip() if number <= len(lines) else ""
        if not (text.isascii() and text.isdigit()):
            return Evidence(Sureness.NO, f"{shortened(text)} is not the {what} alone", number)
    height, width = (int(line.strip()[:9]) for line in lines[:2])
    middle, is_cut = height + 2, len(head) >= HEAD_BYTES
    wrong = next((i for i, line in enumerate(lines, start=1) if not _OF_CLUES.issuperset(line)), 0)
    if not wrong and is_cut and len(lines) <= middle + 1:
        return Evidence(Sureness.WEAK, "two sizes and clues")
    if not wrong and (len(lines) <= middle or lines[middle].strip()):
        wrong = min(middle + 1, len(lines))
    below = len(fit([*enumerate(lines)], middle + 1 + width)) - middle - 1
    if wrong or below > width or (below < width and not is_cut):
        why = f"no {height} row clues, an empty line and {width} column clues below"
        return Evidence(Sureness.NO, why, wrong or middle + 1)
    return Evidence(Sureness.STRONG, f"the sizes {height} and {width}, {height} clues, an empty line, clues")


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the one puzzle."""
    first, *lines = skip_comments(source)
    height = parse_size(source, first[0], first[1].strip(), "height")
    if not lines:
        raise source.error("no width", line=first[0], expected="the width in the second line")
    second, *lines = lines
    width = parse_size(source, second[0], second[1].strip(), "width")
    expected = height + 1 + width
    lines = fit(lines, expected)
    if len(lines) <= height or lines[height][1].strip():
        place = lines[min(height, len(lines) - 1)][0] if lines else second[0]
        wanted = f"an empty line behind {height} row clues, as the height says"
        raise source.error("rows and columns are not separated", line=place, expected=wanted)
    without: list[NumberedLine] = lines[:height] + lines[height + 1 :]
    read = [parse_clue(source, line) for line in without[: height + width]]
    clues = with_lost_clue(read, height + width, height)
    if len(clues) != height + width or len(lines) > expected:
        wanted = f"{width}, as the width says"
        raise source.error(f"{len(without) - height} column clues", line=lines[-1][0], expected=wanted)
    yield Puzzle(clues[:height], clues[height:])


@text_writer
def write(puzzle: Puzzle) -> list[str]:
    """Write a puzzle."""
    height, width = puzzle.shape
    rows, columns = (map(lengths_text, clues) for clues in (puzzle.rows, puzzle.columns))
    return [str(height), str(width), *rows, "", *columns]


_SUMMARY = "one puzzle: height, width, row clues, an empty line, column clues"
FORMATS = (Format("cwd", (".cwd",), _SUMMARY, sniff, read, write),)
