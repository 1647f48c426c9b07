"""Measure how much an image of cells looks like another one, or like the picture that it was made from.

The measure is structural similarity (SSIM; Wang, Bovik, Sheikh & Simoncelli 2004) in OKLab. It differs from
that of image libraries, which is made for photos in grey, in four points:

- A colour is one vector of OKLab. Means, variances and covariances are those of vectors. Libraries average
  the channels, so that two channels of a black and white image, which never differ, make it look alike.
- Means are compared by their squared distance. Libraries compare their ratio, because eyes do so with light.
  OKLab allows for that already, and the ratio makes black and nearly black complete opposites.
- A window is a cell and its neighbours, because a cell of a puzzle is large. Beyond the rim, the image is
  mirrored, so that every cell counts, and images from 1x1 on have a likeness.
- The result is the mean of three views: the cells, and blocks of 2x2 and 4x4 cells. Dithering looks like the
  picture only from afar (compare multi-scale SSIM; Wang, Simoncelli & Bovik 2003).

In drawings of 20x20, 1 % of changed cells cost .04, 3 % cost .10, more in empty areas than along edges.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nonocsp.making.picture import Cells, Picture
from nonocsp.model import Palette
from nonocsp.model.oklab import Lab, oklab, rgb_of

_VIEWS = (1, 2, 4)
"""Sides of the blocks of cells that are compared."""
_WINDOW = 3
_STABILISER = 0.03**2
"""Variances far below this one do not show; the paper's constant, for lightness from 0 to 1."""
_GREYISH = 0.02
"""Colours at most this far from grey look grey."""


def likeness(image: Cells, reference: Cells | Picture, palette: Palette) -> float:
    """Return how much an image looks like a reference: 1 if they are equal, 0 if nothing is alike.

    Parameters
    ----------
    image
        Colour numbers, shape (rows, columns).
    reference
        Another image, or a picture, of the same shape. If the palette has no hues, only the lightness of a
        picture counts, stretched from black to white: puzzles in black and white cannot show more.
    palette
        The colours that the numbers mean.

    Raises
    ------
    ValueError
        If the shapes differ.
    """
    if image.shape != reference.shape:
        raise ValueError(f"an image of shape {image.shape} and a reference of shape {reference.shape}")
    colours = oklab(rgb_of(palette))
    seen = colours[image]
    if isinstance(reference, Picture):
        wanted = oklab(reference.colours)
        if np.abs(colours[:, 1:]).max() <= _GREYISH:
            wanted = _stretched(wanted)
    else:
        wanted = colours[reference]
    return similarity(seen, wanted)


def similarity(one: Lab, other: Lab) -> float:
    """Return how much two images look alike, from 0 to 1."""
    views = [n for n in _VIEWS if n <= min(one.shape[:2])]
    return max(0.0, float(np.mean([_similarity(_in_blocks(one, n), _in_blocks(other, n)) for n in views])))


def _stretched(lab: Lab) -> Lab:
    """Return the lightness alone, from 0 to 1; one shade stays as it is."""
    shades = lab[..., 0]
    grey = np.zeros_like(lab)
    grey[..., 0] = (shades - shades.min()) / np.ptp(shades) if np.ptp(shades) else shades
    return grey


def _in_blocks(lab: Lab, side: int) -> Lab:
    """Return the means of blocks of cells; those at the lower and right rim may be smaller."""
    starts = [np.arange(0, length, side) for length in lab.shape[:2]]
    sums = np.add.reduceat(np.add.reduceat(lab, starts[0], axis=0), starts[1], axis=1)
    sizes = [np.diff(start, append=length) for start, length in zip(starts, lab.shape, strict=False)]
    blocks: Lab = sums / np.multiply.outer(*sizes)[..., np.newaxis]
    return blocks


def _similarity(one: Lab, other: Lab) -> float:
    """Return the mean structural similarity of the windows around all cells."""
    from scipy.ndimage import uniform_filter

    def mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
        means: NDArray[np.float64] = uniform_filter(values, (_WINDOW, _WINDOW, 0), mode="reflect")
        return means

    means = mean(one), mean(other)
    variances = ((mean(one**2) - means[0] ** 2) + (mean(other**2) - means[1] ** 2)).sum(axis=2)
    covariance = (mean(one * other) - means[0] * means[1]).sum(axis=2)
    structure = (2 * covariance + _STABILISER) / (variances + _STABILISER)
    nearness = 1 - ((means[0] - means[1]) ** 2).sum(axis=2)
    return float((nearness * structure).mean())
