"""Grade any puzzle within a time: a level for people, a number of sweeps, a class, and a context.

The level says what a person must be able to do (`nonocsp.grading.levels`). The number is the difficulty of
Batenburg, Henstra, Kosters & Palenstijn (2009), defined for simple puzzles. The class names the weakest
method that solves the puzzle (`nonocsp.grading.classes`). With several solutions, the context says whether
one of them stands out (`nonocsp.grading.context`). Everything is proved.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from nonocsp.backends.base import Limits, Request, Run, check_limit
from nonocsp.engine import LineSolver, StopFlag
from nonocsp.grading.classes import DifficultyClass, classify
from nonocsp.grading.context import NO_CONTEXT, Context, context
from nonocsp.grading.lemmas import LineFacts
from nonocsp.grading.levels import EFFORT_KEYS, Effort, Level, measured
from nonocsp.grading.sweeps import trace_sweeps
from nonocsp.model import Puzzle, UsageError
from nonocsp.model.puzzle import checked_puzzle

DEEPEST = 2
"""Levels of nested what-if to try by default."""


@dataclass(frozen=True, slots=True)
class Difficulty:
    """The difficulty of a puzzle.

    Parameters
    ----------
    class_
        The weakest method that solves it.
    sweeps
        Alternating sweeps, rows first, until nothing changes: the difficulty of a simple puzzle. For other
        puzzles, the sweeps before line solving gets stuck.
    sweeps_columns_first
        The same, columns first; 0 where lines contradict each other.
    cells_per_sweep
        Cells that each sweep fixed, rows first.
    useful_settles
        Line visits that helped: lines that changed when a sweep settled them.
    unknown
        The share of cells that line solving leaves open, 0 to 1.
    depth
        Levels of nested what-if that solve the puzzle; with class ``beyond``, levels that do not suffice;
        None without exactly one solution.
    facts
        The cells that each clue fixes alone.
    effort
        What the puzzle asks of a person; None without exactly one solution, or if it was not asked for.
    context
        Whether one of several solutions stands out; None without several, or if it was not asked for.
    message
        Methods that could not be tried, and why; empty if all were.
    """

    class_: DifficultyClass
    sweeps: int
    sweeps_columns_first: int
    cells_per_sweep: tuple[int, ...]
    useful_settles: int
    unknown: float
    depth: int | None
    facts: LineFacts
    effort: Effort | None = None
    context: Context | None = None
    message: str = ""

    @property
    def level(self) -> Level | None:
        """How hard the puzzle is for people; None if `effort` is, or if the time ran out."""
        return self.effort.level if self.effort else None

    @property
    def level_text(self) -> str:
        """The level with the numbers behind it, or what is known instead."""
        if self.effort:
            return self.effort.text
        match self.class_:
            case DifficultyClass.MULTIPLE:
                return "none: several solutions"
            case DifficultyClass.UNSAT:
                return "none: no solution"
            case DifficultyClass.UNKNOWN:
                return f"unknown, {Level.HARD} or harder if there is one solution"
        return "unknown: not asked for"

    @property
    def is_simple(self) -> bool:
        """Whether line solving solves the puzzle, so that `sweeps` is the difficulty."""
        return self.class_ in (DifficultyClass.TRIVIAL, DifficultyClass.SIMPLE)

    @property
    def label(self) -> str:
        """The class for people, with the levels of what-if: ``2-deep``."""
        return f"{self.depth}-deep" if self.class_ is DifficultyClass.DEEP else str(self.class_)

    def record(self) -> dict[str, Any]:
        """Return everything as plain JSON values, with the keys that every report of the project uses."""
        return {
            "level": self.level and str(self.level),
            "class": str(self.class_),
            "sweeps": self.sweeps,
            "sweeps_columns_first": self.sweeps_columns_first,
            "unknown": self.unknown,
            "depth": self.depth,
            "cells_per_sweep": list(self.cells_per_sweep),
            "useful_settles": self.useful_settles,
            "row_facts": [str(fact) for fact in self.facts.rows],
            "column_facts": [str(fact) for fact in self.facts.columns],
            "reasons": self.level_text,
            **(self.effort.record() if self.effort else dict.fromkeys(EFFORT_KEYS)),
            **(self.context.record() if self.context else NO_CONTEXT),
            "message": self.message,
        }


def difficulty(
    puzzle: Puzzle, *, wall: float | None = None, deepest: int = DEEPEST, with_level: bool = True
) -> Difficulty:
    """Grade a puzzle.

    Parameters
    ----------
    puzzle
        The puzzle to grade.
    wall
        Seconds after which grading ends with what is proved by then.
    deepest
        Levels of nested what-if to try on a puzzle that has one solution and that no weaker method solves;
        each takes far longer than the one before.
    with_level
        Whether to find the level and the context too. The level takes most of the time: 0.1 s for 30x30.

    Raises
    ------
    UsageError
        If `deepest` is negative, or `wall` is not above 0.
    BackendError
        If a solution that some method found is wrong.
    """
    checked_puzzle(puzzle)
    check_limit("wall", wall)
    if deepest < 0:
        raise UsageError(f"deepest is {deepest}; expected 0 or more levels of what-if")
    deadline = None if wall is None else time.perf_counter() + wall
    run = Run(Request(limits=Limits(wall=wall)), StopFlag(), deadline)
    solver, facts = LineSolver(puzzle), LineFacts.of(puzzle)
    trace = trace_sweeps(solver, run)
    verdict = classify(solver, trace, deepest, run)
    is_unique = verdict.depth is not None
    is_ambiguous = verdict.class_ is DifficultyClass.MULTIPLE
    return Difficulty(
        class_=verdict.class_,
        sweeps=trace.rows_first,
        sweeps_columns_first=trace.columns_first,
        cells_per_sweep=trace.cells_per_sweep,
        useful_settles=trace.useful_settles,
        unknown=trace.unknown_cells / trace.candidates.size,
        depth=verdict.depth,
        facts=facts,
        effort=measured(solver, run, is_unique=True) if is_unique and with_level else None,
        context=context(puzzle, trace.candidates, run) if is_ambiguous and with_level else None,
        message=verdict.message,
    )
