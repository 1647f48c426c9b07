"""The order encoding: beside the cells, variables "block j starts at s or before".

Order variables are due to Crawford & Baker (1994); Tamura's Copris encodes nonograms with them. A block has
one between each two neighbouring starts that still occur in a placement, so holes in its window cost nothing,
and one clause per cell and stage of the line (gap 0, block 0, gap 1, …) gives the cell its colour. An order
variable that would only repeat a cell or another one is left out. Decided cells, blocks and lines vanish: of
a random 25x25 grid some 1500 variables and 5000 clauses remain at the root fixpoint. Written in C++
(``cpp/encodings/order.hpp``); linear in the number of clauses.
"""

from __future__ import annotations

from nonocsp import _core
from nonocsp.encodings.cnf import Encoding, encode_in_core
from nonocsp.engine import Candidates, LineSolver


def encode_order(solver: LineSolver, candidates: Candidates) -> Encoding:
    """Encode what `candidates` leave open of a puzzle; see `nonocsp.encodings.Encoder`."""
    return encode_in_core(_core.encode_order, solver, candidates)
