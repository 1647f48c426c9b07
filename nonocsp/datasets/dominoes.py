"""Make the puzzles of the n-Dom family: a staircase of dominoes that only all clues together determine.

Each has small clues and exactly one solution. Single lines settle almost nothing, so the solvers of Wolter's
survey (webpbn.com/survey) take about twice as long for every step in n. Its 9-Dom is webpbn #8098.
"""

from __future__ import annotations

from nonocsp.model import Puzzle, UsageError


def n_dom(n: int) -> Puzzle:
    """Return the puzzle of n dominoes, with 2n + 1 rows and columns; UsageError if n is below 1."""
    if n < 1:
        raise UsageError(f"there is no {n}-Dom: the smallest is 1-Dom")
    inner = [[3, 1] if line % 2 == 0 else [1] for line in range(1, 2 * n)]
    rows = [[3], *inner, [1]]
    columns = [[1], *([*reversed(clue)] for clue in inner), [3]]
    return Puzzle.from_clues(rows, columns, title=f"{n}-Dom")
