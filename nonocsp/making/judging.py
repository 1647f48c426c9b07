"""Judge images: what line solving leaves open, before and after a change, and what solves their puzzles.

Generating asks line solving, or a SAT solver, at every step, so it knows what is unique. Still, no puzzle is
handed out on that alone. Every puzzle is solved anew from its clues: generated ones by backend ``hybrid``,
which decides whether there is one solution, and variations by line solving. The meter grades what is
generated.
"""

from __future__ import annotations

import os
import time
from contextlib import closing
from enum import StrEnum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from nonocsp.backends import DEFAULT
from nonocsp.backends.base import Answer, Request, Run
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.backends.sat_solver import SatSolver
from nonocsp.engine import Candidates, Interrupted, LineSolver, Order, StopFlag
from nonocsp.engine.encodings import encode_order
from nonocsp.engine.images import ImageTrials
from nonocsp.grading.meter import difficulty
from nonocsp.making.cells import Cells, Mask, Values
from nonocsp.model import BackendError, Grid, Palette, Puzzle

Changes: TypeAlias = NDArray[np.int32]
"""Shape (count, 3): row, column, colour."""
CONFLICTS = 2000
"""Conflicts of the search for another solution; a puzzle that needs more does not count as unique."""
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


class ImageJudge:
    """Judges images on `jobs` threads; raises Interrupted when the seconds are over or `stop` is set."""

    def __init__(
        self,
        palette: Palette,
        jobs: int | None = None,
        seconds: float | None = None,
        stop: StopFlag | None = None,
    ) -> None:
        self.palette = palette
        self.jobs = jobs or os.cpu_count() or 1
        self.stop = stop or StopFlag()
        self._deadline = None if seconds is None else time.perf_counter() + seconds

    def remaining(self) -> float | None:
        """Return the seconds left, None without a limit."""
        if self._deadline is None:
            return None
        left = self._deadline - time.perf_counter()
        if left <= 0:
            raise Interrupted("the time is over")
        return left

    def trials(self, image: Cells) -> ImageTrials:
        """Return what the core needs to try changes of an image, with what line solving knows of it."""
        return ImageTrials(image, len(self.palette), self.stop, self.remaining())

    def open_after(self, trials: ImageTrials, changes: Changes) -> NDArray[np.int32]:
        """Return the number of cells that line solving leaves open after each change, shape (count,)."""
        return trials.open_after(changes, False, self.stop, self.remaining(), self.jobs)

    def best_change(self, trials: ImageTrials, changes: Changes, costs: Values, alpha: float) -> int:
        """Return the index of the change with the least ``alpha * open + cost``: *Adapt*, figure 8."""
        return trials.best_change(changes, costs, alpha, self.stop, self.remaining(), self.jobs)

    def gaps(self, image: Cells, required: RequiredClass) -> Mask:
        """Return the cells that the required method does not solve: none if it suffices.

        They are the cells that line solving or probing leaves open. If any method will do, they are those in
        which another solution differs from the image; if the search for one ends at `CONFLICTS`, those that
        line solving leaves open. No clock decides anything, so the result is the same on any machine.
        """
        solver = LineSolver(puzzle_of(image, self.palette))
        known = solver.propagate(stop=self.stop, wall=self.remaining()).candidates
        is_open = open_cells(known)
        if required is RequiredClass.SIMPLE or not is_open.any():
            return is_open
        differing = self._differing(image, solver, known)
        if required is RequiredClass.UNIQUE or differing.any():
            return differing
        return open_cells(solver.probe(known, stop=self.stop, wall=self.remaining()).candidates)

    def _differing(self, image: Cells, solver: LineSolver, known: Candidates) -> Mask:
        """Return where another solution differs from an image, or what is open if the search gives up."""
        left = self.remaining()
        run = Run(Request(), self.stop, None if left is None else time.perf_counter() + left)
        encoding = encode_order(solver, known)
        own = encoding.literals_of(image)
        with closing(SatSolver("glucose4", encoding.cnf, run)) as search:
            search.add([-literal for literal in own])
            search.set_phases(own)
            match search.solve_within(CONFLICTS, run):
                case True:
                    differing: Mask = encoding.decode(search.model()).cells != image
                    return differing
                case False:
                    return np.zeros(image.shape, bool)
        return open_cells(known)


def open_cells(known: Candidates) -> Mask:
    """Return which cells have several candidates, shape (rows, columns)."""
    is_open: Mask = np.bitwise_count(known) > 1
    return is_open


def crossing(cells: Mask) -> Mask:
    """Return which cells are in the row or in the column of a marked one, shape (rows, columns)."""
    crossed: Mask = np.logical_or.outer(cells.any(axis=1), cells.any(axis=0))
    return crossed


def puzzle_of(image: Cells, palette: Palette, title: str = "") -> Puzzle:
    """Return the puzzle that an image solves, with the image as its goal."""
    return Puzzle.from_grid(Grid.from_cells(image), palette=palette, title=title)


def swept(image: Cells, palette: Palette, title: str = "") -> tuple[Puzzle, int, bool]:
    """Return the puzzle of an image, its sweeps until nothing changes, and whether they solve it."""
    puzzle = puzzle_of(image, palette, title)
    solved = LineSolver(puzzle).propagate(order=Order.SWEEPS)
    return puzzle, solved.sweeps, not open_cells(solved.candidates).any()


def prove(image: Cells, palette: Palette, title: str) -> Puzzle:
    """Return the puzzle of an image after a proof that the image is its only solution."""
    puzzle = puzzle_of(image, palette, title)
    outcome = run_backend(create(DEFAULT), puzzle, Request(), StopFlag())
    if outcome.answer is not Answer.UNIQUE:
        raise BackendError(
            f"{DEFAULT} finds {outcome.answer} for {title!r}, which line solving had solved; please report it"
        )
    return puzzle


def grade(puzzle: Puzzle) -> tuple[int, str]:
    """Return the difficulty in sweeps and the class, as the meter finds them."""
    found = difficulty(puzzle, wall=GRADING, deepest=0)
    return found.sweeps, str(found.class_)
