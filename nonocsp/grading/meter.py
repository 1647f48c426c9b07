"""The meter: how hard a puzzle is, as a number of sweeps and as a class, for any puzzle and within a time.

The number is the difficulty of Batenburg, Henstra, Kosters & Palenstijn (2009), defined for simple puzzles;
the class says what else it takes (`nonocsp.grading.classes`). Nothing is stated that was not proved.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from nonocsp.backends.base import Limits, Request, Run
from nonocsp.engine import LineSolver, StopFlag
from nonocsp.grading.classes import DifficultyClass, classify
from nonocsp.grading.lemmas import LineFacts
from nonocsp.grading.sweeps import trace_sweeps
from nonocsp.model import Puzzle, UsageError

DEEPEST = 2
"""Levels of nested what-if that are tried unless asked otherwise."""


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How hard a puzzle is.

    Parameters
    ----------
    class_
        The weakest method that solves it.
    sweeps
        Alternating sweeps, rows first, until nothing changes any more: the difficulty of a simple puzzle. Of
        any other, how long line solving goes on before it gets stuck.
    sweeps_columns_first
        The same, columns first; 0 where lines contradict each other.
    cells_per_sweep
        How many cells each sweep fixed, rows first.
    useful_settles
        Lines that gave something when a sweep settled them.
    unknown
        The share of cells that line solving leaves open, 0 to 1.
    depth
        Levels of nested what-if that it takes; with class ``beyond`` those that do not suffice, at least;
        None without exactly one solution.
    facts
        What each clue gives from nothing.
    message
        What could not be tried, and why; empty if all was.
    """

    class_: DifficultyClass
    sweeps: int
    sweeps_columns_first: int
    cells_per_sweep: tuple[int, ...]
    useful_settles: int
    unknown: float
    depth: int | None
    facts: LineFacts
    message: str = ""

    @property
    def is_simple(self) -> bool:
        """Whether line solving suffices, so that `sweeps` is the difficulty."""
        return self.class_ in (DifficultyClass.TRIVIAL, DifficultyClass.SIMPLE)

    @property
    def label(self) -> str:
        """The class for people, with the levels of what-if that it takes: ``2-deep``."""
        return f"{self.depth}-deep" if self.class_ is DifficultyClass.DEEP else str(self.class_)

    def record(self) -> dict[str, Any]:
        """Return everything as plain JSON values, with the keys that every report of the project uses."""
        return {
            "class": str(self.class_),
            "sweeps": self.sweeps,
            "sweeps_columns_first": self.sweeps_columns_first,
            "unknown": self.unknown,
            "depth": self.depth,
            "cells_per_sweep": list(self.cells_per_sweep),
            "useful_settles": self.useful_settles,
            "row_facts": [str(fact) for fact in self.facts.rows],
            "column_facts": [str(fact) for fact in self.facts.columns],
            "message": self.message,
        }


def difficulty(puzzle: Puzzle, *, wall: float | None = None, deepest: int = DEEPEST) -> Difficulty:
    """Grade a puzzle.

    Parameters
    ----------
    wall
        Seconds after which the grading ends with what is proved by then.
    deepest
        How many levels of nested what-if are tried on a puzzle that has one solution and that nothing cheaper
        solves; each takes far longer than the one before.

    Raises
    ------
    UsageError
        If `deepest` is negative.
    BackendError
        If a solution that some method found is wrong.
    """
    if deepest < 0:
        raise UsageError(f"{deepest} levels of what-if; there cannot be fewer than 0")
    deadline = None if wall is None else time.perf_counter() + wall
    run = Run(Request(limits=Limits(wall=wall)), StopFlag(), deadline)
    solver, facts = LineSolver(puzzle), LineFacts.of(puzzle)
    trace = trace_sweeps(solver, run)
    verdict = classify(solver, trace, deepest, run)
    return Difficulty(
        class_=verdict.class_,
        sweeps=trace.rows_first,
        sweeps_columns_first=trace.columns_first,
        cells_per_sweep=trace.cells_per_sweep,
        useful_settles=trace.useful_settles,
        unknown=trace.unknown_cells / trace.candidates.size,
        depth=verdict.depth,
        facts=facts,
        message=verdict.message,
    )
