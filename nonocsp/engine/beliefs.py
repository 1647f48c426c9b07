"""Exact marginals of a line, and beliefs about a puzzle by belief propagation over them.

Rows and columns tell each other their marginals, which would be those of the puzzle if lines were
independent.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nonocsp.engine import _core
from nonocsp.engine._core import Beliefs, time_beliefs
from nonocsp.engine.lines import Candidates, as_cells
from nonocsp.model import Clue, FlatClues

__all__ = ["Beliefs", "LineMarginals", "line_marginals", "shares_among", "time_beliefs"]


@dataclass(frozen=True, slots=True)
class LineMarginals:
    """Probabilities on a line where a placement is as likely as the product of its cells' weights."""

    cells: NDArray[np.float64]
    """P(cell has colour), shape (length, colours)."""
    starts: NDArray[np.float64]
    """P(block starts at cell), shape (blocks, length)."""


def line_marginals(clue: Clue, line: Candidates, weights: NDArray[np.float64]) -> LineMarginals | None:
    """Return the exact marginals of a line over all placements that fit; None if none has weight.

    Weights have shape (length, colours), at least 0, those of a cell within a factor of 1e75 of each other;
    otherwise there is a ValueError.
    """
    cells = as_cells(line[np.newaxis])
    found = _core.line_marginals(FlatClues.of([clue]), cells, np.ascontiguousarray(weights, np.float64))
    return None if found is None else LineMarginals(*found)


def shares_among(candidates: Candidates, beliefs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return beliefs without those about excluded colours, as shares of 1 for each cell.

    Beliefs are positive numbers, shape (rows, columns, colours).
    """
    colours = np.arange(beliefs.shape[2], dtype=np.uint64)
    possible = candidates[..., np.newaxis] >> colours & np.uint64(1)
    shares: NDArray[np.float64] = np.where(possible, beliefs, 0.0)
    shares /= shares.sum(axis=2, keepdims=True)
    return shares
