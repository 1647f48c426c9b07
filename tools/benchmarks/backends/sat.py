"""Measure where backend ``sat`` spends its time on random 25x25 grids, half of the cells black.

The same grids on every machine: image i is drawn from ``default_rng(2017)``. The bar: at most 2 ms a puzzle
outside the calls of the SAT solver glucose4, where a plain-Python sketch needs 12.6 ms. Of the 1000 puzzles,
74 are unique. Times are CPU times, so that other work on the machine matters little. If the sketch is beside
the checkout, it takes turns with the backend. Their ratio (the bar: 0.16) and the counts per puzzle do not
depend on the machine.
"""

from __future__ import annotations

import runpy
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import mean, median
from typing import Any

from rich.console import Console
from rich.table import Table

from nonocsp.backends.base import Request, Run
from nonocsp.backends.interruption import root_fixpoint
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.backends.sat_solver import SatSolver
from nonocsp.engine import LineSolver, StopFlag
from nonocsp.engine.encodings import encode_order
from nonocsp.model import Puzzle
from tools.benchmarks.puzzles import random_puzzles
from tools.benchmarks.sketch import PROTOTYPE

PUZZLES = 1000
SPECS = (
    "sat:solver=glucose4",
    "sat:solver=cadical195",
    "sat:solver=minisat22",
    "sat:encoding=direct",
    "sat:encoding=automaton",
)
SKETCH = PROTOTYPE / "sat_enc.py"
SKETCH_EVERY = 5
COUNTS = ("settles", "cell_variables", "variables", "clauses", "conflicts")


class Split(defaultdict[str, float]):
    """CPU seconds by step."""

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Add the time that the block takes."""
        started = time.process_time()
        yield
        self[name] += time.process_time() - started


def decide_in_steps(puzzle: Puzzle, split: Split) -> None:
    """Do what the backend does for task ``decide``, step by step."""
    run = Run(Request(), StopFlag())
    with split.step("propagate"):
        line_solver = LineSolver(puzzle)
        root = root_fixpoint(line_solver, run)
    with split.step("encode"):
        encoding = encode_order(line_solver, root.candidates)
    if not encoding.cnf.variables:
        return
    with split.step("feed"):
        solver = SatSolver("glucose4", encoding.cnf, run)
    for last in (False, True):
        with split.step("solve"):
            found = solver.solve(run)
        if not found:
            break
        with split.step("decode"):
            model = solver.model()
            encoding.decode(model)
            if not last:
                solver.add(encoding.blocking_clause(model))
    with split.step("close"):
        solver.close()


def decide_by_the_sketch(puzzle: Puzzle, encode: Callable[..., Any], split: Split) -> None:
    """Do the same with the plain-Python encoding of the reference data, clause by clause."""
    from pysat.solvers import Solver

    with split.step("outside"):
        rows, columns = (
            [[b.length for b in clue] for clue in side] for side in (puzzle.rows, puzzle.columns)
        )
        solver = Solver("glucose4", bootstrap_with=encode(rows, columns, "order").cl)
    for _ in range(2):
        with split.step("solve"):
            found = solver.solve()
        if not found:
            break
        with split.step("outside"):
            solver.add_clause(
                [-literal for literal in solver.get_model()[: puzzle.shape[0] * puzzle.shape[1]]]
            )
    with split.step("outside"):
        solver.delete()


def main() -> None:
    """Print the split of the steps, then verdicts, times and counts by solver."""
    puzzles = random_puzzles(25, PUZZLES)
    for puzzle in puzzles:
        _ = puzzle.flat_rows, puzzle.flat_columns  # so that this is not measured
    encode = sketched_encoding()
    console = Console()
    split, sketch = Split(float), Split(float)
    for i, puzzle in enumerate(puzzles):
        decide_in_steps(puzzle, split)
        if encode and i % SKETCH_EVERY == 0:
            decide_by_the_sketch(puzzle, encode, sketch)
    steps = Table(title=f"glucose4, {len(puzzles)} random 25x25: CPU ms a puzzle")
    split["outside the solver"] = sum(split.values()) - split["solve"]
    if encode:
        split["sketch in Python"] = sketch["outside"] * SKETCH_EVERY
    for name in split:
        steps.add_column(name, justify="right")
    steps.add_row(*(f"{1e3 * seconds / len(puzzles):.3f}" for seconds in split.values()))
    console.print(steps)
    console.print(_solvers(puzzles))


def sketched_encoding() -> Callable[..., Any] | None:
    """Return the encoder of the reference data's sketch, or None without the reference data."""
    if not SKETCH.is_file():
        return None
    encode: Callable[..., Any] = runpy.run_path(str(SKETCH))["encode"]
    return encode


def _solvers(puzzles: list[Puzzle]) -> Table:
    table = Table(title="as backends: CPU ms and counts a puzzle")
    for heading in ("", *SPECS):
        table.add_column(heading, justify="right")
    columns = [_figures(spec, puzzles) for spec in SPECS]
    for name in columns[0]:
        table.add_row(name, *(column[name] for column in columns))
    return table


def _figures(spec: str, puzzles: list[Puzzle]) -> dict[str, str]:
    backend = create(spec)
    outcomes = [run_backend(backend, puzzle, Request(), StopFlag()) for puzzle in puzzles]
    answers = Counter(str(outcome.answer) for outcome in outcomes)
    cpu = [1e3 * outcome.cpu_s for outcome in outcomes]
    means = {name: mean(float(o.stats.get(name, 0)) for o in outcomes) for name in COUNTS}
    return {
        **{answer: str(answers[answer]) for answer in ("unique", "multiple")},
        **{"mean": f"{mean(cpu):.2f}", "median": f"{median(cpu):.2f}", "max": f"{max(cpu):.1f}"},
        **{name: f"{value:.1f}" for name, value in means.items()},
    }
