"""Print the numbers of docs/results/phase.md: fits and their residuals, shares, and where the work peaks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from rich.console import Console
from rich.table import Table

from nonocsp.bench.scoring.means import wilson
from tools.benchmarks.paper.phase.fits import (
    Fit,
    Z,
    at_density,
    excess,
    grid_sizes,
    halves,
    peak,
    power_of_halves,
    predicted_half,
)
from tools.benchmarks.paper.phase.switches import expected_switches
from tools.benchmarks.paper.phase.tables import BACKENDS, HALF, Hardness, Shares

DECAYS = (0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.8)
"""Densities at which the decay with size is fitted."""
BANDS = (0.0, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Bounds of the expected switches by which `_switched` sorts the cells."""
FAR = 10_000
"""A size at which borders no longer count."""


def print_summary(shares: Sequence[Shares], hardness: Sequence[Hardness], console: Console) -> None:
    """Print the tables of the page."""
    for table in (_halves(shares), _sizes(shares), _decays(shares), _peaks(hardness), _switched(shares)):
        console.print(table)
    fit = excess(shares)
    console.print(f"share = exp(-a * expected switches): a = {fit}; deviance / freedom {fit.quality}")
    if power := power_of_halves(halves(shares)):
        for name, fit in zip(("1 - b n^-c: b, c", "a - b n^-c: b, c, a"), power, strict=True):
            console.print(f"density of one half = {name} = {fit}; chi^2 / freedom {fit.quality}")


def _halves(shares: Sequence[Shares]) -> Table:
    table = Table(
        *("size", "half", "width", "deviance", "half, bent", "bend", "deviance", "predicted half"),
        title="logistic curves in density",
    )
    for size, (straight, bent) in halves(shares).items():
        half, width = _pairs(straight)[:2]
        of_bent = _pairs(bent)
        table.add_row(
            *(f"{size}", half, width, straight.quality, of_bent[0], of_bent[2], bent.quality),
            f"{predicted_half(size):.4f}",
        )
    return table


def _pairs(fit: Fit) -> list[str]:
    return [f"{value:.4f} ± {Z * error:.4f}" for value, error in zip(fit.values, fit.errors, strict=True)]


def _sizes(shares: Sequence[Shares]) -> Table:
    table = Table("size", "images", "simple %", "unique %", "exp(-switches) %", title="at density .5")
    for cell in shares:
        if cell.density == HALF:
            predicted = np.exp(-expected_switches(cell.size, HALF))
            table.add_row(
                *(f"{cell.size}", f"{cell.images}", _share(cell.simple, cell.images)),
                *(_share(cell.one, cell.decided), f"{100 * predicted:.3g}"),
            )
    return table


def _share(count: int, total: int) -> str:
    low, high = wilson(count, total)
    return f"{100 * count / total:.3g} ({100 * low:.3g}–{100 * high:.3g})"


def _decays(shares: Sequence[Shares]) -> Table:
    title = "-log of the unique share = c0 + c1 n + c2 n²"
    table = Table("density", "sizes", "c0, c1, c2", "deviance", "predicted c2", title=title)
    for density in DECAYS:
        if found := at_density(shares, density):
            cells, fit = found
            far = expected_switches(FAR, density) / FAR**2
            sizes = f"{cells[0].size}–{cells[-1].size}"
            table.add_row(f"{density}", sizes, str(fit), fit.quality, f"{far:.4g}")
    return table


def _peaks(hardness: Sequence[Hardness]) -> Table:
    table = Table(
        *(
            "backend",
            "size",
            "hardest: w50",
            "w90",
            "w50 there",
            "w90 there",
            "t50 ms",
            "t90 ms",
            "undecided",
        ),
        title="densities where the median and the 90 % quantile of the work are highest",
    )
    for backend in BACKENDS:
        for size in grid_sizes(hardness):
            middle, high = (peak(hardness, backend, size, level) for level in ("w50", "w90"))
            if middle and high:
                table.add_row(
                    *(backend, f"{size}", f"{middle.density}", f"{high.density}", f"{middle.w50:.0f}"),
                    *(f"{high.w90:.0f}", f"{middle.t50 / 1e3:.3g}", f"{high.t90 / 1e3:.3g}"),
                    f"{high.undecided}/{high.runs}",
                )
    return table


def _switched(shares: Sequence[Shares]) -> Table:
    """How far shares lie from exp(-switches), by the number of switches expected."""
    title = "share - exp(-switches) in points, from size 10 and density .5 on"
    table = Table("expected switches", "cells", "mean", "largest", title=title)
    for low, high in pairwise(BANDS):
        gaps = [
            (100 * (cell.share - np.exp(-expected)), cell)
            for cell in shares
            if cell.size >= 10 and cell.density >= HALF
            if low <= (expected := expected_switches(cell.size, cell.density)) < high
        ]
        if gaps:
            worst, cell = max(gaps, key=lambda gap: abs(gap[0]))
            place = f"{worst:.2f} ({cell.size}x{cell.size} at {cell.density})"
            table.add_row(f"{low}–{high}", f"{len(gaps)}", f"{np.mean([gap[0] for gap in gaps]):.2f}", place)
    return table
