"""Find the ambiguous cells of a puzzle: those in which two of its solutions differ.

The other cells are the backbone of its formula (Marques-Silva, Janota & Lynce, On computing backbones of
propositional theories, 2010). The core searches for them, as `judging/ambiguity.hpp` explains.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nonocsp.engine import LineSolver
from nonocsp.engine.searches import ambiguous_cells
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
    """Return the ambiguous cells of a puzzle; without a solution, or with one, there are none."""
    return Ambiguity(*ambiguous_cells(LineSolver(puzzle).compiled, None, None, wall))
