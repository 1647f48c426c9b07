"""Measure how time and memory of ``hybrid`` grow with size, density and colours.

The puzzles are random images (``default_rng(2017)``), each decided in its own process. CPU time is that of
the backend; memory is what its process needs beyond the loaded program. A run that is cut off counts as the
limit.
"""

from __future__ import annotations

from statistics import mean, median

from rich.console import Console
from rich.table import Table

from nonocsp import Puzzle
from nonocsp.backends.base import Limits, Request, Termination
from nonocsp.run import create
from nonocsp.run.jobs import Job, Measurement
from tools.benchmarks.puzzles import random_puzzles

SIZES = (10, 15, 20, 25, 30, 35, 40, 50)
DENSITIES = (0.3, 0.4, 0.5, 0.6, 0.7)
COLOURS = (2, 3, 4)
"""Foreground colours, at one half filled."""
COUNT = 20
LIMIT = 5.0
BACKEND = "hybrid"


def main() -> None:
    """Print times for every size, density and number of colours, and memory."""
    columns = [(f"{density:g} black", density, 1) for density in DENSITIES]
    columns += [(f"{colours} colours", 0.5, colours) for colours in COLOURS]
    measured = {
        (size, name): _measure(random_puzzles(size, COUNT, density, colours))
        for size in SIZES
        for name, density, colours in columns
    }
    title = f"{BACKEND}: CPU ms, median / mean of {COUNT} (cut off after {LIMIT:g} s, if any)"
    times, memory = Table("size", title=title), Table("size", title="peak memory of a run, MiB")
    for table in (times, memory):
        for name, _, _ in columns:
            table.add_column(name, justify="right")
    for size in SIZES:
        rows = [measured[size, name] for name, _, _ in columns]
        times.add_row(f"{size}x{size}", *map(_times, rows))
        memory.add_row(f"{size}x{size}", *map(_memory, rows))
    Console(width=120).print(times, memory)


def _measure(puzzles: list[Puzzle]) -> list[Measurement]:
    request = Request(limits=Limits(cpu=LIMIT))
    with create("fork", 1) as executor:
        return [measured for _, measured in executor.run(Job(puzzle, BACKEND, request) for puzzle in puzzles)]


def _times(measured: list[Measurement]) -> str:
    outcomes = [one.outcome for one in measured]
    cut_off = sum(outcome.termination is not Termination.OK for outcome in outcomes)
    times = [min(outcome.cpu_s, LIMIT) * 1e3 for outcome in outcomes]
    return f"{median(times):.3g} / {mean(times):.3g}" + (f" ({cut_off})" if cut_off else "")


def _memory(measured: list[Measurement]) -> str:
    return f"{max(one.peak_rss_bytes or 0 for one in measured) / 2**20:.1f}"


if __name__ == "__main__":
    main()
