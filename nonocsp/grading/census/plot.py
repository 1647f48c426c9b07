"""Plot the number of images by difficulty, on a linear and on a logarithmic scale.

Fig. 3 of Batenburg, Henstra, Kosters & Palenstijn (2009) shows it like this.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nonocsp.render.plot import write_plot

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLOUR = "#0072b2"


def plot_histogram(path: Path, histogram: Sequence[int], title: str) -> None:
    """Write both plots into one file."""

    def draw(figure: Figure) -> None:
        from matplotlib.ticker import MaxNLocator

        figure.suptitle(title)
        for axes, scale in zip(figure.subplots(1, 2), ("linear", "log"), strict=True):
            axes.bar(range(1, len(histogram) + 1), histogram, color=_COLOUR)
            axes.set_yscale(scale)
            axes.set_ylim(bottom=0 if scale == "linear" else 0.5)
            axes.set_xlabel("difficulty (sweeps, rows first)")
            axes.set_ylabel(f"images{' (logarithmic)' if scale == 'log' else ''}")
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))

    write_plot(path, draw, inches=(8.0, 3.4))
