"""The figures of a census; the counts of its shards add up to those of all images."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nonocsp.render.plot import COLOURS, write_plot

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class Difficulties:
    """The difficulties of some images, in sweeps, rows first (Batenburg et al. 2009)."""

    images: int = 0
    histogram: tuple[int, ...] = ()  # how many have a difficulty of 1, 2, …; the others are not simple

    @classmethod
    def of_histogram(cls, histogram: NDArray[np.uint64], weight: int) -> Difficulties:
        """Return the counts of a shard."""
        images = [weight * number for number in histogram.tolist()]
        most = max((sweeps for sweeps, number in enumerate(images) if number), default=0)
        return cls(sum(images), tuple(images[1 : most + 1]))

    def __add__(self, other: Difficulties) -> Difficulties:
        pairs = zip_longest(self.histogram, other.histogram, fillvalue=0)
        return Difficulties(self.images + other.images, tuple(map(sum, pairs)))

    @property
    def simple(self) -> int:
        """The number of images that line solving restores."""
        return sum(self.histogram)

    @property
    def sweeps(self) -> int:
        """The sum of the difficulties of the simple ones."""
        return sum(sweeps * images for sweeps, images in enumerate(self.histogram, start=1))

    @property
    def mean(self) -> float | None:
        """The mean difficulty of the simple ones; None if there are none."""
        return self.sweeps / self.simple if self.simple else None

    def record(self) -> dict[str, Any]:
        """Return what ``nonocsp census --json`` prints of images that were chosen at random."""
        return {"images": self.images, "simple": self.simple, "histogram": list(self.histogram)}


@dataclass(frozen=True, slots=True)
class Solutions:
    """The numbers of solutions of some descriptions."""

    images: int = 0  # number of solutions of all descriptions together
    descriptions: int = 0  # number of descriptions, each with a solution
    unique: int = 0  # number of descriptions with exactly one solution
    most: int = 0  # number of solutions of the description with the most

    @classmethod
    def of_counts(cls, counts: tuple[int, int, int, int], weight: int) -> Solutions:
        """Return the counts of a shard."""
        images, descriptions, unique, most = counts
        return cls(weight * images, weight * descriptions, weight * unique, most)

    def __add__(self, other: Solutions) -> Solutions:
        return Solutions(
            self.images + other.images,
            self.descriptions + other.descriptions,
            self.unique + other.unique,
            max(self.most, other.most),
        )


@dataclass(frozen=True, slots=True)
class Census:
    """The census of a size."""

    rows: int
    columns: int
    difficulties: Difficulties  # of all images
    solutions: Solutions | None = None  # of all descriptions; None if they were not counted

    def record(self) -> dict[str, Any]:
        """Return the object that ``nonocsp census --json`` prints."""
        found = self.solutions
        return {
            "rows": self.rows,
            "columns": self.columns,
            "images": self.difficulties.images,
            "simple": self.difficulties.simple,
            "unique": found and found.unique,
            "descriptions": found and found.descriptions,
            "most_solutions": found and found.most,
            "histogram": list(self.difficulties.histogram),
        }


def plot_histogram(path: Path, histogram: Sequence[int], title: str) -> None:
    """Plot the number of images by difficulty, on a linear and on a logarithmic scale, as fig. 3 does."""

    def draw(figure: Figure) -> None:
        from matplotlib.ticker import MaxNLocator

        figure.suptitle(title)
        for axes, scale in zip(figure.subplots(1, 2), ("linear", "log"), strict=True):
            axes.bar(range(1, len(histogram) + 1), histogram, color=COLOURS[0])
            axes.set_yscale(scale)
            axes.set_ylim(bottom=0 if scale == "linear" else 0.5)
            axes.set_xlabel("difficulty (sweeps, rows first)")
            axes.set_ylabel(f"images{' (logarithmic)' if scale == 'log' else ''}")
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))

    write_plot(path, draw, inches=(8.0, 3.4))
