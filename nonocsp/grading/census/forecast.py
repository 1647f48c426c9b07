"""Forecast how long a census takes, from the rate at which a few shards are counted.

Where one shard takes longer than the measurement may, the shards of a size with fewer rows are counted
instead. Each further row makes an image some per cent dearer, so the forecast is a lower bound then.
"""

from __future__ import annotations

import random
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from nonocsp.grading.census.ledger import gaps, read_counted
from nonocsp.grading.census.tallies import Counts, ShardRange, Tally

MEASURE_S = 1.0
_MOST_IMAGES = 2**25
"""The most images of a shard that is counted for the measurement, about a second's worth."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """The work that is left of a tally, and how long it takes."""

    tally: str
    rows: int
    columns: int
    shards: int
    counted: int  # shards, already
    images_left: int  # images left to count, about one of those that are reflections of each other
    rate: float  # images per second of one core
    measured: tuple[int, int]  # rows and columns of the shards that the rate was measured on

    @property
    def images(self) -> int:
        """The number of images of the size."""
        return 1 << self.rows * self.columns

    @property
    def is_lower_bound(self) -> bool:
        """Whether it will take longer, since the rate is that of a size with fewer rows."""
        return self.measured != (self.rows, self.columns)

    @property
    def cpu_s(self) -> float:
        """Seconds on one core."""
        return self.images_left / self.rate

    def record(self) -> dict[str, Any]:
        """Return the object that ``nonocsp census --dry-run --json`` prints."""
        return {
            **asdict(self),
            "images": self.images,
            "cpu_s": self.cpu_s,
            "is_lower_bound": self.is_lower_bound,
        }


def forecast(tally: Tally[Counts], folder: Path) -> Forecast:
    """Forecast the rest of a tally from a measurement of a second or two."""
    shards = len(tally.shards)
    left = sum(map(len, gaps(read_counted(folder, tally), shards)))
    measured = tally
    while measured.rows > 1 and _images_per_shard(measured) > _MOST_IMAGES:
        measured = replace(measured, rows=measured.rows - 1)
    images, started = 0, time.thread_time()
    for position in random.Random(0).sample(range(len(measured.shards)), len(measured.shards)):
        counted = ShardRange(measured, position, position + 1).count()
        images += counted.images // measured.shards[position][2]
        if time.thread_time() - started > MEASURE_S:
            break
    return Forecast(
        tally=tally.name,
        rows=tally.rows,
        columns=tally.columns,
        shards=shards,
        counted=shards - left,
        images_left=_images_per_shard(tally) * left,
        rate=images / (time.thread_time() - started),
        measured=(measured.rows, measured.columns),
    )


def _images_per_shard(tally: Tally[Counts]) -> int:
    return tally.images // sum(weight for _, _, weight in tally.shards)
