"""Draw the plots of a report as PDF, PNG or SVG files, as wide as a column of a paper.

Needs Matplotlib, the extra ``plots``. An undecided run stands at the upper end of a time axis, beyond a line.
Of very many runs a plot shows a sample or medians of neighbours, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nonocsp.bench.report.digest import Digest
from nonocsp.bench.report.figures import shortened
from nonocsp.bench.report.growth import Chart, chosen
from nonocsp.bench.scoring import Runs
from nonocsp.bench.scoring.runs import FloatArray, IntArray
from nonocsp.formats.target import make_folder
from nonocsp.render.plot import COLOURS, check_plot, plain, series_style, write_plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DASHES: tuple[Any, ...] = ("-", (0, (6, 3)), (0, (1, 2)), (0, (8, 2, 1, 2)))
_SHORTEST_S = 1e-6
_BEYOND = 2.0
"""Undecided runs stand at this multiple of the longest decided one."""
INCHES = 3.4, 2.3
"""Width and height of a plot without its legend: a column of a paper."""
_LEGEND_LINE = 0.145
"""Inches."""
MAX_POINTS = 20_000
"""The most dots of a backend, or of a pair of them."""
MAX_COLUMNS = 2000
"""The most columns of a heat map."""
_LETTERS = 32
"""The longest name of a backend on a plot."""
_WIDE = 24
"""The longest text of a legend of two columns, and the longest name beside a heat map."""
_TICKS = 9
"""The most marks of an axis of growth."""
_SMALL = 7
"""Size of the text of legends, in points."""


def write_plots(digest: Digest, folder: Path, *kinds: str) -> list[Path]:
    """Write every plot that the runs are enough for; return the files."""
    runs = digest.runs
    drawings: dict[str, Callable[[Figure], None]] = {
        "cactus": lambda figure: _cactus(figure, runs),
        "heat": lambda figure: _heat_map(figure, runs),
    }
    for number, (first, second) in enumerate(_scattered(digest), start=1):
        name = "scatter" if number == 1 else f"scatter-{number}"
        drawings[name] = partial(_scatter, runs=runs, first=first, second=second)
    if len(np.unique(runs.instances.cells)) > 1:
        drawings["size"] = lambda figure: _against_size(figure, runs)
    for name, chart in chosen(digest).items():
        drawings[name] = partial(_growth, chart=chart)
    for kind in kinds:
        check_plot(folder / f"cactus.{kind}")
    make_folder(folder)
    files = {folder / f"{name}.{kind}": draw for name, draw in drawings.items() for kind in kinds}
    for file, draw in files.items():
        write_plot(file, draw, inches=INCHES)
    return [*files]


def _scattered(digest: Digest) -> list[tuple[int, int]]:
    """Return which entrants the scatter plots show: those asked for, or the two that decide most."""
    backends = digest.runs.backends
    if digest.chosen:
        pairs = ((backends.index(first), backends.index(second)) for first, second in digest.chosen)
        return [(first, second) for first, second in pairs if first != second]
    most = np.argsort(-digest.runs.is_decided.sum(axis=1), kind="stable").tolist()
    return [(most[0], most[1])] if len(most) > 1 else []


def _style(b: int, points: int) -> dict[str, Any]:
    """Return the line of an entrant with a few marks, and dashes by which neighbours differ as well."""
    dashes = _DASHES[(b + b // len(COLOURS)) % len(_DASHES)]
    step = max(1, min(points, MAX_POINTS) // 8)
    return series_style(b) | {"linestyle": dashes, "linewidth": 1.2, "markevery": step}


def _label(runs: Runs, b: int, letters: int = _LETTERS) -> str:
    """Return the name of an entrant as a label of so many letters at most."""
    return plain(shortened(runs.backends[b], letters))


def _cactus(figure: Figure, runs: Runs) -> None:
    from matplotlib.ticker import MaxNLocator

    axes = figure.subplots()
    for b in range(len(runs.backends)):
        times = np.sort(np.maximum(runs.wall_s[b, runs.is_decided[b]], _SHORTEST_S))
        axes.plot(*_thinned(times), label=f"{_label(runs, b)} ({len(times)})", **_style(b, len(times)))
    best = np.sort(np.maximum(_best_s(runs), _SHORTEST_S))
    best = best[np.isfinite(best)]
    axes.plot(*_thinned(best), "-", color="#999999", linewidth=0.8, label=f"virtual best ({len(best)})")
    axes.set(yscale="log", xlabel="runs decided", ylabel="wall time of a run (s)", xlim=(0, None))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    _legend(axes, figure)


def _thinned(times: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the points of a curve: counts from 1 and sorted times, `MAX_POINTS` of them at most."""
    places = np.unique(np.linspace(0, max(0, len(times) - 1), MAX_POINTS).astype(np.intp))[: len(times)]
    return places + 1, times[places]


