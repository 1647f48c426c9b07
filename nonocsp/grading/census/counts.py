"""What a census finds, of all images of a size or of some; counts of parts add up to those of the whole."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import Any


@dataclass(frozen=True, slots=True)
class Difficulties:
    """How difficult some images are.

    Parameters
    ----------
    images
        How many.
    histogram
        How many of them have a difficulty of 1, 2, … sweeps, rows first (Batenburg, Henstra, Kosters &
        Palenstijn 2009). The rest is not simple.
    """

    images: int = 0
    histogram: tuple[int, ...] = ()

    def __add__(self, other: Difficulties) -> Difficulties:
        pairs = zip_longest(self.histogram, other.histogram, fillvalue=0)
        return Difficulties(self.images + other.images, tuple(map(sum, pairs)))

    @property
    def simple(self) -> int:
        """How many of the images line solving restores."""
        return sum(self.histogram)

    @property
    def mean(self) -> float | None:
        """The mean difficulty of the simple ones; None if there are none."""
        total = sum(sweeps * images for sweeps, images in enumerate(self.histogram, start=1))
        return total / self.simple if self.simple else None


@dataclass(frozen=True, slots=True)
class Solutions:
    """How many solutions descriptions have.

    Parameters
    ----------
    images
        How many images the descriptions have together.
    descriptions
        How many descriptions they are, each with a solution.
    unique
        How many of them have one solution only.
    most
        How many solutions the one with the most has.
    """

    images: int = 0
    descriptions: int = 0
    unique: int = 0
    most: int = 0

    def __add__(self, other: Solutions) -> Solutions:
        return Solutions(
            self.images + other.images,
            self.descriptions + other.descriptions,
            self.unique + other.unique,
            max(self.most, other.most),
        )


@dataclass(frozen=True, slots=True)
class Census:
    """What there is to know of all images of a size.

    Parameters
    ----------
    solutions
        None if they were not asked for.
    """

    rows: int
    columns: int
    difficulties: Difficulties
    solutions: Solutions | None = None

    def record(self) -> dict[str, Any]:
        """Return what ``nonocsp census --json`` prints."""
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
