"""The difficulty of Batenburg, Henstra, Kosters & Palenstijn: alternating sweeps, rows first.

A sweep settles all rows, or all columns, each from the grid at its start (Constructing simple nonograms of
varying difficulty, 2009, figure 2). Columns first makes a difference of at most one. A puzzle that gets stuck
has a count too: the sweeps until nothing changes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from nonocsp.backends.base import Request, Run
from nonocsp.engine import Candidates, LineSolver, StopFlag
from nonocsp.model import Puzzle


@dataclass(frozen=True, slots=True)
class SweepTrace:
    """The sweeps of a puzzle."""

    candidates: Candidates  # what they leave, shape (rows, columns)
    sweep_of_cell: NDArray[np.int32]  # the sweep that decides each cell, from 1; 0 if open
    rows_first: int  # the difficulty: sweeps up to the last one that changed anything
    columns_first: int = 0  # the same if the columns come first; 0 if the sweeps did not end
    useful_settles: int = 0  # lines that changed when they were settled
    has_contradiction: bool = False  # no placement fits some line: there is no solution
    is_interrupted: bool = False  # the time ran out first

    @property
    def cells_per_sweep(self) -> tuple[int, ...]:
        """Cells that each sweep decided, up to the last one that changed anything."""
        counts = np.bincount(self.sweep_of_cell.ravel(), minlength=self.rows_first + 1)
        return tuple(counts[1:].tolist())

    @property
    def unknown_cells(self) -> int:
        """Cells that line solving leaves open."""
        return int(np.count_nonzero(self.sweep_of_cell == 0))


def trace_sweeps(solver: LineSolver, run: Run) -> SweepTrace:
    """Sweep until nothing changes or the time is over, rows first; then again, columns first, to count."""
    trace = SweepTrace(*solver.compiled.sweeps(run.stop, run.remaining))
    return replace(trace, columns_first=0) if trace.is_interrupted else trace


def sweep_map(puzzle: Puzzle) -> NDArray[np.int32]:
    """Return the number of the sweep, rows first, that fixes each cell: figure 6 of the paper."""
    return trace_sweeps(LineSolver(puzzle), Run(Request(), StopFlag())).sweep_of_cell