def _sample(places: IntArray) -> tuple[IntArray, str]:
    """Return at most `MAX_POINTS` of the places, the same ones each time, and what to say of that."""
    if len(places) <= MAX_POINTS:
        return places, ""
    chosen = np.random.default_rng(0).choice(places, MAX_POINTS, replace=False)
    return np.sort(chosen), f"a sample of {MAX_POINTS} of {len(places)}"


def _scatter(figure: Figure, runs: Runs, first: int, second: int) -> None:
    figure.set_size_inches(INCHES[0], INCHES[0])
    axes = figure.subplots()
    both = runs.has_run[first] & runs.has_run[second] & (runs.is_decided[first] | runs.is_decided[second])
    shown, note = _sample(np.flatnonzero(both))
    times = _decided_s(runs)[[first, second]]
    low, end = _decades(times[:, both])
    times = times[:, shown]
    decided = np.isfinite(times).all(axis=0)
    x, y = np.where(np.isfinite(times), times, end * _BEYOND)
    is_many = len(shown) > MAX_COLUMNS
    axes.scatter(x[decided], y[decided], 8, COLOURS[0], alpha=0.6, linewidths=0, rasterized=is_many)
    axes.scatter(x[~decided], y[~decided], 8, COLOURS[1], alpha=0.8, linewidths=0, clip_on=False,
                 rasterized=is_many)  # fmt: skip
    axes.plot([low, end], [low, end], "--", color="#777777", linewidth=0.8)
    for line in (axes.axhline, axes.axvline):
        line(end, color="#bbbbbb", linewidth=0.8)
    span = (low, end * _BEYOND * 1.3)
    axes.set(xscale="log", yscale="log", xlim=span, ylim=span, aspect="equal",
             xlabel=_captioned(f"wall time of {_label(runs, first)} (s)", note and f"{note} instances"),
             ylabel=f"wall time of {_label(runs, second)} (s)")  # fmt: skip
    axes.text(low * 1.2, end * _BEYOND, "not decided", va="center", color="#555555", size=_SMALL)


def _heat_map(figure: Figure, runs: Runs) -> None:
    from matplotlib.colors import LogNorm

    figure.set_size_inches(INCHES[0], 1.2 + 0.18 * len(runs.backends))
    axes = figure.subplots()
    order = np.argsort(_best_s(runs), kind="stable")
    groups = np.array_split(order, min(len(order), MAX_COLUMNS))
    times = np.transpose([_lower_medians(runs, group) for group in groups])
    low, end = _decades(times)
    has_run = np.transpose([runs.has_run[:, group].any(axis=1) for group in groups])
    axes.set_facecolor("#d9762b")
    image = axes.imshow(np.where(np.isfinite(times), times, np.nan), aspect="auto", interpolation="nearest",
                        cmap="Blues", norm=LogNorm(low, end))  # fmt: skip
    axes.imshow(np.where(has_run, np.nan, 0.0), aspect="auto", interpolation="nearest",
                cmap="Greys", vmin=0.0, vmax=1.0)  # fmt: skip
    names = [_label(runs, b, _WIDE) for b in range(len(runs.backends))]
    axes.set_yticks(range(len(names)), names, size=_SMALL)
    note = f"a column is the median of about {round(len(order) / MAX_COLUMNS)} of {len(order)} instances"
    figure.supxlabel(_captioned("instances, easiest first; orange: not decided, white: no run",
                                note if len(order) > MAX_COLUMNS else ""), size=_SMALL)  # fmt: skip
    figure.colorbar(image, label="wall time (s)", location="top", aspect=40)


def _lower_medians(runs: Runs, instances: IntArray) -> FloatArray:
    """Return each entrant's median time over some instances, the lower of two; inf for no decided run."""
    times = np.sort(np.where(runs.has_run[:, instances], _decided_s(runs, instances), np.nan), axis=1)
    middle = (runs.has_run[:, instances].sum(axis=1) - 1).clip(0) // 2
    found = times[np.arange(len(times)), middle]
    return np.where(np.isnan(found), np.inf, found)


