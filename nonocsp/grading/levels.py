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
from nonocsp.grading.explain.catalogue import GRADES, Technique
from nonocsp.grading.explain.line import listed
from nonocsp.grading.explain.steps import Change
from nonocsp.grading.explain.walk import unshared_colours
from nonocsp.model import Grid, Puzzle
from nonocsp.model.puzzle import checked_puzzle

EASY_GRADE, MEDIUM_GRADE = 2, 3
"""The highest grade of technique that a puzzle of these levels needs."""
HARD_QUESTIONS, HARD_CHAIN = 3, 4
"""The most what-if questions of a hard puzzle, and the most sweeps until each ends."""
MAX_GRADE = max(GRADES)
"""The grade of what-if questions."""


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
    least
        The lowest level that the walk allows as far as it came, provided that there is one solution.
    is_unique
        Whether the puzzle has exactly one solution; None if that is not known.
    techniques
        How often each technique tells something new, the easiest first; what-if questions are ``probe``.
    rounds
        How often nothing easier than techniques of grade 1, 2, 3, 4 and 5 helps anywhere.
    chain
        Sweeps from the assumption of the longest what-if question to its contradiction; 0 without one.
    depth
        Levels of what-if: 0 if lines suffice, 1 if one assumption at a time does, 2 if more are needed. If
        the walk is not complete, as far as it got.
    open_cells
        Cells that stay open where lines alone get stuck for the first time.
    rows, columns
        Size of the puzzle.
    is_complete
        Whether the walk ended. It stops at a limit, and once the level is expert for sure.
    """

    least: Level
    is_unique: bool | None
    techniques: Mapping[Technique, int]
    rounds: tuple[int, ...]
    chain: int
    depth: int
    open_cells: int
    rows: int
    columns: int
    is_complete: bool

    @property
    def level(self) -> Level | None:
        """The level; None without exactly one solution, or if a limit came first."""
        is_certain = self.is_complete or self.least is Level.EXPERT
        return self.least if self.is_unique and is_certain else None

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
        return self.rounds[MAX_GRADE - 1]

    @property
    def grade(self) -> int:
        """The highest grade of technique that a line needs; 0 if what-if questions are needed at once."""
        return max(
            (technique.grade for technique in self.techniques if technique.grade < MAX_GRADE), default=0
        )

    @property
    def reasons(self) -> str:
        """The numbers behind the level, in words."""
        steps = float(f"{self.steps:.2g}")
        said = [f"about {steps:g} step{'s' * (steps != 1)}"]
        if grade := self.grade:
            hardest = [str(technique) for technique in self.techniques if technique.grade == grade]
            plural, uses = len(hardest) > 1, self.rounds[grade - 1]
            times = {1: "once", 2: "twice"}.get(uses, f"{uses} times")
            what = f"technique{'s' * plural} {'are' if plural else 'is'} {listed(hardest)}"
            said.append(f"the hardest {what} (grade {grade}, needed {times})")
        if self.questions:
            more = "" if self.is_complete else "at least "
            what = f"{more}{self.questions} what-if question{'s' * (self.questions != 1)}"
            said.append(f"{what}, up to {self.chain} sweeps long")
        if self.depth > 1:
            said.append("one what-if question at a time is not enough")
        elif not self.questions:
            said.append("no what-if")
        return "; ".join(said)

    @property
    def text(self) -> str:
        """The level and the numbers behind it."""
        if self.is_unique is False:
            return "none: the puzzle has several solutions or none"
        if self.level is None:
            return f"unknown, {self.least} or harder: {self.reasons}"
        return f"{self.level}: {self.reasons}"

    def record(self) -> dict[str, Any]:
        """Return the numbers as plain JSON values."""
        return {
            "steps": self.steps,
            "hardest": self.hardest and str(self.hardest),
            "techniques": {str(technique): uses for technique, uses in self.techniques.items()},
            "rounds": list(self.rounds),
            "questions": self.questions,
            "chain": self.chain,
            "open_cells": self.open_cells,
        }


EFFORT_KEYS = "steps", "hardest", "techniques", "rounds", "questions", "chain", "open_cells"
"""The keys of `Effort.record`."""


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
    known: bool | None = is_unique or None
    try:
        is_full = walk.to_the_end()
        if walk.board.contradiction is not None:
            known = False
        elif not (is_full or is_unique):
            answer = decide(solver, run).answer
            known = {Answer.UNIQUE: True, Answer.MULTIPLE: False, Answer.UNSAT: False}.get(answer)
    except Interrupted:
        is_full = False
    return walk.effort(is_full=is_full, is_unique=True if is_full else known)


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
            if self._least() is Level.EXPERT:
                return False
        self._is_complete = True
        return False

    def _apply_all(self, deductions: list[Deduction]) -> None:
        """Apply the deductions of a round, and count the steps of the shorter way: rows or columns first."""
        ways = []
        for first in ("row", "column"):
            left: dict[tuple[int, int], int] = {}
            steps = list[Technique]()
            for deduction in sorted(deductions, key=lambda one: one.line.axis != first):
                new = False
                for row, column, before, after in deduction.changes:
                    known = left.get((row, column), before)
                    left[row, column] = known & after
                    new = new or known & after != known
                steps += [deduction.technique] * new
            ways.append((len(steps), sorted(steps, key=[*Technique].index)))
        _, steps = min(ways)
        grade = deductions[0].technique.grade
        self._apply((Change(*place, 0, after) for place, after in left.items()), grade, steps)

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
            self._apply(
                (Change(*place, 0, after) for place, after in found.items()), MAX_GRADE, [Technique.PROBE]
            )
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

    def effort(self, *, is_full: bool, is_unique: bool | None) -> Effort:
        """Return the result.

        Parameters
        ----------
        is_full
            Whether the walk filled the grid.
        is_unique
            Whether the puzzle has exactly one solution; None if that is not known.
        """
        rows, columns = self._solver.puzzle.shape
        least = self._least()
        if self._is_complete and not is_full:
            least = Level.EXPERT
        return Effort(
            least=least,
            is_unique=is_unique,
            techniques={used: self._techniques[used] for used in Technique if self._techniques[used]},
            rounds=tuple(self._rounds[grade] for grade in GRADES),
            chain=self._chain,
            depth=2 if self._is_complete and not is_full else min(self._rounds[MAX_GRADE], 1),
            open_cells=self._open_cells,
            rows=rows,
            columns=columns,
            is_complete=self._is_complete,
        )

    def _least(self) -> Level:
        """Return the lowest level that the rounds so far allow."""
        if self._rounds[MAX_GRADE] > HARD_QUESTIONS or self._chain > HARD_CHAIN:
            return Level.EXPERT
        grade = max(self._rounds, default=1)
        if grade <= EASY_GRADE:
            return Level.EASY
        return Level.MEDIUM if grade <= MEDIUM_GRADE else Level.HARD
