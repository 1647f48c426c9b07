"""Estimate how long runs will take: at most, by their limits, and probably, by the times of earlier runs.

Likely is the mean wall time of the earlier runs of a backend on puzzles of the size, else on all puzzles, but
not more than the limit. Both are divided by the number of runs at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from nonocsp.bench.planning import PlannedRun
from nonocsp.bench.scoring.means import finite
from nonocsp.bench.table import RunTable

END_S = 0.25
AROUND_S = 0.02


class Times:
    """Mean wall times of earlier runs, those of a table of any campaign."""

    def __init__(self, table: RunTable) -> None:
        numbers: dict[str, int] = {}
        of_setting = [numbers.setdefault(setting.spec, len(numbers)) for setting in table.settings]
        specs, spec = [*numbers], np.array(of_setting, np.int64)[table["setting"]]
        rows, columns = (size[table["puzzle"]] for size in (table.puzzles.rows, table.puzzles.columns))
        self.means: dict[tuple[object, ...], float] = {}
        for key in ((spec,), (spec, rows, columns)):
            groups, group_of = np.unique(np.stack(key), axis=1, return_inverse=True)
            counts = np.bincount(group_of.ravel())
            sums = np.bincount(group_of.ravel(), table["wall_s"])
            for (number, *size), mean in zip(groups.T.tolist(), sums / counts, strict=True):
                self.means[specs[number], *size] = float(mean)

    def likely(self, run: PlannedRun) -> float | None:
        """Return how many seconds a run will likely take."""
        means, limit = self.means, run.request.limits.wall
        mean = means.get((run.spec, *run.source.puzzle.shape), means.get((run.spec,)))
        if mean is None:
            return at_most(run)
        return (mean if limit is None else min(mean, limit)) + AROUND_S


def at_most(run: PlannedRun) -> float | None:
    """Return how many seconds a run may take; None without a wall limit."""
    limit = run.request.limits.wall
    return None if limit is None else limit + END_S + AROUND_S


@dataclass(slots=True)
class Total:
    """Adds up the estimates of some runs, by the times of earlier ones; inf for runs without a limit."""

    times: Times
    runs: int = 0
    at_most_s: float = 0.0
    likely_s: float = 0.0

    def add(self, run: PlannedRun) -> None:
        """Take a run into account."""
        longest_s, likely_s = at_most(run), self.times.likely(run)
        self.runs += 1
        self.at_most_s += inf if longest_s is None else longest_s
        self.likely_s += inf if likely_s is None else likely_s

    def __add__(self, other: Total) -> Total:
        runs, likely_s = self.runs + other.runs, self.likely_s + other.likely_s
        return Total(self.times, runs, self.at_most_s + other.at_most_s, likely_s)

    def of_jobs(self, jobs: int) -> tuple[float | None, float | None]:
        """Return the likely and the longest time, so many `jobs` at a time; None with nothing to go by."""
        likely_s = self.likely_s if self.times.means else inf
        return finite(likely_s / jobs), finite(self.at_most_s / jobs)
