"""*Init*: turn a picture into the image that *Generate* starts from (Batenburg et al. 2009, section 5).

Threshold, edges, empty lines, in this order, as in the first row of figures 10 and 12. A drawing keeps its
colours, and no threshold is applied to it.

Instead of areas, the image can show edges: a line drawing makes harder puzzles, because less is known at
first. They are found in the grey values of the fine pixels, after smoothing away what is smaller than a cell,
by the filters of Canny (1986), Sobel, or extended difference of Gaussians (Winnemöller, Kyprianidis & Olsen
2012). Where cells are single pixels, and in several colours, they are the cells that touch another area.

The paper fills empty lines, which split the puzzle in two; here that is done on request only, because a cell
in them shows: the darkest cell, among equals the one nearest to what is filled beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

import numpy as np

from nonocsp.making.cells import SMOOTH, Cells, Fine, Mask, Values
from nonocsp.making.colours import distances, drawn_palette, find_palette, nearest_cells
from nonocsp.making.picture import BLANK, Picture
from nonocsp.model import BLACK_AND_WHITE, FormatError, Palette, UsageError, unknown
from nonocsp.model.oklab import rgb_of

Choice = TypeVar("Choice", bound=StrEnum)
BLACK, LINES = 0.35, 0.25
"""Share of black cells, as in the paper, and share of the cells that edges take."""
_NEIGHBOURHOODS = 8
"""Neighbourhoods along the longer side, for the adaptive threshold."""
_SMOOTHING = 0.35
"""Standard deviation of Canny's and Winnemöller's Gaussian, in cells."""
_CANNY = 0.05, 0.12
"""Steps between shades, black to white being 1: those that continue an edge, and those that begin one."""
_SHARPNESS = 10.0
"""Weight of the difference of Gaussians (p in the paper); the second one is 1.6 times as wide."""
_BAYER = (np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]) + 0.5) / 16


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


class EdgeFilter(StrEnum):
    """How edges are found."""

    CANNY = "canny"
    """Thin lines where the shade changes most."""
    SOBEL = "sobel"
    """The cells in which the shade changes most."""
    XDOG = "xdog"
    """An ink drawing: lines, and what is darker than its surroundings."""


class Dither(StrEnum):
    """How shades between the colours are shown."""

    NONE = "none"
    """Not at all: each cell gets the colour that suits it best."""
    DIFFUSION = "diffusion"
    """Each cell passes its error on to the next ones (Floyd & Steinberg 1976)."""
    ORDERED = "ordered"
    """By a regular pattern of 4x4 cells (Bayer 1973)."""


@dataclass(frozen=True, slots=True)
class PictureOptions:
    """How a picture becomes the image that generating starts from.

    The fields are parameters of `nonocsp.generate`, and members of enumerations may be given by their values.
    Without `black`, a share is `BLACK`, or `LINES` for edges. UsageError tells what does not go together.
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
    """Return the member of an enumeration that has a value; UsageError lists the values if none has it."""
    if value not in list(kind):
        raise unknown(what, value, kind)
    return kind(value)


@dataclass(frozen=True, eq=False)
class Prepared:
    """A picture and the images made of it in turn: the first row of figures 10, 12 and 13 of the paper."""

    picture: Picture
    """The picture in the size of the grid."""
    thresholded: Cells
    """Black where the picture is dark; in several colours, the nearest of the palette."""
    outlined: Cells | None
    """The edges of that image, which alone were kept; None if everything was kept."""
    start: Cells
    """The image that generating starts from: the one before, with a cell in each empty line on request."""
    palette: Palette = field(repr=False)
    """The colours that the numbers in the images mean."""
    far: Values = field(repr=False)
    """The distance of the picture from each colour, shape (rows, columns, colours), 0 to 255."""


def prepare(picture: Picture, options: PictureOptions = PictureOptions()) -> Prepared:
    """Return the image to start from, and those before it; FormatError if it has one shade or colour only."""
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
    return Prepared(picture, thresholded, outlined, drawn, palette, far)


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


def _highest(values: Values, share: float) -> Mask:
    """Return where the highest values are; their share is as near to the wanted one as ties allow."""
    levels, counts = np.unique(values, return_counts=True)
    above = counts[::-1].cumsum()[::-1] / values.size
    best = np.abs(above - share)[1:].argmin() + 1 if len(levels) > 1 else 0
    mask: Mask = values >= levels[best]
    return mask


def _otsu(grey: Values) -> float:
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


