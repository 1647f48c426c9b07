"""Nanoseconds per settle, by line length, in one and in four colours.

The lines are random: half of the cells background, the others of any colour, a quarter of all cells
known. If the C++ sketch of the reference data is beside the checkout and g++ is installed, it settles the
same lines in the same run, taking turns with the core. The ratio is the median of the rounds' ratios, so it
depends neither on the machine nor on other processes.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from nonocsp.engine.lines import time_settle
from nonocsp.model import FlatClues
from tools.benchmarks.sketch import compiled_sketch

LENGTHS = (25, 50, 100, 200, 400, 1000)
LINES = 4096
ROUNDS = 21
NANOSECONDS_A_ROUND = 5e7
SKETCH_LENGTHS = range(1, 65)

DRIVER = """
#include "line.hpp"
#include <chrono>
#include <fstream>
#include <iostream>
#include <vector>
struct Line { Clue clue; u64 black, white; };
int main(int, char** argv) {
    std::ifstream file(argv[1]);
    std::vector<Line> lines;
    int n, k;
    while (file >> n >> k) {
        std::vector<int> blocks(k);
        for (int& block : blocks) file >> block;
        Line line;
        line.clue.init(n, k, blocks.data());
        file >> line.black >> line.white;
        lines.push_back(line);
    }
    const long repeats = std::atol(argv[2]);
    u64 sum = 0;
    const auto start = std::chrono::steady_clock::now();
    for (long round = 0; round < repeats; ++round)
        for (const Line& line : lines) {
            u64 black = line.black, white = line.white;
            settle(line.clue, black, white);
            sum += black ^ white;
        }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::cerr << sum;
    std::cout << took.count();
}
"""


@dataclass(frozen=True, slots=True)
class Lines:
    """Random lines: their clues, and candidate sets of shape (LINES, length)."""

    clues: FlatClues
    cells: NDArray[np.uint64]
    colours: int

    @classmethod
    def random(cls, length: int, colours: int) -> Lines:
        """Draw the lines; they are the same every time."""
        rng = np.random.default_rng([length, colours])
        shape = LINES, length
        truth = (rng.integers(1, colours + 1, shape) * (rng.random(shape) < 0.5)).astype(np.uint8)
        known = rng.random(shape) < 0.25
        cells = np.where(known, np.uint64(1) << truth.astype(np.uint64), np.uint64(2 ** (colours + 1) - 1))
        return cls(FlatClues.of_cells(truth), cells, colours)

    def seconds(self, repeats: int) -> float:
        """Return the seconds that the core takes to settle all lines `repeats` times."""
        return time_settle(self.clues, self.cells, self.colours + 1, repeats)

    def text(self) -> str:
        """Return the input of the sketch's driver: length, clue, known black and known white cells."""
        weights = np.uint64(1) << np.arange(self.cells.shape[1], dtype=np.uint64)
        black, white = ((self.cells == sets).astype(np.uint64) @ weights for sets in (2, 1))
        return "".join(
            f"{self.cells.shape[1]} {len(clue)} {' '.join(str(block.length) for block in clue)} {b} {w}\n"
            for clue, b, w in zip(self.clues.clues(), black, white, strict=True)
        )


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        sketch = compiled_sketch(Path(folder), DRIVER)
        table = Table("cells", title="Settle: ns per line, median")
        for column in ("one colour", "four colours", "sketch, one colour", "core / sketch"):
            table.add_column(column, justify="right")
        for length in LENGTHS:
            table.add_row(str(length), *row(length, sketch, Path(folder)))
    Console().print(table)


def row(length: int, sketch: Path | None, folder: Path) -> list[str]:
    """Measure one length."""
    lines = Lines.random(length, 1)
    one: list[Callable[[int], float]] = [lines.seconds]
    if sketch and length in SKETCH_LENGTHS:
        (folder / "lines").write_text(lines.text())
        one.append(lambda repeats: sketch_seconds(sketch, folder / "lines", repeats))
    core, *rest = alternated(one)
    (four,) = alternated([Lines.random(length, 4).seconds])
    compared = [f"{median(times):.1f}" for times in rest]
    ratio = [f"{median(a / b for a, b in zip(core, times, strict=True)):.2f}" for times in rest]
    return [f"{median(core):.1f}", f"{median(four):.1f}", *compared, *ratio]


def alternated(runs: list[Callable[[int], float]]) -> list[tuple[float, ...]]:
    """Return the ns per line of each run in every round, taking turns."""
    repeats = [max(1, int(NANOSECONDS_A_ROUND / 1e9 / run(1))) for run in runs]
    rounds = [
        [run(count) / count / LINES * 1e9 for run, count in zip(runs, repeats, strict=True)]
        for _ in range(ROUNDS)
    ]
    return list(zip(*rounds, strict=True))


def sketch_seconds(sketch: Path, lines: Path, repeats: int) -> float:
    """Return the seconds that the sketch takes to settle the lines `repeats` times."""
    run = subprocess.run([sketch, lines, str(repeats)], capture_output=True, text=True, check=True)
    return float(run.stdout)
