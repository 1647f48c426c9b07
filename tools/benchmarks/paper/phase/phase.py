"""Draw the phase diagram of random puzzles: ``python -m tools.benchmarks phase``.

Reads the two tables ``phase-*.csv`` in ``--data``, prints the fits and writes the figures of
docs/results/phase.md. The page says how the tables were made.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from tools.benchmarks.paper.phase.figures import draw_all
from tools.benchmarks.paper.phase.summary import print_summary
from tools.benchmarks.paper.phase.tables import Hardness, Shares, read_table
from tools.benchmarks.puzzles import ROOT

RESULTS = ROOT / "docs" / "results"


def main(
    data: Annotated[Path, typer.Option(help="Folder of the tables.")] = RESULTS / "data",
    figures: Annotated[Path, typer.Option(help="Folder of the figures.")] = RESULTS / "figures",
) -> None:
    """Print the fits and draw the figures."""
    shares = read_table(data / "phase-shares.csv", Shares)
    hardness = read_table(data / "phase-hardness.csv", Hardness)
    print_summary(shares, hardness, Console(width=130))
    draw_all(shares, hardness, figures)
