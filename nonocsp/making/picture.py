"""What a puzzle is made from: a picture with one pixel for every cell."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Cells = NDArray[np.uint8]
"""Colours of a grid's cells, shape (rows, columns); 0 is the background."""

BLANK = 0.05
"""Up to this darkness a pixel is white to the eye, and black to it from 1 less this."""


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture of a grid's size.

    Parameters
    ----------
    grey
        How dark every pixel is, shape (rows, columns), from 0 (white) to 1 (black).
    rgb
        The colours, uint8, shape (rows, columns, 3); None if only the grey values are known.
    name
        Of the file it came from; empty if there is none.
    """

    grey: NDArray[np.float64]
    rgb: NDArray[np.uint8] | None = field(default=None, repr=False)
    name: str = ""

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        rows, columns = self.grey.shape
        return rows, columns
