"""Measure each executor: its overhead, its clock, and the gain from two cores.

Overhead: wall seconds of many trivial runs, less those that the backend says it took itself; the best of five
rounds. Clock: how much longer these runs took as seen from outside than the backend says, which is what
`nonocsp.run.limits.claim_slack_s` must allow.

Two jobs: runs of some 100 ms that keep a core busy, one and two at a time. The load of the machine is printed
beside the figures; on a busy machine trust CPU time more than wall time.
"""

from __future__ import annotations

import os
import time
from typing import NamedTuple

import numpy as np
import psutil
from rich.console import Console
from rich.table import Table

from nonocsp.backends.base import Limits, Request
from nonocsp.model import Puzzle
from nonocsp.run import create
from nonocsp.run.benchexec import benchexec_problem
from nonocsp.run.cores import physical_cores
from nonocsp.run.jobs import Executor, Job
from nonocsp.run.limits import claim_slack_s
from nonocsp.run.processes import descendants
from nonocsp.testing import n_dom
from tools.benchmarks.puzzles import random_puzzles

RUNS = {"inline": 200, "warm": 200, "fork": 40, "dask": 40, "benchexec": 4}
CLOCK_RUNS = {"warm": 1000, "fork": 200, "benchexec": 10}
ROUNDS = 5
BARS_MS = {"inline": 0.2, "warm": 1.0, "fork": 15.0}
REQUEST = Request(limits=Limits(wall=10.0, memory=1 << 30))
BUSY_RUNS, BUSY_BACKEND, BUSY_BAR = 30, "sat", 1.8


def main() -> None:
    """Print the three tables."""
    _overhead()
    _clock()
    _two_jobs()


def _overhead() -> None:
    table = Table("executor", "size", "ms a run", "backend's own", "beyond it", "bar", "CPU ms a run")
    for name, runs in RUNS.items():
        if name == "benchexec" and (problem := benchexec_problem()):
            table.add_row(name, "", problem)
            continue
        for size in (5, 25):
            cost = _cost(name, random_puzzles(size, runs))
            figures = (cost.wall, cost.inside, cost.wall - cost.inside)
            bar = f"{BARS_MS[name]:g}" if name in BARS_MS else ""
            cells = [f"{1e3 * seconds / runs:.3f}" for seconds in (*figures, cost.cpu)]
            table.add_row(name, f"{size}x{size}", *cells[:3], bar, cells[3])
    _print(table)


def _clock() -> None:
    """Print how much longer runs take as seen from outside than as seen from inside."""
    table = Table("executor", "runs", "outside - inside, ms: median", "90 %", "99 %", "most", "claims off")
    for name, runs in CLOCK_RUNS.items():
        if name == "benchexec" and benchexec_problem():
            continue
        jobs = [Job(puzzle, "settle", REQUEST) for puzzle in random_puzzles(25, runs)]
        with create(name, 1) as executor:
            list(executor.run(jobs[:1]))
            found = [measurement for _, measurement in executor.run(jobs)]
        walls = [(one.outcome.wall_s, one.claimed_wall_s) for one in found]
        over = np.array([outside - inside for outside, inside in walls if inside is not None])
        off = sum(it is not None and abs(seen - it) > claim_slack_s(seen) for seen, it in walls)
        figures = [f"{1e3 * figure:.2f}" for figure in np.quantile(over, [0.5, 0.9, 0.99, 1.0])]
        table.add_row(name, str(runs), *figures, str(off))
    _print(table)


class _Cost(NamedTuple):
    """Seconds of all runs: wall time, backend time, and CPU time of driver and workers."""

    wall: float
    inside: float
    cpu: float


def _cost(name: str, puzzles: list[Puzzle]) -> _Cost:
    jobs = [Job(puzzle, "settle", REQUEST) for puzzle in puzzles]
    with create(name, 1) as executor:
        list(executor.run(jobs[:20]))
        return min((_round(executor, jobs) for _ in range(ROUNDS)), key=lambda cost: cost.wall - cost.inside)


def _round(executor: Executor, jobs: list[Job]) -> _Cost:
    wall, cpu = time.perf_counter(), _cpu_s()
    inside = sum(measurement.outcome.wall_s for _, measurement in executor.run(jobs))
    return _Cost(time.perf_counter() - wall, inside, _cpu_s() - cpu)


def _cpu_s() -> float:
    """Return the CPU seconds of this process and of all its descendants, ended or not."""
    pids = [os.getpid(), *descendants(os.getpid())]
    return sum(sum(psutil.Process(pid).cpu_times()[:4]) for pid in pids)


def _two_jobs() -> None:
    """Print the speed-up of two jobs at a time over one."""
    table = Table("executor", "s, 1 job", "s, 2 jobs", "faster", "bar", "ms a run, 1 job", "2 jobs")
    jobs = [Job(n_dom(10), BUSY_BACKEND, Request(seed=seed)) for seed in range(BUSY_RUNS)]
    for name in ("fork", "warm"):
        (alone, inside_alone), (both, inside_both) = (_busy(name, count, jobs) for count in (1, 2))
        own = (f"{1e3 * inside / BUSY_RUNS:.0f}" for inside in (inside_alone, inside_both))
        bar = f"{BUSY_BAR:g}"
        table.add_row(name, f"{alone:.2f}", f"{both:.2f}", f"{alone / both:.2f}", bar, *own)
    _print(table)


def _busy(name: str, count: int, jobs: list[Job]) -> tuple[float, float]:
    """Return the seconds until all jobs are done, and those that the backend reports."""
    with create(name, count, pin=count <= physical_cores()) as executor:
        list(executor.run(jobs[:count]))
        start = time.perf_counter()
        inside = sum(measurement.outcome.wall_s for _, measurement in executor.run(jobs))
        return time.perf_counter() - start, inside


def _print(table: Table) -> None:
    table.caption = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    Console().print(table)
