"""Draw the plots of a report as PNG or SVG files, for papers: cactus, scatter, heat map, time against size.

The interactive ones are on the page (`nonocsp.bench.report.html`). Needs Matplotlib, the extra ``plots``. An
undecided run stands at the upper end of a time axis, beyond a line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nonocsp.bench.report.digest import Digest
from nonocsp.bench.report.entrants import side_by_side
from nonocsp.bench.scoring import Runs
from nonocsp.model import UsageError
from nonocsp.render.plot import check_plot, write_plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Pair = tuple[str, str]

COLOURS = ("#0072b2", "#c4520a", "#00805d", "#a8437f", "#6b6100", "#5a4fcf", "#4d4d4d", "#9a1b1b")
_DASHES: tuple[Any, ...] = ("-", (0, (6, 3)), (0, (1, 2)), (0, (8, 2, 1, 2)))
_SHORTEST_S = 1e-6
_BEYOND = 2.0
"""Undecided runs stand at this multiple of the longest decided one."""


def write_plots(digest: Digest, folder: Path, kind: str, pair: Pair | None = None) -> list[Path]:
    """Write every plot that the runs are enough for; return the files.

    Parameters
    ----------
    kind
        ``png`` or ``svg``.
    pair
        The two entrants of the scatter plot; default: the two that decide most.

    Raises
    ------
    UsageError
        Without Matplotlib, and for an unknown name in `pair`.
    """
    files = {name: folder / f"{name}.{kind}" for name in ("cactus", "heat", "scatter", "size")}
    runs = side_by_side(digest)
    if pair is None:
        most = np.argsort(-runs.is_decided.sum(axis=1), kind="stable").tolist()
        first, second = most[0], most[min(1, len(most) - 1)]
    else:
        for name in pair:
            if name not in runs.backends:
                raise UsageError(f"no runs of {name!r}; there are {', '.join(runs.backends)}")
        first, second = map(runs.backends.index, pair)
    folder.mkdir(parents=True, exist_ok=True)
    check_plot(files["cactus"])
    drawings: dict[str, Callable[[Figure], None]] = {
        "cactus": lambda figure: _cactus(figure, runs),
        "heat": lambda figure: _heat_map(figure, runs),
    }
    if first != second:
        drawings["scatter"] = lambda figure: _scatter(figure, runs, first, second)
    if len(np.unique(runs.instances.cells)) > 1:
        drawings["size"] = lambda figure: _against_size(figure, runs)
    for name, draw in drawings.items():
        write_plot(files[name], draw, inches=(6.4, 4.2))
    return [files[name] for name in drawings]


def _style(b: int) -> dict[str, Any]:
    """Return the line of an entrant: colours first, then dashes."""
    return {"color": COLOURS[b % len(COLOURS)], "linestyle": _DASHES[b // len(COLOURS) % len(_DASHES)]}


def _cactus(figure: Figure, runs: Runs) -> None:
    axes = figure.subplots()
    for b, backend in enumerate(runs.backends):
        times = np.sort(np.maximum(runs.wall_s[b, runs.is_decided[b]], _SHORTEST_S))
        axes.plot(np.arange(1, len(times) + 1), times, label=f"{backend} ({len(times)})", **_style(b))
    best = np.sort(np.maximum(_best_s(runs), _SHORTEST_S))
    best = best[np.isfinite(best)]
    axes.plot(np.arange(1, len(best) + 1), best, ":", color="#777777", label=f"virtual best ({len(best)})")
    axes.set(yscale="log", xlabel="runs decided", ylabel="wall time of a run (s)", xlim=(0, None))
    _legend(axes, figure)


def _scatter(figure: Figure, runs: Runs, first: int, second: int) -> None:
    figure.set_size_inches(4.8, 4.8)
    axes = figure.subplots()
    both = runs.has_run[first] & runs.has_run[second] & (runs.is_decided[first] | runs.is_decided[second])
    times = np.where(runs.is_decided, np.maximum(runs.wall_s, _SHORTEST_S), np.inf)[[first, second]][:, both]
    low, end = _decades(times)
    decided = np.isfinite(times).all(axis=0)
    x, y = np.where(np.isfinite(times), times, end * _BEYOND)
    axes.scatter(x[decided], y[decided], 8, COLOURS[0], alpha=0.6, linewidths=0)
    axes.scatter(x[~decided], y[~decided], 8, COLOURS[1], alpha=0.8, linewidths=0, clip_on=False)
    axes.plot([low, end], [low, end], "--", color="#777777", linewidth=0.8)
    for line in (axes.axhline, axes.axvline):
        line(end, color="#bbbbbb", linewidth=0.8)
    span = (low, end * _BEYOND * 1.3)
    axes.set(xscale="log", yscale="log", xlim=span, ylim=span, aspect="equal",
             xlabel=f"wall time of {runs.backends[first]} (s)",
             ylabel=f"wall time of {runs.backends[second]} (s)")  # fmt: skip
    axes.text(low * 1.2, end * _BEYOND, "not decided", va="center", color="#555555", size=7)


def _heat_map(figure: Figure, runs: Runs) -> None:
    from matplotlib.colors import LogNorm

    figure.set_size_inches(6.4, 1.2 + 0.28 * len(runs.backends))
    axes = figure.subplots()
    order = np.argsort(_best_s(runs), kind="stable")
    times = np.where(runs.is_decided, np.maximum(runs.wall_s, _SHORTEST_S), np.nan)[:, order]
    low, end = _decades(times)
    axes.set_facecolor("#d9762b")
    image = axes.imshow(times, aspect="auto", interpolation="nearest", cmap="Blues", norm=LogNorm(low, end))
    axes.imshow(np.where(runs.has_run[:, order], np.nan, 0.0), aspect="auto", interpolation="nearest",
                cmap="Greys", vmin=0.0, vmax=1.0)  # fmt: skip
    axes.set_yticks(range(len(runs.backends)), runs.backends)
    axes.set_xlabel("instances, easiest first; orange: not decided, white: no run")
    figure.colorbar(image, label="wall time (s)")


def _against_size(figure: Figure, runs: Runs) -> None:
    axes = figure.subplots()
    cells = runs.instances.cells
    times = np.where(runs.is_decided, np.maximum(runs.wall_s, _SHORTEST_S), np.inf)
    _, end = _decades(times)
    sizes = np.unique(cells)
    for b, backend in enumerate(runs.backends):
        known = runs.has_run[b]
        shown = np.where(np.isfinite(times[b]), times[b], end * _BEYOND)
        axes.scatter(cells[known], shown[known], 3, COLOURS[b % len(COLOURS)], alpha=0.3, linewidths=0)
        groups = [np.sort(times[b, known & (cells == size)]) for size in sizes]
        medians = [
            group[(len(group) - 1) // 2] if len(group) else np.nan for group in groups
        ]  # the lower one
        axes.plot(sizes, np.minimum(medians, end * _BEYOND), label=backend, **_style(b))
    axes.axhline(end, color="#bbbbbb", linewidth=0.8)
    axes.text(cells.min(), end * 1.15, "not decided", color="#555555", size=7)
    axes.set(xscale="log", yscale="log", xlabel="cells of the puzzle", ylabel="wall time (s)")
    _legend(axes, figure)


def _best_s(runs: Runs) -> Any:
    """Return the time of the virtual best on each instance, inf where none decided."""
    return np.where(runs.is_decided, runs.wall_s, np.inf).min(axis=0)


def _decades(times: Any) -> tuple[float, float]:
    """Return the powers of ten around the times that are finite."""
    finite = times[np.isfinite(times)]
    if not len(finite):
        return 1e-3, 1.0
    low, high = np.floor(np.log10(finite.min())), np.ceil(np.log10(finite.max()))
    return float(10**low), float(10 ** max(high, low + 1))


def _legend(axes: Axes, figure: Figure) -> None:
    """Put the legend below the plot, so that it hides nothing."""
    handles: Sequence[Any]
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, fontsize=7, frameon=False)
