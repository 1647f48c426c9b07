"""When an image is a puzzle: which methods must solve it, and the proof that its solution is the only one.

Generating asks line solving at every step, so a simple image is known as such. Nothing is handed out on that
word alone: every puzzle is solved anew from its clues, generated ones by backend ``hybrid``, which decides
whether there is one solution, and variations by line solving. The meter grades what is generated.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from nonocsp.backends import DEFAULT
from nonocsp.backends.base import Answer, Limits, Outcome, Request
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import Candidates, LineSolver, Order, StopFlag
from nonocsp.grading.meter import difficulty
from nonocsp.making.adapt import Trier
from nonocsp.making.picture import Cells
from nonocsp.model import BackendError, Grid, Palette, Puzzle

PATIENCE = 0.1
"""Seconds that a change taken back waits for the proof of uniqueness."""
GRADING = 2.0
"""Seconds after which the meter may stop telling apart classes beyond line solving."""


class Goal(StrEnum):
    """What must solve a puzzle."""

    SIMPLE = "simple"
    """Line solving."""
    FP1 = "fp1"
    """Fully probing (Wu et al. 2013)."""
    UNIQUE = "unique"
    """Anything: there is one solution, and backend hybrid proves it."""


def meets(image: Cells, palette: Palette, goal: Goal, trier: Trier) -> bool:
    """Return whether the goal's method is known to solve an image's puzzle."""
    solver = LineSolver(puzzle_of(image, palette))
    known = solver.propagate(stop=trier.stop, seconds=trier.remaining()).candidates
    if goal is Goal.SIMPLE or _is_full(known):
        return _is_full(known)
    left = trier.remaining()
    wall = PATIENCE if left is None else min(PATIENCE, left)
    if _decided(solver.puzzle, trier.stop, wall).answer is not Answer.UNIQUE:
        return False
    if goal is Goal.UNIQUE:
        return True
    return _is_full(solver.probe(known, stop=trier.stop, seconds=trier.remaining()).candidates)


def _is_full(known: Candidates) -> bool:
    return bool((np.bitwise_count(known) == 1).all())


def solved_by_lines(image: Cells, palette: Palette, title: str = "") -> tuple[Puzzle, int] | None:
    """Return the puzzle of an image and its difficulty if line solving solves it, which proves it unique."""
    puzzle = puzzle_of(image, palette, title)
    solved = LineSolver(puzzle).propagate(order=Order.SWEEPS)
    return (puzzle, solved.sweeps) if _is_full(solved.candidates) else None


def sweeps(image: Cells, palette: Palette) -> int:
    """Return the difficulty of a simple image; of another, how many sweeps change something."""
    return LineSolver(puzzle_of(image, palette)).propagate(order=Order.SWEEPS).sweeps


def proved(image: Cells, palette: Palette, title: str) -> Puzzle:
    """Return the puzzle of an image that is its only solution.

    Raises
    ------
    BackendError
        If backend hybrid does not find it so.
    """
    puzzle = puzzle_of(image, palette, title)
    outcome = _decided(puzzle, StopFlag(), None)
    if outcome.answer is not Answer.UNIQUE:
        found = f"{DEFAULT} says {outcome.answer} of a generated puzzle"
        raise BackendError(f"{found}, where generating had found one solution; please report it")
    return puzzle


def graded(puzzle: Puzzle) -> tuple[int, str]:
    """Return the difficulty and the class that the meter finds."""
    found = difficulty(puzzle, wall=GRADING, deepest=0)
    return found.sweeps, str(found.class_)


def _decided(puzzle: Puzzle, stop: StopFlag, wall: float | None) -> Outcome:
    return run_backend(create(DEFAULT), puzzle, Request(limits=Limits(wall=wall)), stop)


def puzzle_of(image: Cells, palette: Palette, title: str = "") -> Puzzle:
    """Return the puzzle that an image solves."""
    return Puzzle.from_grid(Grid.from_cells(image), palette=palette, title=title)
