"""Write plots in one style; the same figures give the same file.

Plots need Matplotlib, the extra ``plots``, which is imported only when something is drawn.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, filterwarnings

from nonocsp.extras import require
from nonocsp.formats.target import open_target
from nonocsp.model import UsageError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS: list[str] = json.loads(Path(__file__).with_name("series.json").read_text())["light"]
"""Of the series of a plot; pages have the same ones, and others in the dark."""
MARKS = "os^Dv"
"""Beside the colours, for those who see few of them, and where they come again."""
_METADATA: dict[str, dict[str, Any]] = {
    ".pdf": {"CreationDate": None},
    ".png": {"Software": None},
    ".svg": {"Date": None},
}
"""Metadata to leave out because it differs from day to day, by suffix."""
_STYLE: Any = {
    "svg.hashsalt": "nonocsp",  # the text of SVG is drawn as outlines, so it needs no fonts
    "pdf.fonttype": 42,  # fonts are embedded as outlines, not as bitmaps, as publishers ask
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def check_plot(path: Path) -> None:
    """Check that a plot can be written to `path`; call it before a long computation."""
    if path.suffix.lower() not in _METADATA:
        raise UsageError(f"{path}: the suffix says what to draw: {', '.join(_METADATA)}")
    require("plots")


def write_plot(path: Path, draw: Callable[[Figure], None], *, inches: tuple[float, float]) -> None:
    """Write a plot to a file."""
    check_plot(path)
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # else it warns where the home is read-only
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(_STYLE), catch_warnings():
        filterwarnings("ignore", "Glyph .* missing from font")  # a name in a script that Matplotlib lacks
        figure = Figure(figsize=inches, layout="constrained")
        draw(figure)
        suffix = path.suffix.lower()
        with open_target(path, follow_links=False) as stream:
            figure.savefig(stream, format=suffix[1:], dpi=200, metadata=_METADATA[suffix])


def series_style(number: int) -> dict[str, Any]:
    """Return colour and mark of a series, which no other of the first forty has."""
    return {"color": COLOURS[number % len(COLOURS)], "marker": MARKS[number % len(MARKS)], "markersize": 3}


def plain(text: str) -> str:
    """Return a text of others as a label of a plot: on one line, without math, and not hidden."""
    line = "".join(char if char.isprintable() else " " for char in text)
    return (" " if line.startswith("_") else "") + line.replace("$", r"\$")  # Matplotlib hides labels with _
