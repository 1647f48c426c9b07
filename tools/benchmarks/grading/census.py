"""Measure a census in CPU nanoseconds an image, by size, and compare its counts with published ones.

Whole sizes come first, then some shards of larger sizes.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from nonocsp.grading.census.pools import threads
from nonocsp.grading.census.taking import take_census
from nonocsp.grading.census.tallies import ShardRange, Tally, solutions, sweeps
from nonocsp.run.cores import usable_cores

PUBLISHED = {
    (3, 7): 1457710,
    (3, 8): 11284750,
    (4, 5): 801832,
    (4, 6): 12560410,
    (4, 7): 195819250,
    (5, 6): 781005372,
}
"""Simple images."""
POSITIONS = (0.1, 0.4, 0.7)
"""Positions of the counted shards, as shares of the list."""
LARGER: tuple[tuple[Callable[[int, int], Tally[Any]], tuple[int, ...], int], ...] = (
    (sweeps, (4, 5, 6), 6),
    (sweeps, (4, 5, 6), 7),
    (solutions, (4, 5, 6), 6),
    (solutions, (4, 5), 7),
)
"""Tallies, rows and columns."""


def main() -> None:
    """Count and print."""
    _print_whole_sizes()
    _print_shards()


def _print_whole_sizes() -> None:
    table = Table("size", "simple", "published", "wall s", title=f"whole sizes, {usable_cores()} threads")
    for (rows, columns), published in PUBLISHED.items():
        started = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder, threads(usable_cores()) as pool:
            census = take_census(rows, columns, Path(folder), pool)
        seconds = time.perf_counter() - started
        simple = census.difficulties.simple
        table.add_row(
            f"{rows}x{columns}",
            str(simple),
            "the same" if simple == published else f"{published}, WRONG",
            f"{seconds:.1f}",
        )
    Console().print(table)


def _print_shards() -> None:
    table = Table("tally", "size", "CPU ns an image", title="three shards")
    for make, sizes, columns in LARGER:
        for rows in sizes:
            tally = make(rows, columns)
            table.add_row(tally.name, f"{rows}x{columns}", f"{1e9 * _cost(tally):.1f}")
    Console().print(table)


def _cost(tally: Tally[Any]) -> float:
    """Return the CPU seconds an image, reflections not counted."""
    shards, images, started = tally.shards, 0, time.thread_time()
    for position in (int(share * len(shards)) for share in POSITIONS):
        images += ShardRange(tally, position, position + 1).count().images // shards[position][2]
    return (time.thread_time() - started) / images
