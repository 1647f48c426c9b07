"""The formula of a certificate: clauses whose models are exactly the solutions of a puzzle.

It is made from the clues alone, by this page; nothing of the engine or of another encoding takes part, so
that whoever has read it knows what a proof about the formula says about the puzzle. Places count from 0.

Variables. "Cell (r, c) has colour k" is number (r * columns + c) * colours + k, for k = 1 .. colours. Then
for each line (rows, then columns), each block j of its clue and each t = 0 .. slack - 1, the next number is
"block j starts at earliest(j) + t or before"; earliest(j) is its start when all blocks are pushed to the
front, slack is the length of the line minus the least that the clue needs. No block starts before
earliest(j), and every one starts at earliest(j) + slack at the latest, or the others have no room.

Clauses, for each line:

1. if block j starts at s or before, it starts at s + 1 or before;
2. if block j starts at s or before, block j - 1 starts early enough to leave room: its length, and one cell
   more if both have one colour;
3. a cell at which block j has started and not ended has the colour of block j;
4. a cell behind one block of colour k and before the next one of colour k does not have colour k (also
   before the first such block, behind the last, and everywhere if there is none).

Why its models are the solutions. By 1 every block of a model has one start, the first s that is true; by 2
the blocks lie in order with the room they need, so every line has a placement of its clue. For every
colour k a cell of a line is either covered by a block of colour k or between two of them: by 3 and 4 its
variable k is true exactly if it is covered. The cells are the same variables for rows and columns, so the
placements of the rows and of the columns paint one grid; two blocks of a line never cover one cell, so a cell
has one colour at most. Hence each model is a grid that has all the clues. Conversely, the runs of a solution
are placements that make all clauses true, and they leave no variable a choice: one model for each solution.

This is the order encoding (Crawford & Baker 1994; Tamura, Taga, Kitagawa & Banbara 2009). A line has
``blocks * slack`` variables; the clauses grow with the cells times the blocks that can reach them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise

from nonocsp.model import Clue, Grid, Puzzle, PuzzleError, bounds

TRUE = 1 << 40
"""Stands for a literal that always holds, ``-TRUE`` for one that never does; no variable has this number."""

LineCells = Sequence[Sequence[int]]
"""The variables of a line's cells: ``cells[s][k - 1]`` is "the cell at s has colour k"."""


@dataclass(frozen=True, slots=True)
class Formula:
    """Clauses over the variables 1 .. `variables`; a negative number is a negated variable."""

    variables: int
    clauses: list[list[int]]

    def dimacs(self) -> Iterator[bytes]:
        """Yield the lines of the formula in the DIMACS format."""
        yield f"p cnf {self.variables} {len(self.clauses)}\n".encode()
        yield from map(clause_line, self.clauses)


def clause_line(clause: list[int]) -> bytes:
    """Return a clause as a line in the DIMACS format."""
    return f"{' '.join(map(str, [*clause, 0]))}\n".encode()


def formula_of(puzzle: Puzzle, excluded: Grid | None = None) -> Formula:
    """Return the formula whose models are a puzzle's solutions but one; PuzzleError if it is too large."""
    return Formula(variables_of(puzzle), [*clauses_of(puzzle, excluded)])


def variables_of(puzzle: Puzzle) -> int:
    """Return the number of variables of a puzzle's formula; PuzzleError if it has too many cells."""
    rows, columns = puzzle.shape
    lines = chain(((clue, columns) for clue in puzzle.rows), ((clue, rows) for clue in puzzle.columns))
    cells = rows * columns * (len(puzzle.palette) - 1)
    _check_size(cells)
    return cells + sum(len(clue) * (length - clue.min_length) for clue, length in lines)


def clauses_of(puzzle: Puzzle, excluded: Grid | None = None) -> Iterator[list[int]]:
    """Yield the clauses of the formula, as they are asked for; PuzzleError if there are too many."""
    rows, columns = puzzle.shape
    variables, made = rows * columns * (len(puzzle.palette) - 1), 0
    cells = cell_variables(puzzle)
    lines = chain(
        zip(puzzle.rows, cells, strict=True), zip(puzzle.columns, zip(*cells, strict=True), strict=True)
    )
    for clue, line in lines:
        places = _Places(clue, len(line), variables)
        variables += len(clue) * places.slack
        for clause in places.clauses(line):
            if TRUE not in clause:
                made += 1
                _check_size(made)
                yield [literal for literal in clause if literal != -TRUE]  # some literal is left
    if excluded is not None:
        yield exclusion(puzzle, excluded)


def exclusion(puzzle: Puzzle, solution: Grid) -> list[int]:
    """Return the clause "some coloured cell of the solution does not have that colour".

    Every solution has as many coloured cells, namely the sum of the clues. So a solution that has all of
    these coloured cells has no others.
    """
    rows = zip(cell_variables(puzzle), solution.cells.tolist(), strict=True)
    return [-variables[k - 1] for row in rows for variables, k in zip(*row, strict=True) if k]


def cell_variables(puzzle: Puzzle) -> list[list[list[int]]]:
    """Return the variables of all cells: ``[r][c][k - 1]`` is "cell (r, c) has colour k"."""
    rows, columns = puzzle.shape
    colours = len(puzzle.palette) - 1
    firsts = range(1, rows * columns * colours + 1, colours)
    cells = [list(range(first, first + colours)) for first in firsts]
    return [cells[r * columns : (r + 1) * columns] for r in range(rows)]


class _Places:
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

    def clauses(self, cells: LineCells) -> Iterator[list[int]]:
        """Yield the clauses 1 to 4 of the line, some with constants, none for places where all hold."""
        clue, started, ended = self.clue, self.started, self.ended
        for j, block in enumerate(clue):
            for s in range(self.earliest[j], self.earliest[j] + self.slack):
                yield [-started(j, s), started(j, s + 1)]
                if j > 0:
                    yield [-started(j, s), ended(j - 1, s - self.gaps[j])]
            for s in range(self.earliest[j], self.earliest[j] + self.slack + block.length):
                yield [-started(j, s), ended(j, s), cells[s][block.colour - 1]]
        for k in range(1, len(cells[0]) + 1):
            of_colour = (j for j, block in enumerate(clue) if block.colour == k)
            for j, following in pairwise([-1, *of_colour, len(clue)]):
                first = self.earliest[j] + clue[j].length if j >= 0 else 0
                end = self.earliest[following] + self.slack if following < len(clue) else len(cells)
                for s in range(first, end):
                    yield [-ended(j, s), started(following, s), -cells[s][k - 1]]


def _check_size(number: int) -> None:
    if number > bounds.CLAUSES:
        raise PuzzleError(f"too large for a certificate, whose formula has up to {bounds.CLAUSES} clauses")
