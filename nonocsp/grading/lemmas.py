"""What a clue alone says of its line, before anything is known (Batenburg et al. 2009, lemmas 4.1 and 4.2).

A clue that needs every cell fixes the line from nothing (4.1), and so does the empty clue. One whose spare
cells are at least as many as its longest block has fixes no cell (4.2). Both hold in several colours too,
with the cells that a clue needs counted accordingly; there a silent line may still exclude colours.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from nonocsp.model import FlatClues, Puzzle


class LineFact(StrEnum):
    """What settling a line from nothing gives."""

    FIXED = "fixed"
    """Every cell (lemma 4.1)."""
    PARTLY = "partly"
    """Some cells."""
    SILENT = "silent"
    """No cell (lemma 4.2)."""


_FACTS = np.array([LineFact.PARTLY, LineFact.FIXED, LineFact.SILENT], object)


@dataclass(frozen=True, slots=True)
class LineFacts:
    """What each clue of a puzzle gives from nothing.

    Parameters
    ----------
    rows, columns
        One fact a line.
    """

    rows: tuple[LineFact, ...]
    columns: tuple[LineFact, ...]

    @classmethod
    def of(cls, puzzle: Puzzle) -> LineFacts:
        """Read them off the clues."""
        rows, columns = puzzle.shape
        return cls(line_facts(puzzle.flat_rows, columns), line_facts(puzzle.flat_columns, rows))

    @property
    def are_all_silent(self) -> bool:
        """Whether no line gives anything: the puzzle is not simple (corollary 4.3)."""
        return all(fact is LineFact.SILENT for fact in (*self.rows, *self.columns))

    @property
    def rows_are_fixed(self) -> bool:
        """Whether the rows alone give the whole grid: the difficulty is 1 (corollary 4.4)."""
        return all(fact is LineFact.FIXED for fact in self.rows)


def line_facts(clues: FlatClues, length: int) -> tuple[LineFact, ...]:
    """Return the fact of each of many clues of lines of one length."""
    blocks = np.diff(clues.offsets)
    longest = np.zeros(len(blocks), np.int64)
    np.maximum.at(longest, np.arange(len(blocks)).repeat(blocks), clues.lengths)
    spare = length - clues.min_lengths
    fixed, silent = (spare == 0) | (blocks == 0), spare >= longest
    return tuple(_FACTS[np.where(fixed, 1, np.where(silent, 2, 0))].tolist())