def dithered(picture: Picture, palette: Palette, kind: Dither) -> Cells:
    """Return an image whose cells mix to the colours of the picture when seen from afar."""
    import PIL.Image

    inks, pixels = rgb_of(palette), picture.colours
    if (np.ptp(inks, axis=1) == 0).all():  # only grey: so is the picture
        pixels = np.round(255 * (1 - picture.grey[..., np.newaxis].repeat(3, axis=2))).astype(np.uint8)
    if kind == Dither.ORDERED:
        cells = _ordered(pixels.astype(float), inks.astype(float))
    else:
        image = PIL.Image.new("P", (1, 1))
        image.putpalette(inks.tobytes())
        method = PIL.Image.Dither.FLOYDSTEINBERG
        cells = np.array(PIL.Image.fromarray(pixels).quantize(palette=image, dither=method), np.uint8)
    if picture.fine and picture.fine.clear_cells is not None:
        cells[picture.fine.clear_cells] = 0
    return cells


def _ordered(pixels: Values, inks: Values) -> Cells:
    """Mix each pixel of its nearest colour and the one that takes the mixture nearest to it."""
    rows, columns = pixels.shape[:2]
    pattern = np.tile(_BAYER, (rows // 4 + 1, columns // 4 + 1))[:rows, :columns]
    cells = ((pixels[:, :, np.newaxis] - inks) ** 2).sum(axis=3).argmin(axis=2)
    best = ((pixels - inks[cells]) ** 2).sum(axis=2)
    chosen = cells.copy()
    for number, ink in enumerate(inks):
        way = ink - inks[cells]
        share = ((pixels - inks[cells]) * way).sum(axis=2) / np.maximum((way**2).sum(axis=2), 1.0)
        missed = ((inks[cells] + share[..., np.newaxis] * way - pixels) ** 2).sum(axis=2)
        better = (missed < best) & (share > 0)
        best[better] = missed[better]
        chosen[better] = np.where(share > pattern, number, cells)[better]
    image: Cells = chosen.astype(np.uint8)
    return image


def _outlined(picture: Picture, thresholded: Cells, darkness: Values, options: PictureOptions) -> Cells:
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


def canny_edges(fine: Fine, most: float) -> Mask:
    """Return the cells that Canny's lines cross; in texture, the strongest edges, at most a share `most`."""
    from scipy.ndimage import label

    deviation = max(1.0, _SMOOTHING * fine.side)
    strength = _ridges(fine.shades, deviation)
    # Canny's thresholds are for the sum of Sobel's weights, 4, times the slope of a smoothed step.
    slope = 4 / (deviation * np.sqrt(2 * np.pi))
    crossed: Mask = np.ones((1, 1), bool)
    for factor in 1.25 ** np.arange(10):
        low, high = (step * slope * factor for step in _CANNY)
        lines, _ = label(strength >= low, np.ones((3, 3)))
        begun = np.isin(lines, lines[strength >= high])
        crossed = fine.by_cell(begun).sum(axis=2) >= fine.side / 2
        if crossed.mean() <= most:
            break
    return crossed


def _ridges(shades: Values, deviation: float) -> Values:
    """Return how steep the shades are where no neighbour along the slope is steeper, and 0 elsewhere."""
    from scipy.ndimage import gaussian_filter, map_coordinates, sobel

    smooth = gaussian_filter(shades, deviation, mode="nearest")
    slope = np.stack([sobel(smooth, axis=0), sobel(smooth, axis=1)])
    strength = np.hypot(*slope)
    step = slope / np.maximum(np.abs(slope).max(axis=0), 1e-9)
    here = np.indices(strength.shape)
    beside = [map_coordinates(strength, place, order=1) for place in (here - step, here + step)]
    is_ridge = np.pad((strength >= np.maximum(*beside))[1:-1, 1:-1], 1)  # the rim has neighbours outside
    return np.where(is_ridge, strength, 0.0)


def edge_strength(fine: Fine, edge_filter: EdgeFilter) -> Values:
    """Return how much of an edge each cell is, by Sobel's filter or the extended difference of Gaussians."""
    from scipy.ndimage import gaussian_filter, sobel

    deviation = max(0.5, _SMOOTHING * fine.side)
    smooth = gaussian_filter(fine.shades, deviation, mode="nearest")
    if edge_filter == EdgeFilter.SOBEL:
        strength = np.hypot(sobel(smooth, axis=0), sobel(smooth, axis=1))
    else:
        smoother = gaussian_filter(fine.shades, 1.6 * deviation, mode="nearest")
        strength = smooth + _SHARPNESS * (smooth - smoother)
    means: Values = fine.by_cell(strength).mean(axis=2).round(4)
    return means


def without_empty_lines(cells: Cells, darkness: Values, inks: Cells) -> Cells:
    """Return the image with one more cell in every empty line, of the colour that `inks` has there."""
    filled = cells.copy()
    _fill_rows(filled, darkness, inks)
    _fill_rows(filled.T, darkness.T, inks.T)
    return filled


def _fill_rows(cells: Cells, darkness: Values, inks: Cells) -> None:
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
