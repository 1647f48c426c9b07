"""Measure what other projects' solvers cost beside our own backends, and what was not made a backend.

The puzzles are random images, half of them black (``default_rng(2017)``), that line solving leaves open. Each
run has a process of its own, one core and at most `LIMIT` seconds. The backends take turns on each puzzle, so
that other work on the machine meets all of them. CPU time is measured from outside and counts all processes
of a run; imports are set-up and do not count. A backend or solver that is not installed is left out.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from nonocsp import Puzzle
from nonocsp.backends.base import Answer, Limits, Request, Termination
from nonocsp.backends.registry import create as create_backend
from nonocsp.backends.run import run_backend
from nonocsp.engine import LineSolver, StopFlag
from nonocsp.engine.encodings import encode_order
from nonocsp.model import BackendError, Grid
from nonocsp.run import create
from nonocsp.run.jobs import Job, Measurement
from tools.benchmarks.puzzles import random_puzzles

SIZES = (10, 15, 20, 25, 30)
COUNT = 5
LIMIT = 5.0
SPECS = (
    "hybrid",
    "sat",
    "cpsat",
    "asp",
    "milp",
    "cpmpy",
    "cpmpy:model=mdd",
    "cpmpy:solver=pumpkin",
    "cpmpy:solver=pumpkin,model=mdd",
    "cpmpy:solver=exact,model=mdd",
    "cpmpy:solver=z3,model=mdd",
    "minizinc",
    "minizinc:model=intervals",
    "minizinc:model=table",
)
SAT_SIZE, SAT_COUNT = 35, 12
SAT_SOLVERS = (
    ("glucose4", "incremental"),
    ("glucose4", "fresh"),
    ("cadical195", "incremental"),
    ("cadical195", "fresh"),
    ("kissat404", "fresh"),
)
"""Solvers of python-sat, and whether the second solution comes from the same solver; Kissat's cannot."""
DIRECT = (("ortools", "ortools", "cpsat"), ("highs", "highspy", "milp"))
"""Solvers that CPMpy has and backend cpmpy does not offer: module, and the backend that uses it directly."""


def main() -> None:
    """Print the three tables."""
    console = Console(width=110)
    for table in (_fresh_or_incremental, _through_cpmpy, _backends):
        console.print(table())


def _open_puzzles(size: int) -> Iterator[Puzzle]:
    for puzzle in random_puzzles(size):
        if not Grid(LineSolver(puzzle).propagate().candidates).is_full:
            yield puzzle


def _is_available(spec: str) -> bool:
    try:
        create_backend(spec)
    except BackendError:
        return False
    return True


def _backends() -> Table:
    specs = [spec for spec in SPECS if _is_available(spec)]
    table = Table(
        "backend", title=f"CPU seconds to decide, median of {COUNT} (decided in {LIMIT:g} s, if fewer)"
    )
    columns = []
    for size in SIZES:
        table.add_column(f"{size}x{size}", justify="right")
        columns.append(_column(specs, list(islice(_open_puzzles(size), COUNT))))
    for i, spec in enumerate(specs):
        table.add_row(spec, *(column[i] for column in columns))
    return table


def _column(specs: list[str], puzzles: list[Puzzle]) -> list[str]:
    """Return a cell for each backend, and see that no two answers differ."""
    request = Request(limits=Limits(wall=LIMIT))
    jobs = [Job(puzzle, spec, request) for puzzle in puzzles for spec in specs]
    found: dict[str, list[Measurement]] = {spec: [] for spec in specs}
    answers: dict[int, set[Answer]] = {}
    with create("fork", 1) as executor:
        for job, measured in executor.run(jobs):
            found[job.backend].append(measured)
            if measured.outcome.termination is Termination.OK:
                answers.setdefault(id(job.puzzle), set()).add(measured.outcome.answer)
    assert all(len(each) == 1 for each in answers.values()), "backends disagree"
    return [_cell(found[spec]) for spec in specs]


def _cell(measured: list[Measurement]) -> str:
    times = [one.outcome.cpu_s for one in measured]
    decided = sum(one.outcome.termination is Termination.OK for one in measured)
    return f"{median(times):.3g}" + (f" ({decided})" if decided < COUNT else "")


def _fresh_or_incremental() -> Table:
    """Compare one incremental SAT solver with a second one that starts anew, in this process."""
    title = f"two solutions by python-sat, {SAT_COUNT} random {SAT_SIZE}x{SAT_SIZE}: CPU ms"
    table = Table("solver", "second solution", "median", "worst", title=title)
    puzzles = list(islice(_open_puzzles(SAT_SIZE), SAT_COUNT))
    for name, how in SAT_SOLVERS:
        times = [1e3 * _two_models(puzzle, name, fresh=how == "fresh") for puzzle in puzzles]
        table.add_row(name, how, f"{median(times):.1f}", f"{max(times):.1f}")
    return table


def _two_models(puzzle: Puzzle, name: str, *, fresh: bool) -> float:
    from pysat.solvers import Solver

    solver_of_lines = LineSolver(puzzle)
    encoding = encode_order(solver_of_lines, solver_of_lines.propagate().candidates)
    clauses = list(encoding.cnf)
    started = time.process_time()
    solver = Solver(name, bootstrap_with=clauses)
    if solver.solve():
        clauses.append(encoding.blocking_clause(solver.get_model()))
        if fresh:
            solver.delete()
            solver = Solver(name, bootstrap_with=clauses)
        else:
            solver.add_clause(clauses[-1])
        solver.solve()
    solver.delete()
    return time.process_time() - started


def _through_cpmpy() -> Table:
    """Compare solvers behind CPMpy with the backends that use them directly, in this process."""
    from nonocsp.backends.solvers import cpmpy

    table = Table("solver", title=f"CPU seconds to decide, median of {COUNT}: through CPMpy / directly")
    rows: dict[str, list[str]] = {solver: [solver] for solver, *_ in DIRECT}
    cpmpy.NEEDS |= {solver: (module, "") for solver, module, _ in DIRECT}  # type: ignore[misc]
    for size in SIZES[1:4]:
        table.add_column(f"{size}x{size}", justify="right")
        puzzles = list(islice(_open_puzzles(size), COUNT))
        for solver, _, spec in DIRECT:
            options: Any = cpmpy.CpmpyOptions(solver=solver, model="mdd")  # type: ignore[arg-type]
            backends = (cpmpy.Cpmpy(options), create_backend(spec))
            request = Request(limits=Limits(wall=LIMIT))
            times = [
                median(run_backend(backend, puzzle, request, StopFlag()).cpu_s for puzzle in puzzles)
                for backend in backends
            ]
            rows[solver].append(" / ".join(f"{time:.3g}" for time in times))
    for row in rows.values():
        table.add_row(*row)
    return table


if __name__ == "__main__":
    main()
