"""Cells that a clue alone fixes in an empty line (Batenburg et al. 2009, lemmas 4.1 and 4.2).

A clue that needs every cell fixes the whole line (4.1), and so does the empty clue. A clue fixes no cell if
the line has at least as many spare cells as the longest block has cells (4.2). Both hold in several colours
too, with the needed cells counted accordingly; there a silent line may still exclude colours.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from operator import eq

from nonocsp.model import FlatClues, Puzzle


class LineFact(StrEnum):
    """The cells that settling an empty line fixes."""

    FIXED = "fixed"
    """Every cell (lemma 4.1)."""
    PARTLY = "partly"
    """Some cells."""
    SILENT = "silent"
    """No cell (lemma 4.2)."""


@dataclass(frozen=True, slots=True)
class LineFacts:
    """The cells that each clue of a puzzle fixes alone."""

    rows: tuple[LineFact, ...]
    columns: tuple[LineFact, ...]

    @classmethod
    def of(cls, puzzle: Puzzle) -> LineFacts:
        """Return the facts of the clues of a puzzle."""
        rows, columns = puzzle.shape
        return cls(line_facts(puzzle.flat_rows, columns), line_facts(puzzle.flat_columns, rows))


def line_facts(clues: FlatClues, length: int) -> tuple[LineFact, ...]:
    """Return the fact of each clue."""
    return tuple(_fact(tuple(clue), length) for clue in clues.pairs())


@lru_cache(maxsize=1 << 14)
def _fact(clue: tuple[tuple[int, int], ...], length: int) -> LineFact:
    if not clue:
        return LineFact.FIXED
    lengths, colours = zip(*clue, strict=True)
    spare = length - sum(lengths) - sum(map(eq, colours, colours[1:]))
    if spare == 0:
        return LineFact.FIXED
    return LineFact.SILENT if spare >= max(lengths) else LineFact.PARTLY
