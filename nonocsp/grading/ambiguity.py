"""Find the ambiguous cells of a puzzle: those in which two of its solutions differ.

The other cells are the backbone of its formula (Marques-Silva, Janota & Lynce, On computing backbones of
propositional theories, 2010). One solution is the reference. Then a SAT solver looks, again and again, for a
solution in which one of the cells that have agreed so far differs from the reference. It tries the other
value of every cell first, so that each answer settles many cells. If there is none, the cells that still
agree are the backbone.
"""

from __future__ import annotations

import time
from contextlib import closing, suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nonocsp.backends.base import Interrupted, Request, Run
from nonocsp.backends.sat_solver import SatSolver
from nonocsp.engine import LineSolver, StopFlag
from nonocsp.engine.encodings import Encoding, encode_order
from nonocsp.model import Puzzle


@dataclass(frozen=True, eq=False)
class Ambiguity:
    """Which cells are ambiguous.

    Parameters
    ----------
    cells
        Whether two solutions differ in a cell, shape (rows, columns).
    is_complete
        Whether no other cell is ambiguous; False if the time was up before.
    """

    cells: NDArray[np.bool_]
    is_complete: bool


def ambiguity(puzzle: Puzzle, *, wall: float | None = None) -> Ambiguity:
    """Return the ambiguous cells of a puzzle; without a solution, or with one, there are none.

    Parameters
    ----------
    puzzle
        The clues.
    wall
        Seconds for the search; None for as long as it takes.
    """
    deadline = None if wall is None else time.perf_counter() + wall
    run = Run(Request(), StopFlag(), deadline)
    differ = np.zeros(puzzle.shape, bool)
    line_solver = LineSolver(puzzle)
    root = line_solver.propagate(wall=run.remaining)
    if root.contradiction is not None:
        return Ambiguity(differ, is_complete=True)
    if root.interrupted:
        return Ambiguity(differ, is_complete=False)
    encoding = encode_order(line_solver, root.candidates)
    is_complete = not encoding.cnf.variables
    with suppress(Interrupted), closing(SatSolver("glucose4", encoding.cnf, run)) as solver:
        if encoding.cnf.variables:
            _compare(solver, encoding, differ, run)
            is_complete = True
    return Ambiguity(differ, is_complete)


def _compare(solver: SatSolver, encoding: Encoding, differ: NDArray[np.bool_], run: Run) -> None:
    """Mark where solutions differ; raises `Interrupted` when the time is over."""
    if not solver.solve(run):
        return
    count = len(encoding.cells)
    reference = np.array(solver.model()[:count])
    agree = np.ones(count, bool)
    solver.set_phases((-reference).tolist())
    while agree.any():
        solver.add((-reference[agree]).tolist())
        if not solver.solve(run):
            return
        agree &= np.array(solver.model()[:count]) == reference
        differ.ravel()[encoding.cells[~agree]] = True
