"""Random images: each cell filled with one probability, in one of some colours, all independent.

The usual yardstick beside pictures: at half black nearly all puzzles of 25x25 have several solutions, and the
hardest lie near a third. One seed gives one set, for the versions of NumPy that keep its generator's stream.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nonocsp.model import Grid, Palette, Puzzle, UsageError


def random_set(
    seed: int, *, count: int, rows: int, columns: int, density: float = 0.5, colours: int = 1
) -> Iterator[Puzzle]:
    """Yield puzzles of random images, each with its goal; the first of a longer set are those of a shorter.

    Parameters
    ----------
    density
        The probability of a cell to be filled, above 0 and at most 1.
    colours
        How many beside the background.

    Raises
    ------
    UsageError
        For a negative seed, a size below 1, or a density that is none.
    """
    if seed < 0 or min(count, rows, columns, colours) < 1 or not 0 < density <= 1:
        raise UsageError("random images need a seed of 0 or more, sizes of 1 or more, and a density up to 1")
    random, palette = np.random.default_rng(seed), Palette.of(colours)
    for _ in range(count):
        colour = random.integers(1, colours + 1, (rows, columns)) if colours > 1 else 1
        cells = colour * (random.random((rows, columns)) < density)
        yield Puzzle.from_grid(Grid.from_cells(cells), palette=palette)
