"""Measure the memory of the core's backends under a bound, on the most demanding puzzles.

``python -m tools.benchmarks memory`` runs each backend on each puzzle in a process of its own, whose
memory is watched from outside. It prints a Markdown table: how each run ended, and its peak memory in MiB.
A run that reaches the memory limit keeps what it proved. The exit code is 1 if a run crashed or exceeded its
bound by more than a tenth.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from nonocsp.backends.base import Limits, Request, Termination
from nonocsp.formats import load_named
from nonocsp.model import Grid, Palette, Puzzle
from nonocsp.run.jobs import Job, Measurement
from nonocsp.run.local import WarmExecutor
from nonocsp.testing import n_dom

CORE_BACKENDS = ("blocks", "gac", "hybrid", "probing", "segments", "settle", "twosat")
MEBIBYTE = 2**20
SLACK = 1.1
"""Memory is checked at intervals, so a run may exceed its bound for a moment."""
REFERENCE = {
    "tcga2017 no. 473": ("tournament/tcga2017.txt", 473),
    "Knotty": ("webpbn-redist/knotty.nin", 1),
    "Faase": ("webpbn-redist/frans_faase.txt", 1),
}
"""Files and numbers of puzzles below a folder of reference data."""


def main(
    *,
    bound: Annotated[int, typer.Option(min=64, help="MiB a run.")] = 256,
    wall: Annotated[float, typer.Option(help="Seconds a run.")] = 5.0,
    datasets: Annotated[Path, typer.Option(help="Reference data, used if present.")] = Path(
        "../shared/datasets"
    ),
) -> None:
    """Run the core's backends on the most demanding puzzles, under a memory bound."""
    request = Request(limits=Limits(wall=wall, memory=bound * MEBIBYTE))
    print(
        f"| at most {bound} MiB | {' | '.join(CORE_BACKENDS)} |\n" + "|---" * (1 + len(CORE_BACKENDS)) + "|"
    )
    is_kept = True
    with WarmExecutor(jobs=1) as executor:
        for name, puzzle in puzzles(datasets):
            jobs = [Job(puzzle, backend, request) for backend in CORE_BACKENDS]
            found = {job.backend: measurement for job, measurement in executor.run(jobs)}
            is_kept &= all(stays_within(measurement, bound) for measurement in found.values())
            cells = " | ".join(cell(found[backend]) for backend in CORE_BACKENDS)
            print(f"| {name} | {cells} |", flush=True)
    raise typer.Exit(0 if is_kept else 1)


def puzzles(datasets: Path) -> Iterator[tuple[str, Puzzle]]:
    """Yield names and puzzles."""
    yield "14-Dom", n_dom(14)
    for name, (path, number) in REFERENCE.items():
        if (file := datasets / path).is_file():
            yield name, next(islice(load_named(file), number - 1, None)).puzzle
    for rows, columns, colours, density in ((40, 40, 1, 0.5), (200, 200, 1, 0.4), (60, 60, 63, 0.7)):
        yield f"{rows}x{columns}, {colours} colours", random_puzzle(rows, columns, colours, density)
    yield "1000x1000, 1 colour", random_puzzle(1000, 1000, 1, 0.4)


def random_puzzle(rows: int, columns: int, colours: int, density: float) -> Puzzle:
    """Return the puzzle of noise."""
    random = np.random.default_rng(rows)
    cells = random.integers(1, colours + 1, (rows, columns)) * (random.random((rows, columns)) < density)
    return Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(colours))


def stays_within(measurement: Measurement, bound: int) -> bool:
    """Return whether a run stayed within its bound and did not crash."""
    peak = measurement.peak_rss_bytes or 0
    return peak <= SLACK * bound * MEBIBYTE and measurement.outcome.termination is not Termination.CRASHED


def cell(measurement: Measurement) -> str:
    """Return how a run ended and its peak memory."""
    outcome, peak = measurement.outcome, measurement.peak_rss_bytes
    how = outcome.answer if outcome.termination is Termination.OK else outcome.termination
    partly = f", {outcome.answer}" if outcome.solutions and how != outcome.answer else ""
    return f"{how}{partly} {(peak or 0) / MEBIBYTE:.0f}"
