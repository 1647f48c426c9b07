"""Milliseconds from a stop to the end of the search, on a puzzle that keeps every complete backend busy.

The target is 20 ms; each solver decides how often it checks the stop flag.
"""

from __future__ import annotations

import time
from statistics import median
from threading import Timer

from rich.console import Console
from rich.table import Table

from nonocsp.backends.base import Request, Termination
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag
from nonocsp.testing import n_dom

SPECS = ("sat", "sat:solver=cadical195", "sat:solver=minisat22", "cpsat", "cpsat:workers=2")
STOPS = [0.5 + 0.05 * i for i in range(8)]
"""Seconds after which a run is stopped."""


def main() -> None:
    """Print median and maximum by backend."""
    table = Table("14-Dom, stopped", "median ms", "max ms")
    for spec in SPECS:
        late = [ms for after in STOPS if (ms := milliseconds_to_stop(spec, after)) is not None]
        table.add_row(spec, *([f"{median(late):.0f}", f"{max(late):.0f}"] if late else ["decided", ""]))
    Console().print(table)


def milliseconds_to_stop(spec: str, after: float) -> float | None:
    """Return how long the backend went on after the stop; None if it ended before the stop."""
    backend, stop, stopped_at = create(spec), StopFlag(), 0.0

    def end() -> None:
        nonlocal stopped_at
        stopped_at = time.perf_counter()
        stop.set()

    timer = Timer(after, end)
    timer.start()
    outcome = run_backend(backend, n_dom(14), Request(), stop)
    ended_at = time.perf_counter()
    timer.cancel()
    return 1e3 * (ended_at - stopped_at) if outcome.termination is Termination.KILLED else None
