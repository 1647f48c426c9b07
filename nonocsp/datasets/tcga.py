"""Make tournament sets: random puzzles by the rule of the TCGA organisers' board generator.

Puzzle i of n (counted from 0) has ``int((0.5 - 0.15 * i / (n - 1)) * cells)`` black cells, so a set goes from
half full to 35 % full. A uniform shuffle places them. More than 90 % of the 25x25 puzzles have several
solutions. A seed gives the same set with one version of NumPy; the checksum beside the committed set notices
when another version differs.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nonocsp.model import Grid, Puzzle, UsageError

DENSEST = 0.5
"""The share of black cells in the first puzzle of a set."""
DENSITY_DROP = 0.15
"""How much lower the share is in the last one."""


def tournament_set(seed: int, *, count: int = 1000, rows: int = 25, columns: int = 25) -> Iterator[Puzzle]:
    """Yield the puzzles of a tournament set, titled ``"1"`` to ``str(count)``, each with its goal.

    The density falls over the whole set, so a longer one does not begin with a shorter. UsageError for a
    negative seed or a size below 1.
    """
    if seed < 0 or min(count, rows, columns) < 1:
        raise UsageError("a set needs a seed of 0 or more, and at least one puzzle, row and column")
    random = np.random.default_rng(seed)
    for i in range(count):
        cells = np.zeros(rows * columns, np.uint8)
        cells[: black_cells(i, count, rows * columns)] = 1
        random.shuffle(cells)
        yield Puzzle.from_grid(Grid.from_cells(cells.reshape(rows, columns)), title=str(i + 1))


def black_cells(i: int, count: int, cells: int) -> int:
    """Return the number of black cells of puzzle `i`, counted from 0, of a set."""
    return int((DENSEST - DENSITY_DROP * i / max(1, count - 1)) * cells)
