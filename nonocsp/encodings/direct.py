"""The direct encoding: beside the cells, variables "block j starts at s", of which one is true.

The textbook translation of a constraint problem (de Kleer 1989; Walsh, SAT v CSP, 2000): a clause for each
pair of starts in conflict, two of one block or one each of two neighbours; a start gives its cells their
colour, and a coloured cell is covered by some start. Few variables, but the clauses grow with the square of
the starts. Written in C++ (``cpp/encodings/direct.hpp``).
"""

from __future__ import annotations

from nonocsp import _core
from nonocsp.encodings.cnf import Encoding, encode_in_core
from nonocsp.engine import Candidates, LineSolver


def encode_direct(solver: LineSolver, candidates: Candidates) -> Encoding:
    """Encode what `candidates` leave open of a puzzle; see `nonocsp.encodings.Encoder`."""
    return encode_in_core(_core.encode_direct, solver, candidates)
