"""Fully probing by itself: what each level paints, the groups it finds, and its speed beside the C++ sketch.

Painted: means over taai2011 and tcga2013, with the probes that complete a grid kept like any other, and with
their puzzles counted as solved, which is what Wu et al. (2013, table III) did. Groups: on tcga2017, the set
of the paper about GP relations, whose authors saw groups in about 50 puzzles, 2 to 5 of 2 to 30 pixels.
Speed: CPU seconds of FP1 on all roots of taai2011, and on random 25x25 of all that probing does before
another search takes over: up to the second solution, or 500 probes after those of the root. It takes turns
with the sketch, which is compiled for this very processor and gives up a puzzle at its second solution; the
ratio is the median of the rounds' ratios. Needs the reference data beside the checkout.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from pathlib import Path
from statistics import mean, median

import numpy as np
from rich.console import Console
from rich.table import Table

from nonocsp.backends.base import Backend, Limits, Request, Task, Termination
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import LineSolver, ProbingLevel, StopFlag, probing
from nonocsp.formats import load_all
from nonocsp.model import Grid, Puzzle
from tools.benchmarks.puzzles import TOURNAMENTS, random_puzzles
from tools.benchmarks.sketch import compiled_sketch, puzzles_text

PUBLISHED = {("taai2011", "fp1"): 201.2, ("taai2011", "fp2"): 210.6, ("taai2011", "fp3"): 211.3}
SEARCHES = ("level=fp1", "level=fp1,gp=yes", "level=fp1,gp=yes,min_group=2", "level=fp2", "level=fp3")
SEARCH_EVERY = 10
SEARCH_LIMITS = Limits(wall=5.0)
ROOT_LIMITS = Limits(wall=0.25)
"""More time than the root needs; the rest of the search does not matter."""
ROUNDS = 9
BUDGET = 500

DRIVER = """
#include "probe.hpp"
#include <cstdio>
#include <cstdlib>
#include <ctime>
int main(int count_of_arguments, char** argv) {
    FILE* file = fopen(argv[1], "r");
    const long budget = count_of_arguments > 2 ? atol(argv[2]) : 0;
    int count, rows, columns, blocks;
    double sum = 0;
    if (fscanf(file, "%d %d %d", &count, &rows, &columns) != 3) return 1;
    while (count--) {
        std::vector<std::vector<int>> clues(rows + columns);
        for (auto& clue : clues) {
            if (fscanf(file, "%d", &blocks) != 1) return 1;
            clue.resize(blocks);
            for (int& block : clue)
                if (fscanf(file, "%d", &block) != 1) return 1;
        }
        const clock_t start = clock();
        FpSolver solver(rows, columns);
        for (int i = 0; i < rows + columns; i++)
            solver.L[i].init(i < rows ? columns : rows, clues[i].size(), clues[i].data());
        solver.cache = 1, solver.cbits = 8, solver.deadline = 1e18;
        solver.table.assign((size_t)solver.NL << solver.cbits, FpSolver::CE{~0ull, ~0ull, 0, 0});
        Grid grid{};
        grid.unknown = solver.NP;
        Touch touch;
        const bool fits = solver.propagate(grid, (1ull << rows) - 1, (1ull << columns) - 1, touch);
        FpSolver::Info info;
        info.t.resize(solver.NP), info.g0.assign(solver.NP, 0), info.g1.assign(solver.NP, 0);
        u64 pending[64];
        for (int r = 0; r < rows; r++) pending[r] = solver.L[r].full;
        const bool open = fits && grid.unknown && solver.fp1(grid, info, pending, 0) == 1;
        if (open && budget && solver.nsol < 2) {
            solver.budget = solver.st.probes + budget;
            memset(pending, 0, sizeof pending);
            solver.dfs(grid, 1, &info, pending);
        }
        sum += double(clock() - start) / CLOCKS_PER_SEC;
    }
    printf("%.9f", sum);
}
"""


def main() -> None:
    """Print the tables."""
    console = Console()
    if not TOURNAMENTS.is_dir():
        console.print(f"skipped: {TOURNAMENTS} is not there")
        return
    sets = {
        name: list(load_all(TOURNAMENTS / f"{name}.txt")) for name in ("taai2011", "tcga2013", "tcga2017")
    }
    console.print(painted(sets))
    console.print(groups(sets["tcga2017"]))
    console.print(search(sets["tcga2017"][::SEARCH_EVERY]))
    console.print(
        speed({"taai2011, roots": (sets["taai2011"], 0), "random 25x25": (random_puzzles(25), BUDGET)})
    )


def painted(sets: dict[str, list[Puzzle]]) -> Table:
    """Return the means of both conventions."""
    table = Table("set", "level", "kept", "counted as solved", "published", title="painted cells, mean")
    for name, level in [*(("taai2011", level) for level in ProbingLevel), ("tcga2013", ProbingLevel.FP1)]:
        label = level.name.lower()
        backend = create(f"probing:level={label}")
        kept = mean(_decided(LineSolver(puzzle), level) for puzzle in sets[name])
        counted = mean(_painted_at_the_root(backend, puzzle) for puzzle in sets[name])
        table.add_row(name, label, f"{kept:.3f}", f"{counted:.3f}", str(PUBLISHED.get((name, label), "")))
    return table


def _decided(solver: LineSolver, level: ProbingLevel) -> int:
    return int(Grid(solver.probe(level=level).candidates).decided.sum())


def _painted_at_the_root(backend: Backend, puzzle: Puzzle) -> int:
    outcome = run_backend(backend, puzzle, Request(Task.SOLVE, ROOT_LIMITS), StopFlag())
    return int(outcome.stats["painted"])


def groups(puzzles: list[Puzzle]) -> Table:
    """Return the number of groups before search."""
    columns = ("level", "smallest", "with groups", "with two or more", "groups", "mean", "pixels", "mean")
    table = Table(*columns, title=f"GP relations, tcga2017, {len(puzzles)} puzzles")
    for level in ProbingLevel:
        label = level.name.lower()
        found = [_group_sizes(LineSolver(puzzle), level) for puzzle in puzzles]
        for smallest in (2, 3, 7, 8):
            kept = [large for sizes in found if (large := [size for size in sizes if size >= smallest])]
            counts, pixels = [len(sizes) for sizes in kept], [size for sizes in kept for size in sizes]
            several = sum(count >= 2 for count in counts)
            table.add_row(
                label, str(smallest), str(len(kept)), str(several), *_spread(counts), *_spread(pixels)
            )
    return table


def _group_sizes(solver: LineSolver, level: ProbingLevel) -> list[int]:
    groups = solver.probe(level=level, groups=True).groups
    assert groups is not None
    return [int(size) for size in np.bincount(np.abs(groups).ravel())[1:]]


def _spread(numbers: list[int]) -> tuple[str, str]:
    return (f"{min(numbers)}-{max(numbers)}", f"{mean(numbers):.1f}") if numbers else ("", "")


def search(puzzles: list[Puzzle]) -> Table:
    """Return the CPU seconds of deciding, by level and with groups."""
    wall = SEARCH_LIMITS.wall
    table = Table(
        "probing:", "CPU s", "median ms", "nodes", "not decided", title=f"tcga2017 decided in {wall:g} s"
    )
    for options in SEARCHES:
        backend = create(f"probing:{options}")
        runs = [run_backend(backend, puzzle, Request(limits=SEARCH_LIMITS), StopFlag()) for puzzle in puzzles]
        seconds = [run.cpu_s for run in runs]
        cut_off = sum(run.termination is not Termination.OK for run in runs)
        nodes = sum(int(run.stats["nodes"]) for run in runs)
        figures = f"{sum(seconds):.1f}", f"{1e3 * median(seconds):.1f}", str(nodes), str(cut_off)
        table.add_row(options, *figures)
    return table


def speed(sets: dict[str, tuple[list[Puzzle], int]]) -> Table:
    """Return the CPU seconds of the core and of the sketch, by puzzles and budget after the root."""
    table = Table(
        "puzzles", "core", "sketch", "core / sketch", title=f"FP1: CPU s, median of {ROUNDS} rounds"
    )
    with tempfile.TemporaryDirectory() as folder:
        sketch = compiled_sketch(Path(folder), DRIVER)
        file = Path(folder) / "puzzles"
        for name, (puzzles, budget) in sets.items():
            file.write_text(puzzles_text(puzzles))
            core, sketched = [], []
            for _ in range(ROUNDS):
                core.append(_core_seconds(puzzles, budget))
                sketched += [_sketch_seconds(sketch, file, budget)] if sketch else []
            row = [f"{median(core):.3f}"]
            if sketched:
                ratio = median(a / b for a, b in zip(core, sketched, strict=True))
                row += [f"{median(sketched):.3f}", f"{ratio:.2f}"]
            table.add_row(f"{name}, {len(puzzles)}", *row)
    return table


def _core_seconds(puzzles: list[Puzzle], budget: int) -> float:
    """Return the time of all roots, or, with a budget, of all searches."""
    started = time.process_time()
    for puzzle in puzzles:
        solver = LineSolver(puzzle)
        if budget == 0:
            solver.probe()
        else:
            _search(solver, budget)
    return time.process_time() - started


def _search(solver: LineSolver, budget: int) -> None:
    """Search up to the second solution, or until the budget is spent."""
    level, score, order = ProbingLevel.FP1, probing.ProbingScore.MIN_LOGD, probing.ProbingOrder.LARGER
    search = probing.search_by_probing(level, False, 2, score, order, 0, budget).search(solver.compiled)
    try:
        if search.next(None, None) is not None:
            search.next(None, None)
    except probing.BudgetSpent:
        return


def _sketch_seconds(sketch: Path, file: Path, budget: int) -> float:
    command = [str(sketch), str(file), str(budget)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
