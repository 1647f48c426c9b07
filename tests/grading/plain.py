"""What-if, written out plainly."""

from itertools import product

from nonocsp import Puzzle
from tests import oracle


def unknown(puzzle: Puzzle) -> list[list[int]]:
    rows, columns = puzzle.shape
    return [[2 ** len(puzzle.palette) - 1] * columns for _ in range(rows)]


def what_if(puzzle: Puzzle, grid: list[list[int]], depth: int) -> list[list[int]] | None:
    """Try every candidate of every cell with the level below, until nothing changes."""
    if depth == 0:
        return oracle.fixpoint(puzzle, grid)[0]
    known = what_if(puzzle, grid, depth - 1)
    before = None
    while known is not None and known != before:
        before = known
        for row, column in product(range(len(grid)), range(len(grid[0]))):
            if known is not None and known[row][column].bit_count() > 1:
                known = _agreed(puzzle, known, row, column, depth - 1)
    return known


def _agreed(
    puzzle: Puzzle, known: list[list[int]], row: int, column: int, depth: int
) -> list[list[int]] | None:
    kept = []
    for colour in range(len(puzzle.palette)):
        if known[row][column] >> colour & 1:
            tried = [list(line) for line in known]
            tried[row][column] = 1 << colour
            if (left := what_if(puzzle, tried, depth)) is not None:
                kept.append(left)
    if not kept:
        return None
    together = [[0] * len(line) for line in known]
    for left in kept:
        together = [
            [a | b for a, b in zip(*lines, strict=True)] for lines in zip(together, left, strict=True)
        ]
    return what_if(puzzle, together, depth)
