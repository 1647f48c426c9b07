"""Measure scoring: each figure of docs/reference/scoring.md over 100 000 rows of 10 backends.

The rows are those of `synthetic`. Seconds are CPU time of this process; memory is its peak resident set,
rows included.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.table import Table

from nonocsp.bench import contradictions as crosscheck
from nonocsp.bench import scoring
from nonocsp.bench.table import table_of
from tools.benchmarks.harness import synthetic

BACKENDS, PUZZLES = 10, 10_000


def main() -> None:
    """Print seconds and memory of each step, and their sum."""
    rows = list(synthetic.rows(backends=BACKENDS, puzzles=PUZZLES))
    slower = {synthetic.specs_of(BACKENDS)[0]: 1.1}
    after = scoring.Runs.of(synthetic.rows(backends=BACKENDS, puzzles=PUZZLES, slower=slower))
    columns = table_of(rows)
    runs = scoring.Runs.of(columns)
    holed = scoring.Runs.of(row for row in rows if int(row["run"], 16) % 50)
    steps: dict[str, Callable[[], Any]] = {
        "columns of the rows": lambda: table_of(rows),
        "matrix of runs": lambda: scoring.Runs.of(columns),
        "scores": lambda: scoring.scores(runs),
        "virtual and single best": lambda: (scoring.virtual_best(runs), scoring.single_best(runs)),
        "pairs, with tests and intervals": lambda: scoring.pairwise(runs),
        "the same, a run in fifty missing": lambda: scoring.pairwise(holed),
        "comparison with a second campaign": lambda: scoring.compare(runs, after),
        "cross-check": lambda: crosscheck.disagreements(rows),
    }
    table = Table(f"{len(rows)} rows", "CPU s", "peak MiB")
    table.add_row("rows alone", "", f"{_peak_mib():.0f}")
    total = sum(_add(table, name, step) for name, step in steps.items())
    table.add_row("all", f"{total:.2f}", f"{_peak_mib():.0f}")
    Console().print(table)


def _add(table: Table, name: str, step: Callable[[], Any]) -> float:
    """Run a step and add its row; return its seconds."""
    started = time.process_time()
    step()
    seconds = time.process_time() - started
    table.add_row(name, f"{seconds:.2f}", f"{_peak_mib():.0f}")
    return seconds


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
