"""The what-if technique: give a cell a colour; if line solving ends in a contradiction, it has another.

This is half of probing (Wu et al., An efficient approach to solving nonograms, 2013); people do not see what
both values of a cell agree on. The core tries all candidates of all open cells. Of those that fail, the one
that settles fewest lines comes first; the others stay for later, because they fail in every later grid too. A
round of trials costs a propagation for each candidate.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from nonocsp.engine import Candidates, LineSolver, settle
from nonocsp.grading.explain.board import line_cells
from nonocsp.model import Line, Puzzle


@dataclass(frozen=True, slots=True)
class Refutation:
    """The proof that a cell does not have a colour.

    Parameters
    ----------
    row, column, colour
        The cell and the colour.
    trail
        The lines to settle one after the other, without the contradicting one.
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
        """Return the proof for a candidate that fails; None if none does."""
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
        """Yield every candidate that fails, after the number of lines that are settled until it does."""
        for row, column in np.argwhere(np.bitwise_count(candidates) > 1).tolist():
            left = int(candidates[row, column])
            for colour in (c for c in range(left.bit_length()) if left >> c & 1):
                candidates[row, column] = 1 << colour
                result = self._solver.propagate(candidates)
                if result.contradiction is not None:
                    yield result.settles, (row, column, colour)
            candidates[row, column] = left


def _traced(puzzle: Puzzle, candidates: Candidates, row: int, column: int, colour: int) -> Refutation:
    """Follow a candidate that fails, line by line, to the contradiction.

    Parameters
    ----------
    puzzle
        The puzzle.
    candidates
        The grid before the trial, shape (rows, columns).
    row, column, colour
        The candidate.
    """
    trial = candidates.copy()
    trial[row, column] = 1 << colour
    waiting = deque([Line("row", row), Line("column", column)])
    followed: list[tuple[Line, list[Line]]] = []
    while True:
        line = waiting.popleft()
        cells = line_cells(trial, line)
        settled = settle(puzzle.line_clue(line), cells)
        if settled is None:
            break
        axis: Literal["row", "column"] = "column" if line.axis == "row" else "row"
        crossing = [Line(axis, i) for i in np.flatnonzero(settled != cells).tolist()]
        cells[:] = settled
        followed += [(line, crossing)] * bool(crossing)
        waiting.extend(other for other in crossing if other not in waiting)
    # Only those of the lines that the contradiction can rest on, in order, each but once.
    needed = {line}
    trail: list[Line] = []
    for earlier, crossing in reversed(followed):
        if needed.intersection(crossing):
            needed.add(earlier)
            trail.append(earlier)
    lines = dict.fromkeys(earlier for earlier in reversed(trail) if earlier != line)
    return Refutation(row, column, colour, tuple(lines), line)
