"""Line solving of images' puzzles, and of images that differ from one in a single cell."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nonocsp.engine import _core
from nonocsp.engine._core import ImageSweeps, ImageTrials
from nonocsp.engine.line_solver import Propagation
from nonocsp.model import FlatClues

__all__ = ["ImageSweeps", "ImageTrials", "sweep_image"]


def sweep_image(
    cells: NDArray[np.uint8], *, stop: _core.StopFlag | None = None, wall: float | None = None
) -> Propagation:
    """Sweep the puzzle of an image until nothing changes, without making the puzzle: a fifth of the time."""
    rows, columns = FlatClues.of_cells(cells), FlatClues.of_cells(cells.T)
    compiled = _core.PuzzleClues(rows, columns, 1 + max(1, int(cells.max())))
    found, _, settles, sweeps, interrupted = compiled.propagate(None, _core.Order.SWEEPS, stop, wall)
    return Propagation(found, None, settles, sweeps, interrupted)
