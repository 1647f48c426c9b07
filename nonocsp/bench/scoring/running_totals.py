"""Keep count of how a backend does while a campaign runs, in memory that does not grow with its runs."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from nonocsp.backends.base import Termination
from nonocsp.bench.scoring.runs import PENALTY, is_decided
from nonocsp.bench.table import TERMINATIONS, RunTable

if TYPE_CHECKING:
    from nonocsp.bench.rows import RunRow

STEP = 1.001
"""Factor between two costs that the median tells apart."""
_CUT_OFF = (Termination.WALL, Termination.CPU, Termination.MEMORY)


@dataclass(slots=True)
class Standing:
    """How a backend does so far: numbers of runs, and their times."""

    planned: int = 0
    done: int = 0
    decided: int = 0  # settled their task by themselves
    cut_off: int = 0
    wrong: int = 0
    wall_s: float = 0.0
    costs: Counter[float] = field(default_factory=Counter)  # in steps of `STEP`
    penalised_s: float = 0.0  # the sum behind PAR-2

    def add(self, row: RunRow) -> None:
        """Take a run into account."""
        limit = row["limits"]["wall"]
        cost = row["wall_s"] if is_decided(row) else math.inf if limit is None else limit
        self.costs[_step(cost)] += 1
        self.penalised_s += cost if is_decided(row) else PENALTY * cost
        self.wall_s += row["wall_s"]
        self.done += 1
        self.decided += is_decided(row)
        self.cut_off += row["termination"] in _CUT_OFF
        self.wrong += bool(row.get("wrong"))

    def add_all(self, runs: RunTable) -> None:
        """Take the runs of a table into account."""
        limits = np.array([math.inf if one.wall is None else one.wall for one in runs.requests])
        limit_s = limits[runs["request"]]
        cost_s = np.where(runs.is_decided, runs["wall_s"], limit_s)
        steps, counts = np.unique(cost_s, return_counts=True)
        for cost, count in zip(steps.tolist(), counts.tolist(), strict=True):
            self.costs[_step(cost)] += count
        self.penalised_s += float(np.where(runs.is_decided, cost_s, PENALTY * cost_s).sum())
        self.wall_s += float(runs["wall_s"].sum())
        self.done += len(runs)
        self.decided += int(runs.is_decided.sum())
        self.cut_off += int(np.isin(runs["termination"], [TERMINATIONS.index(one) for one in _CUT_OFF]).sum())
        self.wrong += int(runs["wrong"].sum())

    @property
    def median_s(self) -> float:
        """The median of what the runs count, at most `STEP` off; inf if there are none."""
        if not self.done:
            return math.inf
        steps = sorted(self.costs)
        ranks = list(accumulate(self.costs[step] for step in steps))
        low, high = (steps[bisect_right(ranks, rank)] for rank in ((self.done - 1) // 2, self.done // 2))
        return (low + high) / 2


def _step(cost_s: float) -> float:
    """Return a cost rounded to a power of `STEP`."""
    return STEP ** round(math.log(cost_s, STEP)) if 0.0 < cost_s < math.inf else cost_s


def standings_before(counts: Mapping[str, int], done: RunTable) -> dict[str, Standing]:
    """Return how the backends do whose runs are stored, or missing in so many `counts`."""
    found: dict[str, Standing] = {}
    codes = {backend: code for code, backend in enumerate(done.backends)}
    for backend in dict.fromkeys([*counts, *codes]):
        own = done.take(done["backend"] == codes.get(backend, -1))
        if backend in counts or len(own):
            found[backend] = Standing(planned=counts.get(backend, 0) + len(own))
            found[backend].add_all(own)
    return found
