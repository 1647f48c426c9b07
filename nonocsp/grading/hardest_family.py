"""The hardest family known: line solving takes about half as many sweeps as there are cells.

Theorem 4.5 of Batenburg, Henstra, Kosters & Palenstijn (Constructing simple nonograms of varying difficulty,
2009): for m = 8k + 2 rows and an even number n >= 14 of columns there is a simple nonogram of difficulty
A(m, n). From top to bottom it is k pairs of a 5-strip and a 3-strip, and a final 2-strip; split rows, full
ones, keep the strips apart, and within a strip cells are found one after the other, to and fro.
"""

from __future__ import annotations

from nonocsp.backends.base import Request, Run
from nonocsp.engine import LineSolver, StopFlag
from nonocsp.grading.sweeps import trace_sweeps
from nonocsp.model import BackendError, Grid, Puzzle, UsageError

MIN_COLUMNS = 14
SIZES = "8k + 2 rows (10, 18, 26, …) and an even number of columns from 14 on"


def is_covered(rows: int, columns: int) -> bool:
    """Return whether the theorem has a nonogram of `rows` rows and `columns` columns.

    Parameters
    ----------
    rows, columns
        The size.
    """
    return rows >= 10 and rows % 8 == 2 and columns >= MIN_COLUMNS and columns % 2 == 0


def sweeps_of_theorem(rows: int, columns: int) -> int:
    """Return A(m, n), the difficulty that the theorem promises.

    Parameters
    ----------
    rows, columns
        The size.

    Raises
    ------
    UsageError
        If the theorem does not cover the size.
    """
    if not is_covered(rows, columns):
        raise UsageError(f"the family has no {rows}x{columns}; it has {SIZES}; for others, search (--search)")
    if rows == 10:
        return 6 * columns - 37
    return (rows + 2) * (2 * columns - 15) // 4 + 10


def hardest(rows: int, columns: int) -> Puzzle:
    """Return the nonogram of theorem 4.5, proved to be simple and to have exactly that difficulty.

    Parameters
    ----------
    rows, columns
        The size.

    Raises
    ------
    UsageError
        If the theorem does not cover the size.
    """
    promised = sweeps_of_theorem(rows, columns)
    k = rows // 8
    middle = [1] * (3 * k + 1)
    column_clues = [[*[3, 2] * k, 1], [*[1, 1, 2] * k, 1], *[middle] * (columns - 3), [2, *[1, 3] * k]]
    puzzle = Puzzle.from_clues(_row_clues(k, columns), column_clues)
    trace = trace_sweeps(LineSolver(puzzle), Run(Request(), StopFlag()))
    if trace.rows_first != promised or trace.unknown_cells or trace.has_contradiction:
        raise BackendError(f"{rows}x{columns}: {trace.rows_first} sweeps, not {promised}")
    return Puzzle.from_grid(Grid(trace.candidates), title=f"Hardest {rows}x{columns}", source="theorem 4.5")


def _row_clues(k: int, columns: int) -> list[list[int]]:
    """Return k pairs of strips and the final 2-strip; only the first one begins another way.

    Parameters
    ----------
    k
        Pairs of strips.
    columns
        Columns of the nonogram.
    """

    def ones(count: int) -> list[int]:
        return [1] * count

    half = columns // 2
    first = [[1, 2, *ones(half - 3)], [2, *ones(half - 3), 2]]
    later = [[*[1, 2] * 2, *ones(half - 7), 2], [*ones(3), 2, *ones(half - 6)]]
    below = [[1], [2, *ones(half - 7), *[2, 1] * 2], [*ones(half - 6), 2, *ones(3)]]
    three_strip = [[1], [columns], [1, 1]]
    strips = [[*(later if i else first), *below, *three_strip] for i in range(k)]
    return [clue for strip in strips for clue in strip] + later
