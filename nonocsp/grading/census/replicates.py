"""Estimate the census of a size that is too large to count, with intervals, from random images of its shards.

A replicate is a stratified sample of about a million images: of every shard some, as many as its weight says,
so that every image of the size is equally likely. Replicates are independent, and each estimates the same
figures. So Student's t of their values gives an interval. ``replicates.jsonl`` keeps the replicates; a larger
estimate grades only those it lacks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np

from nonocsp.engine import StopFlag
from nonocsp.engine.images import SweepSample
from nonocsp.grading.census.counts import Difficulties
from nonocsp.grading.census.pools import CensusPool
from nonocsp.grading.census.sample import CONFIDENCE, Interval
from nonocsp.json_lines import JsonLines, read_json_lines
from nonocsp.model import FormatError, UsageError

FILE = "replicates.jsonl"
IMAGES = 1 << 20
"""Images of a replicate; more if there are more shards."""


@dataclass(frozen=True, slots=True)
class Replicate:
    """A replicate to grade."""

    rows: int
    columns: int
    seed: int  # of the estimate
    number: int  # from 0


@dataclass(frozen=True)
class Extrapolation:
    """What a census would find, as far as replicates tell."""

    rows: int
    columns: int
    seed: int
    confidence: float  # probability that an interval has the true value
    replicates: tuple[Difficulties, ...]

    @cached_property
    def difficulties(self) -> Difficulties:
        """Those of all replicates."""
        return sum(self.replicates, Difficulties())

    @property
    def images(self) -> int:
        """The number of images of the size."""
        return 1 << self.rows * self.columns

    def simple(self) -> Interval:
        """Estimate the number of simple images."""
        return self._total([one.simple for one in self.replicates])

    def histogram(self) -> list[Interval]:
        """Estimate the number of images of each difficulty, from 1 to the highest that was found."""
        return [
            self._total([sum(one.histogram[sweeps : sweeps + 1]) for one in self.replicates])
            for sweeps in range(len(self.difficulties.histogram))
        ]

    def mean(self) -> Interval | None:
        """Estimate the mean difficulty of simple images; None if there are none."""
        mean = self.difficulties.mean
        if mean is None:
            return None
        simple = np.array([one.simple for one in self.replicates])
        sums = np.array([one.sweeps for one in self.replicates])
        # of a ratio of two sums it is the interval of the linear part (Cochran 1977, 6.4)
        return self._interval(mean + (sums - mean * simple) / simple.mean())

    def record(self) -> dict[str, Any]:
        """Return the object that ``nonocsp census --estimate --json`` prints, with the keys of a sample."""
        mean = self.mean()
        return {
            "rows": self.rows,
            "columns": self.columns,
            **self.difficulties.record(),
            "seed": self.seed,
            "confidence": self.confidence,
            "replicates": len(self.replicates),
            "estimates": {
                "images": self.images,
                "simple": self.simple()._asdict(),
                "mean_difficulty": mean and mean._asdict(),
                "histogram": [one._asdict() for one in self.histogram()],
            },
        }

    def _total(self, counts: Sequence[int]) -> Interval:
        """Extrapolate the counts of a kind of images in each replicate."""
        from scipy.stats import binomtest

        sizes = [one.images for one in self.replicates]
        value, low, high = self._interval(np.array(counts) / np.array(sizes) * self.images)
        if not any(counts):  # no spread: then the interval is that of Clopper and Pearson
            high = self.images * binomtest(0, sum(sizes)).proportion_ci(self.confidence).high
        return Interval(value, max(low, 0.0), min(high, float(self.images)))

    def _interval(self, values: np.ndarray[Any, np.dtype[np.float64]]) -> Interval:
        """Return the mean of the replicates' values with its interval."""
        from scipy.stats import sem, t

        mean = float(values.mean())
        margin = float(t.ppf((1 + self.confidence) / 2, len(values) - 1) * sem(values))
        return Interval(mean, mean - margin, mean + margin)


def estimate_census(
    rows: int,
    columns: int,
    replicates: int,
    folder: Path,
    pool: CensusPool,
    *,
    seed: int = 0,
    confidence: float = CONFIDENCE,
    on_graded: Callable[[int], None] = lambda _: None,
) -> Extrapolation:
    """Estimate the census of a size."""
    _sampler(rows, columns)
    with JsonLines(folder / FILE) as file:
        kept = _read(folder / FILE, rows, columns, seed)
        on_graded(len(kept.keys() & range(replicates)))
        missing = (Replicate(rows, columns, seed, n) for n in range(replicates) if n not in kept)
        for replicate, (graded, seconds) in pool.run(grade_replicate, missing):
            file.append({**asdict(replicate), "seconds": round(seconds, 3), **asdict(graded)})
            kept[replicate.number] = graded
            on_graded(len(kept.keys() & range(replicates)))
    return Extrapolation(rows, columns, seed, confidence, tuple(kept[n] for n in range(replicates)))


def grade_replicate(replicate: Replicate, stop: StopFlag | None = None) -> tuple[Difficulties, float]:
    """Grade the images of a replicate; return the CPU seconds too."""
    started = time.thread_time()
    (seed,) = np.random.SeedSequence([replicate.seed, replicate.number]).generate_state(1, np.uint64)
    strata = 1 << replicate.columns * min(replicate.rows, 2)
    sampler = _sampler(replicate.rows, replicate.columns)
    histogram = sampler.count(max(1, IMAGES // strata), int(seed), stop, None)
    return Difficulties.of_histogram(histogram, 1), time.thread_time() - started


@cache
def _sampler(rows: int, columns: int) -> SweepSample:
    """Return the sampler of the core, which threads can share."""
    try:
        return SweepSample(rows, columns)
    except ValueError as error:
        raise UsageError(
            f"an estimate of {rows}x{columns} is out of reach: {error}; --sample N grades random images"
        ) from None


def _read(path: Path, rows: int, columns: int, seed: int) -> dict[int, Difficulties]:
    """Return the kept replicates of a seed by number."""
    from pydantic import TypeAdapter, ValidationError

    from nonocsp.faults import first_fault

    whole, counts = TypeAdapter(Replicate), TypeAdapter(Difficulties)
    kept: dict[int, Difficulties] = {}
    for line, row in enumerate(read_json_lines(path), start=1):
        try:
            replicate, graded = whole.validate_python(row), counts.validate_python(row)
        except ValidationError as error:
            raise _invalid(first_fault(error), path, line) from None
        if (replicate.rows, replicate.columns) != (rows, columns):
            raise _invalid(f"a replicate of {replicate.rows}x{replicate.columns}", path, line)
        if replicate.seed != seed:
            continue
        if replicate.number in kept:
            raise _invalid(f"replicate {replicate.number} for the second time", path, line)
        kept[replicate.number] = graded
    return kept


def _invalid(what: str, path: Path, line: int) -> FormatError:
    advice = "replicates of this size, each once; without the line they are graded again"
    return FormatError(what, file=str(path), line=line, expected=advice)
