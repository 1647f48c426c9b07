"""Random puzzles of all sizes, numbers of colours and densities, with any number of solutions.

Most have at most eight lines a side: small puzzles show the same faults as large ones at a thousandth of the
cost. The sides of the others are log-uniform within a number of cells, so that some lines have 150 cells. An
image is noise, blobs or mirrored. Two in five get their clues changed afterwards, which keeps the sums and
often leaves no solution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from nonocsp.model import Clue, Grid, Palette, Puzzle

SMALL = 8
"""Nearly all puzzles have at most this many rows and columns."""
LARGER, LARGEST = 0.1, 1 / 2000
"""The shares of those of at most 200, and of at most 4000, cells."""
LONGEST_LINE = 150
ALTERED = 0.4
"""The share of puzzles whose clues were changed."""

Image = NDArray[np.intp]
"""Colours, 0 for background; shape (rows, columns)."""


def random_puzzles(*seed: int) -> Iterator[Puzzle]:
    """Yield puzzles without end; the numbers of the seed fix them."""
    random = np.random.default_rng(seed)
    while True:
        yield random_puzzle(random)


def random_puzzle(random: np.random.Generator) -> Puzzle:
    """Return a puzzle without a goal."""
    shape, colours = random_shape(random), random_colours(random)
    image = _IMAGES[random.integers(len(_IMAGES))](random, shape) * _colouring(random, shape, colours)
    puzzle = Puzzle.from_grid(Grid.from_cells(image), palette=Palette.of(colours))
    rows = altered(random, puzzle.rows) if random.random() < ALTERED else puzzle.rows
    return Puzzle(rows, puzzle.columns, palette=puzzle.palette)


def random_shape(random: np.random.Generator) -> tuple[int, int]:
    """Return rows and columns."""
    if random.random() >= LARGER:
        rows, columns = random.integers(1, SMALL + 1, size=2)
        return int(rows), int(columns)
    cells = 4000 if random.random() < LARGEST / LARGER else 200
    one = _log_uniform(random, LONGEST_LINE)
    other = _log_uniform(random, min(LONGEST_LINE, max(1, cells // one)))
    return (one, other) if random.random() < 0.5 else (other, one)


def random_colours(random: np.random.Generator) -> int:
    """Return a number of colours: one for most of the puzzles, seldom more than four."""
    return int(random.choice([1, 2, 3, 4, int(random.integers(5, 64))], p=[0.6, 0.18, 0.13, 0.08, 0.01]))


def altered(random: np.random.Generator, clues: tuple[Clue, ...]) -> tuple[Clue, ...]:
    """Return other clues with the same number of cells of each colour: in another order, or one reversed."""
    changed = list(clues)
    one, other = random.integers(len(clues), size=2)
    match random.integers(3):
        case 0:
            changed[one], changed[other] = changed[other], changed[one]
        case 1:
            changed[one] = Clue(changed[one][::-1])
        case _:
            changed = [changed[i] for i in random.permutation(len(clues))]
    return tuple(changed)


def _noise(random: np.random.Generator, shape: tuple[int, int]) -> Image:
    return (random.random(shape) < random.beta(1.5, 2)).astype(np.intp)


def _blobs(random: np.random.Generator, shape: tuple[int, int]) -> Image:
    """Return noise in which each cell takes the majority colour of the nine cells around it."""
    padded = np.pad(random.random(shape) < random.uniform(0.3, 0.7), 1)
    around = np.lib.stride_tricks.sliding_window_view(padded, (3, 3)).sum((2, 3))
    most: Image = (around >= 5).astype(np.intp)
    return most


def _mirrored(random: np.random.Generator, shape: tuple[int, int]) -> Image:
    """Return mirrored noise: such puzzles seldom have a unique solution."""
    image = _noise(random, shape)
    combined: Image = (np.minimum if random.random() < 0.5 else np.maximum)(image, image[:, ::-1])
    return combined


_IMAGES: tuple[Callable[[np.random.Generator, tuple[int, int]], Image], ...] = (_noise, _blobs, _mirrored)


def _colouring(random: np.random.Generator, shape: tuple[int, int], colours: int) -> Image:
    """Return a colour for each cell: any, or one for all cells of a row, so that blocks are longer."""
    size = shape if random.random() < 0.5 else (shape[0], 1)
    return random.integers(1, colours + 1, size)


def _log_uniform(random: np.random.Generator, most: int) -> int:
    """Return an integer from 1 to `most`, uniform in its logarithm."""
    return int(np.exp(random.uniform(0, np.log(most + 1))))
