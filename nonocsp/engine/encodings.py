"""CNF encodings of a puzzle: formulas whose models are its solutions.

Clauses are one flat array, as in a DIMACS file, so that thousands of them cost no Python object each. The
variables of the open cells come first, the same in every encoding; each encoding adds variables of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from nonocsp.engine import _core
from nonocsp.engine._core import ClauseStream, PuzzleClues
from nonocsp.engine.line_solver import LineSolver
from nonocsp.engine.lines import Candidates, as_cells
from nonocsp.model import Grid

__all__ = [
    "ENCODERS",
    "ClauseStream",
    "Cnf",
    "Encoder",
    "Encoding",
    "encode_automaton",
    "encode_direct",
    "encode_order",
]


@dataclass(frozen=True, slots=True)
class Cnf:
    """A formula over the variables 1, 2, …, `variables`."""

    variables: int
    clauses: int
    """How many."""
    literals: NDArray[np.int32]
    """int32, clause after clause: a variable or its negation, and a 0 at the end of each clause."""

    def __iter__(self) -> Iterator[list[int]]:
        """Yield the clauses one by one."""
        stream = self.stream()
        return (list(stream) for _ in range(self.clauses))

    def stream(self) -> ClauseStream:
        """Return an iterator that pauses after each clause: the fastest way into a solver."""
        return ClauseStream(self.literals, self.variables)

    def with_clauses(self, clauses: Iterable[Sequence[int]]) -> Cnf:
        """Return the formula with more clauses at its end."""
        added = [[*clause, 0] for clause in clauses]
        literals = np.concatenate([self.literals, *(np.array(clause, np.int32) for clause in added)])
        return Cnf(self.variables, self.clauses + len(added), literals)

    def dimacs(self) -> str:
        """Return the text of a DIMACS file."""
        clauses = f"{' '.join(map(str, self.literals.tolist()))}\n".replace(" 0 ", " 0\n")
        return f"p cnf {self.variables} {self.clauses}\n{clauses}"


@dataclass(frozen=True, slots=True)
class Encoding:
    """A formula whose models are the solutions of a puzzle that lie within `candidates`."""

    cnf: Cnf
    candidates: Candidates
    """What was encoded: uint64, shape (rows, columns), bit c set = colour c is possible."""
    cells: NDArray[np.int32]
    colours: NDArray[np.uint8]
    """For each cell variable, 1 up to their number: its cell (row-major) and the colour that the cell has if
    the variable is true. A cell of two candidates has one variable, true for the higher colour; one of more
    candidates has a variable for each."""

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
        """Return for each cell variable the literal that is true if the cells have these colours."""
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


def encode_order(solver: LineSolver, candidates: Candidates) -> Encoding:
    """Encode by variables "block j starts at s or before"; see `Encoder`.

    Order variables are due to Crawford & Baker (1994); Tamura's Copris encodes nonograms with them. A block
    has one between each two neighbouring starts that still occur in a placement, so holes in its window cost
    nothing, and one clause per cell and stage of the line (gap 0, block 0, gap 1, …) gives the cell its
    colour. An order variable that would only repeat a cell or another one is left out. Decided cells, blocks
    and lines vanish: of a random 25x25 grid some 1500 variables and 5000 clauses remain at the root fixpoint.
    Linear in the number of clauses.
    """
    return _encode(_core.encode_order, solver, candidates)


def encode_direct(solver: LineSolver, candidates: Candidates) -> Encoding:
    """Encode by variables "block j starts at s", of which one is true; see `Encoder`.

    The textbook translation of a constraint problem (de Kleer 1989; Walsh, SAT v CSP, 2000): a clause for
    each pair of starts in conflict, two of one block or one each of two neighbours; a start gives its cells
    their colour, and a coloured cell is covered by some start. Few variables, but the clauses grow with the
    square of the starts.
    """
    return _encode(_core.encode_direct, solver, candidates)


def encode_automaton(solver: LineSolver, candidates: Candidates) -> Encoding:
    """Encode by variables "block j starts at s" and "cell i lies in gap j"; see `Encoder`.

    The states of the automaton of a clue (Pesant 2004) as clauses (Bacchus, GAC via unit propagation, 2007):
    each needs a state before it, one after it, and its cell's colour; a colour needs one of its states. It
    has the most variables of the three, and is the only one by which unit propagation settles every line
    completely. Linear in the number of clauses.
    """
    return _encode(_core.encode_automaton, solver, candidates)


_Arrays = tuple[int, int, NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8]]


ENCODERS: dict[str, Encoder] = {
    "order": encode_order,
    "direct": encode_direct,
    "automaton": encode_automaton,
}
"""The encodings by their names in options."""


def _encode(
    encode: Callable[[PuzzleClues, Candidates], _Arrays], solver: LineSolver, candidates: Candidates
) -> Encoding:
    candidates = as_cells(candidates)
    variables, clauses, literals, cells, colours = encode(solver.compiled, candidates)
    return Encoding(Cnf(variables, clauses, literals), candidates, cells, colours)
