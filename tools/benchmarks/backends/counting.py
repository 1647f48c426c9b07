"""Measure exact counts against size and density: what is counted, how long it takes, where it gives up."""

from __future__ import annotations

from math import log10
from statistics import median

import numpy as np
from rich.console import Console
from rich.table import Table

import nonocsp
from nonocsp.backends.base import Outcome
from nonocsp.model import Grid, Palette, Puzzle

SHAPES = ((10, 10), (8, 30), (15, 15), (20, 20), (25, 25))
DENSITIES = (0.1, 0.2, 0.3, 0.4, 0.5)
PUZZLES = 5
WALL_S = 5.0
BACKENDS = ("hybrid", "mdd")


def main() -> None:
    """Print a row for each shape, density and backend."""
    columns = (
        "shape",
        "density",
        "backend",
        "counted",
        "log10 of counts",
        "log10 of bounds",
        "s",
        "states",
        "width",
    )
    table = Table(*columns, title=f"{PUZZLES} random puzzles each, {WALL_S:g} s a run")
    for shape in SHAPES:
        for density in DENSITIES:
            puzzles = [_puzzle(shape, density, seed) for seed in range(PUZZLES)]
            for backend in BACKENDS:
                outcomes = [nonocsp.solve(puzzle, backend, "count", wall=WALL_S) for puzzle in puzzles]
                table.add_row("x".join(map(str, shape)), f"{density:g}", backend, *_figures(outcomes))
    Console(width=140).print(table)


def _puzzle(shape: tuple[int, int], density: float, seed: int) -> Puzzle:
    random = np.random.default_rng(seed)
    return Puzzle.from_grid(Grid.from_cells(random.random(shape) < density), palette=Palette.of(1))


def _figures(outcomes: list[Outcome]) -> list[str]:
    exact = [log10(outcome.count) for outcome in outcomes if outcome.count]
    bounds = [
        log10(outcome.count_at_least)
        for outcome in outcomes
        if outcome.count is None and outcome.count_at_least
    ]
    seconds = [outcome.wall_s for outcome in outcomes]
    states, widths = ([int(outcome.stats.get(key, 0)) for outcome in outcomes] for key in ("states", "width"))
    return [
        f"{len(exact)} of {len(outcomes)}",
        f"{min(exact):.1f}–{max(exact):.1f}" if exact else "",
        f"{min(bounds):.1f}–{max(bounds):.1f}" if bounds else "",
        f"{median(seconds):.3f}, {max(seconds):.2f}",
        f"{median(states):.0f}",
        f"{max(widths)}",
    ]
