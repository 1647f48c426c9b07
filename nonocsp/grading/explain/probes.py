"""What if? A cell is given a colour, and line solving ends in a contradiction: it has another one.

This is half of probing (Wu et al., An efficient approach to solving nonograms, 2013); what both values of a
cell agree on is nothing that people see. All candidates of all open cells are tried in the
core; of those that fail the one that settles fewest lines is told first, and the others stay for later: they
fail in every later grid too. A round of trials costs a propagation for each candidate.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nonocsp.engine import Candidates, LineSolver, settle
from nonocsp.grading.explain.board import line_cells
from nonocsp.model import Line, Puzzle


@dataclass(frozen=True, slots=True)
class Refutation:
    """Why a cell does not have a colour.

    Parameters
    ----------
    row, column, colour
        What was tried.
    trail
        The lines that follow one from another, the contradicting one left out.
    contradiction
        The line that no placement fits in the end.
    """

    row: int
    column: int
    colour: int
    trail: tuple[Line, ...]
    contradiction: Line


class Prober:
    """Finds candidates that fail, the cheapest first."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        self._solver = LineSolver(puzzle)
        self._failed: list[tuple[int, int, int]] = []
        """Row, column and colour of candidates that fail, the cheapest last."""

    def refutation(self, candidates: Candidates) -> Refutation | None:
        """Return a candidate that fails, and why; None if none does."""
        while True:
            while self._failed:
                row, column, colour = self._failed.pop()
                left = int(candidates[row, column])
                if left >> colour & 1 and left.bit_count() > 1:
                    return _traced(self._puzzle, candidates, row, column, colour)
            self._failed = [trial for _, trial in sorted(self._failing(candidates.copy()), reverse=True)]
            if not self._failed:
                return None

    def _failing(self, candidates: Candidates) -> Iterator[tuple[int, tuple[int, int, int]]]:
        """Yield every candidate that fails, with how many lines are settled until it does."""
        for row, column in np.argwhere(np.bitwise_count(candidates) > 1).tolist():
            left = int(candidates[row, column])
            for colour in (c for c in range(left.bit_length()) if left >> c & 1):
                candidates[row, column] = 1 << colour
                result = self._solver.propagate(candidates)
                if result.contradiction is not None:
                    yield result.settles, (row, column, colour)
            candidates[row, column] = left


def _traced(puzzle: Puzzle, candidates: Candidates, row: int, column: int, colour: int) -> Refutation:
    """Follow a candidate that fails, line by line, to where it does."""
    trial = candidates.copy()
    trial[row, column] = 1 << colour
    waiting = deque([Line("row", row), Line("column", column)])
    followed: list[tuple[Line, list[Line]]] = []
    while True:
        line = waiting.popleft()
        cells = line_cells(trial, line)
        settled = settle(puzzle.line_clue(line), cells)
        if settled is None:
            return Refutation(row, column, colour, _needed(followed, line), line)
        crossing = _crossing(line, np.flatnonzero(settled != cells).tolist())
        cells[:] = settled
        followed += [(line, crossing)] * bool(crossing)
        waiting.extend(other for other in crossing if other not in waiting)


def _crossing(line: Line, cells: list[int]) -> list[Line]:
    return [Line("column" if line.axis == "row" else "row", i) for i in cells]


def _needed(followed: list[tuple[Line, list[Line]]], contradiction: Line) -> tuple[Line, ...]:
    """Return those of the lines, in order, that the contradiction can rest on; each but once."""
    needed = {contradiction}
    trail: list[Line] = []
    for line, crossing in reversed(followed):
        if needed.intersection(crossing):
            needed.add(line)
            trail.append(line)
    return tuple(dict.fromkeys(line for line in reversed(trail) if line != contradiction))
