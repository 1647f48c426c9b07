"""Race learning searches on hard puzzles: ``python -m tools.benchmarks threads``.

Wall times, so the machine must be quiet and have as many cores as threads. The puzzles are those of the
tournaments, every second one, that take one thread more than a tenth of a second with a seed of their own.
"""

from __future__ import annotations

import os
from math import exp, log
from statistics import mean

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import track
from rich.table import Table

from nonocsp import Puzzle, solve
from tools.benchmarks.core.compared_sets import SETS

EVERY = 2
HARD = 0.1
CHOOSING, SEEDS = 100, (101, 102, 103, 104)
LIMIT = 60.0


def main() -> None:
    """Print wall times by number of threads."""
    every = [puzzle for _, _, puzzle in SETS["tournaments"]()][::EVERY]
    chosen = [
        puzzle for puzzle in track(every, "choosing", transient=True) if _seconds(puzzle, 1, CHOOSING) > HARD
    ]
    numbers = [number for number in (1, 2, 4, 8) if number <= (os.cpu_count() or 1)]
    times: dict[int, list[float]] = {number: [] for number in numbers}
    for seed in SEEDS:
        for puzzle in track(chosen, f"seed {seed}", transient=True):
            for number in numbers:  # in turn, so that a busy moment hits all
                times[number].append(_seconds(puzzle, number, seed))
    table = Table(title=f"{len(chosen)} hard puzzles, {len(SEEDS)} seeds: wall seconds", box=SIMPLE_HEAD)
    for heading in ("threads", "sum", "gain", "gain, geometric mean", "worst"):
        table.add_column(heading, justify="right")
    for number in numbers:
        gains = [log(alone / together) for alone, together in zip(times[1], times[number], strict=True)]
        table.add_row(
            str(number),
            f"{sum(times[number]):.1f}",
            f"{sum(times[1]) / sum(times[number]):.2f}",
            f"{exp(mean(gains)):.2f}",
            f"{max(times[number]):.2f}",
        )
    Console(width=80).print(table)


def _seconds(puzzle: Puzzle, threads: int, seed: int) -> float:
    return solve(puzzle, f"hybrid:threads={threads}", seed=seed, wall=LIMIT).wall_s
