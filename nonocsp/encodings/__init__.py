"""CNF encodings of a puzzle for the backends that solve by clauses."""

from nonocsp.encodings.automaton import encode_automaton
from nonocsp.encodings.cnf import Cnf, Encoder, Encoding
from nonocsp.encodings.direct import encode_direct
from nonocsp.encodings.order import encode_order

__all__ = ["Cnf", "Encoder", "Encoding", "encode_automaton", "encode_direct", "encode_order"]
