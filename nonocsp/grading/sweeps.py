"""The difficulty of Batenburg, Henstra, Kosters & Palenstijn: alternating sweeps, rows first, what each gave.

A sweep settles all rows, or all columns, each from the grid as it was (Constructing simple nonograms of
varying difficulty, 2009, figure 2). Beginning with the columns makes a difference of one at most. A puzzle
that gets stuck has a count too: that of the sweeps until nothing changes any more.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from nonocsp.backends.base import Run
from nonocsp.engine import Candidates, LineSolver, Order
from nonocsp.model import Grid


@dataclass(frozen=True, slots=True)
class SweepTrace:
    """What the sweeps of a puzzle gave.

    Parameters
    ----------
    candidates
        Where they ended, shape (rows, columns).
    cells_per_sweep
        How many cells each fixed, up to the last one that changed anything.
    useful_settles
        Lines that gave something when they were settled.
    columns_first
        How many sweeps it takes if the columns come first; 0 unless lines were swept to their end.
    has_contradiction
        No placement fits some line: there is no solution.
    is_interrupted
        The time was over before nothing changed any more.
    """

    candidates: Candidates
    cells_per_sweep: tuple[int, ...]
    useful_settles: int
    columns_first: int = 0
    has_contradiction: bool = False
    is_interrupted: bool = False

    @property
    def rows_first(self) -> int:
        """The difficulty."""
        return len(self.cells_per_sweep)

    @property
    def unknown_cells(self) -> int:
        """Cells that line solving leaves open."""
        return self.candidates.size - fixed_cells(self.candidates)


def trace_sweeps(solver: LineSolver, run: Run) -> SweepTrace:
    """Sweep until nothing changes or the time is over, rows first; and again, columns first, to count."""
    unknown = cells = Grid.unknown(*solver.puzzle.shape, solver.puzzle.palette).candidates
    fixed, useful, settles = [0], 0, 0
    while len(fixed) <= max(useful + 1, 2):  # only the first sweep may be useless and the next one not
        by_rows = len(fixed) % 2 == 1
        sweep = solver.h_sweep if by_rows else solver.v_sweep
        swept = sweep(cells, stop=run.stop, seconds=run.remaining)
        changed = np.count_nonzero((swept.candidates != cells).any(axis=1 if by_rows else 0))
        if changed:
            useful, settles = len(fixed), settles + int(changed)
        cells = swept.candidates
        fixed.append(fixed_cells(cells))
        if swept.interrupted or swept.contradiction is not None:
            break
    gains = tuple(after - before for before, after in pairwise(fixed[: useful + 1]))
    contradicts = swept.contradiction is not None
    columns_first = None if contradicts or swept.interrupted else _columns_first(solver, unknown, run)
    interrupted = columns_first is None and not contradicts
    return SweepTrace(cells, gains, settles, columns_first or 0, contradicts, interrupted)


def fixed_cells(candidates: Candidates) -> int:
    """Return how many cells have one candidate left."""
    return int(np.count_nonzero(np.bitwise_count(candidates) == 1))


def _columns_first(solver: LineSolver, unknown: Candidates, run: Run) -> int | None:
    """Return the sweeps of the transposed puzzle: one of the columns, and then as rows first."""
    first = solver.v_sweep(unknown, stop=run.stop, seconds=run.remaining)
    rest = solver.propagate(first.candidates, order=Order.SWEEPS, stop=run.stop, seconds=run.remaining)
    if first.interrupted or rest.interrupted:
        return None
    gave_something = rest.sweeps or not np.array_equal(first.candidates, unknown)
    return rest.sweeps + 1 if gave_something else 0
