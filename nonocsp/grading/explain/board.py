"""A grid on the way to its solution, with the deductions that its lines allow.

Only lines that changed are settled again, and only lines that settle changes are searched for the technique
that shows it. A technique runs once for each state of a line, and only when no cheaper one finds anything in
any line. So an explanation costs as many settles as line solving does, and the techniques' Python on top.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from nonocsp.engine import Candidates, settle
from nonocsp.grading.explain.catalogue import GRADES, LINE_TECHNIQUES, Technique
from nonocsp.grading.explain.line import LineState
from nonocsp.grading.explain.steps import Change
from nonocsp.model import Grid, Line, Puzzle

TOLD = 3
"""The most reasons that the text of a step gives."""


@dataclass(frozen=True, slots=True)
class Deduction:
    """The result of one technique in one line.

    Parameters
    ----------
    line, technique
        Where and how it was found.
    changes
        The cells that it narrows.
    blocks
        The blocks of the line's clue that the reason names, by their index.
    reason
        Why, without the full stop.
    """

    line: Line
    technique: Technique
    changes: tuple[Change, ...]
    blocks: tuple[int, ...]
    reason: str

    @property
    def decided(self) -> int:
        """The number of cells that it decides."""
        return sum(change.decides for change in self.changes)


@dataclass(slots=True)
class _Prospect:
    """A line in which settle finds something, with the deductions so far."""

    state: LineState
    deductions: dict[Technique, Deduction | None] = field(default_factory=dict)


class Board:
    """The candidates of a grid, with the lines that settle would change."""

    def __init__(self, puzzle: Puzzle, grid: Grid) -> None:
        self.puzzle = puzzle
        self.candidates: Candidates = grid.candidates.copy()
        self.contradiction: Line | None = None
        """A line that no placement fits; once there is one, nothing more is deduced."""
        self._lines = lines_of(puzzle)
        self._prospects: dict[Line, _Prospect] = {}
        self._look_at(self._lines)

    def cheapest(self) -> Deduction | None:
        """Return the deduction of the lowest grade, of several the one that decides most cells."""
        found = self.easiest()
        return max(found, key=lambda deduction: (deduction.decided, len(deduction.changes)), default=None)

    def easiest(self) -> list[Deduction]:
        """Return all deductions of the lowest grade that finds anything, in all lines."""
        if self.contradiction is not None:
            return []
        return next(filter(None, ([*self._deductions(techniques)] for techniques in GRADES.values())), [])

    def apply(self, changes: Iterable[Change]) -> None:
        """Narrow cells, and settle their lines again."""
        touched: set[Line] = set()
        for change in changes:
            self.candidates[change.row, change.column] = change.after
            touched |= {Line("row", change.row), Line("column", change.column)}
        self._look_at(line for line in self._lines if line in touched)

    def _look_at(self, lines: Iterable[Line]) -> None:
        """Settle lines to find those that change; stop at one that no placement fits."""
        for line in lines:
            cells = line_cells(self.candidates, line)
            settled = settle(self.puzzle.line_clue(line), cells)
            self._prospects.pop(line, None)
            if settled is None:
                self.contradiction = line
                return
            if not np.array_equal(settled, cells):
                state = LineState(self.puzzle.line_clue(line), tuple(cells.tolist()), self.puzzle.palette)
                self._prospects[line] = _Prospect(state)

    def _deductions(self, techniques: Iterable[Technique]) -> Iterator[Deduction]:
        """Yield the deductions of these techniques, in the order of techniques and lines."""
        lines = [line for line in self._lines if line in self._prospects]
        for technique, line in product(techniques, lines):
            if technique in LINE_TECHNIQUES:
                found = self._prospects[line].deductions
                if technique not in found:
                    found[technique] = _deduction(line, technique, self._prospects[line].state)
                if deduction := found[technique]:
                    yield deduction


def lines_of(puzzle: Puzzle) -> list[Line]:
    """Return all lines, rows first."""
    rows, columns = puzzle.shape
    return [*(Line("row", r) for r in range(rows)), *(Line("column", c) for c in range(columns))]


def line_cells(candidates: Candidates, line: Line) -> Candidates:
    """Return the cells of a line, as a view of the candidates, shape (rows, columns).

    Parameters
    ----------
    candidates
        Candidate sets of the grid, shape (rows, columns).
    line
        The line.
    """
    cells: Candidates = candidates[line.position] if line.axis == "row" else candidates[:, line.position]
    return cells


def _deduction(line: Line, technique: Technique, state: LineState) -> Deduction | None:
    """Join everything that a technique finds in a line; None if it finds nothing.

    Parameters
    ----------
    line
        The line.
    technique
        The technique.
    state
        Clue and cells of the line.
    """
    findings = LINE_TECHNIQUES[technique](state)
    if not findings:
        return None
    cells: dict[int, int] = {}
    for finding in findings:
        for i, candidates in finding.cells.items():
            cells[i] = cells.get(i, candidates) & candidates
    places = {i: (line.position, i) if line.axis == "row" else (i, line.position) for i in sorted(cells)}
    changes = tuple(Change(*place, state.cells[i], cells[i]) for i, place in places.items())
    blocks = sorted({j for finding in findings for j in finding.blocks})
    reasons = list(dict.fromkeys(finding.why for finding in findings))
    told, more = "; ".join(reasons[:TOLD]), len(reasons) - TOLD
    if more > 0:
        told += f"; and likewise in {more} more place{'s' * (more > 1)}"
    return Deduction(line, technique, changes, tuple(blocks), told)
