"""Plots as files, all in one style; the same figures give the same file.

Needs Matplotlib, the extra ``plots``, which is imported only when something is drawn.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nonocsp.extras import require
from nonocsp.model import UsageError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_METADATA: dict[str, dict[str, Any]] = {
    ".pdf": {"CreationDate": None},
    ".png": {"Software": None},
    ".svg": {"Date": None},
}
"""What would differ from day to day and is left out, by suffix."""
_STYLE: Any = {
    "svg.hashsalt": "nonocsp",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def check_plot(path: Path) -> None:
    """See that a plot can be written to `path`: to be called before what is to be drawn is computed.

    Raises
    ------
    UsageError
        For a suffix that stands for no kind of plot, or without Matplotlib.
    """
    if path.suffix.lower() not in _METADATA:
        raise UsageError(f"{path}: the suffix says what to draw: {', '.join(_METADATA)}")
    require("plots")


def write_plot(path: Path, draw: Callable[[Figure], None], *, inches: tuple[float, float]) -> None:
    """Have a figure drawn, and write it; the suffix of `path` says as what.

    Raises
    ------
    UsageError
        As `check_plot`.
    """
    check_plot(path)
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # else it complains where the home is read-only
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(_STYLE):
        figure = Figure(figsize=inches, layout="constrained")
        draw(figure)
        figure.savefig(path, dpi=200, metadata=_METADATA[path.suffix.lower()])
