"""Estimate what a census would find, from random images, each as likely as any other.

Shares come with Wilson's score interval, means with Student's. Images are made in chunks whose seeds are the
sample's and the chunk's number, so the same seed gives the same images however many cores work on them. The
engine's line solver grades them; it has no bound on the size and shares nothing with the tables of a census.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nonocsp.engine import StopFlag
from nonocsp.engine.images import ImageSweeps
from nonocsp.grading.census.counts import Difficulties
from nonocsp.grading.census.pools import CensusPool
from nonocsp.model import UsageError
from nonocsp.model.puzzle import MAX_LINES

CONFIDENCE = 0.95
"""Of intervals, unless another one is wanted."""
CHUNK = 256
"""Images of a task."""


class Interval(NamedTuple):
    """A value, and the interval that has the true one with the wanted confidence."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ImageSample:
    """Random images of a size, graded."""

    rows: int
    columns: int
    seed: int
    difficulties: Difficulties
    confidence: float = CONFIDENCE  # probability that an interval has the true value

    def share(self, images: int) -> Interval:
        """Estimate the share of a kind of images that occurs `images` times in the sample."""
        from nonocsp.bench.scoring.means import wilson

        total = self.difficulties.images
        return Interval(images / total, *wilson(images, total, self.confidence))

    def mean(self) -> Interval | None:
        """Estimate the mean difficulty of simple images; None from fewer than two."""
        from scipy.stats import t

        mean, simple = self.difficulties.mean, self.difficulties.simple
        if mean is None or simple < 2:
            return None
        squares = sum(
            images * (sweeps - mean) ** 2
            for sweeps, images in enumerate(self.difficulties.histogram, start=1)
        )
        error = sqrt(squares / (simple - 1) / simple)
        margin = error * float(t.ppf((1 + self.confidence) / 2, simple - 1))
        return Interval(mean, mean - margin, mean + margin)

    def record(self) -> dict[str, Any]:
        """Return the object that ``nonocsp census --sample --json`` prints, with the keys of a census."""
        mean = self.mean()
        return {
            "rows": self.rows,
            "columns": self.columns,
            **self.difficulties.record(),
            "seed": self.seed,
            "confidence": self.confidence,
            "simple_share": self.share(self.difficulties.simple)._asdict(),
            "mean_difficulty": mean and mean._asdict(),
        }


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some of a sample's images."""

    rows: int
    columns: int
    seed: int  # of the sample
    number: int  # of the chunk, from 0
    images: int


def take_sample(
    rows: int,
    columns: int,
    images: int,
    pool: CensusPool,
    *,
    seed: int = 0,
    confidence: float = CONFIDENCE,
    on_graded: Callable[[int], None] = lambda _: None,
) -> ImageSample:
    """Grade random images."""
    if not (1 <= rows <= MAX_LINES and 1 <= columns <= MAX_LINES):
        raise UsageError(f"{rows}x{columns}: a puzzle has 1 to {MAX_LINES} rows and columns")
    total = Difficulties()
    chunks = (
        Chunk(rows, columns, seed, number, min(CHUNK, images - start))
        for number, start in enumerate(range(0, images, CHUNK))
    )
    for _, graded in pool.run(grade, chunks):
        total += graded
        on_graded(total.images)
    return ImageSample(rows, columns, seed, total, confidence)


def random_images(chunk: Chunk) -> NDArray[np.uint8]:
    """Return the images of a chunk, shape (images, rows, columns)."""
    rng = np.random.default_rng([chunk.seed, chunk.number])
    return rng.integers(0, 2, (chunk.images, chunk.rows, chunk.columns), np.uint8)


def grade(chunk: Chunk, stop: StopFlag | None = None) -> Difficulties:
    """Grade the images of a chunk."""
    sweeps, unknown = ImageSweeps(chunk.rows, chunk.columns, tables=False).grade(random_images(chunk), stop)
    counts = np.bincount(sweeps[unknown == 0])[1:]
    return Difficulties(chunk.images, tuple(counts.tolist()))
