"""Measure whether runs that a rival disturbs are found, and undisturbed ones left alone.

Pinned runs of several lengths, with another process that computes: nowhere, on another core, or on the core
of the runs. For each: how much longer the median run took than without a rival, and how many rows are
reliable.
Wanted: none with a rival on the core; on a quiet machine all without one. The load of the machine is printed.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.table import Table

from nonocsp.backends.base import Request
from nonocsp.run import create
from nonocsp.run.cores import usable_threads
from nonocsp.run.jobs import Job
from nonocsp.testing import n_dom

RUNS = {4: 400, 6: 200, 8: 50, 10: 10}
"""Runs for each size of an n-Dom puzzle."""
EXECUTORS = "warm", "fork"
BACKEND = "sat"


def main() -> None:
    """Print the table."""
    table = Table("executor", "ms a run", "rival on", "times as long", "reliable rows", "others' load")
    for executor in EXECUTORS:
        for size, runs in RUNS.items():
            alone = None
            for place in ("no core", "another core", "the same core"):
                seconds, reliable = _measure(executor, size, runs, place)
                alone = alone or seconds
                figures = f"{1e3 * alone:.2f}", place, f"{seconds / alone:.2f}", f"{reliable} of {runs}"
                table.add_row(executor, *figures, f"{os.getloadavg()[0]:.1f}")
    Console().print(table)


def _measure(executor: str, size: int, runs: int, place: str) -> tuple[float, int]:
    """Return the median seconds of some runs, and how many are reliable."""
    jobs = [Job(n_dom(size), BACKEND, Request(seed=seed)) for seed in range(runs)]
    with create(executor, 1, pin=True) as pinned:
        ((_, first),) = pinned.run(jobs[:1])
        (core,) = first.conditions.cores or ()
        others = sorted(usable_threads() - {core})
        with _rival({"no core": None, "another core": others[-1], "the same core": core}[place]):
            measured = [measurement for _, measurement in pinned.run(jobs)]
    median = statistics.median(measurement.outcome.wall_s for measurement in measured)
    return median, sum(measurement.reliable for measurement in measured)


@contextmanager
def _rival(core: int | None) -> Iterator[None]:
    """Have another process compute on a core; None for no rival."""
    if core is None:
        yield
        return
    program = f"import os; os.sched_setaffinity(0, {{{core}}}); print(flush=True)\nwhile True: pass"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        try:
            yield
        finally:
            process.kill()
