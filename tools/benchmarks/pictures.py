"""Make pictures as people turn into puzzles: blobs, photographs with noise, and dithered photographs.

A photograph is imitated by discs of many sizes that hide each other (the dead leaves model: Lee, Mumford &
Huang, Occlusion models for natural images, 2001), each with a grey and a slope, slightly blurred. Blobs are
noise smoothed by a Gaussian and cut at the quantiles, so that each colour has the same share. A picture
depends on its kind, size, colours and seed alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from nonocsp import Grid, Palette, Puzzle

Greys = NDArray[np.float64]
Cells = NDArray[np.uint8]

SIZES = (60, 100, 150, 200, 300)
COLOUR_SIZES = (60, 100, 150)
FOREGROUND = 3
"""Colours of a coloured picture beside the background."""
SEEDS = 3
NOISE = 0.02
"""Share of the cells of a photograph that get another colour."""
DISCS = 400
BAYER = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]) / 16 + 1 / 32
"""Thresholds of an ordered dither (Bayer 1973)."""


def pictures() -> Iterator[tuple[str, Puzzle]]:
    """Yield names, such as ``photo 60x60 in 3 no. 0`` (three colours, seed 0), and puzzles."""
    for colours, sizes in ((1, SIZES), (FOREGROUND, COLOUR_SIZES)):
        for size in sizes:
            for kind in KINDS:
                for seed in range(SEEDS):
                    name = f"{kind} {size}x{size} in {colours} no. {seed}"
                    yield name, picture(kind, size, colours, seed)


def picture(kind: str, size: int, colours: int, seed: int) -> Puzzle:
    """Return the puzzle of a picture."""
    random = np.random.default_rng([seed, size, colours, [*KINDS].index(kind)])
    cells = KINDS[kind](random, size, colours)
    return Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(colours))


def _blobs(sigma: float) -> Callable[[np.random.Generator, int, int], Cells]:
    """Return a maker of blobs whose width grows with `sigma`, in cells."""

    def made(random: np.random.Generator, size: int, colours: int) -> Cells:
        return _levels(gaussian_filter(random.random((size, size)), sigma), colours)

    return made


def _noisy_photo(random: np.random.Generator, size: int, colours: int) -> Cells:
    cells = _levels(_photo(random, size), colours)
    others = (cells + random.integers(1, colours + 1, cells.shape)) % (colours + 1)
    return np.where(random.random(cells.shape) < NOISE, others, cells).astype(np.uint8)


def _ordered_dither(random: np.random.Generator, size: int, colours: int) -> Cells:
    photo = _photo(random, size) * colours
    repeats = -(-size // len(BAYER))
    return (
        np.floor(photo + np.tile(BAYER, (repeats, repeats))[:size, :size]).clip(0, colours).astype(np.uint8)
    )


def _error_diffusion(random: np.random.Generator, size: int, colours: int) -> Cells:
    """Dither by passing on each cell's error to its neighbours (Floyd & Steinberg 1976)."""
    wanted = np.pad(_photo(random, size) * colours, ((0, 1), (1, 1)))
    cells = np.zeros((size, size), np.uint8)
    for row in range(size):
        for column in range(size):
            grey = wanted[row, column + 1]
            cells[row, column] = level = int(np.clip(np.rint(grey), 0, colours))
            error = (grey - level) / 16
            wanted[row, column + 2] += 7 * error
            wanted[row + 1, column : column + 3] += np.array([3, 5, 1]) * error
    return cells


def _photo(random: np.random.Generator, size: int) -> Greys:
    """Return greys from 0 to 1."""
    down, across = np.mgrid[:size, :size] / size
    photo = np.full((size, size), 0.5)
    for _ in range(DISCS):
        radius = 0.5 * (1 - 0.9 * random.random()) ** 1.5
        row, column, grey = random.random(3)
        slope = random.normal(0, 0.5, 2)
        towards = down - row, across - column
        inside = towards[0] ** 2 + towards[1] ** 2 < radius**2
        photo[inside] = (grey + slope[0] * towards[0] + slope[1] * towards[1])[inside]
    return gaussian_filter(photo, 0.7).clip(0, 1)


def _levels(greys: Greys, colours: int) -> Cells:
    """Return greys as colours, each with the same share of the cells."""
    cuts = np.quantile(greys, np.arange(1, colours + 1) / (colours + 1))
    return np.searchsorted(cuts, greys).astype(np.uint8)


KINDS: dict[str, Callable[[np.random.Generator, int, int], Cells]] = {
    "blobs 1.2": _blobs(1.2),
    "blobs 2": _blobs(2),
    "blobs 4": _blobs(4),
    "photo": _noisy_photo,
    "ordered": _ordered_dither,
    "diffused": _error_diffusion,
}
"""Makers of pictures by their names; a number is the sigma of the Gaussian, in cells."""
