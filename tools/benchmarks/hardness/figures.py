"""Draw what makes puzzles hard: importance of features, predicted against measured times, and portfolios."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from nonocsp.render.plot import write_plot
from tools.benchmarks.hardness.extraction import FEATURES, GROUPS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tools.benchmarks.hardness.models import Fit
    from tools.benchmarks.hardness.selection import Account

RISING = 0.03
"""Power of ten from which on an arrow says that times rise, or fall, with a feature: 7 %."""
PANELS = 4
"""Backends side by side."""
TICKS = (0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5)


def draw_all(folder: Path, fits: dict[str, Fit], accounts: list[Account], limit_s: float) -> list[Path]:
    """Write the figures, and return their paths.

    Parameters
    ----------
    folder
        Where they go.
    fits
        The fit of each backend.
    accounts
        The portfolios, hybrid alone first.
    limit_s
        The CPU limit of a run.
    """
    folder.mkdir(parents=True, exist_ok=True)
    drawings = {
        "importance": (lambda figure: _importance(figure, fits), (7.2, 6.0)),
        "prediction": (lambda figure: _prediction(figure, fits, limit_s), (7.2, 4.4)),
        "portfolio": (lambda figure: _portfolio(figure, accounts), (7.2, 0.3 * len(accounts) + 0.8)),
    }
    paths = []
    for name, (draw, inches) in drawings.items():
        paths.append(folder / f"features-{name}.svg")
        write_plot(paths[-1], draw, inches=inches)
    return paths


def _importance(figure: Figure, fits: dict[str, Fit]) -> None:
    """Draw features down, backends across; a number is the loss of R², an arrow the direction."""
    losses = np.array([[fit.importance[name] for fit in fits.values()] for name in FEATURES])
    axes = figure.subplots()
    axes.imshow(np.sqrt(losses.clip(0, 1)), cmap="Blues", vmin=0, vmax=1, aspect="auto")
    for row, name in enumerate(FEATURES):
        for column, fit in enumerate(fits.values()):
            slope = fit.effect[name]
            arrow = "" if abs(slope) < RISING else "↑" if slope > 0 else "↓"
            colour = "white" if losses[row, column] > 0.36 else "black"
            if losses[row, column] >= 0.005:
                text = f"{losses[row, column]:.2f}".lstrip("0")
                axes.text(column, row, f"{text} {arrow}", ha="center", va="center", color=colour)
    axes.set_yticks(range(len(FEATURES)), FEATURES)
    axes.set_xticks(range(len(fits)), [f"{name}\nR² {fit.score:.2f}" for name, fit in fits.items()])
    axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    axes.spines[:].set_visible(False)
    end = 0
    for names in list(GROUPS.values())[:-1]:
        end += len(names)
        axes.axhline(end - 0.5, color="0.4", linewidth=0.8)
    axes.set_xlabel(
        "loss of R² on held-out puzzles when the feature is permuted (empty: below .005)\n"
        "↑ predicted times rise with it, ↓ they fall"
    )


def _prediction(figure: Figure, fits: dict[str, Fit], limit_s: float) -> None:
    """Draw measured over predicted times, one panel a backend."""
    panels = iter(
        figure.subplots(-(-len(fits) // PANELS), PANELS, sharex=True, sharey=True, squeeze=False).flat
    )
    for (name, fit), axes in zip(fits.items(), panels, strict=False):
        predicted, low, middle, high = np.array(fit.points).T * 1e3
        axes.fill_between(predicted, low, high, color="tab:blue", alpha=0.25, linewidth=0)
        axes.plot(predicted, middle, marker="o", markersize=3, linewidth=1, color="tab:blue")
        axes.axline((1, 1), (10, 10), color="0.4", linewidth=0.8, linestyle=":")
        axes.axhline(limit_s * 1e3, color="0.4", linewidth=0.8, linestyle="--")
        axes.set(xscale="log", yscale="log", xlim=(0.03, 5e3), ylim=(0.03, 5e3))
        axes.set_xticks([0.1, 1, 10, 100, 1000], ["0.1", "1", "10", "100", "1 s"])
        axes.set_yticks([0.1, 1, 10, 100, 1000], ["0.1", "1", "10", "100", "1 s"])
        axes.minorticks_off()
        axes.set_title(f"{name}: R² {fit.score:.2f}", fontsize=8)
    for axes in panels:
        axes.set_visible(False)
    figure.supxlabel("predicted CPU time on held-out puzzles, ms", fontsize=8)
    figure.supylabel(
        "measured CPU time, ms: median and 10–90 %\n(dotted: as predicted; dashed: limit)", fontsize=8
    )


def _portfolio(figure: Figure, accounts: list[Account]) -> None:
    """Draw PAR-2 beside hybrid alone."""
    axes = figure.subplots()
    places = np.arange(len(accounts))[::-1]
    ratios = np.array([one.ratio for one in accounts])
    spread = np.array([[one.ratio - one.low, one.high - one.ratio] for one in accounts]).T.clip(0)
    axes.errorbar(ratios, places, xerr=spread, fmt="o", markersize=4, capsize=3, linewidth=1)
    for place, one in zip(places, accounts, strict=True):
        axes.annotate(f"{one.ratio:.2f}", (one.ratio, place), (0, 5), textcoords="offset points", ha="center")
    axes.axvline(1, color="0.4", linewidth=0.8, linestyle=":")
    axes.set_yticks(places, [one.name for one in accounts])
    axes.set_ylim(-0.6, len(accounts) - 0.2)
    axes.set_xscale("log")
    axes.set_xlabel("PAR-2 as a multiple of hybrid alone, with its 95 % interval; left of 1 is a gain")
    least, most = min(one.low for one in accounts), max(one.high for one in accounts)
    shown = [tick for tick in TICKS if 0.8 * least <= tick <= 1.2 * most]
    axes.minorticks_off()
    axes.set_xticks(shown, [f"{tick:g}" for tick in shown])
