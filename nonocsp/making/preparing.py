"""*Init*: from a picture to the image that generating starts from (Batenburg et al. 2009, section 5).

Threshold, edges, empty lines, in this order, as in the first row of figures 10 and 12. The threshold makes
black what is darkest; white stays white and black black whatever the share. The edges are the cells of the
dark areas with a neighbour that is not; a line drawing makes the harder puzzles, for less is known at first.

An empty line is worth filling: its clue gives itself away, it parts the puzzle into two, and at the margin
the puzzle could as well be smaller. It gets one cell, its darkest, or of several the one nearest to what is
in the line beside it; so what is there is continued.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from nonocsp.making.colouring import Distances, distances, palette_of
from nonocsp.making.picture import BLANK, Cells, Picture
from nonocsp.making.prepared import Prepared
from nonocsp.model import BLACK_AND_WHITE, FormatError, Palette, UsageError

Mask = NDArray[np.bool_]
Greys = NDArray[np.float64]
_EVERYWHERE = 8
"""How many neighbourhoods lie along the longer side, for the adaptive threshold."""


class Threshold(StrEnum):
    """How it is decided what is dark enough to be black."""

    SHARE = "share"
    """The darkest pixels, so many that their share is the wanted one."""
    OTSU = "otsu"
    """The shades fall into two groups as distinct as possible (Otsu 1979)."""
    ADAPTIVE = "adaptive"
    """The share of pixels that are darkest compared with what is around them."""


class Edges(StrEnum):
    """What of the dark areas is kept."""

    NONE = "none"
    """All, without a look for edges."""
    ONLY = "only"
    """Their edges."""
    BOTH = "both"
    """Their edges, and the darker half of them."""


@dataclass(frozen=True, slots=True)
class Preparation:
    """How a picture is prepared.

    Parameters
    ----------
    black
        The share of black, above 0 and below 1.
    colours
        How many colours beside the background are found in the picture; 0 for black on white.
    palette
        Colours that the picture is brought to, the background first; None if they are found in it.
    """

    threshold: Threshold = Threshold.SHARE
    black: float = 0.35
    edges: Edges = Edges.NONE
    colours: int = 0
    palette: Palette | None = None

    def __post_init__(self) -> None:
        if not 0 < self.black < 1:
            raise UsageError(f"the share of black is above 0 and below 1, not {self.black:g}")
        if self.colours and self.palette:
            raise UsageError("colours are either found in the picture or given as a palette, not both")


def prepare(picture: Picture, preparation: Preparation = Preparation()) -> Prepared:
    """Return what generating starts from, and the images on the way there.

    Raises
    ------
    FormatError
        If the picture has one shade only, or no more than one of the colours.
    """
    palette = palette_of(picture, preparation.colours, preparation.palette)
    far = distances(picture, palette)
    thresholded = _thresholded(picture, far, palette, preparation)
    darkness = far[..., 0] / 255.0
    kept = None if preparation.edges is Edges.NONE else _edges(thresholded, darkness, preparation.edges)
    drawn = thresholded if kept is None or not kept.any() else kept
    inks = 1 + far[..., 1:].argmin(axis=2).astype(np.uint8)
    return Prepared(picture, thresholded, kept, without_empty_lines(drawn, darkness, inks), palette)


def _thresholded(picture: Picture, far: Distances, palette: Palette, preparation: Preparation) -> Cells:
    """Return for each cell whether it is dark, or in several colours the nearest one."""
    if palette == BLACK_AND_WHITE:
        if np.ptp(picture.grey) < BLANK:
            raise _featureless(picture, "the picture has one shade only", "dark parts and light ones")
        return _dark(picture.grey, preparation).astype(np.uint8)
    nearest: Cells = far.argmin(axis=2).astype(np.uint8)
    if not nearest.any():
        raise _featureless(picture, "all of the picture is background", "other colours too")
    return nearest


def _featureless(picture: Picture, message: str, expected: str) -> FormatError:
    return FormatError(message, file=picture.name, expected=expected)


def _dark(grey: Greys, preparation: Preparation) -> Mask:
    match preparation.threshold:
        case Threshold.OTSU:
            black = grey > _otsu(grey)
        case Threshold.ADAPTIVE:
            black = _highest(grey - _surroundings(grey), preparation.black)
        case _:
            black = _highest(grey, preparation.black)
    return (black | (grey >= 1 - BLANK)) & (grey > BLANK)


def _highest(values: Greys, share: float) -> Mask:
    """Return where the highest values are, their share as near to the wanted one as ties let it be."""
    levels, counts = np.unique(values, return_counts=True)
    above = counts[::-1].cumsum()[::-1] / values.size
    best = np.abs(above - share)[1:].argmin() + 1 if len(levels) > 1 else 0
    mask: Mask = values >= levels[best]
    return mask


def _otsu(grey: Greys) -> float:
    """Return the shade that parts the others with the greatest variance between the two groups."""
    counts, bounds = np.histogram(grey, bins=256, range=(0.0, 1.0))
    centres = (bounds[:-1] + bounds[1:]) / 2
    below = counts.cumsum()[:-1]
    above = grey.size - below
    sums = (counts * centres).cumsum()
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = sums[:-1] / below - (sums[-1] - sums[:-1]) / above
    variance = np.where((below > 0) & (above > 0), below * above * apart**2, 0.0)
    return float(bounds[variance.argmax() + 1])


def _surroundings(grey: Greys) -> Greys:
    """Return the mean shade around each pixel."""
    from scipy.ndimage import gaussian_filter

    around: Greys = gaussian_filter(grey, max(grey.shape) / _EVERYWHERE, mode="nearest")
    return around


def _edges(cells: Cells, darkness: Greys, edges: Edges) -> Cells:
    """Return the cells with a neighbour of another colour; the sheet's own rim is no edge."""
    padded = np.pad(cells, 1, mode="edge")
    beside = (padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:])
    kept = np.any([neighbour != cells for neighbour in beside], axis=0)
    if edges is Edges.BOTH:
        kept |= _highest(np.where(cells > 0, darkness, -1.0), np.count_nonzero(cells) / cells.size / 2)
    return np.where(kept, cells, np.uint8(0))


def without_empty_lines(cells: Cells, darkness: Greys, inks: Cells) -> Cells:
    """Return the image with one cell in every line that is empty in `cells`, of which something is not.

    Parameters
    ----------
    inks
        The colour that a cell gets if it gets one.
    """
    filled = cells.copy()
    _fill_rows(filled, darkness, inks)
    _fill_rows(filled.T, darkness.T, inks.T)
    return filled


def _fill_rows(cells: Cells, darkness: Greys, inks: Cells) -> None:
    """Fill the empty rows, those next to others first."""
    used = np.flatnonzero(cells.any(axis=1))
    empty = np.flatnonzero(~cells.any(axis=1))
    gaps = np.abs(empty[:, np.newaxis] - used)
    for i in gaps.min(axis=1).argsort(kind="stable"):
        row, nearest = empty[i], used[gaps[i].argmin()]
        beside = np.flatnonzero(cells[row + np.sign(nearest - row)])
        far = np.abs(np.arange(cells.shape[1])[:, np.newaxis] - beside).min(axis=1)
        column = np.lexsort((far, -darkness[row]))[0]
        cells[row, column] = inks[row, column]
