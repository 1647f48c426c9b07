"""Compare belief propagation with the C++ sketch: CPU time of the sweeps after probing, and the beliefs.

Where FP1 leaves a puzzle of tcga2017, or a random 40x40, 15 sweeps from uninformed messages; the sketch,
compiled for this very processor, starts from the same cells, taking turns with the core, and skips lines by
the same rule. The ratio is the median of the rounds' ratios. Needs the reference data beside the checkout.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from nonocsp.engine import LineSolver
from nonocsp.engine.beliefs import Beliefs, time_beliefs
from nonocsp.formats import load_all
from nonocsp.model import Grid, Puzzle
from tools.benchmarks.puzzles import TOURNAMENTS, random_puzzles
from tools.benchmarks.sketch import clue_lines, compiled_sketch

TCGA = TOURNAMENTS / "tcga2017.txt"
EVERY = 3
"""Of the tournament's puzzles."""
SWEEPS = 15
ROUNDS = 15

DRIVER = """
#include "bp.hpp"
#include <cstdio>
#include <ctime>
int main(int, char** argv) {
    FILE* file = fopen(argv[1], "r");
    int rows, columns, blocks, cell;
    double sum = 0;
    while (fscanf(file, "%d %d", &rows, &columns) == 2) {
        std::vector<Clue> clues(rows + columns);
        for (int i = 0; i < rows + columns; i++) {
            if (fscanf(file, "%d", &blocks) != 1) return 1;
            std::vector<int> lengths(blocks);
            for (int& block : lengths)
                if (fscanf(file, "%d", &block) != 1) return 1;
            clues[i].init(i < rows ? columns : rows, blocks, lengths.data());
        }
        std::vector<u64> black(rows + columns), white(rows + columns);
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < columns; c++) {
                if (fscanf(file, "%d", &cell) != 1) return 1;
                if (cell == 3) continue;
                std::vector<u64>& known = cell == 2 ? black : white;
                known[r] |= 1ull << c, known[rows + c] |= 1ull << r;
            }
        BP bp(rows, columns, clues.data());
        bp.damp = 0, bp.eps = .001, bp.tau = .005;
        const clock_t start = clock();
        for (int sweep = 0; sweep < SWEEPS; sweep++) bp.sweep(black.data(), white.data());
        sum += double(clock() - start) / CLOCKS_PER_SEC;
        for (int p = 0; p < rows * columns; p++) fprintf(stderr, "%.12f\\n", bp.bel[p]);
    }
    printf("%.9f", sum);
}
"""


def main() -> None:
    """Print the table."""
    console = Console()
    if not TCGA.is_file():
        console.print(f"skipped: {TCGA} is not there")
        return
    table = Table("puzzles", "core, us", "sketch, us", "core / sketch", "beliefs differ by", title="a sweep")
    for name, puzzles in (
        ("tcga2017", list(load_all(TCGA))[::EVERY]),
        ("random 40x40", random_puzzles(40, 100)),
    ):
        table.add_row(name, *row(puzzles))
    console.print(table)


def row(puzzles: list[Puzzle]) -> tuple[str, ...]:
    """Measure a set; microseconds a sweep."""
    roots = [(solver, solver.probe().candidates) for solver in map(LineSolver, puzzles)]
    roots = [(solver, cells) for solver, cells in roots if not Grid(cells).is_full]
    sweeps = SWEEPS * len(roots)
    with tempfile.TemporaryDirectory() as folder:
        sketch = compiled_sketch(Path(folder), f"#define SWEEPS {SWEEPS}\n{DRIVER}")
        if sketch is None:
            return (f"{1e6 * median(_core_seconds(roots) for _ in range(ROUNDS)) / sweeps:.2f}",)
        file = Path(folder) / "roots"
        file.write_text("\n".join(_text(solver.puzzle, cells) for solver, cells in roots))
        rounds = [(_core_seconds(roots), _sketched(sketch, file)) for _ in range(ROUNDS)]
    times = [(core, sketched) for core, (sketched, _) in rounds]
    core, sketched = (1e6 * median(column) / sweeps for column in zip(*times, strict=True))
    ratio = median(core / sketched for core, sketched in times)
    return f"{core:.2f}", f"{sketched:.2f}", f"{ratio:.2f}", f"{_difference(roots, rounds[0][1][1]):.1g}"


def _core_seconds(roots: list[tuple[LineSolver, NDArray[np.uint64]]]) -> float:
    return sum(time_beliefs(solver.compiled, cells, SWEEPS) for solver, cells in roots)


def _sketched(sketch: Path, file: Path) -> tuple[float, NDArray[np.float64]]:
    """Return the seconds, and the beliefs of all cells in a row."""
    run = subprocess.run([sketch, file], capture_output=True, text=True, check=True)
    return float(run.stdout), np.array(run.stderr.split(), np.float64)


def _difference(roots: list[tuple[LineSolver, NDArray[np.uint64]]], sketched: NDArray[np.float64]) -> float:
    """Return the largest difference between the beliefs about an open cell."""
    shares = []
    for solver, cells in roots:
        beliefs = Beliefs(solver.compiled)
        beliefs.run(cells, SWEEPS, 0.0, None, None)
        shares.append(np.where(cells == 3, beliefs.shares()[..., 1], np.nan).ravel())
    return float(np.nanmax(np.abs(np.concatenate(shares) - sketched)))


def _text(puzzle: Puzzle, cells: NDArray[np.uint64]) -> str:
    """Return the driver's input: shape, number of blocks and lengths line by line, candidate sets."""
    shape, sets = (" ".join(map(str, numbers)) for numbers in (puzzle.shape, cells.ravel().tolist()))
    return "\n".join((shape, *clue_lines(puzzle), sets))
