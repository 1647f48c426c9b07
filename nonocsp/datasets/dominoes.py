"""The n-Dom family: small clues with one solution each, a staircase that only all clues together give away.

Lines settle next to nothing, so every step up in n takes the solvers of Wolter's survey
(webpbn.com/survey) about twice as long; its 9-Dom is webpbn #8098.
"""

from __future__ import annotations

from nonocsp.model import Puzzle, UsageError


def n_dom(n: int) -> Puzzle:
    """Return the n-Dom puzzle, with 2n + 1 rows and columns.

    Raises
    ------
    UsageError
        For an `n` below 1.
    """
    if n < 1:
        raise UsageError(f"there is no {n}-Dom: the smallest is 1-Dom")
    inner = [[3, 1] if line % 2 == 0 else [1] for line in range(1, 2 * n)]
    rows = [[3], *inner, [1]]
    columns = [[1], *([*reversed(clue)] for clue in inner), [3]]
    return Puzzle.from_clues(rows, columns, title=f"{n}-Dom")
