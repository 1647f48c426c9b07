"""Fully probing (Wu et al., An efficient approach to solving nonograms, 2013): its fixpoint, and its search.

`LineSolver.probe` makes the fixpoint, `search_by_probing` probes at every node of a depth-first search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from nonocsp.engine._core import (
    ProbingLevel,
    probe_fixpoint,
    search_by_probing,
)
from nonocsp.engine.lines import Candidates

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Probing",
    "ProbingLevel",
    "probe_fixpoint",
    "search_by_probing",
]


class Probing(NamedTuple):
    """The result of fully probing."""

    candidates: Candidates
    """Shape (rows, columns); contains every solution."""
    groups: NDArray[np.int32] | None
    """If asked for, shape (rows, columns): 0, or the number of a group of cells with two candidates each. In
    every solution all cells of a number have the lower, or all the higher of their two, and those of its
    negative the other way round (GP1, GP2)."""
    contradiction: bool
    """There is no solution."""
    probes: int
    """Cells that were probed, each in all its candidates."""
    settles: int
    """Lines settled."""
    interrupted: bool
    """The stop flag was set, or the time is over; the candidates are sound but not at the fixpoint."""
