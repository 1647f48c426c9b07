"""How long a census takes: what is left to count, by the rate at which a few shards are counted.

Where one shard takes longer than the measurement may, the shards of a size with fewer rows are counted
instead. Each further row makes an image some per cent dearer, so what comes of that is a lower bound.
"""

from __future__ import annotations

import random
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from nonocsp.grading.census.ledger import gaps, read_counted
from nonocsp.grading.census.tallies import Counts, Share, Tally, count

MEASURE_S = 1.0
_MOST_IMAGES = 2**25
"""Of a shard that is counted for the measurement: about a second's worth."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """What is left of a tally of a census, and how long that takes.

    Parameters
    ----------
    shards, counted
        How many there are, and are counted already.
    images_left
        How many images are left to be looked at: one of those that are reflections of each other, about.
    rate
        Images a second of one core.
    measured
        Rows and columns of the shards that the rate was measured on.
    """

    tally: str
    rows: int
    columns: int
    shards: int
    counted: int
    images_left: int
    rate: float
    measured: tuple[int, int]

    @property
    def images(self) -> int:
        """How many images there are in all."""
        return 1 << self.rows * self.columns

    @property
    def is_lower_bound(self) -> bool:
        """Whether it will take longer: the rate is that of a size with fewer rows."""
        return self.measured != (self.rows, self.columns)

    @property
    def cpu_s(self) -> float:
        """Seconds on one core."""
        return self.images_left / self.rate

    def record(self) -> dict[str, Any]:
        """Return what ``nonocsp census --dry-run --json`` prints."""
        return {
            **asdict(self),
            "images": self.images,
            "cpu_s": self.cpu_s,
            "is_lower_bound": self.is_lower_bound,
        }


def forecast(tally: Tally[Counts], folder: Path) -> Forecast:
    """Measure, for a second or two, and say what is left.

    Parameters
    ----------
    folder
        Where the census keeps what is counted.
    """
    shards = len(tally.shards)
    left = sum(map(len, gaps(read_counted(folder, tally), shards)))
    measured = _of_affordable_shards(tally)
    return Forecast(
        tally=tally.name,
        rows=tally.rows,
        columns=tally.columns,
        shards=shards,
        counted=shards - left,
        images_left=_images_of_a_shard(tally) * left,
        rate=_rate(measured),
        measured=(measured.rows, measured.columns),
    )


def _images_of_a_shard(tally: Tally[Counts]) -> int:
    """Return how many images a shard has, in the mean."""
    return tally.images // sum(weight for _, _, weight in tally.shards)


def _of_affordable_shards(tally: Tally[Counts]) -> Tally[Counts]:
    """Return the tally, with fewer rows if its shards take long."""
    while tally.rows > 1 and _images_of_a_shard(tally) > _MOST_IMAGES:
        tally = replace(tally, rows=tally.rows - 1)
    return tally


def _rate(tally: Tally[Counts]) -> float:
    """Return how many images one core counts in a second, from some shards at random."""
    images, started = 0, time.thread_time()
    for position in random.Random(0).sample(range(len(tally.shards)), len(tally.shards)):
        counted = count(Share(tally, position, position + 1))
        images += counted.images // tally.shards[position][2]
        if time.thread_time() - started > MEASURE_S:
            break
    return images / (time.thread_time() - started)
