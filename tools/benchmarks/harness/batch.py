"""Many puzzles on several cores: puzzles a second through `solve_many`, in this process and in workers.

The puzzles are random, 25x25, half of the cells black. Workers have to start first, so the rate counts from
the first outcome on; CPU includes the start and the driver. The transfer to a worker and back limits the rate
of easy puzzles. On a busy machine only the CPU column is meaningful.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from os import times

from rich.console import Console
from rich.table import Table

from nonocsp import Puzzle, solve_many
from nonocsp.backends import DEFAULT
from nonocsp.run.cores import usable_cores
from tools.benchmarks.puzzles import random_puzzles

SPECS = tuple(dict.fromkeys(("settle", "probing", DEFAULT)))
SIZE, COUNT = 25, 5000


def main() -> None:
    """Print rates by backend and number of processes."""
    puzzles = random_puzzles(SIZE, COUNT)
    title = f"{len(puzzles)} random {SIZE}x{SIZE}, task decide"
    table = Table(
        "backend", "jobs", "puzzles/s", "x one job", "first after s", "CPU ms a puzzle", title=title
    )
    for spec in SPECS:
        alone = 0.0
        for jobs in _jobs():
            rate, first, cpu = _measure(puzzles, spec, jobs)
            alone = alone or rate
            figures = f"{rate:.0f}", f"{rate / alone:.2f}", f"{first:.2f}", f"{1e3 * cpu / len(puzzles):.2f}"
            table.add_row(spec, str(jobs), *figures)
    Console().print(table)


def _jobs() -> Iterator[int]:
    """Yield 1, 2, 4, … up to the number of cores."""
    jobs = 1
    while jobs <= usable_cores():
        yield jobs
        jobs *= 2


def _measure(puzzles: list[Puzzle], spec: str, jobs: int) -> tuple[float, float, float]:
    """Return outcomes a second, seconds to the first one, and seconds of processors."""
    started, cpu = time.perf_counter(), sum(times()[:4])
    outcomes = solve_many(puzzles, spec, jobs=jobs)
    next(outcomes)
    first = time.perf_counter()
    rest = sum(1 for _ in outcomes)
    return rest / (time.perf_counter() - first), first - started, sum(times()[:4]) - cpu
