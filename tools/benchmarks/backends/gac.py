"""Backend ``gac`` against a plain GAC in Python on pictures of 15, 20 and 25 cells a side.

The plain solver is the student's one that the backend started from. It lists all placements of every line,
then makes rows and columns agree in loops until nothing changes. It stops where several values are left.
It compares a value with the set of colours that the crossing line has at the cell. The textbook compares it
with that line's values one by one, which is slower. Ratios compare both programs in the same run, on all
puzzles of at most `PLAIN_PLACEMENTS` placements. The published times come from another machine (2.7 GHz
quad-core Intel Core i7, 16 GB) and other puzzles (nonograms.org). The first table has the columns of the
published one, and what its text says of outliers: times more than 1.5 interquartile ranges away from the
quartiles. All times are CPU time for task ``decide``; the backend's is the median of `ROUNDS`.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import mean, median

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.stats import spearmanr

from nonocsp.backends.base import Request
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag, placement_count
from nonocsp.formats import load_all
from nonocsp.model import Clue, Line, Puzzle
from nonocsp.testing import placements
from tools.benchmarks.puzzles import DATASETS, ROOT

PUBLISHED = {15: (75, 0.3532, 0.3148), 20: (75, 5.436, 4.9847), 25: (50, 56.9131, 93.5619)}
"""Puzzles, mean and standard deviation of the seconds, by size."""
SPECS = ("gac", "gac:settle=no")
METHODS = {"plain": "plain", "from_nothing": "gac:settle=no", "gac": "gac"}
ROUNDS = 5
PLAIN_PLACEMENTS = 200_000
SOURCES = {
    "own pictures": (ROOT / "datasets/pictures", "*.jsonl"),
    "jwilk": (DATASETS / "jwilk-nin", "**/*.nin"),
    "lqmon": (DATASETS / "lqmon", "**/*.txt"),
}

Values = dict[Line, list[tuple[int, ...]]]


@dataclass(frozen=True, slots=True)
class Timing:
    """CPU seconds on a puzzle by its number of placements; `plain` is None if that solver was not run."""

    number: int
    gac: float
    from_nothing: float
    plain: float | None


def main() -> None:
    """Print the times and ratios by source and size."""
    like_the_paper = _table(
        "Times in ms, and how they depend on the number of placements (Spearman)",
        *("puzzles", "size", "method", "n", "mean", "deviation", "outliers", "Spearman"),
    )
    ratios = _table(
        "CPU ms, and how many times faster than the plain solver",
        *("puzzles", "size", "n", "worst", "settle=no mean", "worst"),
        *("plain: n", "mean", "plain / gac", "least", "plain / settle=no", "least"),
    )
    for size, (count, *seconds) in PUBLISHED.items():
        cells = str(size), "GAC in Python", str(count), *(f"{1e3 * second:,.1f}" for second in seconds)
        like_the_paper.add_row("published", *cells)
    for source in SOURCES:
        for size in PUBLISHED:
            if puzzles := list(square_puzzles(source, size)):
                timings = [timing(puzzle) for puzzle in puzzles]
                for method in ("plain", "from_nothing", "gac"):
                    like_the_paper.add_row(source, str(size), METHODS[method], *spread(timings, method))
                ratios.add_row(source, str(size), *compared(timings))
    console = Console(width=max(140, Console().width))
    console.print(like_the_paper)
    console.print(ratios)


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title)
    for column in columns:
        table.add_column(column, justify="right")
    return table


def square_puzzles(source: str, size: int) -> Iterator[Puzzle]:
    """Yield the puzzles of a source that have this size."""
    folder, pattern = SOURCES[source]
    for path in sorted(folder.glob(pattern)):
        if not path.name.startswith("README"):
            yield from (puzzle for puzzle in load_all(path) if puzzle.shape == (size, size))


def timing(puzzle: Puzzle) -> Timing:
    """Measure one puzzle."""
    gac, from_nothing = (median(cpu_seconds(spec, puzzle) for _ in range(ROUNDS)) for spec in SPECS)
    number = sum(placement_count(clue, unknown(length, puzzle)) for clue, length in lines(puzzle))
    if number > PLAIN_PLACEMENTS:
        return Timing(number, gac, from_nothing, None)
    started = time.process_time()
    agreed = plain_gac(puzzle)
    plain = time.process_time() - started
    assert agreed is not None, f"{puzzle.title}: the plain solver found no solution"
    return Timing(number, gac, from_nothing, plain)


def cpu_seconds(spec: str, puzzle: Puzzle) -> float:
    """Return the CPU seconds that the backend takes to decide."""
    return run_backend(create(spec), puzzle, Request(), StopFlag()).cpu_s


def lines(puzzle: Puzzle) -> Iterator[tuple[Clue, int]]:
    """Yield the clue and the length of every line."""
    rows, columns = puzzle.shape
    yield from ((clue, columns) for clue in puzzle.rows)
    yield from ((clue, rows) for clue in puzzle.columns)


def unknown(length: int, puzzle: Puzzle) -> np.ndarray:
    """Return the candidates of an empty line."""
    return np.full(length, 2 ** len(puzzle.palette) - 1, np.uint64)


def plain_gac(puzzle: Puzzle) -> Values | None:
    """Return the remaining values of every line, or None if a line has none."""
    rows, columns = puzzle.shape
    values: Values = {Line("row", i): list(placements(clue, columns)) for i, clue in enumerate(puzzle.rows)}
    values |= {Line("column", i): list(placements(clue, rows)) for i, clue in enumerate(puzzle.columns)}
    queue = deque(values)
    while queue:
        line = queue.popleft()
        for position in range(columns if line.axis == "row" else rows):
            other = Line("column" if line.axis == "row" else "row", position)
            colours = {value[position] for value in values[line]}
            kept = [value for value in values[other] if value[line.position] in colours]
            if not kept:
                return None
            if len(kept) < len(values[other]):
                values[other] = kept
                if other not in queue:
                    queue.append(other)
    return values


def spread(timings: list[Timing], method: str) -> list[str]:
    """Return the cells of a row of the first table after puzzles, size and method."""
    chosen = [(t.number, 1e3 * getattr(t, method)) for t in timings if getattr(t, method) is not None]
    numbers, times = np.array(chosen).T
    low, high = np.quantile(times, (0.25, 0.75))
    margin = 1.5 * (high - low)
    outliers = int(np.sum((times < low - margin) | (times > high + margin)))
    order = spearmanr(numbers, times).statistic
    return [f"{len(times)}", f"{times.mean():.3f}", f"{times.std(ddof=1):.3f}", f"{outliers}", f"{order:.2f}"]


def compared(timings: list[Timing]) -> list[str]:
    """Return the cells of a row of the second table after puzzles and size."""
    both = [(t.plain, t.gac, t.from_nothing) for t in timings if t.plain is not None]
    from_nothing = [1e3 * t.from_nothing for t in timings]
    cells = [f"{len(timings)}", f"{1e3 * max(t.gac for t in timings):.3f}"]
    cells += [f"{mean(from_nothing):.3f}", f"{max(from_nothing):.3f}", f"{len(both)}"]
    if not both:
        return cells
    plain, *others = zip(*both, strict=True)
    cells.append(f"{1e3 * mean(plain):,.0f}")
    for other in others:
        cells.append(f"{mean(plain) / mean(other):,.0f}")
        cells.append(f"{min(p / o for p, o in zip(plain, other, strict=True)):,.0f}")
    return cells
