"""Draw what makes a puzzle hard for each paradigm: ``python -m tools.benchmarks features``.

Reads ``features.json`` in ``--data``: random forests that predict the time of each backend from features of a
puzzle, and portfolios that choose a backend by them. Prints its tables and writes the figures of
docs/results/features.md, which says how the data were made.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from nonocsp.render.plot import write_plot
from tools.benchmarks.puzzles import ROOT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RESULTS = ROOT / "docs" / "results"
GROUPS = (6, 5, 2, 2, 1, 3)
"""Features of each group, the cheapest first: clues, lines, components, 2-SAT, probing, beliefs."""
RISING = 0.03
"""Power of ten from which on an arrow says that times rise, or fall, with a feature: 7 %."""
PANELS = 4
"""Backends side by side."""
TICKS = (0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5)

Fits = Mapping[str, Mapping[str, Any]]
"""By backend: R² of its forest, importance of each feature, predicted and measured times."""
Portfolios = Sequence[Mapping[str, Any]]
"""Ways to choose a backend, hybrid alone first: their PAR-2 and its ratio to that of hybrid."""


def main(
    data: Annotated[Path, typer.Option(help="Folder of features.json.")] = RESULTS / "data",
    figures: Annotated[Path, typer.Option(help="Folder of the figures.")] = RESULTS / "figures",
) -> None:
    """Print the tables and draw the figures."""
    summary = json.loads((data / "features.json").read_text(encoding="utf-8"))
    fits, portfolios = summary["fits"], summary["portfolios"]
    console = Console(width=130)
    for table in (_sets(summary["sets"]), _scores(fits), _portfolios(portfolios), _costs(summary["cost_ms"])):
        console.print(table)
    for name, draw, inches in (
        ("importance", partial(_draw_importance, fits=fits), (7.2, 6.0)),
        ("prediction", partial(_draw_prediction, fits=fits, limit_s=summary["limit_s"]), (7.2, 4.4)),
        ("portfolio", partial(_draw_portfolios, portfolios=portfolios), (7.2, 0.3 * len(portfolios) + 0.8)),
    ):
        write_plot(figures / f"features-{name}.svg", draw, inches=inches)


def _sets(sets: Mapping[str, Mapping[str, Any]]) -> Table:
    backends = next(iter(sets.values()))["decided"]
    table = Table("set", "puzzles", "by lines", *backends, title="PAR-2 in ms (undecided)")
    for name, one in sets.items():
        cells = []
        for backend, decided in one["decided"].items():
            left = f" ({one['puzzles'] - decided})" if decided < one["puzzles"] else ""
            cells.append(f"{one['par2_ms'][backend]:.3g}{left}")
        table.add_row(name, str(one["puzzles"]), str(one["by lines"]), *cells)
    return table


def _scores(fits: Fits) -> Table:
    tiers = next(iter(fits.values()))["by_tier"]
    table = Table("backend", "decided", "R²", "R², decided", "R², other set", "factor", "AUC", *tiers)
    for name, fit in fits.items():
        cells = [fit[key] for key in ("score", "score_decided", "transfer", "factor", "auc")]
        cells += fit["by_tier"].values()
        shown = ("–" if cell is None else f"{cell:.2f}" for cell in cells)
        table.add_row(name, f"{fit['decided']:.1%}", *shown)
    return table


def _portfolios(portfolios: Portfolios) -> Table:
    table = Table("portfolio", "total, s", "PAR-2, ms", "undecided", "beside hybrid", "takes")
    for one in portfolios:
        ratio = f"{one['ratio']:.3f} ({one['low']:.2f}–{one['high']:.2f})"
        takes = ", ".join(f"{name} {count}" for name, count in list(one["choices"].items())[:3])
        figures = f"{one['total_s']:.1f}", f"{1e3 * one['par2_s']:.2f}", str(one["undecided"])
        table.add_row(one["name"], *figures, ratio, takes)
    return table


def _costs(cost_ms: Mapping[str, Sequence[float]]) -> Table:
    table = Table("features", "median, ms", "90 %, ms")
    for name, (median, most) in cost_ms.items():
        table.add_row(name, f"{median:.2f}", f"{most:.2f}")
    return table


def _draw_importance(figure: Figure, fits: Fits) -> None:
    """Draw features down, backends across; a number is the loss of R², an arrow the direction."""
    features = [*next(iter(fits.values()))["importance"]]
    losses = np.array([[fit["importance"][name] for fit in fits.values()] for name in features])
    axes = figure.subplots()
    axes.imshow(np.sqrt(losses.clip(0, 1)), cmap="Blues", vmin=0, vmax=1, aspect="auto")
    for row, name in enumerate(features):
        for column, fit in enumerate(fits.values()):
            slope = fit["effect"][name]
            arrow = "" if abs(slope) < RISING else "↑" if slope > 0 else "↓"
            colour = "white" if losses[row, column] > 0.36 else "black"
            if losses[row, column] >= 0.005:
                text = f"{losses[row, column]:.2f}".lstrip("0")
                axes.text(column, row, f"{text} {arrow}", ha="center", va="center", color=colour)
    axes.set_yticks(range(len(features)), features)
    axes.set_xticks(range(len(fits)), [f"{name}\nR² {fit['score']:.2f}" for name, fit in fits.items()])
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    axes.spines[:].set_visible(False)
    for end in np.cumsum(GROUPS[:-1]):
        axes.axhline(end - 0.5, color="0.4", linewidth=0.8)
    axes.set_xlabel(
        "loss of R² on held-out puzzles when the feature is permuted (empty: below .005)\n"
        "↑ predicted times rise with it, ↓ they fall"
    )


def _draw_prediction(figure: Figure, fits: Fits, limit_s: float) -> None:
    """Draw measured over predicted times, one panel a backend."""
    panels = iter(
        figure.subplots(-(-len(fits) // PANELS), PANELS, sharex=True, sharey=True, squeeze=False).flat
    )
    for (name, fit), axes in zip(fits.items(), panels, strict=False):
        predicted, low, middle, high = np.array(fit["points"]).T * 1e3
        axes.fill_between(predicted, low, high, color="tab:blue", alpha=0.25, linewidth=0)
        axes.plot(predicted, middle, marker="o", markersize=3, linewidth=1, color="tab:blue")
        axes.axline((1, 1), (10, 10), color="0.4", linewidth=0.8, linestyle=":")
        axes.axhline(limit_s * 1e3, color="0.4", linewidth=0.8, linestyle="--")
        axes.set(xscale="log", yscale="log", xlim=(0.03, 5e3), ylim=(0.03, 5e3))
        axes.set_xticks([0.1, 1, 10, 100, 1000], ["0.1", "1", "10", "100", "1 s"])
        axes.set_yticks([0.1, 1, 10, 100, 1000], ["0.1", "1", "10", "100", "1 s"])
        axes.minorticks_off()
        axes.set_title(f"{name}: R² {fit['score']:.2f}", fontsize=8)
    for axes in panels:
        axes.set_visible(False)
    figure.supxlabel("predicted CPU time on held-out puzzles, ms", fontsize=8)
    figure.supylabel(
        "measured CPU time, ms: median and 10–90 %\n(dotted: as predicted; dashed: limit)", fontsize=8
    )


def _draw_portfolios(figure: Figure, portfolios: Portfolios) -> None:
    """Draw PAR-2 beside hybrid alone."""
    axes = figure.subplots()
    places = np.arange(len(portfolios))[::-1]
    ratio, low, high = (np.array([one[key] for one in portfolios]) for key in ("ratio", "low", "high"))
    spread = np.array([ratio - low, high - ratio]).clip(0)
    axes.errorbar(ratio, places, xerr=spread, fmt="o", markersize=4, capsize=3, linewidth=1)
    for place, value in zip(places, ratio, strict=True):
        axes.annotate(f"{value:.2f}", (value, place), (0, 5), textcoords="offset points", ha="center")
    axes.axvline(1, color="0.4", linewidth=0.8, linestyle=":")
    axes.set_yticks(places, [one["name"] for one in portfolios])
    axes.set_ylim(-0.6, len(portfolios) - 0.2)
    axes.set_xscale("log")
    axes.set_xlabel("PAR-2 as a multiple of hybrid alone, with its 95 % interval; left of 1 is a gain")
    shown = [tick for tick in TICKS if 0.8 * low.min() <= tick <= 1.2 * high.max()]
    axes.minorticks_off()
    axes.set_xticks(shown, [f"{tick:g}" for tick in shown])
