"""A formula in conjunctive normal form, and what its models mean for the grid.

Clauses are one flat array, as in a DIMACS file, so that thousands of them cost no Python object each. The
variables of the open cells come first; what the others stand for is the encoding's own affair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nonocsp._core import ClauseStream
from nonocsp.engine import Candidates, LineSolver
from nonocsp.model import Grid

if TYPE_CHECKING:
    from nonocsp._core import EncodeInCore


@dataclass(frozen=True, slots=True)
class Cnf:
    """A formula over the variables 1, 2, …, `variables`.

    Parameters
    ----------
    clauses
        How many.
    literals
        int32, clause after clause: a variable or its negation, and a 0 at the end of each clause.
    """

    variables: int
    clauses: int
    literals: NDArray[np.int32]

    def __iter__(self) -> Iterator[list[int]]:
        """Yield the clauses one by one."""
        stream = self.stream()
        return (list(stream) for _ in range(self.clauses))

    def stream(self) -> ClauseStream:
        """Return an iterator that pauses after each clause: the fastest way into a solver."""
        return ClauseStream(self.literals, self.variables)


@dataclass(frozen=True, slots=True)
class Encoding:
    """A formula whose models are the solutions of a puzzle that lie within `candidates`.

    Parameters
    ----------
    candidates
        What was encoded: uint64, shape (rows, columns), bit c set = colour c is possible.
    cells, colours
        For each cell variable, 1 up to their number: its cell (row-major) and the colour that the cell has if
        the variable is true. A cell of two candidates has one variable, true for the higher colour; one of
        more candidates has a variable for each.
    """

    cnf: Cnf
    candidates: Candidates
    cells: NDArray[np.int32]
    colours: NDArray[np.uint8]

    def decode(self, model: Sequence[int]) -> Grid:
        """Return the full grid of a model: literals in the order of their variables."""
        true = np.flatnonzero(np.fromiter(model, np.int32, len(self.cells)) > 0)
        lowest = (self.candidates & (~self.candidates + np.uint64(1))).ravel()
        lowest[self.cells[true]] = np.uint64(1) << self.colours[true].astype(np.uint64)
        return Grid(lowest.reshape(self.candidates.shape))

    def blocking_clause(self, model: Sequence[int]) -> list[int]:
        """Return the clause that forbids the grid of a model, and no other grid."""
        return [-literal for literal in islice(model, len(self.cells))]

    def literals_of(self, colours: NDArray[np.uint8]) -> list[int]:
        """Return for each cell variable the literal that is true if the cells have these colours.

        Parameters
        ----------
        colours
            Shape (rows, columns), of each cell one of its candidates.
        """
        variables = np.arange(1, len(self.cells) + 1)
        literals: list[int] = np.where(
            colours.ravel()[self.cells] == self.colours, variables, -variables
        ).tolist()
        return literals

    def shuffled(self, seed: int) -> Encoding:
        """Return the encoding with its variables renumbered at random, for another course of the search."""
        random = np.random.default_rng(seed)
        cell_variables = random.permutation(len(self.cells))
        others = len(self.cells) + random.permutation(self.cnf.variables - len(self.cells))
        renumbered = np.concatenate([[0], 1 + cell_variables, 1 + others]).astype(np.int32)
        literals = np.sign(self.cnf.literals) * renumbered[np.abs(self.cnf.literals)]
        order = np.argsort(cell_variables)
        cnf = replace(self.cnf, literals=literals)
        return replace(self, cnf=cnf, cells=self.cells[order], colours=self.colours[order])


Encoder = Callable[[LineSolver, Candidates], Encoding]
"""Encodes what `candidates`, of shape (rows, columns), leave open of the puzzle of a line solver.

Best are the candidates of the root fixpoint: the more is known, the smaller the formula. A ValueError says
that a line fits no placement of its clue, or that the shape is not the puzzle's.
"""


def encode_in_core(encode: EncodeInCore, solver: LineSolver, candidates: Candidates) -> Encoding:
    """Do what an `Encoder` does by a function of the core."""
    candidates = np.ascontiguousarray(candidates, np.uint64)
    variables, clauses, literals, cells, colours = encode(solver.compiled, candidates)
    return Encoding(Cnf(variables, clauses, literals), candidates, cells, colours)
