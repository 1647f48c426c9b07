"""The formula of a certificate: clauses whose models are exactly the solutions of a puzzle.

It is made from the clues alone, by this page; nothing of the engine or of another encoding takes part, so
that whoever has read it knows what a proof about the formula says about the puzzle. Places count from 0.

Variables. In one colour, "cell (r, c) is coloured" is number r * columns + c + 1, and "is background" is its
negation. In more, "cell (r, c) has colour k" is number (r * columns + c) * (colours + 1) + k + 1, for k = 0,
the background, up to colours. Then for each line (rows, then columns), each block j of its clue and each
t = 0 .. slack - 1, the next number is "block j starts at earliest(j) + t or before"; earliest(j) is its start
when all blocks are pushed to the front, slack is the length of the line minus the least that the clue needs.
No block starts before earliest(j), and every one starts at earliest(j) + slack at the latest, or the others
have no room.

Clauses. In more than one colour, first for each cell:

0. it has one of the colours or the background, and no two of them.

Then for each line:

1. if block j starts at s or before, it starts at s + 1 or before;
2. if block j starts at s or before, block j - 1 starts early enough to leave room: its length, and one cell
   more if both have one colour;
3. a cell at which block j has started and not ended has the colour of block j;
4. a cell behind block j and before block j + 1 is background (also before the first block, behind the last,
   and everywhere if there is none).

Why its models are the solutions. By 1 every block of a model has one start, the first s that is true; by 2
the blocks lie in order with the room they need, so every line has a placement of its clue. A cell of a line
is covered by one block, whose colour it has by 3, or by none, and then it is background by 4. The cells are
the same variables for rows and columns, so the placements of the rows and of the columns paint one grid.
Hence each model is a grid that has all the clues. Conversely, the runs of a solution are placements that make
all clauses true, and they leave no variable a choice: one model for each solution.

This is the order encoding (Crawford & Baker 1994; Tamura, Taga, Kitagawa & Banbara 2009). A line has
``blocks * slack`` variables; the clauses grow with the cells times the blocks that can reach them.

Unit propagation refutes every line that has no placement (docs/explanation/certificates.md proves it), so a
solver that reasons about whole lines can write its proofs over this formula. Version 1 of the formula had no
background variables: a cell's numbers were (r * columns + c) * colours + k for k = 1 .. colours, and clause 4
said for each colour that a cell behind one of its blocks and before the next one does not have it. In one
colour both versions are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from nonocsp.model import Clue, Grid, Puzzle, PuzzleError, bounds

TRUE = 1 << 40
"""Stands for a literal that always holds, ``-TRUE`` for one that never does; no variable has this number."""

VERSION = 2
"""Of the formula, and of certificates."""

LineCells = Sequence[Sequence[int]]
"""The literals of a line's cells: ``cells[s][k]`` is "the cell at s has colour k", background 0."""


@dataclass(frozen=True, slots=True)
class Formula:
    """Clauses over the variables 1 .. `variables`; a negative number is a negated variable."""

    variables: int
    clauses: list[list[int]]

    def literals(self) -> NDArray[np.int32]:
        """Return the literals, with a 0 at the end of each clause."""
        return np.fromiter(chain.from_iterable([*clause, 0] for clause in self.clauses), np.int32)

    def dimacs(self) -> Iterator[bytes]:
        """Yield the lines of the formula in the DIMACS format."""
        yield f"p cnf {self.variables} {len(self.clauses)}\n".encode()
        yield from map(clause_line, self.clauses)


def clause_line(clause: list[int]) -> bytes:
    """Return a clause as a line in the DIMACS format."""
    return f"{' '.join(map(str, [*clause, 0]))}\n".encode()


def formula_of(puzzle: Puzzle, solutions: Sequence[Grid] = (), version: int = VERSION) -> Formula:
    """Return the formula whose models are a puzzle's solutions but the first of those that are known.

    PuzzleError if it is too large.
    """
    excluded = solutions[0] if solutions else None
    return Formula(variables_of(puzzle, version), [*clauses_of(puzzle, excluded, version)])


def variables_of(puzzle: Puzzle, version: int = VERSION) -> int:
    """Return the number of variables of a puzzle's formula; PuzzleError if it has too many cells."""
    rows, columns = puzzle.shape
    lines = chain(((clue, columns) for clue in puzzle.rows), ((clue, rows) for clue in puzzle.columns))
    cells = rows * columns * _of_cell(puzzle, version)
    _check_size(cells)
    return cells + sum(len(clue) * (length - clue.min_length) for clue, length in lines)


def clauses_of(puzzle: Puzzle, excluded: Grid | None = None, version: int = VERSION) -> Iterator[list[int]]:
    """Yield the clauses of the formula, as they are asked for; PuzzleError if there are too many."""
    made = 0
    for clause in _all_clauses(puzzle, version):
        if TRUE not in clause:
            made += 1
            _check_size(made)
            yield [literal for literal in clause if literal != -TRUE]  # some literal is left
    if excluded is not None:
        yield exclusion(puzzle, excluded, version)


