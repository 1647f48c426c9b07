"""Make puzzles of random images: each cell is filled with the same probability, independently of all others.

They are the usual yardstick beside pictures. At half black nearly all puzzles of 25x25 have several
solutions; the hardest lie near a third. A seed gives the same set with every version of NumPy that keeps
the stream of its generator.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nonocsp.model import Grid, Palette, Puzzle, UsageError


def random_set(
    seed: int, *, count: int, rows: int, columns: int, density: float = 0.5, colours: int = 1
) -> Iterator[Puzzle]:
    """Yield puzzles of random images, each with its goal; a longer set begins with the shorter one.

    `density` is the probability that a cell is filled, above 0; filled cells have each of the foreground
    colours with the same probability. UsageError if a number is out of its range.
    """
    if seed < 0 or min(count, rows, columns, colours) < 1 or not 0 < density <= 1:
        raise UsageError("random images need a seed of 0 or more, sizes of 1 or more, and a density up to 1")
    random, palette = np.random.default_rng(seed), Palette.of(colours)
    for _ in range(count):
        colour = random.integers(1, colours + 1, (rows, columns)) if colours > 1 else 1
        cells = colour * (random.random((rows, columns)) < density)
        yield Puzzle.from_grid(Grid.from_cells(cells), palette=palette)
