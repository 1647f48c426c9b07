"""Make sets of puzzles by rule; each set is a function of its parameters, so that a call reproduces it.

A seed gives the same set with every version of NumPy that keeps the stream of its generator; the checksum
beside a committed set notices when another version differs.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nonocsp.model import Grid, Palette, Puzzle, UsageError

DENSEST = 0.5
"""The share of black cells in the first puzzle of a set."""
DENSITY_DROP = 0.15
"""How much lower the share is in the last one."""


def n_dom(n: int) -> Puzzle:
    """Return the n-Dom puzzle, a staircase of n dominoes that only all clues together determine.

    It has 2n + 1 rows and columns, small clues and exactly one solution. Single lines settle almost nothing,
    so the solvers of Wolter's survey (webpbn.com/survey) take about twice as long for every step in n. Its
    9-Dom is webpbn #8098. UsageError if n is below 1.
    """
    if n < 1:
        raise UsageError(f"there is no {n}-Dom: the smallest is 1-Dom")
    inner = [[3, 1] if line % 2 == 0 else [1] for line in range(1, 2 * n)]
    rows = [[3], *inner, [1]]
    columns = [[1], *([*reversed(clue)] for clue in inner), [3]]
    return Puzzle.from_clues(rows, columns, title=f"{n}-Dom")


def random_set(
    seed: int, *, count: int, rows: int, columns: int, density: float = 0.5, colours: int = 1
) -> Iterator[Puzzle]:
    """Yield puzzles of random images, each with its goal; a longer set begins with the shorter one.

    They are the usual yardstick beside pictures. At half black nearly all puzzles of 25x25 have several
    solutions; the hardest lie near a third. `density` is the probability that a cell is filled, above 0;
    filled cells have each of the foreground colours with the same probability. UsageError if a number is out
    of its range.
    """
    if seed < 0 or min(count, rows, columns, colours) < 1 or not 0 < density <= 1:
        raise UsageError("random images need a seed of 0 or more, sizes of 1 or more, and a density up to 1")
    random, palette = np.random.default_rng(seed), Palette.of(colours)
    for _ in range(count):
        colour = random.integers(1, colours + 1, (rows, columns)) if colours > 1 else 1
        cells = colour * (random.random((rows, columns)) < density)
        yield Puzzle.from_grid(Grid.from_cells(cells), palette=palette)


def tournament_set(seed: int, *, count: int = 1000, rows: int = 25, columns: int = 25) -> Iterator[Puzzle]:
    """Yield the puzzles of a tournament set, by the rule of the TCGA organisers' board generator.

    They are titled ``"1"`` to ``str(count)``, each with its goal. Puzzle i of n (counted from 0) has
    ``int((0.5 - 0.15 * i / (n - 1)) * cells)`` black cells, placed by a uniform shuffle. More than 90 % of
    those of 25x25 have several solutions. The density falls over the whole set, so a longer one does not
    begin with a shorter. UsageError for a negative seed or a size below 1.
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
