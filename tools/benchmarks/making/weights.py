"""Measure what alpha, beta and gamma do: each over a range, the others at their defaults, eight puzzles each.

The pictures are prepared as in Batenburg et al. (2009), figures 10 and 12, edges only.
"""

from __future__ import annotations

import time
from itertools import combinations
from statistics import mean
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import nonocsp
from nonocsp.making.draft import Weights
from nonocsp.making.likeness import likeness
from tools.benchmarks.making.generate import AS_PUBLISHED, COUNT, PICTURES

RANGES = {
    "alpha": (0.0, 1.0, 8.0, 64.0, 512.0),
    "beta": (0.0, 0.1, 1.0, 10.0, 100.0),
    "gamma": (0.0, 1.0, 8.0, 64.0, 512.0),
}


def main() -> None:
    """Print a table for each weight."""
    console = Console(width=130)
    for weight, values in RANGES.items():
        table = Table("picture", weight, "changed cells", "difficulty", "likeness", "differ in", "CPU s")
        table.title = f"{weight}; the others at their defaults; edges only"
        for name, (pixels, size) in PICTURES.items():
            for value in values:
                settings = {"size": size, "edges": "only", "count": COUNT, weight: value, **AS_PUBLISHED}
                default = "*" if value == getattr(Weights(), weight) else ""
                table.add_row(name, f"{value:g}{default}", *_measured(pixels, settings))
            table.add_section()
        console.print(table)


def _measured(pixels: np.ndarray, settings: dict[str, Any]) -> list[str]:
    """Make puzzles; return changed cells, difficulty, likeness, cells that two differ in, and seconds."""
    began = time.process_time()
    production = nonocsp.generate(pixels, **settings)
    made = list(production)
    seconds = time.process_time() - began
    start, palette = production.prepared.start, production.prepared.palette
    changed = [np.count_nonzero(one.image != start) for one in made]
    likenesses = [likeness(one.image, start, palette) for one in made]
    apart = [np.count_nonzero(a.image != b.image) for a, b in combinations(made, 2)] or [0]
    difficulties = [one.difficulty for one in made]
    return [
        f"{mean(changed):.0f} ({min(changed)}..{max(changed)})",
        f"{mean(difficulties):.0f} ({min(difficulties)}..{max(difficulties)})",
        f"{mean(likenesses):.2f}",
        f"{mean(apart):.0f} ({min(apart)}..{max(apart)})",
        f"{seconds:.1f}",
    ]
