"""Prove that an image is the only solution of its puzzle, and that the required method solves it.

Generating asks line solving, or a SAT solver, at every step, so it knows what is unique. Still, no puzzle is
handed out on that alone. Every puzzle is solved anew from its clues: generated ones by backend ``hybrid``,
which decides whether there is one solution, and variations by line solving. The meter grades what is
generated.
"""

from __future__ import annotations

import time
from contextlib import closing
from enum import StrEnum

import numpy as np

from nonocsp.backends import DEFAULT
from nonocsp.backends.base import Answer, Limits, Outcome, Request, Run
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.backends.sat_solver import SatSolver
from nonocsp.engine import Candidates, LineSolver, Order, StopFlag
from nonocsp.engine.encodings import encode_order
from nonocsp.grading.meter import difficulty
from nonocsp.making.adapt import ChangeEvaluator
from nonocsp.making.init import Mask
from nonocsp.making.picture import Cells
from nonocsp.model import BackendError, Grid, Palette, Puzzle

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


def gaps(image: Cells, palette: Palette, required: RequiredClass, evaluator: ChangeEvaluator) -> Mask:
    """Return the cells that the required method does not solve, shape (rows, columns): none if it suffices.

    They are the cells that line solving or probing leaves open. If any method will do, they are those in
    which another solution differs from the image; if the search for one ends at `CONFLICTS`, those that line
    solving leaves open. No clock decides anything, so the result is the same on any machine.
    """
    solver = LineSolver(puzzle_of(image, palette))
    known = solver.propagate(stop=evaluator.stop, wall=evaluator.remaining()).candidates
    is_open = _open(known)
    if required is RequiredClass.SIMPLE or not is_open.any():
        return is_open
    differing = _differing(image, solver, known, evaluator)
    if required is RequiredClass.UNIQUE or differing.any():
        return differing
    return _open(solver.probe(known, stop=evaluator.stop, wall=evaluator.remaining()).candidates)


def _open(known: Candidates) -> Mask:
    is_open: Mask = np.bitwise_count(known) > 1
    return is_open


def _differing(image: Cells, solver: LineSolver, known: Candidates, evaluator: ChangeEvaluator) -> Mask:
    """Return where another solution differs from an image, or what is open if none is found or excluded."""
    left = evaluator.remaining()
    run = Run(Request(), evaluator.stop, None if left is None else time.perf_counter() + left)
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
    return _open(known)


def solve_by_lines(image: Cells, palette: Palette, title: str = "") -> tuple[Puzzle, int] | None:
    """Solve the puzzle of an image by lines, which proves that it has one solution."""
    puzzle = puzzle_of(image, palette, title)
    solved = LineSolver(puzzle).propagate(order=Order.SWEEPS)
    return None if _open(solved.candidates).any() else (puzzle, solved.sweeps)


def sweeps(image: Cells, palette: Palette) -> int:
    """Return the difficulty of an image; if it is not simple, the sweeps until line solving gets stuck."""
    return LineSolver(puzzle_of(image, palette)).propagate(order=Order.SWEEPS).sweeps


def prove(image: Cells, palette: Palette, title: str) -> Puzzle:
    """Return the puzzle of an image after a proof that the image is its only solution."""
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
    """Return the puzzle that an image solves, with the image as its goal."""
    return Puzzle.from_grid(Grid.from_cells(image), palette=palette, title=title)
