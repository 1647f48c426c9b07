"""Milliseconds from a stop to the end of the search, and from Ctrl-C to the end of ``nonocsp solve``.

The puzzle of the first table keeps every complete backend busy. The target is 20 ms; each solver decides how
often it checks the stop flag. The second table sends SIGINT at random moments, so that some fall into the
making of a model or the freeing of a solver. The target is 50 ms.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median
from threading import Timer

from rich.console import Console
from rich.table import Table

from nonocsp.backends.base import Request, Termination
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag
from nonocsp.formats import save
from nonocsp.testing import n_dom
from tools.benchmarks.puzzles import SEED, random_puzzles

SPECS = ("sat", "sat:solver=cadical195", "sat:solver=minisat22", "cpsat", "cpsat:workers=2")
STOPS = [0.5 + 0.05 * i for i in range(8)]
"""Seconds after which a run is stopped."""


CTRL_C_SPECS = ("hybrid", "sat", "cpsat", "mdd")
TRIALS, EARLIEST_S, LATEST_S = 6, 0.3, 4.0
"""Signals for each puzzle and backend, and the bounds of their moments."""


def main() -> None:
    """Print both tables."""
    _print_stops()
    _print_ctrl_c()


def _print_stops() -> None:
    """Print median and maximum by backend."""
    table = Table("14-Dom, stopped", "median ms", "max ms")
    for spec in SPECS:
        late = [ms for after in STOPS if (ms := milliseconds_to_stop(spec, after)) is not None]
        table.add_row(spec, *([f"{median(late):.0f}", f"{max(late):.0f}"] if late else ["decided", ""]))
    Console().print(table)


def _print_ctrl_c() -> None:
    """Print median and maximum by puzzle and backend, and how often a run had ended before the signal."""
    table = Table("puzzle", "backend", "median ms", "max ms", "signals", title="nonocsp solve, Ctrl-C")
    puzzles = {"14-Dom": n_dom(14), **{f"random {n}x{n}": random_puzzles(n, 1)[0] for n in (100, 300, 1000)}}
    moments = Random(SEED)
    with tempfile.TemporaryDirectory() as folder:
        for name, puzzle in puzzles.items():
            file = Path(folder, f"{name.replace(' ', '-')}.non")
            save(puzzle, file)
            for spec in CTRL_C_SPECS:
                after = [moments.uniform(EARLIEST_S, LATEST_S) for _ in range(TRIALS)]
                late = [ms for one in after if (ms := milliseconds_to_exit(file, spec, one)) is not None]
                figures = (f"{median(late):.0f}", f"{max(late):.0f}") if late else ("", "")
                table.add_row(name, spec, *figures, str(len(late)))
    Console().print(table)


def milliseconds_to_exit(file: Path, spec: str, after: float) -> float | None:
    """Return how long ``nonocsp solve`` lives after Ctrl-C; None if it has ended before.

    Parameters
    ----------
    file
        The puzzle.
    spec
        The backend.
    after
        Seconds before the signal.
    """
    program = [sys.executable, "-P", "-c", "from nonocsp.cli import main; main()"]
    command = [*program, "solve", "--backend", spec, str(file)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        time.sleep(after)
        if process.poll() is not None:
            return None
        started = time.perf_counter()
        process.send_signal(signal.SIGINT)
        process.wait()
        return 1e3 * (time.perf_counter() - started)


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
