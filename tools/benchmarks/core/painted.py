"""Count the cells of 625 that each method paints before any search: means over 1000 puzzles of taai2011.

The published figures are those of Wu et al. (An efficient approach to solving nonograms, 2013, table III).
The counts depend on no machine. Needs the reference data beside the checkout.
"""

from __future__ import annotations

from statistics import mean

from rich.console import Console
from rich.table import Table

from nonocsp.backends.base import Limits, Request, Task
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag
from nonocsp.formats import load_all
from tools.benchmarks.puzzles import TOURNAMENTS

PUZZLES = TOURNAMENTS / "taai2011.txt"
PUBLISHED = {
    "settle": 32.3,
    "twosat:search=no": 94.9,
    "twosat:level=1,search=no": None,
    "probing:level=fp1,gp=no": 201.2,
    "probing:level=fp2,gp=no": 210.6,
    "probing:level=fp3,gp=no": 211.3,
}
"""By backend; empty without a published figure."""
REQUEST = Request(Task.SOLVE, Limits(wall=2.0))
"""The wall limit cuts off the search of complete backends, which does not matter here."""


def main() -> None:
    """Print the means."""
    if not PUZZLES.is_file():
        Console().print(f"skipped: {PUZZLES} is not there")
        return
    puzzles = list(load_all(PUZZLES))
    table = Table("backend", "painted", "published", title=f"taai2011, {len(puzzles)} puzzles")
    for spec, published in PUBLISHED.items():
        backend = create(spec)
        painted = [
            float(run_backend(backend, puzzle, REQUEST, StopFlag()).stats["painted"]) for puzzle in puzzles
        ]
        table.add_row(spec, f"{mean(painted):.3f}", str(published or ""))
    Console().print(table)
