"""Prove that an image is the only solution of its puzzle, and that the required method solves it.

Generating asks line solving at every step, so it knows a simple image. Still, no puzzle is handed out on that
alone. Every puzzle is solved anew from its clues: generated ones by backend ``hybrid``, which decides whether
there is one solution, and variations by line solving. The meter grades what is generated.
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
from nonocsp.making.adapt import ChangeEvaluator
from nonocsp.making.picture import Cells
from nonocsp.model import BackendError, Grid, Palette, Puzzle

PATIENCE = 0.1
"""Seconds for the proof of uniqueness after a change is undone."""
GRADING = 2.0
"""Seconds for the meter to tell classes beyond line solving apart."""


class RequiredClass(StrEnum):
    """The method that must suffice to solve a puzzle."""

    SIMPLE = "simple"
    """Line solving."""
    FP1 = "fp1"
    """Fully probing (Wu et al. 2013)."""
    UNIQUE = "unique"
    """Any method: backend hybrid proves that there is one solution."""


def meets(image: Cells, palette: Palette, required: RequiredClass | str, evaluator: ChangeEvaluator) -> bool:
    """Return whether the required method is known to solve an image's puzzle.

    Parameters
    ----------
    image
        Shape (rows, columns).
    palette
        The colours that its numbers mean.
    required
        The method; beyond line solving, uniqueness must be proved within `PATIENCE` seconds.
    evaluator
        Has the time limit and the stop flag.

    Raises
    ------
    Interrupted
        When the time is over.
    """
    solver = LineSolver(puzzle_of(image, palette))
    known = solver.propagate(stop=evaluator.stop, wall=evaluator.remaining()).candidates
    if required == RequiredClass.SIMPLE or _is_full(known):
        return _is_full(known)
    wall = min(PATIENCE, evaluator.remaining() or PATIENCE)
    if _decide(solver.puzzle, evaluator.stop, wall).answer is not Answer.UNIQUE:
        return False
    if required == RequiredClass.UNIQUE:
        return True
    return _is_full(solver.probe(known, stop=evaluator.stop, wall=evaluator.remaining()).candidates)


def _is_full(known: Candidates) -> bool:
    return bool((np.bitwise_count(known) == 1).all())


def solve_by_lines(image: Cells, palette: Palette, title: str = "") -> tuple[Puzzle, int] | None:
    """Solve the puzzle of an image by lines, which proves that it has one solution.

    Parameters
    ----------
    image
        Colours of the cells, shape (rows, columns).
    palette
        The colours that its numbers mean.
    title
        Of the puzzle.

    Returns
    -------
    tuple[Puzzle, int] or None
        The puzzle and its difficulty in sweeps; None if line solving gets stuck.
    """
    puzzle = puzzle_of(image, palette, title)
    solved = LineSolver(puzzle).propagate(order=Order.SWEEPS)
    return (puzzle, solved.sweeps) if _is_full(solved.candidates) else None


def sweeps(image: Cells, palette: Palette) -> int:
    """Return the difficulty of an image; if it is not simple, the sweeps until line solving gets stuck.

    Parameters
    ----------
    image
        Colours of the cells, shape (rows, columns).
    palette
        The colours that its numbers mean.
    """
    return LineSolver(puzzle_of(image, palette)).propagate(order=Order.SWEEPS).sweeps


def prove(image: Cells, palette: Palette, title: str) -> Puzzle:
    """Return the puzzle of an image after a proof that the image is its only solution.

    Parameters
    ----------
    image
        Colours of the cells, shape (rows, columns).
    palette
        The colours that its numbers mean.
    title
        Of the puzzle.

    Raises
    ------
    BackendError
        If backend hybrid finds otherwise.
    """
    puzzle = puzzle_of(image, palette, title)
    outcome = _decide(puzzle, StopFlag(), None)
    if outcome.answer is not Answer.UNIQUE:
        raise BackendError(
            f"{DEFAULT} finds {outcome.answer} for {title!r}, which line solving had solved; please report it"
        )
    return puzzle


def grade(puzzle: Puzzle) -> tuple[int, str]:
    """Return the difficulty in sweeps and the class, as the meter finds them."""
    found = difficulty(puzzle, wall=GRADING, deepest=0)
    return found.sweeps, str(found.class_)


def _decide(puzzle: Puzzle, stop: StopFlag, wall: float | None) -> Outcome:
    return run_backend(create(DEFAULT), puzzle, Request(limits=Limits(wall=wall)), stop)


def puzzle_of(image: Cells, palette: Palette, title: str = "") -> Puzzle:
    """Return the puzzle that an image solves, with the image as its goal.

    Parameters
    ----------
    image
        Colours of the cells, shape (rows, columns).
    palette
        The colours that its numbers mean.
    title
        Of the puzzle.
    """
    return Puzzle.from_grid(Grid.from_cells(image), palette=palette, title=title)
