"""The difficulty of Batenburg, Henstra, Kosters & Palenstijn: alternating sweeps, rows first.

A sweep settles all rows, or all columns, each from the grid at its start (Constructing simple nonograms of
varying difficulty, 2009, figure 2). Columns first makes a difference of at most one. A puzzle that gets stuck
has a count too: the sweeps until nothing changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from nonocsp.backends.base import Request, Run
from nonocsp.engine import Candidates, LineSolver, Order, StopFlag
from nonocsp.model import Puzzle


@dataclass(frozen=True, slots=True)
class SweepTrace:
    """The sweeps of a puzzle."""

    candidates: Candidates  # what they leave, shape (rows, columns)
    cells_per_sweep: tuple[int, ...]  # cells that each fixed, up to the last one that changed anything
    fixed: Sequence[NDArray[np.bool_]]  # the cells with one candidate after each sweep
    useful_settles: int  # lines that changed when they were settled
    columns_first: int = 0  # sweeps if the columns come first; 0 if the sweeps did not end
    has_contradiction: bool = False  # no placement fits some line: there is no solution
    is_interrupted: bool = False  # the time ran out first

    @property
    def rows_first(self) -> int:
        """The difficulty."""
        return len(self.cells_per_sweep)

    @property
    def sweep_of_cell(self) -> NDArray[np.int32]:
        """The sweep that fixed each cell, from 1; 0 if open."""
        open_after = np.sum([~fixed for fixed in self.fixed], axis=0, dtype=np.int32)
        return np.where(self.fixed[-1], open_after + 1, 0)

    @property
    def unknown_cells(self) -> int:
        """Cells that line solving leaves open."""
        return self.candidates.size - fixed_cells(self.candidates)


def trace_sweeps(solver: LineSolver, run: Run) -> SweepTrace:
    """Sweep until nothing changes or the time is over, rows first; then again, columns first, to count."""
    unknown = cells = solver.nothing_known().candidates
    fixed, useful, settles = list[NDArray[np.bool_]](), 0, 0
    while len(fixed) <= max(useful, 1):  # only the first sweep may be useless and the next one not
        by_rows = len(fixed) % 2 == 0
        sweep = solver.h_sweep if by_rows else solver.v_sweep
        swept = sweep(cells, stop=run.stop, wall=run.remaining)
        changed = np.count_nonzero((swept.candidates != cells).any(axis=1 if by_rows else 0))
        cells = swept.candidates
        fixed.append(is_fixed(cells))
        if changed:
            useful, settles = len(fixed), settles + int(changed)
        if swept.interrupted or swept.contradiction is not None:
            break
    counts = [0, *(int(np.count_nonzero(mask)) for mask in fixed[:useful])]
    gains = tuple(after - before for before, after in pairwise(counts))
    if swept.interrupted or swept.contradiction is not None:
        gave_up = swept.contradiction is None
        return SweepTrace(cells, gains, fixed, settles, 0, not gave_up, is_interrupted=gave_up)
    # Columns first: one sweep of the columns, and then as rows first.
    first = solver.v_sweep(unknown, stop=run.stop, wall=run.remaining)
    rest = solver.propagate(first.candidates, order=Order.SWEEPS, stop=run.stop, wall=run.remaining)
    changes = rest.sweeps or not np.array_equal(first.candidates, unknown)
    interrupted = first.interrupted or rest.interrupted
    columns_first = rest.sweeps + 1 if changes and not interrupted else 0
    return SweepTrace(cells, gains, fixed, settles, columns_first, is_interrupted=interrupted)


def fixed_cells(candidates: Candidates) -> int:
    """Return the number of cells with one candidate left."""
    return int(np.count_nonzero(is_fixed(candidates)))


def is_fixed(candidates: Candidates) -> NDArray[np.bool_]:
    """Return which cells have one candidate left, shape (rows, columns)."""
    fixed: NDArray[np.bool_] = np.bitwise_count(candidates) == 1
    return fixed


def sweep_map(puzzle: Puzzle) -> NDArray[np.int32]:
    """Return the number of the sweep, rows first, that fixes each cell: figure 6 of the paper."""
    return trace_sweeps(LineSolver(puzzle), Run(Request(), StopFlag())).sweep_of_cell
