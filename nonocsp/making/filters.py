"""Draw the edges of a picture, and dither it: the filters between a picture and its image.

Edges are found in the grey values of the fine pixels, before they become cells; Batenburg et al. (2009) too
filter the grey picture.
All filters first smooth away what is smaller than a cell.

- Canny (1986): thin lines where the shade changes most. A cell is an edge if a line crosses half of it.
- Sobel: the cells in which the shade changes most.
- Extended difference of Gaussians (Winnemöller, Kyprianidis & Olsen 2012): an ink drawing. Dark areas stay
  black, and everything that is darker than its surroundings gets a stroke.
"""

from __future__ import annotations

from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from nonocsp.making.fine import Fine, Values
from nonocsp.making.picture import Cells, Picture
from nonocsp.model import Palette
from nonocsp.model.oklab import rgb_of

Mask = NDArray[np.bool_]

_SMOOTHING = 0.35
"""Standard deviation of Canny's and Winnemöller's Gaussian, in cells."""
_CANNY = 0.05, 0.12
"""Steps between shades, black to white being 1: those that continue an edge, and those that begin one."""
_BAYER = (np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]) + 0.5) / 16
_SHARPNESS = 10.0
"""Weight of the difference of Gaussians (p in the paper); the second one is 1.6 times as wide."""


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


def canny_edges(fine: Fine, most: float) -> Mask:
    """Return the cells that a line of Canny's filter crosses."""
    from skimage.feature import canny

    deviation = max(1.0, _SMOOTHING * fine.side)
    # Canny's thresholds are for the sum of Sobel's weights, 4, times the slope of a smoothed step.
    slope = 4 / (deviation * np.sqrt(2 * np.pi))
    crossed: Mask = np.ones((1, 1), bool)
    for factor in 1.25 ** np.arange(10):
        low, high = (step * slope * factor for step in _CANNY)
        lines = canny(  # type: ignore[no-untyped-call]
            fine.shades, sigma=deviation, low_threshold=low, high_threshold=high, mode="nearest"
        )
        crossed = fine.by_cell(lines).sum(axis=2) >= fine.side / 2
        if crossed.mean() <= most:
            break
    return crossed


def edge_strength(fine: Fine, edge_filter: EdgeFilter) -> Values:
    """Return how much of an edge each cell is, shape (rows, columns)."""
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