def _against_size(figure: Figure, runs: Runs) -> None:
    axes = figure.subplots()
    cells, times, notes = runs.instances.cells, _decided_s(runs), set()
    _, end = _decades(times)
    for b in range(len(runs.backends)):
        known = np.flatnonzero(runs.has_run[b])
        points, note = _sample(known)
        notes.add(note)
        shown = np.where(np.isfinite(times[b, points]), times[b, points], end * _BEYOND)
        axes.scatter(cells[points], shown, 3, COLOURS[b % len(COLOURS)], alpha=0.3, linewidths=0,
                     rasterized=len(points) > MAX_COLUMNS)  # fmt: skip
        order = known[np.lexsort((times[b, known], cells[known]))]
        sizes, starts, counts = np.unique(cells[order], return_index=True, return_counts=True)
        medians = times[b, order[starts + (counts - 1) // 2]]  # the lower one
        axes.plot(sizes, np.minimum(medians, end * _BEYOND), label=_label(runs, b), **_style(b, len(sizes)))
    axes.axhline(end, color="#bbbbbb", linewidth=0.8)
    axes.text(cells.min(), end * 1.15, "not decided", color="#555555", size=_SMALL)
    note = max(notes, default="")
    caption = _captioned("cells of the puzzle", note and f"dots: {note} runs of each backend")
    axes.set(xscale="log", yscale="log", ylabel="wall time (s)", xlabel=caption)
    marks = [factor * 10**power for power in range(8) for factor in (1, 2, 5)]
    inside = [mark for mark in marks if cells.min() <= mark <= cells.max()]
    ticks = inside if len(inside) > 1 else sorted({int(cells.min()), int(cells.max())})
    axes.set_xticks(ticks, [*map(str, ticks)])
    axes.set_xticks([], minor=True)
    _legend(axes, figure)


def _growth(figure: Figure, chart: Chart) -> None:
    """Draw lines with bands; what is beyond the limit stands above a line."""
    axes = figure.subplots()
    is_time = chart.unit == "time"
    points = [point for series in chart.series for point in series.points]
    times = [max(v, _SHORTEST_S) for p in points for v in p[2:5] if v is not None and is_time]
    _, end = _decades(np.array(times))
    beyond = end * _BEYOND if is_time else np.nan
    least = _SHORTEST_S if is_time else 0.0
    has_cut = is_time and not chart.is_score and any(point.undecided for point in points)
    for number, series in enumerate(chart.series):
        x, _, *levels = zip(*(point[:5] for point in series.points), strict=True)
        low, middle, high = (
            np.array([beyond if v is None else max(v, least) for v in level]) for level in levels
        )
        style = _style(number if series.entrant is None else series.entrant, 8)
        axes.fill_between(x, low, high, color=style["color"], alpha=0.13, linewidth=0)
        axes.plot(x, middle, label=plain(shortened(series.label, _LETTERS)), **style)
    ticks = dict(sorted((point.x, point.text) for point in points))
    shown = [*ticks][:: -(-len(ticks) // _TICKS)]
    axes.set_xticks(shown, [plain(ticks[x]) for x in shown])
    axes.set_xlabel(_captioned(chart.axis, plain(chart.of)))
    if is_time:
        axes.set(yscale="log", ylabel="PAR-2 (s)" if chart.is_score else "median time (s)")
        if has_cut:
            axes.axhline(end, color="#bbbbbb", linewidth=0.8)
            axes.text(min(ticks), end * 1.15, "not decided", color="#555555", size=_SMALL)
    else:
        axes.set(ylim=(-0.02, 1.02), ylabel="share")
    _legend(axes, figure)


def _captioned(label: str, note: str) -> str:
    """Return the label of an axis, with a note below if there is one."""
    return f"{label}\n{note}" if note else label


def _decided_s(runs: Runs, instances: IntArray | slice = slice(None)) -> FloatArray:
    """Return the wall times of decided runs on some instances, inf for all others."""
    decided = runs.is_decided[:, instances]
    return np.where(decided, np.maximum(runs.wall_s[:, instances], _SHORTEST_S), np.inf)


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
    columns = 1 if max(map(len, labels)) > _WIDE else 2
    width, height = figure.get_size_inches()
    figure.set_size_inches(width, height + _LEGEND_LINE * -(-len(labels) // columns))
    figure.legend(handles, labels, loc="outside lower center", ncols=columns, fontsize=_SMALL, frameon=False)
