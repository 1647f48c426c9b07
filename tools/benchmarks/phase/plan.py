"""Plan which random images are decided, by which backends: sizes, densities, numbers of images.

Images come in chunks. A chunk's seed follows from its size, density and number, so a plan that grows keeps
what was decided before, and ``nonocsp dataset random --seed`` makes the puzzles of any chunk again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

BACKENDS = ("hybrid", "sat", "probing")
"""The first decides every image, the others the first ones at every second density."""
HALF = 0.5


@dataclass(frozen=True, slots=True)
class Chunk:
    """Images of one size and density that one backend decides.

    Parameters
    ----------
    backend
        Its spec.
    size
        Cells a side.
    density
        Probability that a cell is filled.
    number
        Number of the chunk among those of its size and density, from 0.
    count
        Number of its images.
    """

    backend: str
    size: int
    density: float
    number: int
    count: int

    @property
    def seed(self) -> int:
        """The seed of its images, the same for all backends."""
        return (self.size * 1000 + round(self.density * 1000)) * 10_000 + self.number

    def images(self) -> NDArray[np.uint8]:
        """Make the images of `nonocsp.datasets.random_images.random_set`, shape (count, size, size)."""
        random = np.random.default_rng(self.seed)
        return (random.random((self.count, self.size, self.size)) < self.density).astype(np.uint8)


@dataclass(frozen=True, slots=True)
class Effort:
    """How much work each density of a size gets.

    Parameters
    ----------
    images
        Images that the first backend decides.
    chunk
        Images of a chunk.
    others
        Chunks that the other backends decide.
    dense
        Images that the first backend decides above one half, if more: they are easy there.
    """

    images: int
    chunk: int
    others: int
    dense: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """A grid of sizes and densities, and more images at one half.

    Parameters
    ----------
    densities
        Of the grid.
    efforts
        For each size of the grid.
    half
        Images at density .5, by size; sizes outside the grid are allowed.
    """

    densities: tuple[float, ...]
    efforts: dict[int, Effort]
    half: dict[int, int]

    def chunks(self) -> list[Chunk]:
        """Return all chunks; all sizes and densities advance alike, so the work may stop at any time."""
        found = dict.fromkeys((*self._grid(), *self._half()))
        last = {(chunk.backend, chunk.size, chunk.density): 0 for chunk in found}
        for chunk in found:
            place = chunk.backend, chunk.size, chunk.density
            last[place] = max(last[place], chunk.number)
        return sorted(found, key=lambda one: one.number / (last[one.backend, one.size, one.density] + 1))

    def _grid(self) -> Iterator[Chunk]:
        for size, effort in self.efforts.items():
            for density, backend in product(self.densities, BACKENDS):
                images = max(effort.images, effort.dense if density > HALF else 0)
                count = -(-images // effort.chunk) if backend == BACKENDS[0] else effort.others
                if backend == BACKENDS[0] or density in self.densities[::2]:
                    yield from (
                        Chunk(backend, size, density, number, effort.chunk) for number in range(count)
                    )

    def _half(self) -> Iterator[Chunk]:
        for size, images in self.half.items():
            chunk = next(effort.chunk for least, effort in sorted(self.efforts.items()) if size <= least)
            for number in range(-(-images // chunk)):
                yield Chunk(BACKENDS[0], size, HALF, number, chunk)


FULL = Plan(
    densities=tuple(step / 40 for step in range(2, 39)),
    efforts={
        **dict.fromkeys((5, 6, 8, 10, 12), Effort(5000, 250, 1)),
        15: Effort(4000, 250, 1),
        20: Effort(3000, 100, 1),
        25: Effort(1500, 50, 4, dense=5000),
        30: Effort(400, 20, 4, dense=5000),
        40: Effort(100, 10, 2, dense=3000),
    },
    half={
        **dict.fromkeys((5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 18, 20, 22, 25, 28, 30), 20_000),
        35: 2000,
        40: 1000,
    },
)
QUICK = Plan(
    densities=(0.3, 0.4, 0.5, 0.6, 0.7),
    efforts=dict.fromkeys((5, 8, 10, 15), Effort(40, 20, 1)),
    half=dict.fromkeys(range(10, 15), 60),
)
