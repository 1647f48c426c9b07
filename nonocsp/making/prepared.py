"""A picture on its way to a puzzle: the first row of figures 10, 12 and 13 of Batenburg et al. (2009)."""

from __future__ import annotations

from dataclasses import dataclass, field

from nonocsp.making.picture import Cells, Picture
from nonocsp.model import BLACK_AND_WHITE, Palette


@dataclass(frozen=True, eq=False)
class Prepared:
    """A picture and the images that were made of it, in this order; the last is what generating starts from.

    Parameters
    ----------
    picture
        What was read, in the size of the grid.
    thresholded
        Black where the picture is dark; in several colours, the nearest of the palette.
    outlined
        What was kept of it: its edges, or its edges and darkest parts; None if all was.
    start
        The same, with something in every line that had been empty.
    palette
        What the numbers in the images mean.
    """

    picture: Picture
    thresholded: Cells
    outlined: Cells | None
    start: Cells
    palette: Palette = field(default=BLACK_AND_WHITE, repr=False)
