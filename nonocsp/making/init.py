"""*Init*: turn a picture into the image that *Generate* starts from (Batenburg et al. 2009, section 5).

Threshold, edges, empty lines, in this order, as in the first row of figures 10 and 12. The threshold makes
the darkest cells black; white stays white and black stays black whatever the share. Instead of areas, the
image can show edges, which a filter finds in the grey picture before it becomes cells (`filters.py`). A line
drawing makes harder puzzles, because less is known at first. Where cells are single pixels, and in several
colours, the edges are the cells of each area that touch another one.

Empty lines stay empty, because a cell in them shows. The paper fills them: the clue of an empty line gives
itself away and splits the puzzle in two, and at the margin the puzzle could as well be smaller. On request,
an empty line gets its darkest cell. Among equally dark cells it is the one nearest to the filled cells of the
line beside it, so that the drawing continues.

A drawing keeps its colours, and no threshold is applied to it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from nonocsp.making.colours import distances, drawn_palette, find_palette, nearest_cells
from nonocsp.making.filters import Dither, EdgeFilter, canny_edges, dithered, edge_strength
from nonocsp.making.fine import SMOOTH
from nonocsp.making.picture import BLANK, Cells, Picture
from nonocsp.model import BLACK_AND_WHITE, FormatError, Palette, UsageError, unknown

Mask = NDArray[np.bool_]
Greys = NDArray[np.float64]
Choice = TypeVar("Choice", bound=StrEnum)
BLACK, LINES = 0.35, 0.25
"""Share of black cells, as in the paper, and share of the cells that edges take."""
_NEIGHBOURHOODS = 8
"""Neighbourhoods along the longer side, for the adaptive threshold."""


class Threshold(StrEnum):
    """Which cells are dark enough to be black."""

    SHARE = "share"
    """The darkest ones, until their share is the wanted one."""
    OTSU = "otsu"
    """The darker of two groups that are as distinct as possible (Otsu 1979)."""
    ADAPTIVE = "adaptive"
    """The wanted share of cells, those that are darkest compared with their surroundings."""


class Edges(StrEnum):
    """What is kept of the dark areas."""

    NONE = "none"
    """Everything."""
    ONLY = "only"
    """Nothing; only the edges of the picture."""
    BOTH = "both"
    """Their darker half, with the edges."""


@dataclass(frozen=True, slots=True)
class PictureOptions:
    """How a picture becomes the image that generating starts from.

    Parameters
    ----------
    threshold
        A member or its value: ``"otsu"``. None for a share if `black` is given, and for Otsu's otherwise.
    black
        The share of black, above 0 and below 1; None for `BLACK`, or `LINES` of it for edges.
    edges
        A member or its value: ``"only"``.
    colours
        Number of foreground colours to find in the picture; 0 for black on white; None for the colours of a
        drawing, and black on white for anything else.
    palette
        Colours to use instead, the background first; None if they are found in the picture.
    fill_empty
        Whether each empty line gets a cell, as in the paper.
    edge_filter
        A member or its value: ``"canny"``. It needs the fine pixels of a picture, and one colour.
    dither
        A member or its value: ``"diffusion"``. It takes the place of the threshold.

    Raises
    ------
    UsageError
        For an unknown value, a share out of range, both colours and a palette, or dithered edges.
    """

    threshold: Threshold | str | None = None
    black: float | None = None
    edges: Edges | str = Edges.NONE
    colours: int | None = None
    palette: Palette | None = None
    fill_empty: bool = False
    edge_filter: EdgeFilter | str = EdgeFilter.CANNY
    dither: Dither | str = Dither.NONE

    def __post_init__(self) -> None:
        usual = Threshold.OTSU if self.black is None else Threshold.SHARE
        object.__setattr__(self, "threshold", choose(Threshold, self.threshold or usual, "threshold"))
        object.__setattr__(self, "edges", choose(Edges, self.edges, "edges"))
        object.__setattr__(self, "edge_filter", choose(EdgeFilter, self.edge_filter, "edge filter"))
        object.__setattr__(self, "dither", choose(Dither, self.dither, "dithering"))
        if self.dither != Dither.NONE and self.edges != Edges.NONE:
            raise UsageError("dithering fills areas, which edges leave empty; choose one of them")
        if self.black is not None and not 0 < self.black < 1:
            raise UsageError(f"the share of black is above 0 and below 1, not {self.black:g}")
        if self.colours and self.palette:
            raise UsageError("colours are either found in the picture or given as a palette, not both")


def choose(kind: type[Choice], value: str, what: str) -> Choice:
    """Return the member of an enumeration that has a value."""
    if value not in list(kind):
        raise unknown(what, value, kind)
    return kind(value)


@dataclass(frozen=True, eq=False)
class Prepared:
    """A picture and the images made of it in turn: the first row of figures 10, 12 and 13 of the paper.

    Parameters
    ----------
    picture
        The picture in the size of the grid.
    thresholded
        Black where the picture is dark; in several colours, the nearest of the palette.
    outlined
        The edges of that image, which alone were kept; None if everything was kept.
    start
        The image that generating starts from: the one before, with a cell in each empty line on request.
    palette
        The colours that the numbers in the images mean.
    """

    picture: Picture
    thresholded: Cells
    outlined: Cells | None
    start: Cells
    palette: Palette = field(default=BLACK_AND_WHITE, repr=False)


def prepare(picture: Picture, options: PictureOptions = PictureOptions()) -> Prepared:
    """Return the image that generating starts from, and the images before it."""
    palette = options.palette or BLACK_AND_WHITE
    if options.colours:
        palette = find_palette(picture, options.colours)
    elif options.colours is None and options.palette is None and picture.is_drawing:
        palette = drawn_palette(picture)
    far = distances(picture, palette)
    thresholded = _thresholded(picture, palette, options)
    darkness = far[..., 0] / 255.0
    outlined = None if options.edges == Edges.NONE else _outlined(picture, thresholded, darkness, options)
    drawn = thresholded if outlined is None or not outlined.any() else outlined
    if options.fill_empty:
        inks = 1 + far[..., 1:].argmin(axis=2).astype(np.uint8)
        drawn = without_empty_lines(drawn, darkness, inks)
    return Prepared(picture, thresholded, outlined, drawn, palette)


def _outlined(picture: Picture, thresholded: Cells, darkness: Greys, options: PictureOptions) -> Cells:
    """Return the edges, and the darker half of the areas if both are asked for."""
    fine = picture.fine
    inks = thresholded
    if fine is None or fine.side < SMOOTH or thresholded.max() > 1:
        # A cell at the rim of the picture is no edge, so its neighbour outside has the same colour.
        padded = np.pad(thresholded, 1, mode="edge")
        beside = (padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:])
        kept = (thresholded > 0) & np.any([neighbour != thresholded for neighbour in beside], axis=0)
    else:
        inks, share = np.ones_like(thresholded), options.black or LINES
        if options.edge_filter == EdgeFilter.CANNY:
            kept = canny_edges(fine, share)
        else:
            kept = _highest(edge_strength(fine, EdgeFilter(options.edge_filter)), share)
        if fine.clear_cells is not None:
            kept &= ~fine.clear_cells
    if options.edges == Edges.BOTH:
        half = np.count_nonzero(thresholded) / thresholded.size / 2
        kept |= (thresholded > 0) & _highest(np.where(thresholded > 0, darkness, -1.0), half)
    return np.where(kept, inks, np.uint8(0))


def _thresholded(picture: Picture, palette: Palette, options: PictureOptions) -> Cells:
    """Return 1 for each dark cell; in several colours, or dithered, the number of each cell's colour."""
    if palette != BLACK_AND_WHITE or options.dither != Dither.NONE:
        if options.dither == Dither.NONE:
            cells = nearest_cells(picture, palette)
        else:
            cells = dithered(picture, palette, Dither(options.dither))
        if cells.any():
            return cells
        raise FormatError(
            "the whole picture is background", file=picture.name, expected="a second colour of the palette"
        )
    grey = picture.detail
    if np.ptp(grey) < BLANK:
        raise FormatError(
            "the picture has one shade only", file=picture.name, expected="dark parts and light ones"
        )
    match options.threshold:
        case Threshold.OTSU:
            black = grey > _otsu(grey)
        case Threshold.ADAPTIVE:
            from scipy.ndimage import gaussian_filter

            around = gaussian_filter(grey, max(grey.shape) / _NEIGHBOURHOODS, mode="nearest")
            black = _highest(grey - around, options.black or BLACK)
        case _:
            black = _highest(grey, options.black or BLACK)
    return ((black | (grey >= 1 - BLANK)) & (grey > BLANK)).astype(np.uint8)


def _highest(values: Greys, share: float) -> Mask:
    """Return where the highest values are; their share is as near to the wanted one as ties allow."""
    levels, counts = np.unique(values, return_counts=True)
    above = counts[::-1].cumsum()[::-1] / values.size
    best = np.abs(above - share)[1:].argmin() + 1 if len(levels) > 1 else 0
    mask: Mask = values >= levels[best]
    return mask


def _otsu(grey: Greys) -> float:
    """Return the shade that separates the others with the greatest variance between the two groups."""
    counts, bounds = np.histogram(grey, bins=256, range=(0.0, 1.0))
    centres = (bounds[:-1] + bounds[1:]) / 2
    below = counts.cumsum()[:-1]
    above = grey.size - below
    sums = (counts * centres).cumsum()
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = sums[:-1] / below - (sums[-1] - sums[:-1]) / above
    variance = np.where((below > 0) & (above > 0), below * above * apart**2, 0.0)
    return float(bounds[variance.argmax() + 1])


def without_empty_lines(cells: Cells, darkness: Greys, inks: Cells) -> Cells:
    """Return the image with one more cell in every line that is empty."""
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
