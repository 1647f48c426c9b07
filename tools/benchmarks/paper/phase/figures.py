"""Draw the figures of docs/results/phase.md from the tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nonocsp.bench.scoring.means import wilson
from nonocsp.render.plot import COLOURS, write_plot
from tools.benchmarks.paper.phase.fits import (
    SPARSEST,
    Z,
    at_density,
    grid_sizes,
    halves,
    peak,
    power_of_halves,
    predicted_half,
    upper,
)
from tools.benchmarks.paper.phase.switches import expected_switches
from tools.benchmarks.paper.phase.tables import BACKENDS, CPU_S, HALF, Hardness, Shares

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WORK = {"hybrid": "line visits", "sat": "conflicts", "probing": "line visits"}
LEVELS = (0.01, 0.1, 0.5, 0.9, 0.99)
"""Shares of unique puzzles that have a contour."""
KINDS = {
    "simple": ("simple", "#0072b2", ""),
    "unique": ("unique, not simple", "#e69f00", "//"),
    "several": ("several solutions", "#dddddd", ""),
    "undecided": ("not decided", "white", "xxx"),
}
"""Name, colour and hatching of the kinds of puzzles."""
BEYOND = 3.0
"""A quantile among the runs that were cut off stands at this multiple of the highest other one."""
NOTE: Any = {"color": "#555555", "size": 6}
THIN: Any = {"color": "#999999", "linewidth": 0.8}


def draw_all(shares: Sequence[Shares], hardness: Sequence[Hardness], folder: Path) -> None:
    """Draw all figures as SVG."""
    folder.mkdir(parents=True, exist_ok=True)
    drawings: dict[str, tuple[Callable[[Figure], None], tuple[float, float]]] = {
        "diagram": (partial(_diagram, shares=shares, hardness=hardness), (6.4, 4.0)),
        "shares": (partial(_shares, shares=shares), (7.2, 3.6)),
        "hardness": (partial(_hardness, hardness=hardness), (7.2, 3.0)),
        "growth": (partial(_growth, hardness=hardness), (7.2, 2.8)),
        "unique": (partial(_unique, shares=shares), (7.2, 3.0)),
        "scaling": (partial(_scaling, shares=shares), (7.2, 3.8)),
    }
    for name, (draw, inches) in drawings.items():
        write_plot(folder / f"phase-{name}.svg", draw, inches=inches)


def _of(cells: Sequence[Any], size: int) -> list[Any]:
    return sorted((cell for cell in cells if cell.size == size), key=lambda cell: cell.density)


def _matrix(cells: Sequence[Any], sizes: Sequence[int], value: Callable[[Any], float]) -> NDArray[np.float64]:
    """Return a value of each size and density; nan where there is no cell."""
    found = {(cell.size, cell.density): value(cell) for cell in cells}
    densities = sorted({cell.density for cell in cells if cell.size in sizes})
    return np.array([[found.get((size, density), np.nan) for density in densities] for size in sizes])


def _style(number: int) -> dict[str, Any]:
    """Return what tells the lines and points of a series from others, without colour too."""
    colour, marker = COLOURS[number % len(COLOURS)], "os^dvP*X<>"[number]
    return {"color": colour, "marker": marker, "markersize": 3, "linewidth": 0.9}


def _legend(figure: Figure, columns: int) -> None:
    figure.legend(loc="outside lower center", ncols=columns, fontsize=7, frameon=False)


def _diagram(figure: Figure, shares: Sequence[Shares], hardness: Sequence[Hardness]) -> None:
    """Draw contours of the share of unique puzzles over the work of hybrid."""
    axes = figure.subplots()
    sizes = grid_sizes(shares)
    places = sorted({cell.density for cell in shares if cell.size in sizes}), sizes
    work = _matrix([cell for cell in hardness if cell.backend == BACKENDS[0]], sizes, lambda cell: cell.w90)
    work[np.isinf(work)] = work[np.isfinite(work)].max() * BEYOND
    shading = axes.contourf(*places, np.log10(work), levels=10, cmap="Greys", alpha=0.75)
    figure.colorbar(shading, ax=axes, pad=0.02).set_label("log10 of hybrid's line visits, 90 % quantile")
    unique = _matrix(shares, sizes, lambda cell: cell.share)
    widths = [1.6 if level == HALF else 0.7 for level in LEVELS]
    lines = axes.contour(*places, unique, levels=LEVELS, colors=COLOURS[0], linewidths=widths)
    axes.clabel(lines, fmt=lambda level: f"{level:.0%} unique", fontsize=6)
    for value, dashes, colour, label in (
        (lambda cell: cell.simple / cell.images, "--", COLOURS[1], "half are simple"),
        (lambda cell: cell.open, ":", COLOURS[2], "line solving leaves half of the cells open"),
    ):
        found = _matrix(shares, sizes, value)
        axes.contour(*places, found, levels=[HALF], colors=colour, linestyles=dashes, linewidths=1.4)
        axes.plot([], [], dashes, color=colour, label=label)
    for number, backend in enumerate(BACKENDS):  # smaller puzzles are easy at every density
        peaks = [peak(hardness, backend, size, "w90") for size in sizes if size >= 8]
        x, y = zip(*[(cell.density, cell.size) for cell in peaks if cell], strict=True)
        style = _style(number + 3) | {"markersize": 5, "linewidth": 0, "markerfacecolor": "white"}
        axes.plot(x, y, **style, clip_on=False, label=f"hardest for {backend}")
    axes.set(yscale="log", xlabel="density", ylabel="cells a side")
    axes.minorticks_off()
    axes.set_yticks(sizes, [f"{size}" for size in sizes])
    _legend(figure, 3)


def _shares(figure: Figure, shares: Sequence[Shares]) -> None:
    """Draw, for each size, what share of the puzzles is what."""
    sizes = grid_sizes(shares)
    kinds = {kind: look for kind, look in KINDS.items() if any(getattr(cell, kind) for cell in shares)}
    many = figure.subplots(2, -(-len(sizes) // 2), sharex=True, sharey=True, squeeze=False).flat
    for axes, size in zip(many, sizes, strict=False):
        cells = _of(shares, size)
        x, below = [cell.density for cell in cells], np.zeros(len(cells))
        for kind, (name, colour, hatch) in kinds.items():
            above = below + np.array([getattr(cell, kind) / cell.images for cell in cells])
            label = name if size == sizes[0] else None
            look: Any = {"facecolor": colour, "hatch": hatch, "edgecolor": "#333333", "linewidth": 0.4}
            axes.fill_between(x, below, above, label=label, **look)
            below = above
        axes.set_title(f"{size}x{size}", fontsize=8)
        axes.set(ylim=(0, 1), xlim=(x[0], x[-1]), xlabel="density", ylabel="share of the images")
        axes.label_outer()
    _legend(figure, 4)


def _hardness(figure: Figure, hardness: Sequence[Hardness]) -> None:
    """Draw medians and bands of the work against density."""
    for axes, backend in zip(figure.subplots(1, len(BACKENDS)), BACKENDS, strict=True):
        cells = [cell for cell in hardness if cell.backend == backend]
        highest = max(value for cell in cells for value in (cell.w50, cell.w90) if np.isfinite(value))
        for number, size in enumerate(size for size in (10, 15, 20, 25, 30, 40) if _of(cells, size)):
            of_size = _of(cells, size)
            x = [cell.density for cell in of_size]
            low, middle, high = (
                np.minimum([1 + getattr(cell, level) for cell in of_size], highest * BEYOND)
                for level in ("w10", "w50", "w90")
            )
            axes.fill_between(x, low, high, color=COLOURS[number], alpha=0.13, linewidth=0)
            label = f"{size}x{size}" if backend == BACKENDS[0] else None
            axes.plot(x, middle, markevery=3, label=label, **_style(number))
        if any(np.isinf(cell.w90) for cell in cells):
            edge = highest * BEYOND**0.5
            axes.axhline(edge, **THIN)
            axes.text(1, edge * 1.1, "cut off", ha="right", transform=axes.get_yaxis_transform(), **NOTE)
        axes.set_title(backend, fontsize=8)
        axes.set(yscale="log", xlabel="density", ylabel=f"1 + {WORK[backend]}")
    _legend(figure, 6)


def _growth(figure: Figure, hardness: Sequence[Hardness]) -> None:
    """Draw the work and the time at the hardest density against size; nothing where they were cut off."""
    sizes = grid_sizes(hardness)
    left, right = figure.subplots(1, 2)
    for number, backend in enumerate(BACKENDS):
        for level, name, dashes in (("50", "median", "-"), ("90", "90 %", "--")):
            peaks = [peak(hardness, backend, size, f"w{level}") for size in sizes]
            for axes, letter in ((left, "w"), (right, "t")):
                y = np.array([getattr(cell, letter + level) if cell else np.nan for cell in peaks])
                y[np.isinf(y)] = np.nan
                label = f"{backend}, {name}" if letter == "w" else None
                axes.plot(sizes, y if letter == "w" else y / 1e3, dashes, label=label, **_style(number))
    right.axhline(CPU_S * 1e3, **THIN)
    right.text(0.02, CPU_S * 1.1e3, "cut off", transform=right.get_yaxis_transform(), **NOTE)
    left.set(yscale="log", xlabel="cells a side", ylabel="line visits; of sat, conflicts")
    right.set(yscale="log", xlabel="cells a side", ylabel="CPU time (ms)")
    _legend(figure, 3)


def _unique(figure: Figure, shares: Sequence[Shares]) -> None:
    """Draw the share of unique puzzles against density, and against the expected number of switches."""
    left, right = figure.subplots(1, 2)
    fine = np.linspace(0.3, 0.95, 60)
    for number, size in enumerate(grid_sizes(shares)):
        style, name = _style(number), f"{size}x{size}"
        cells = _of(shares, size)[::2]
        _intervals(left, [cell.density for cell in cells], cells, label=name, **style)
        left.plot(
            fine,
            [np.exp(-expected_switches(size, x)) for x in fine],
            color=style["color"],
            linewidth=0.8,
        )
        cells = [cell for cell in upper(shares, size) if cell.density >= SPARSEST]
        _intervals(right, [expected_switches(size, cell.density) for cell in cells], cells, **style)
    few = np.geomspace(1e-3, 10, 80)
    right.plot(few, np.exp(-few), color="black", linewidth=1, label="exp(-expected switches)")
    left.set(xlabel="density", ylabel="share with one solution")
    right.set(xscale="log", xlim=(2e-3, 10), xlabel="expected number of switches")
    _legend(figure, 6)


def _intervals(axes: Axes, x: Sequence[float], cells: Sequence[Shares], **style: Any) -> None:
    """Draw shares of unique puzzles with their intervals."""
    y = np.array([cell.share for cell in cells])
    low, high = np.array([wilson(cell.one, cell.decided) for cell in cells]).T
    axes.errorbar(x, y, np.maximum(0, [y - low, high - y]), linestyle="", **style | {"linewidth": 0.6})


def _scaling(figure: Figure, shares: Sequence[Shares]) -> None:
    """Draw the density of one half, and the share at density .5, against size, with residuals."""
    (left, right), (below_left, below_right) = figure.subplots(2, 2, height_ratios=(3, 1), sharex="col")
    found = halves(shares)
    sizes = np.array([*found])
    half, errors = np.array([(bent.values[0], bent.errors[0]) for _, bent in found.values()]).T
    _points(left, sizes, half, errors)
    fine = np.arange(sizes[0], sizes[-1] + 1)
    left.plot(fine, [*map(predicted_half, fine)], color=COLOURS[1], label="half without a switch")
    if power := power_of_halves(found):
        b, c = power[0].values
        left.plot(fine, 1 - b * fine**-c, "--", color=COLOURS[2], label=f"fit: 1 - {b:.3f} n^-{c:.3f}")
    _points(below_left, sizes, half - [*map(predicted_half, sizes)], errors)
    left.set(ylabel="density at which half are unique")
    below_left.set(xlabel="cells a side", ylabel="minus\nprediction")
    expected = [expected_switches(int(size), HALF) for size in fine]
    right.plot(fine, expected, color=COLOURS[1], label="expected switches")
    if parabola := at_density(shares, HALF):
        cells, fit = parabola
        x = np.array([cell.size for cell in cells])
        y = np.array([-np.log(cell.share) for cell in cells])
        errors = np.array([((1 - cell.share) / cell.one) ** 0.5 for cell in cells])
        _points(right, x, y, errors)
        fitted = fit.values @ np.array([x**0, x, x**2])
        right.plot(x, fitted, "--", color=COLOURS[2], label="fit: parabola")
        _points(below_right, x, (y - fitted) / errors, np.zeros(len(x)))
    right.set(ylabel="-ln of the unique share at density .5")
    below_right.set(xlabel="cells a side", ylabel="residual /\nstd. error")
    for axes in (below_left, below_right):
        axes.axhline(0, **THIN)
    for axes in (left, right):
        axes.legend(frameon=False, fontsize=7)


def _points(axes: Axes, x: Any, y: Any, errors: Any) -> None:
    axes.errorbar(x, y, Z * errors, fmt="o", markersize=3, linewidth=0.8, color=COLOURS[0], label="measured")
