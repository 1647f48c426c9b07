"""Simulate a campaign on a cluster, batch by batch: driver, scheduler, workers, and workers that are lost.

It follows `nonocsp.run.dask.executor`: batches that are `target_s` long by the mean time of a run, two at
a worker at a time. The driver takes a batch that has ended, sends its worker the next one, then stores the
rows. Driver and scheduler do one thing at a time. The runs of a lost batch are sent again one by one. Times
of runs are drawn from a pool, so a batch of a thousand runs costs no more than one of a single run, and the
simulation of 10^8 runs takes seconds.
"""

from __future__ import annotations

import heapq
import math
from collections import deque
from dataclasses import dataclass, field

import numpy as np

from nonocsp.run.dask.batches import MAX_RUNS, target_s
from nonocsp.run.dask.connection import AHEAD

POOL = 1 << 20


@dataclass(frozen=True, slots=True)
class Costs:
    """Seconds that a campaign costs beyond what backends work.

    Parameters
    ----------
    plan_s, send_s, row_s
        The driver, for each run: to plan it; to send it; to take its measurement and store its row.
    batch_s
        The scheduler, for each batch, both ways.
    run_s
        The worker, for each run.
    merge_s, resume_s
        For each row: to merge shards, and to start a campaign that is complete.
    """

    plan_s: float
    send_s: float
    row_s: float
    batch_s: float
    run_s: float
    merge_s: float = 0.0
    resume_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Load:
    """The work of a campaign: log-normal times of runs, cut off at a limit.

    Parameters
    ----------
    median_s, sigma
        Of the times; a sigma of 2 has a mean of seven medians, and one run in a hundred takes a hundred.
    limit_s
        The wall limit.
    losses_per_hour
        How often each worker is lost; it comes back after `back_s`.
    """

    median_s: float
    sigma: float = 2.0
    limit_s: float = 10.0
    losses_per_hour: float = 0.01
    back_s: float = 60.0

    def times(self, seed: int) -> np.ndarray:
        """Return a pool of times of runs."""
        drawn = np.random.default_rng(seed).lognormal(math.log(self.median_s), self.sigma, POOL)
        return np.minimum(drawn, self.limit_s)


@dataclass(slots=True)
class Simulated:
    """What came of a simulated campaign.

    Parameters
    ----------
    wall_s
        From its start to its last row.
    driver_s, scheduler_s, worker_s
        How long each was busy; of the workers, the sum.
    repeated, batches
        How many runs were repeated because their worker was lost, and how many batches were sent.
    """

    wall_s: float = 0.0
    driver_s: float = 0.0
    scheduler_s: float = 0.0
    worker_s: float = 0.0
    repeated: int = 0
    batches: int = 0


@dataclass(slots=True)
class _Cluster:
    """The state of a simulation: when driver, scheduler and workers are free, and what is left to do."""

    costs: Costs
    load: Load
    left: int
    sums: np.ndarray
    rng: np.random.Generator
    free: list[float]
    result: Simulated = field(default_factory=Simulated)
    driver: float = 0.0
    scheduler: float = 0.0
    singles: int = 0
    ends: list[tuple[float, int, int, int, bool]] = field(default_factory=list)

    def take(self, size: int) -> int:
        """Return how many runs the next batch has: one that was lost, or the next of the plan."""
        if self.singles:
            self.singles -= 1
            return 1
        taken = min(size, self.left)
        self.left -= taken
        return taken

    def send(self, worker: int, runs: int) -> None:
        """Have the driver send a batch, and note when it will end or be lost."""
        self.driver += runs * self.costs.send_s
        self.result.driver_s += runs * self.costs.send_s
        self.scheduler = max(self.scheduler, self.driver) + self.costs.batch_s
        self.result.scheduler_s += self.costs.batch_s
        first = int(self.rng.integers(len(self.sums) - runs))
        seconds = float(self.sums[first + runs] - self.sums[first]) + runs * self.costs.run_s
        began = max(self.free[worker], self.scheduler)
        rate = self.load.losses_per_hour / 3600
        lifetime = self.rng.exponential(1 / rate) if rate else math.inf
        is_lost = lifetime < seconds
        ended = began + (lifetime if is_lost else seconds)
        self.free[worker] = ended + (self.load.back_s if is_lost else 0.0)
        self.result.worker_s += ended - began
        self.result.batches += 1
        heapq.heappush(self.ends, (ended, self.result.batches, worker, runs, is_lost))


def simulate(costs: Costs, load: Load, runs: int, workers: int, seed: int = 1) -> Simulated:
    """Return how a campaign of some runs goes, from the moment that it is planned.

    Parameters
    ----------
    costs, load
        What it costs, and what the backends do.
    runs, workers
        How many there are.
    seed
        Of the random numbers.
    """
    times = load.times(seed)
    mean_s = float(times.mean()) + costs.run_s
    target = target_s(workers)
    size = max(1, min(MAX_RUNS, int(target / mean_s)))
    ahead = AHEAD if mean_s <= 2 * target else 1
    cluster = _Cluster(
        *(costs, load, runs),
        np.concatenate(([0.0], np.cumsum(times))),
        np.random.default_rng(seed),
        [0.0] * workers,
    )
    waiting: deque[int] = deque()  # workers that found nothing to do
    for worker in [*range(workers)] * ahead:
        if count := cluster.take(size):
            cluster.send(worker, count)
        else:
            waiting.append(worker)
    result = cluster.result
    while cluster.ends:
        ended, _, worker, count, is_lost = heapq.heappop(cluster.ends)
        cluster.driver = max(cluster.driver, ended)
        if is_lost:
            cluster.singles += count
            result.repeated += count
        waiting.append(worker)
        while waiting and (cluster.singles or cluster.left):
            cluster.send(waiting.popleft(), cluster.take(size))
        if not is_lost:
            cluster.driver += count * costs.row_s
            result.driver_s += count * costs.row_s
    result.wall_s = cluster.driver
    return result
