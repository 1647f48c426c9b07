"""Nested what-if: how much follows when every value of every cell is tried, so many levels deep.

No level is line solving. One level tries each candidate of each open cell by line solving and keeps what all
of a cell's candidates agree on, to a fixpoint: FP1 of Wu et al. (2013). Each further level tries with all
that the level below can do. A cell in which nothing holds is a contradiction. Cost: a level multiplies the
time by a few times the number of open cells.
"""

from __future__ import annotations

from itertools import cycle

import numpy as np
from numpy.typing import NDArray

from nonocsp.backends.base import Interrupted, Run
from nonocsp.engine import Candidates, LineSolver, Probing, Propagation


def consequences(solver: LineSolver, candidates: Candidates, depth: int, run: Run) -> Candidates | None:
    """Return what `depth` levels of what-if leave of the candidates; None if there is no solution.

    Raises
    ------
    Interrupted
        If the run was told to stop.
    """
    if depth < 2:
        return _in_core(solver, candidates, depth, run)
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
    """Return what a cell's candidates leave possible together: `known` if that is all, 0 if none holds."""
    possible = np.zeros_like(known)
    for colour in range(int(known[cell]).bit_length()):
        if int(known[cell]) >> colour & 1:
            tried = known.copy()
            tried[cell] = 1 << colour
            left = consequences(solver, tried, depth, run)
            if left is not None:
                possible |= left
    return known if np.array_equal(possible, known) else possible


def _in_core(solver: LineSolver, candidates: Candidates, depth: int, run: Run) -> Candidates | None:
    found: Propagation | Probing
    if depth == 0:
        found = solver.propagate(candidates, stop=run.stop, seconds=run.remaining)
        fits = found.contradiction is None
    else:
        found = solver.probe(candidates, stop=run.stop, seconds=run.remaining)
        fits = not found.contradiction
    if found.interrupted:
        raise Interrupted
    return found.candidates if fits else None


def _open(candidates: Candidates) -> NDArray[np.bool_]:
    several: NDArray[np.bool_] = np.bitwise_count(candidates) > 1
    return several
