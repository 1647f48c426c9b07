"""Say how hard a puzzle is for people: easy, medium, hard or expert, with the numbers behind it.

The level follows from the techniques of `nonocsp.grading.explain` that a person needs. The walk goes in
rounds: each takes the lowest grade of technique that helps in any line, and applies all that the grade finds,
in all lines at once. Where lines alone are stuck, it asks what-if questions: of the assumptions that end in a
contradiction, those that do so soonest are refuted together. So neither turning nor mirroring a puzzle
changes its level. A walk takes about 0.1 s for 30x30.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from typing import Any

import numpy as np

from nonocsp.backends.base import Answer, Interrupted, Limits, Request, Run, check_limit
from nonocsp.engine import Candidates, LineSolver, StopFlag
from nonocsp.grading.classes import decide
from nonocsp.grading.explain.board import Board, Deduction
from nonocsp.grading.explain.catalogue import Technique
from nonocsp.grading.explain.steps import Change
from nonocsp.grading.explain.walk import unshared_colours
from nonocsp.model import Grid, Line, Puzzle
from nonocsp.model.puzzle import checked_puzzle

EASY_GRADE, MEDIUM_GRADE = 2, 3
"""The highest grade of technique that a puzzle of these levels needs."""
HARD_QUESTIONS, HARD_CHAIN = 3, 4
"""The most what-if questions of a hard puzzle, and the most sweeps until each ends."""


class Level(StrEnum):
    """How hard a puzzle is for people; easiest first."""

    EASY = "easy"
    """Counting in a line, and the ends of runs and gaps (grades 1 and 2)."""
    MEDIUM = "medium"
    """The order of the blocks and runs of a line as well (grade 3)."""
    HARD = "hard"
    """All placements of a line at once (grade 4), or a few short what-if questions."""
    EXPERT = "expert"
    """More questions, longer ones, or questions within questions."""


@dataclass(frozen=True, slots=True)
class Effort:
    """The work that a puzzle is for a person, and the level that follows from it.

    Parameters
    ----------
    level
        None if the puzzle has several solutions or none, or if that is not known.
    techniques
        How often each technique tells something new, the easiest first; what-if questions are ``probe``.
    rounds
        How often nothing easier than techniques of grade 1, 2, 3, 4 and 5 helps anywhere.
    chain
        Sweeps from the assumption of the longest what-if question to its contradiction; 0 without one.
    depth
        Levels of what-if: 0 if lines suffice, 1 if one assumption at a time does, 2 if more are needed.
    open_cells
        Cells that stay open where lines alone get stuck for the first time.
    rows, columns
        Size of the puzzle.
    is_complete
        Whether the walk ended. It stops at a limit, and once the level is expert for sure.
    """

    level: Level | None
    techniques: Mapping[Technique, int]
    rounds: tuple[int, ...]
    chain: int
    depth: int
    open_cells: int
    rows: int
    columns: int
    is_complete: bool

    @property
    def steps(self) -> int:
        """How often a technique tells something new."""
        return sum(self.techniques.values())

    @property
    def hardest(self) -> Technique | None:
        """The hardest technique; None if there is nothing to deduce."""
        return max(self.techniques, key=[*Technique].index, default=None)

    @property
    def questions(self) -> int:
        """How often lines alone are stuck, so that a what-if question must help."""
        return self.rounds[4]

    @property
    def reasons(self) -> str:
        """The numbers behind the level, as a phrase."""
        said = [f"{self.steps} step{'s' * (self.steps != 1)}"]
        lines = [item for item in self.techniques.items() if item[0].grade < 5]
        if lines:
            technique, uses = lines[-1]
            times = {1: "once", 2: "twice"}.get(uses, f"{uses} times")
            said.append(f"the hardest technique in a line is {technique} ({times})")
        if not self.questions:
            said.append("no what-if" if not self.open_cells else "one what-if at a time does not help")
        else:
            more = "at least " * (not self.is_complete)
            what = f"{more}{self.questions} what-if question{'s' * (self.questions != 1)}"
            said.append(f"{what}, up to {self.chain} sweep{'s' * (self.chain != 1)} long")
            if self.depth > 1 and self.is_complete:
                said.append("then questions within questions")
        return "; ".join(said)

    @property
    def text(self) -> str:
        """The level and the numbers behind it."""
        return f"{self.level}: {self.reasons}" if self.level else f"no level: {self.reasons}"

    def record(self) -> dict[str, Any]:
        """Return everything as plain JSON values."""
        return {
            "level": self.level and str(self.level),
            "steps": self.steps,
            "hardest": self.hardest and str(self.hardest),
            "techniques": {str(technique): uses for technique, uses in self.techniques.items()},
            "rounds": list(self.rounds),
            "what_ifs": self.questions,
            "chain": self.chain,
            "open_cells": self.open_cells,
        }


def effort(puzzle: Puzzle, *, is_unique: bool = False, wall: float | None = None) -> Effort:
    """Return the work that a puzzle is for a person, and its level.

    Parameters
    ----------
    puzzle
        The puzzle.
    is_unique
        Whether it is known to have exactly one solution. If not, backend hybrid decides where the walk does
        not end with the full grid.
    wall
        Seconds after which the level stays None unless it is certain.

    Raises
    ------
    UsageError
        If `wall` is not above 0.
    """
    checked_puzzle(puzzle)
    check_limit("wall", wall)
    deadline = None if wall is None else time.perf_counter() + wall
    run = Run(Request(limits=Limits(wall=wall)), StopFlag(), deadline)
    return measured(LineSolver(puzzle), run, is_unique=is_unique)


def measured(solver: LineSolver, run: Run, *, is_unique: bool) -> Effort:
    """Return the effort of a puzzle within the limits of a run.

    Parameters
    ----------
    solver
        The puzzle.
    run
        Limits and stop flag.
    is_unique
        As for `effort`.
    """
    walk = _Walk(solver, run)
    try:
        is_full = walk.to_the_end()
        is_unique = is_full or (
            walk.board.contradiction is None and (is_unique or decide(solver, run).answer is Answer.UNIQUE)
        )
    except Interrupted:
        is_full = is_unique = False
    return walk.effort(is_full=is_full, is_unique=is_unique)


class _Walk:
    """One way through a puzzle, in rounds."""

    def __init__(self, solver: LineSolver, run: Run) -> None:
        self._solver, self._run = solver, run
        self.board = Board(solver.puzzle, Grid.unknown(*solver.puzzle.shape, solver.puzzle.palette))
        self._techniques = Counter[Technique]()
        self._rounds = Counter[int]()
        self._chain, self._open_cells = 0, 0
        self._is_complete = False

    def to_the_end(self) -> bool:
        """Walk until nothing helps or the level is expert for sure; return whether the grid is full."""
        if colours := unshared_colours(self.board):
            self._apply(colours, 1, [Technique.COLOURS])
        while self.board.contradiction is None:
            self._run.check()
            if deductions := self.board.easiest():
                self._apply_all(deductions)
                continue
            left = Grid(self.board.candidates).unknown_cells
            self._open_cells = self._open_cells or left
            if not left or not self._ask():
                self._is_complete = True
                return not left
            if self._rounds[5] > HARD_QUESTIONS or self._chain > HARD_CHAIN:
                return False
        self._is_complete = True
        return False

    def _apply_all(self, deductions: Iterable[Deduction]) -> None:
        """Apply the deductions of a round, counting those that tell something new of their line."""
        told: dict[tuple[Line, int, int], int] = {}
        left: dict[tuple[int, int], int] = {}
        used = []
        for deduction in deductions:
            new = False
            for row, column, before, after in deduction.changes:
                known = told.get((deduction.line, row, column), before)
                told[deduction.line, row, column] = known & after
                new = new or known & after != known
                left[row, column] = left.get((row, column), before) & after
            used += [deduction.technique] * new
        grade = max(technique.grade for technique in used)
        self._apply((Change(*place, 0, after) for place, after in left.items()), grade, used)

    def _ask(self) -> bool:
        """Refute the assumptions that end in a contradiction soonest; return whether there are any."""
        candidates = self.board.candidates.copy()
        found: dict[tuple[int, int], int] = {}
        shortest = 0
        for row, column in np.argwhere(np.bitwise_count(candidates) > 1).tolist():
            left = int(candidates[row, column])
            for colour in (c for c in range(left.bit_length()) if left >> c & 1):
                candidates[row, column] = 1 << colour
                length = self._sweeps_to_contradiction(candidates)
                if length and (not found or length < shortest):
                    found, shortest = {}, length
                if length == shortest and length:
                    found[row, column] = found.get((row, column), left) & ~(1 << colour)
            candidates[row, column] = left
        if found:
            self._chain = max(self._chain, shortest)
            self._apply((Change(*place, 0, after) for place, after in found.items()), 5, [Technique.PROBE])
        return bool(found)

    def _sweeps_to_contradiction(self, candidates: Candidates) -> int:
        """Return the sweeps until a line has no placement, rows or columns first; 0 if all lines keep one."""
        self._run.check()
        if self._solver.propagate(candidates).contradiction is None:
            return 0
        h_sweep, v_sweep = self._solver.h_sweep, self._solver.v_sweep
        rows_first = columns_first = candidates
        for length in count(1):
            if length % 2:
                swept = h_sweep(rows_first), v_sweep(columns_first)
            else:
                swept = v_sweep(rows_first), h_sweep(columns_first)
            if any(sweep.contradiction is not None for sweep in swept):
                return length
            rows_first, columns_first = (sweep.candidates for sweep in swept)
        raise AssertionError("sweeps end where propagation finds a contradiction")

    def _apply(self, changes: Iterable[Change], grade: int, used: Iterable[Technique]) -> None:
        self._techniques.update(used)
        self._rounds[grade] += 1
        self.board.apply(changes)

    def effort(self, *, is_full: bool, is_unique: bool) -> Effort:
        """Return the result.

        Parameters
        ----------
        is_full
            Whether the walk filled the grid.
        is_unique
            Whether the puzzle has exactly one solution.
        """
        questions = self._rounds[5]
        rows, columns = self._solver.puzzle.shape
        techniques = {t: self._techniques[t] for t in Technique if self._techniques[t]}
        return Effort(
            level=self._level(is_full=is_full) if is_unique else None,
            techniques=techniques,
            rounds=tuple(self._rounds[grade] for grade in range(1, 6)),
            chain=self._chain,
            depth=(1 if questions else 0) if is_full else 2,
            open_cells=self._open_cells,
            rows=rows,
            columns=columns,
            is_complete=self._is_complete,
        )

    def _level(self, *, is_full: bool) -> Level:
        """Return the level of a puzzle with one solution."""
        if not is_full or self._rounds[5] > HARD_QUESTIONS or self._chain > HARD_CHAIN:
            return Level.EXPERT
        grade = max(self._rounds, default=1)
        if grade <= EASY_GRADE:
            return Level.EASY
        return Level.MEDIUM if grade <= MEDIUM_GRADE else Level.HARD
