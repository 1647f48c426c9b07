"""The automaton encoding: beside the cells, variables "block j starts at s" and "cell i lies in gap j".

The states of the automaton of a clue (Pesant 2004) as clauses (Bacchus, GAC via unit propagation, 2007):
each needs a state before it, one after it, and its cell's colour; a colour needs one of its states. It has
the most variables of the three, and is the only one by which unit propagation settles every line completely.
Written in C++ (``cpp/encodings/automaton.hpp``); linear in the number of clauses.
"""

from __future__ import annotations

from nonocsp import _core
from nonocsp.encodings.cnf import Encoding, encode_in_core
from nonocsp.engine import Candidates, LineSolver


def encode_automaton(solver: LineSolver, candidates: Candidates) -> Encoding:
    """Encode what `candidates` leave open of a puzzle; see `nonocsp.encodings.Encoder`."""
    return encode_in_core(_core.encode_automaton, solver, candidates)
