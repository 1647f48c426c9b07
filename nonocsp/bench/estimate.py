"""Estimate how long runs will take: at most, by their limits, and probably, by the times of earlier runs.

At most: every run takes its wall limit, `END_S` more until it has been ended, and `AROUND_S` for what is
around it. Likely: a run takes the mean wall time of the earlier runs of its backend on puzzles of its size,
else on all puzzles, but not more than its limit; and `AROUND_S`. A run whose backend has not been measured
takes as long as it may. Both are divided by the number of runs at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from nonocsp.bench.planning import PlannedRun
from nonocsp.bench.rows import spec_of

if TYPE_CHECKING:
    from nonocsp.bench.rows import RunRow

END_S = 0.25
AROUND_S = 0.02


@dataclass(frozen=True, slots=True)
class Estimate:
    """How long some runs will take, in seconds of the clock; None where there is nothing to go by."""

    at_most_s: float | None
    likely_s: float | None


class Times:
    """Mean wall times of earlier runs.

    Parameters
    ----------
    rows
        Of any campaign.
    """

    def __init__(self, rows: Iterable[RunRow]) -> None:
        seen: dict[tuple[object, ...], list[float]] = {}
        for row in rows:
            for key in ((spec_of(row),), (spec_of(row), row["rows"], row["columns"])):
                seen.setdefault(key, []).append(row["wall_s"])
        self._means = {key: fmean(times) for key, times in seen.items()}

    def estimate(self, runs: Sequence[PlannedRun], jobs: int) -> Estimate:
        """Return how long runs will take, so many at a time.

        Parameters
        ----------
        runs
            The runs to do.
        jobs
            Runs at a time.
        """
        return Estimate(
            _total([at_most(run) for run in runs], jobs),
            _total([self.likely(run) for run in runs], jobs) if self._means else None,
        )

    def likely(self, run: PlannedRun) -> float | None:
        """Return how many seconds a run will likely take."""
        means, limit = self._means, run.request.limits.wall
        mean = means.get((run.spec, *run.source.puzzle.shape), means.get((run.spec,)))
        if mean is None:
            return at_most(run)
        return (mean if limit is None else min(mean, limit)) + AROUND_S


def at_most(run: PlannedRun) -> float | None:
    """Return how many seconds a run may take; None without a wall limit."""
    limit = run.request.limits.wall
    return None if limit is None else limit + END_S + AROUND_S


def _total(times: list[float | None], jobs: int) -> float | None:
    known = [time for time in times if time is not None]
    return sum(known) / jobs if len(known) == len(times) else None
