"""Which colour an open cell likely has, as a hint to a SAT solver which value of a variable to try first.

A block is taken to be as likely at each of the starts that the root fixpoint leaves it. The share of them
that covers a cell is the block's claim on it; what no block claims is background; and row and column must
agree, so their claims multiply. An estimate: true shares would count placements, not starts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nonocsp.engine import Candidates, LineSolver
from nonocsp.model import Line


def likely_colours(solver: LineSolver, candidates: Candidates) -> NDArray[np.uint8]:
    """Return the likeliest colour of each cell, shape (rows, columns); one of its candidates.

    Parameters
    ----------
    candidates
        The root fixpoint, without a contradiction.
    """
    rows, columns = candidates.shape
    by_rows = np.stack([claims(solver, Line("row", i), candidates) for i in range(rows)])
    by_columns = np.stack([claims(solver, Line("column", i), candidates) for i in range(columns)], axis=1)
    colours = np.arange(by_rows.shape[-1], dtype=np.uint64)
    possible = candidates[..., np.newaxis] >> colours & np.uint64(1) > 0
    likelihood = np.where(possible, by_rows * by_columns, -1.0)
    likely: NDArray[np.uint8] = likelihood.argmax(axis=-1).astype(np.uint8)
    return likely


def claims(solver: LineSolver, line: Line, candidates: Candidates) -> NDArray[np.float64]:
    """Return the claims of each colour on the cells of a line, shape (cells, colours), between 0 and 1."""
    starts = solver.starts(line, candidates)
    assert starts is not None, "no line contradicts the fixpoint"
    rows, columns = candidates.shape
    length = columns if line.axis == "row" else rows
    steps = np.zeros((length + 1, len(solver.puzzle.palette)))  # of the claims, from cell to cell
    for block, where in zip(solver.puzzle.line_clue(line), starts, strict=True):
        np.add.at(steps[:, block.colour], where, 1 / len(where))
        np.subtract.at(steps[:, block.colour], where + block.length, 1 / len(where))
    claimed: NDArray[np.float64] = np.minimum(steps.cumsum(axis=0)[:length], 1.0)
    claimed[:, 0] = np.maximum(1.0 - claimed.sum(axis=1), 0.0)
    return claimed
