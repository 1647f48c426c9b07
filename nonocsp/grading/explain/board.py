"""A grid on the way to its solution, and for each of its lines what can be deduced there.

Only lines that changed are looked at again, and only those in which settle finds something are searched for
the technique that shows it; a technique runs on a line once for each state of the line, and only when no
cheaper one finds anything in any line. So a whole explanation costs as many settles as line solving does, and
the techniques' Python on top.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from nonocsp.engine import Candidates, settle
from nonocsp.grading.explain.catalogue import GRADES, LINE_TECHNIQUES, Technique
from nonocsp.grading.explain.line import Finding, LineState
from nonocsp.grading.explain.steps import Change
from nonocsp.model import Grid, Line, Puzzle

TOLD = 3
"""Of many reasons for one step, so many are told."""


@dataclass(frozen=True, slots=True)
class Deduction:
    """What one technique finds in one line."""

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
    """A line in which there is something to find, and what was found so far."""

    state: LineState
    deductions: dict[Technique, Deduction | None] = field(default_factory=dict)


class Board:
    """The candidates of a grid, kept with what each line gives."""

    def __init__(self, puzzle: Puzzle, grid: Grid) -> None:
        self.puzzle = puzzle
        self.candidates: Candidates = grid.candidates.copy()
        self.contradiction: Line | None = None
        """A line that no placement fits; once there is one, nothing more is deduced."""
        self._lines = lines_of(puzzle)
        self._prospects: dict[Line, _Prospect] = {}
        self._look_at(self._lines)

    def cheapest(self) -> Deduction | None:
        """Return the deduction of the lowest grade, of several the one that decides most cells.

        One that decides none, as there are in several colours, comes last, whatever its grade.
        """
        if self.contradiction is not None:
            return None
        lines = [line for line in self._lines if line in self._prospects]
        for least, techniques in product((1, 0), GRADES.values()):
            found = [
                deduction for deduction in self._deductions(techniques, lines) if deduction.decided >= least
            ]
            if found:
                return max(found, key=lambda deduction: (deduction.decided, len(deduction.changes)))
        return None

    def apply(self, changes: Iterable[Change]) -> None:
        """Narrow cells, and look again at the lines that they are in."""
        touched: set[Line] = set()
        for change in changes:
            self.candidates[change.row, change.column] = change.after
            touched |= {Line("row", change.row), Line("column", change.column)}
        self._look_at(line for line in self._lines if line in touched)

    def _look_at(self, lines: Iterable[Line]) -> None:
        """Find out which lines give something; stop at one that no placement fits."""
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

    def _deductions(self, techniques: Iterable[Technique], lines: Sequence[Line]) -> Iterator[Deduction]:
        """Yield what these techniques find in some lines, in the order of both."""
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
    """Return the cells of a line, a view."""
    cells: Candidates = candidates[line.position] if line.axis == "row" else candidates[:, line.position]
    return cells


def _deduction(line: Line, technique: Technique, state: LineState) -> Deduction | None:
    """Put what a technique finds in a line together."""
    findings = LINE_TECHNIQUES[technique](state)
    if not findings:
        return None
    cells: dict[int, int] = {}
    for finding in findings:
        for i, candidates in finding.cells.items():
            cells[i] = cells.get(i, candidates) & candidates
    changes = [Change(*_place(line, i), state.cells[i], cells[i]) for i in sorted(cells)]
    blocks = sorted({j for finding in findings for j in finding.blocks})
    return Deduction(line, technique, tuple(changes), tuple(blocks), _reason(findings))


def _place(line: Line, i: int) -> tuple[int, int]:
    return (line.position, i) if line.axis == "row" else (i, line.position)


def _reason(findings: Sequence[Finding]) -> str:
    reasons = list(dict.fromkeys(finding.why for finding in findings))
    told, more = reasons[:TOLD], len(reasons) - TOLD
    return "; ".join(told) + (f"; and likewise in {more} more place{'s' * (more > 1)}" if more > 0 else "")
