"""Nested what-if: try every value of every cell, to a given depth, and keep what all values agree on.

Depth 0 is line solving. Depth 1 tries each candidate of each open cell by line solving and keeps what all
candidates of a cell agree on, to a fixpoint: FP1 of Wu et al. (2013). Each further level tries with all that
the level below can do. If every candidate of a cell fails, that is a contradiction. Cost: a level multiplies
the time by a few times the number of open cells.
"""

from __future__ import annotations

from itertools import cycle

import numpy as np
from numpy.typing import NDArray

from nonocsp.backends.base import Interrupted, Run
from nonocsp.engine import Candidates, LineSolver


def consequences(solver: LineSolver, candidates: Candidates, depth: int, run: Run) -> Candidates | None:
    """Return what `depth` levels of what-if leave of the candidates; None if there is no solution."""
    if depth == 0:
        swept = solver.propagate(candidates, stop=run.stop, wall=run.remaining)
        if swept.interrupted:
            raise Interrupted
        return swept.candidates if swept.contradiction is None else None
    if depth == 1:
        probed = solver.probe(candidates, stop=run.stop, wall=run.remaining)
        if probed.interrupted:
            raise Interrupted
        return None if probed.contradiction else probed.candidates
    known = consequences(solver, candidates, depth - 1, run)
    if known is None:
        return None
    cells = [(int(row), int(column)) for row, column in np.argwhere(_open(known))]
    unchanged = 0
    for cell in cycle(cells):
        if unchanged == len(cells) or not _open(known).any():
            break
        unchanged += 1
        if _open(known)[cell] and (agreed := _agreed(solver, known, cell, depth - 1, run)) is not known:
            known = consequences(solver, agreed, depth - 1, run) if agreed[cell] else None
            unchanged = 0
        if known is None:
            return None
    return known


def _agreed(solver: LineSolver, known: Candidates, cell: tuple[int, int], depth: int, run: Run) -> Candidates:
    """Return what a cell's candidates leave possible together."""
    possible = np.zeros_like(known)
    for colour in range(int(known[cell]).bit_length()):
        if int(known[cell]) >> colour & 1:
            tried = known.copy()
            tried[cell] = 1 << colour
            left = consequences(solver, tried, depth, run)
            if left is not None:
                possible |= left
    return known if np.array_equal(possible, known) else possible


def _open(candidates: Candidates) -> NDArray[np.bool_]:
    several: NDArray[np.bool_] = np.bitwise_count(candidates) > 1
    return several
