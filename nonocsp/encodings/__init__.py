"""CNF encodings of a puzzle, shared by the backends that solve by clauses and by the certificates."""

from nonocsp.encodings.cnf import Cnf, Encoding
from nonocsp.encodings.order import encode_order

__all__ = ["Cnf", "Encoding", "encode_order"]
