"""Measure what grading costs beyond solving, and how hard random images are, by size and density.

The same 1000 random puzzles of 25x25 are decided, and then graded, in CPU seconds of one core; grading
decides what line solving does not solve, sweeps either axis first, and finds the weakest method for what has
one solution. The second table depends on no machine: the share of simple images, their mean difficulty, and
the mean share that line solving leaves open, beside the reference figures, which are those of another program
and other random images.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np
from rich.console import Console
from rich.table import Table

from nonocsp import Puzzle, solve
from nonocsp.backends.base import Request, Run
from nonocsp.engine import LineSolver, StopFlag, sweep_image
from nonocsp.grading.meter import difficulty
from nonocsp.grading.sweeps import fixed_cells, trace_sweeps
from tools.benchmarks.puzzles import random_puzzles

SIZE = 25
ROUNDS = 3
IMAGES = 10_000
"""For each size and density."""
DENSITIES = (0.3, 0.4, 0.5, 0.6, 0.7)
REFERENCE = """
10 .96/11.5/.795 12.5/10.0/.49  50.4/7.45/.108 84.0/5.09/.011  96.6/3.63/.0015
15 0/–/.97       .64/17.9/.83   26.8/12.0/.187 75.8/6.63/.0074 95.5/4.29/.0009
20 0/–/.996      .003/28/.958   10.8/18.1/.367 66.8/8.15/.006  93.9/4.82/.0007
25 0/–/.999      0/–/.987       3.03/26.7/.626 56.1/9.70/.0055 92.3/5.26/.0006
30 0/–/.9998     0/–/.9957      .26/38.2/.84   46.7/11.5/.0053 90.7/5.68/.0005
"""
"""Recomputed by another program: size, then for each density what `figures` returns."""


def main() -> None:
    """Print what grading costs, then the table of random images."""
    _print_costs(random_puzzles(SIZE))
    table = Table("size", title=f"% simple/mean difficulty/share unknown, {IMAGES} images each")
    for density in DENSITIES:
        table.add_column(f"p = {density}")
    for size, *reference in map(str.split, REFERENCE.strip().splitlines()):
        table.add_row(f"{size}x{size}", *(figures(int(size), density) for density in DENSITIES))
        table.add_row("reference", *reference, style="dim")
    Console().print(table)


def _print_costs(puzzles: Sequence[Puzzle]) -> None:
    solvers, run = [LineSolver(puzzle) for puzzle in puzzles], Run(Request(), StopFlag())
    decide = _cpu_seconds(lambda: [solve(puzzle) for puzzle in puzzles])
    grade = _cpu_seconds(lambda: [difficulty(puzzle, with_level=False) for puzzle in puzzles])
    level = _cpu_seconds(lambda: [difficulty(puzzle) for puzzle in puzzles])
    sweep = _cpu_seconds(lambda: [trace_sweeps(solver, run) for solver in solvers])
    table = Table("", "CPU s", title=f"{len(puzzles)} random {SIZE}x{SIZE}, best of {ROUNDS}")
    table.add_row("decided by the default backend", f"{decide:.2f}")
    table.add_row("graded without levels", f"{grade:.2f}")
    table.add_row("graded with levels", f"{level:.2f}")
    table.add_row("beyond deciding", f"{grade - decide:.2f}")
    table.add_row("of which sweeps, either axis first", f"{sweep:.2f}")
    Console().print(table)


def _cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds of the fastest round."""
    times = []
    for _ in range(ROUNDS):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return min(times)


def figures(size: int, density: float) -> str:
    """Return % simple, mean difficulty of those, and mean share unknown, of random images."""
    rng = np.random.default_rng([size, round(100 * density)])
    sweeps, unknown = [], []
    for _ in range(IMAGES):
        found = sweep_image((rng.random((size, size)) < density).astype(np.uint8))
        unknown.append(1 - fixed_cells(found.candidates) / size**2)
        if not unknown[-1]:
            sweeps.append(found.sweeps)
    mean = f"{np.mean(sweeps):.3g}" if sweeps else "–"
    return f"{100 * len(sweeps) / IMAGES:.3g}/{mean}/{np.mean(unknown):.4f}"


if __name__ == "__main__":
    main()
