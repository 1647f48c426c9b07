"""Backend ``gac`` against a plain GAC in Python on pictures of 15, 20 and 25 cells a side.

The plain solver is the student's one that the backend started from. It lists all placements of every line,
then makes rows and columns agree in loops until nothing changes. It stops where several values are left.
It compares a value with the set of colours that the crossing line has at the cell. The textbook compares it
with that line's values one by one, which is slower. The published means (0.3532, 5.436 and 56.91 s by size)
come from another machine and other puzzles. The bar is 100 times faster than these, for the worst puzzle too.
The meaningful ratio compares both programs in the same run, on all puzzles of at most `PLAIN_PLACEMENTS`
placements. All times are CPU time for task ``decide``; the backend's is the median of `ROUNDS`.
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

from nonocsp.backends.base import Request
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag, placement_count
from nonocsp.formats import load_all
from nonocsp.model import Clue, Line, Puzzle
from nonocsp.testing import placements
from tools.benchmarks.puzzles import DATASETS, ROOT

PUBLISHED = {15: 0.3532, 20: 5.436, 25: 56.9131}
"""Mean seconds by size."""
SPECS = ("gac", "gac:settle=no")
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
    """CPU seconds on one puzzle; `plain` is None if the plain solver was not run."""

    gac: float
    from_nothing: float
    plain: float | None


def main() -> None:
    """Print the times and ratios by source and size."""
    table = Table(title="gac, task decide: CPU milliseconds, and how many times faster")
    for column in (
        *("puzzles", "size", "n", "mean", "worst", "settle=no mean", "worst", "published / mean", "/ worst"),
        *("plain: n", "mean", "plain / gac", "least", "plain / settle=no", "least"),
    ):
        table.add_column(column, justify="right")
    for source in SOURCES:
        for size, published in PUBLISHED.items():
            if puzzles := list(square_puzzles(source, size)):
                table.add_row(source, str(size), *figures([timing(puzzle) for puzzle in puzzles], published))
    Console(width=max(180, Console().width)).print(table)


def square_puzzles(source: str, size: int) -> Iterator[Puzzle]:
    """Yield the puzzles of a source that have this size."""
    folder, pattern = SOURCES[source]
    for path in sorted(folder.glob(pattern)):
        if not path.name.startswith("README"):
            yield from (puzzle for puzzle in load_all(path) if puzzle.shape == (size, size))


def timing(puzzle: Puzzle) -> Timing:
    """Measure one puzzle."""
    gac, from_nothing = (median(cpu_seconds(spec, puzzle) for _ in range(ROUNDS)) for spec in SPECS)
    if (
        sum(placement_count(clue, unknown(length, puzzle)) for clue, length in lines(puzzle))
        > PLAIN_PLACEMENTS
    ):
        return Timing(gac, from_nothing, None)
    started = time.process_time()
    agreed = plain_gac(puzzle)
    plain = time.process_time() - started
    assert agreed is not None, f"{puzzle.title}: the plain solver found no solution"
    return Timing(gac, from_nothing, plain)


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


def figures(timings: list[Timing], published: float) -> list[str]:
    """Return the cells of one row of the table."""
    gac, from_nothing = [t.gac for t in timings], [t.from_nothing for t in timings]
    compared = [(t.plain, t.gac, t.from_nothing) for t in timings if t.plain is not None]
    cells = [f"{len(timings)}", *_mean_and_worst(gac), *_mean_and_worst(from_nothing)]
    cells += [f"{published / mean(gac):,.0f}", f"{published / max(gac):,.0f}", f"{len(compared)}"]
    if not compared:
        return cells
    plain, *others = zip(*compared, strict=True)
    cells.append(f"{1e3 * mean(plain):,.0f}")
    for other in others:
        cells.append(f"{mean(plain) / mean(other):,.0f}")
        cells.append(f"{min(p / o for p, o in zip(plain, other, strict=True)):,.0f}")
    return cells


def _mean_and_worst(seconds: list[float]) -> list[str]:
    return [f"{1e3 * mean(seconds):.3f}", f"{1e3 * max(seconds):.3f}"]