def _all_clauses(puzzle: Puzzle, version: int) -> Iterator[list[int]]:
    """Yield the clauses of cells and lines, some with constants."""
    rows, columns = puzzle.shape
    variables = rows * columns * _of_cell(puzzle, version)
    cells = cell_literals(puzzle, version)
    if version > 1 and len(puzzle.palette) > 2:
        for cell in chain.from_iterable(cells):
            yield cell
            yield from ([-a, -b] for a, b in combinations(cell, 2))
    lines = chain(
        zip(puzzle.rows, cells, strict=True), zip(puzzle.columns, zip(*cells, strict=True), strict=True)
    )
    for clue, line in lines:
        places = LinePlaces(clue, len(line), variables)
        variables += len(clue) * places.slack
        yield from places.clauses(line, version)


def exclusion(puzzle: Puzzle, solution: Grid, version: int = VERSION) -> list[int]:
    """Return the clause "some coloured cell of the solution does not have that colour".

    Every solution has as many coloured cells, namely the sum of the clues. So a solution that has all of
    these coloured cells has no others.
    """
    rows = zip(cell_literals(puzzle, version), solution.cells.tolist(), strict=True)
    return [-literals[k] for row in rows for literals, k in zip(*row, strict=True) if k]


def cell_literals(puzzle: Puzzle, version: int = VERSION) -> list[list[list[int]]]:
    """Return the literals of all cells: ``[r][c][k]`` is "cell (r, c) has colour k"; 0 for one without."""
    rows, columns = puzzle.shape
    of_cell = _of_cell(puzzle, version)
    numbers = (range(1 + i * of_cell, 1 + (i + 1) * of_cell) for i in range(rows * columns))
    if of_cell == len(puzzle.palette):
        cells = [list(of_colours) for of_colours in numbers]
    else:
        cells = [[-of_colours[0] if of_cell == 1 else 0, *of_colours] for of_colours in numbers]
    return [cells[r * columns : (r + 1) * columns] for r in range(rows)]


def _of_cell(puzzle: Puzzle, version: int) -> int:
    """Return the number of variables of a cell."""
    colours = len(puzzle.palette)
    return colours if colours > 2 and version > 1 else colours - 1


class LinePlaces:
    """Where the blocks of a line are, in literals and clauses; its variables come after `variables`."""

    def __init__(self, clue: Clue, length: int, variables: int) -> None:
        self.clue = clue
        self.slack = length - clue.min_length
        same = (int(a.colour == b.colour) for a, b in pairwise(clue))
        self.gaps = [0, *same][: len(clue)]  # before each block
        rooms = (block.length + gap for block, gap in zip(clue, self.gaps, strict=True))
        fronts = accumulate(rooms, initial=0)  # the first free cell before each block
        self.earliest = [front + gap for front, gap in zip(fronts, self.gaps, strict=False)]
        self._first = variables + 1

    def started(self, j: int, s: int) -> int:
        """Return the literal "block j starts at s or before"; the block behind the last one never starts."""
        if j == len(self.clue) or s < self.earliest[j]:
            return -TRUE
        t = s - self.earliest[j]
        return self._first + j * self.slack + t if t < self.slack else TRUE

    def ended(self, j: int, s: int) -> int:
        """Return the literal "block j ends before s"; block -1, before the first one, has always ended."""
        return self.started(j, s - self.clue[j].length) if j >= 0 else TRUE

    def clauses(self, cells: LineCells, version: int = VERSION) -> Iterator[list[int]]:
        """Yield the clauses 1 to 4 of the line, some with constants, none for places where all hold."""
        clue, started, ended = self.clue, self.started, self.ended
        for j, block in enumerate(clue):
            for s in range(self.earliest[j], self.earliest[j] + self.slack):
                yield [-started(j, s), started(j, s + 1)]
                if j > 0:
                    yield [-started(j, s), ended(j - 1, s - self.gaps[j])]
            for s in range(self.earliest[j], self.earliest[j] + self.slack + block.length):
                yield [-started(j, s), ended(j, s), cells[s][block.colour]]
        yield from self._gaps_of_colours(cells) if version == 1 else self._gaps(cells)

    def _gaps(self, cells: LineCells) -> Iterator[list[int]]:
        """Yield the clauses 4."""
        for j in range(-1, len(self.clue)):
            for s in self._between(j, j + 1, len(cells)):
                yield [-self.ended(j, s), self.started(j + 1, s), cells[s][0]]

    def _gaps_of_colours(self, cells: LineCells) -> Iterator[list[int]]:
        """Yield the clauses 4 of version 1."""
        for k in range(1, len(cells[0])):
            of_colour = (j for j, block in enumerate(self.clue) if block.colour == k)
            for j, following in pairwise([-1, *of_colour, len(self.clue)]):
                for s in self._between(j, following, len(cells)):
                    yield [-self.ended(j, s), self.started(following, s), -cells[s][k]]

    def _between(self, j: int, following: int, length: int) -> range:
        """Return the cells that may lie behind one block and before another one."""
        first = self.earliest[j] + self.clue[j].length if j >= 0 else 0
        return range(first, self.earliest[following] + self.slack if following < len(self.clue) else length)


def _check_size(number: int) -> None:
    if number > bounds.CLAUSES:
        raise PuzzleError(f"too large for a certificate, whose formula has up to {bounds.CLAUSES} clauses")
