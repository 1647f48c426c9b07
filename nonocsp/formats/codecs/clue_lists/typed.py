"""Clues as people type and paste them: with labels or without, a clue a line or all in one, as literals.

The core reads them (``nonocsp/cpp/typed/typed.hpp``) in all ways that make sense. Exactly one puzzle may
come out whose rows and columns have as many cells. Recognition asks this format when no other one matches.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nonocsp.engine.reading import ReadPuzzle, read_typed
from nonocsp.formats.base import Evidence, Format, Sureness
from nonocsp.formats.codecs.clue_lists.lists import found_in, puzzle_of
from nonocsp.formats.source import Source
from nonocsp.late import numpy as np
from nonocsp.model import Grid, Puzzle


def sniff(content: bytes) -> Evidence:
    """Say whether a whole file can be read as clues: strong if it can, weak if it has labels of clues."""
    if b"\0" in content:
        return Evidence(Sureness.NO, "it is no text")
    reading, has_labels = read_typed(content.decode(errors="replace"))
    if not reading.fault:
        return Evidence(Sureness.STRONG, "clues of rows and columns with as many cells")
    if not has_labels:
        return Evidence(Sureness.NO, reading.fault.message)
    return Evidence(Sureness.WEAK, reading.fault.message, reading.fault.place.line)


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the puzzle, or those of a text that `nonocsp solve` printed."""
    reading, _ = read_typed(source.text())
    if reading.fault and not reading.fault.message:
        raise source.error("no clues", expected=reading.fault.expected)
    for found in found_in(source, reading):
        yield _with_goal(puzzle_of(found), found)


def _with_goal(puzzle: Puzzle, found: ReadPuzzle) -> Puzzle:
    if not found.goal:
        return puzzle
    chars = [".", *(char for _, char, _, _ in found.colours or [("", "#", "", "")])]
    cells = np.array([[chars.index(char) for char in row] for row in found.goal], np.uint8)
    return replace(puzzle, goal=Grid.from_cells(cells))


_SUMMARY = "clues that people type or paste: labels, brackets, a clue a line or all in one (only read)"
FORMATS = (
    Format("typed", (), _SUMMARY, sniff, read, holds_many=True, holds_colours=True, is_asked_last=True),
)
