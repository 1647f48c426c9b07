"""What measuring costs: the time a warm run takes beyond the backend's own, in one process and in two.

Random puzzles go through `WarmExecutor` with a backend that needs far less than a millisecond, so that what
is left is the harness: sending the puzzle, building it, the reply, and reading it. The same puzzles with the
same backend called directly stand beside it. On a machine that is busy otherwise the CPU column is the one to
look at: what is beyond the backend's own time then waits more than it works.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import psutil
from rich.console import Console
from rich.table import Table

from nonocsp.backends.base import Limits, Request
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.bench.executors.base import Job
from nonocsp.bench.executors.warm import WarmExecutor
from nonocsp.engine import StopFlag
from nonocsp.model import Grid, Puzzle

RUNS = 1000
BACKEND = "settle"
REQUEST = Request(limits=Limits(wall=10.0, memory=1 << 30))


def main() -> None:
    """Print the cost of a run beyond the backend's own time, by size and number of jobs."""
    table = Table("size", "way", "runs/s", "ms a run", "backend's own", "beyond it", "CPU ms a run")
    for size in (5, 25):
        puzzles = list(random_puzzles(size))
        _add(table, size, "direct", _direct(puzzles))
        for jobs in (1, 2):
            _add(table, size, f"{jobs} worker{'s' if jobs > 1 else ''}", _warm(puzzles, jobs))
    Console().print(table)


def random_puzzles(size: int) -> Iterator[Puzzle]:
    """Yield puzzles of random images, half of whose cells are black."""
    rng = np.random.default_rng(2017)
    for _ in range(RUNS):
        image = rng.random((size, size)) < 0.5
        yield replace(Puzzle.from_grid(Grid.from_cells(image.astype(np.uint8))), goal=None)


class _Cost(NamedTuple):
    """Seconds of all runs: by the clock, those of the backend, and of processors (driver and workers)."""

    wall: float
    inside: float
    cpu: float


def _direct(puzzles: list[Puzzle]) -> _Cost:
    backend = create(BACKEND)
    wall, cpu = time.perf_counter(), _cpu_seconds()
    inside = sum(run_backend(backend, puzzle, REQUEST, StopFlag()).wall_s for puzzle in puzzles)
    return _Cost(time.perf_counter() - wall, inside, _cpu_seconds() - cpu)


def _warm(puzzles: list[Puzzle], jobs: int) -> _Cost:
    with WarmExecutor(jobs) as executor:
        list(executor.run(Job(puzzle, BACKEND, REQUEST) for puzzle in puzzles[: 20 * jobs]))
        wall, cpu = time.perf_counter(), _cpu_seconds()
        ended = executor.run(Job(puzzle, BACKEND, REQUEST) for puzzle in puzzles)
        inside = sum(measurement.outcome.wall_s for _, measurement in ended)
        return _Cost(time.perf_counter() - wall, inside, _cpu_seconds() - cpu)


def _cpu_seconds() -> float:
    driver = psutil.Process()
    return sum(sum(process.cpu_times()[:2]) for process in (driver, *driver.children()))


def _add(table: Table, size: int, way: str, cost: _Cost) -> None:
    parts = (cost.wall, cost.inside, cost.wall - cost.inside, cost.cpu)
    table.add_row(
        f"{size}x{size}",
        way,
        f"{RUNS / cost.wall:.0f}",
        *(f"{1e3 * seconds / RUNS:.3f}" for seconds in parts),
    )
