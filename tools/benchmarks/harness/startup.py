"""Measure the seconds that short commands take from start to end, beside the bare interpreter.

Median of `PROCESSES` processes after one that warms the caches. The bare interpreter and ``import numpy``,
measured in the same run, show how much of a figure is due to the machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

from nonocsp.datasets.tcga import tournament_set
from nonocsp.formats import save

PROCESSES = 10
NONOCSP = [sys.executable, "-c", "from nonocsp.cli import main; main()"]


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        puzzle = Path(folder) / "25x25.txt"
        save(tournament_set(0, count=1), puzzle, format="tournament")
        rows = [
            ("python -c pass", [sys.executable, "-c", "pass"], None),
            ("python -c 'import numpy'", [sys.executable, "-c", "import numpy"], None),
            ("nonocsp --help", [*NONOCSP, "--help"], 0.15),
            (
                "nonocsp solve --backend settle 25x25.txt",
                [*NONOCSP, "solve", "--backend", "settle", str(puzzle)],
                0.25,
            ),
        ]
        table = Table("start-up", "median s", "bar s", title=f"{PROCESSES} processes each")
        for name, command, bar in rows:
            table.add_row(name, f"{_median_seconds(command):.3f}", f"{bar:.2f}" if bar else "")
    Console().print(table)


def _median_seconds(command: list[str]) -> float:
    _seconds(command)
    return median(_seconds(command) for _ in range(PROCESSES))


def _seconds(command: list[str]) -> float:
    """Run a command that may find nothing but must not fail, with one BLAS thread like nonocsp itself."""
    env = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=env, check=False)
    elapsed = time.perf_counter() - start
    if done.stderr:
        raise RuntimeError(f"{command} failed: {done.stderr.decode()}")
    return elapsed
