"""The sweep that fixes each cell, against figure 6 of the paper and the plain reference."""

import numpy as np

from nonocsp import Grid, Puzzle
from nonocsp.backends.base import Request, Run
from nonocsp.engine import LineSolver, StopFlag
from nonocsp.grading.hardest_family import Family, hardest
from nonocsp.grading.sweeps import sweep_map, trace_sweeps

FIGURE_6 = (
    "31 2 30 27 27 26 23 22 19 18 15 14 11 10 7 6 2 4",
    "29 1 29 28 28 25 24 21 20 17 16 13 12 9 8 5 1 4",
)
"""The first two rows of the paper's 18x18."""


def test_the_first_rows_of_the_hardest_18x18_fall_in_the_order_of_figure_6():
    rows = sweep_map(hardest(18, 18, Family.THEOREM))[:2]
    assert [" ".join(map(str, row)) for row in rows.tolist()] == list(FIGURE_6)


def test_every_cell_falls_in_the_sweep_that_the_counts_say():
    random = np.random.default_rng(22)
    for _ in range(50):
        shape = random.integers(1, 9, 2)
        cells = random.integers(0, 3, shape) * (random.random(shape) < 0.6)
        trace = trace_sweeps(
            LineSolver(Puzzle.from_grid(Grid.from_cells(cells.astype(np.uint8)))), Run(Request(), StopFlag())
        )
        counts = np.bincount(trace.sweep_of_cell.ravel(), minlength=trace.rows_first + 1)
        assert counts.tolist() == [trace.unknown_cells, *trace.cells_per_sweep]
