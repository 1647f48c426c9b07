"""Measure the cost of a call: `nonocsp.solve` and `solve_many` on easy puzzles, and what default jobs gain.

The easy puzzles are random, 25x25, 60 % black, and line-solvable. CPU time is the least of several passes,
because other programs only add to it. Default jobs and one job take turns on the same puzzles, so that both
see the same load; the ratio is the median of the pairs' ratios.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import islice
from statistics import median

from rich.console import Console
from rich.table import Table

from nonocsp import Puzzle, solve, solve_many
from nonocsp.backends import DEFAULT
from nonocsp.backends.registry import create
from nonocsp.engine import LineSolver
from nonocsp.engine.batch import wrong_lines
from nonocsp.model import mismatches
from nonocsp.run.cores import usable_cores
from tools.benchmarks.puzzles import random_puzzles

EASY, PASSES, TURNS = 100, 30, 9
SETS = {"easy": (1, 5, 20, 100, 2000), "random": (20, 500)}


def main() -> None:
    """Print both tables."""
    found = (puzzle for puzzle in random_puzzles(25, 500, 0.6) if not solve(puzzle, "settle").partial)
    easy = list(islice(found, EASY))
    Console().print(_calls(easy))
    random = random_puzzles(25, 500)
    Console().print(_jobs({"easy": easy * 20, "random": random}))


def _calls(easy: list[Puzzle]) -> Table:
    """Return the microseconds of a call, and of its parts."""
    method = create(DEFAULT).method(0)
    compiled = [LineSolver(puzzle).compiled for puzzle in easy]
    grids = [solve(puzzle).solutions[0] for puzzle in easy]

    def search() -> None:
        for clues in compiled:
            stream = method.search(clues)
            stream.next(None, None)
            stream.next(None, None)

    ways: dict[str, Callable[[], object]] = {
        "nonocsp.solve": lambda: [*map(solve, easy)],
        "nonocsp.solve_many, one job": lambda: list(solve_many(easy, jobs=1)),
        "the search alone": search,
        "compiling the clues": lambda: [*map(LineSolver, easy)],
        "verifying in the core": lambda: [
            wrong_lines(puzzle.flat_rows, puzzle.flat_columns, grid.candidates)
            for puzzle, grid in zip(easy, grids, strict=True)
        ],
        "verifying in Python": lambda: [*map(mismatches, easy, grids)],
    }
    table = Table("call", "CPU µs a puzzle", title=f"{len(easy)} line-solvable 25x25, task decide")
    for name, call in ways.items():
        table.add_row(name, f"{1e6 * min(_cpu_s(call) for _ in range(PASSES)) / len(easy):.1f}")
    return table


def _jobs(puzzles: dict[str, list[Puzzle]]) -> Table:
    """Return the wall time of sets with one job and with default jobs."""
    title = f"solve_many, {usable_cores()} cores, wall ms a set"
    table = Table("backend", "puzzles", "one job", "default", "default / one job", title=title)
    for backend in (DEFAULT, "settle", "sat"):
        for name, count in ((name, count) for name, counts in SETS.items() for count in counts):
            some = puzzles[name][:count]
            if backend != DEFAULT and count == len(puzzles["easy"]):
                continue
            pairs = [(_wall_s(some, backend, 1), _wall_s(some, backend, None)) for _ in range(TURNS)]
            one, default = (1e3 * median(column) for column in zip(*pairs, strict=True))
            ratio = median(after / before for before, after in pairs)
            table.add_row(backend, f"{count} {name}", f"{one:.2f}", f"{default:.2f}", f"{ratio:.2f}")
    return table


def _cpu_s(call: Callable[[], object]) -> float:
    started = time.process_time()
    call()
    return time.process_time() - started


def _wall_s(puzzles: list[Puzzle], backend: str, jobs: int | None) -> float:
    started = time.perf_counter()
    for _ in solve_many(puzzles, backend, jobs=jobs):
        pass
    return time.perf_counter() - started
