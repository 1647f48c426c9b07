"""The order encoding: beside the cells, variables "block j starts at s or before".

Order variables are due to Crawford & Baker (1994); Tamura's Copris encodes nonograms with them. A block has
one between each two neighbouring starts that still occur in a placement, so holes in its window cost nothing,
and one clause per cell and stage of the line (gap 0, block 0, gap 1, …) gives the cell its colour. An order
variable that would only repeat a cell or another one is left out. Decided cells, blocks and lines vanish: of
a random 25x25 grid some 1500 variables and 5000 clauses remain at the root fixpoint. Written in C++
(``cpp/encoding_order.hpp``); linear in the number of clauses.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nonocsp import _core
from nonocsp.encodings.cnf import Cnf, Encoding
from nonocsp.engine import LineSolver


def encode_order(solver: LineSolver, candidates: NDArray[np.uint64]) -> Encoding:
    """Encode what `candidates` leave open of a puzzle.

    Parameters
    ----------
    solver
        The line solver of the puzzle: its compiled clues are used again.
    candidates
        Shape (rows, columns), best the root fixpoint: the more is known, the smaller the formula.

    Raises
    ------
    ValueError
        If a line fits no placement of its clue, or the shape is not the puzzle's.
    """
    candidates = np.ascontiguousarray(candidates, np.uint64)
    puzzle = solver.puzzle
    variables, clauses, literals, cells, colours = _core.encode_order(
        solver.compiled, puzzle.flat_rows, puzzle.flat_columns, candidates
    )
    return Encoding(Cnf(variables, clauses, literals), candidates, cells, colours)
