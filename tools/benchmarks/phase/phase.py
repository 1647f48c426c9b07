"""Measure the phase diagram of random puzzles, and draw its figures from the data.

``python -m tools.benchmarks phase`` decides the images of `plan.FULL` that ``--folder`` lacks, writes two
small tables to ``--data`` and draws the figures of docs/results/phase.md. ``--draw`` draws them from the
tables again, in seconds. ``--quick`` decides a small grid; name other folders with it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from tools.benchmarks.phase.deciding import decide, rows
from tools.benchmarks.phase.plan import FULL, QUICK
from tools.benchmarks.phase.tables import read_tables, tables, write_tables
from tools.benchmarks.puzzles import ROOT

RESULTS = ROOT / "docs" / "results"


def main(
    *,
    draw: Annotated[bool, typer.Option("--draw", help="Only draw, from the tables.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="Decide a small grid.")] = False,
    folder: Annotated[Path, typer.Option(help="Folder of what was decided.")] = ROOT / "results" / "phase",
    data: Annotated[Path, typer.Option(help="Folder of the tables.")] = RESULTS / "data",
    figures: Annotated[Path, typer.Option(help="Folder of the figures.")] = RESULTS / "figures",
    jobs: Annotated[int, typer.Option(help="Puzzles that are decided at a time.")] = 2,
    minutes: Annotated[float, typer.Option(help="Stop deciding after this time.")] = 600,
) -> None:
    """Decide what is missing, write the tables, draw the figures and print the fits."""
    console = Console(width=130)
    if not draw:
        decide(QUICK if quick else FULL, folder, jobs=jobs, minutes=minutes)
        found, comparison = tables(rows(folder))
        console.print(comparison)
        write_tables(data, found)
    from tools.benchmarks.phase.figures import draw_all
    from tools.benchmarks.phase.summary import print_summary

    shares, hardness = read_tables(data)
    print_summary(shares, hardness, console)
    draw_all(shares, hardness, figures)


if __name__ == "__main__":
    typer.run(main)
