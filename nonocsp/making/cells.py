"""Choose what a cell shows of the fine pixels under it: what stands out.

In grey, pixels weigh by their distance from the mean of the surroundings (DPID; Weber, Waechter, Amend, Guthe
& Goesele 2016), so that whiskers, eyes and letters outweigh what they lie on. In colours, they vote for the
colours of the palette; mixtures between two areas first take the colour of one side (the toggle mapping of
Kramer & Bruckner 1975). Lightness counts less than hue: shade changes the lightness of one and the same
colour.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonocsp.model.oklab import Lab, oklab

Cells = NDArray[np.uint8]
"""Colours of a grid's cells, shape (rows, columns); 0 is the background."""
Mask = NDArray[np.bool_]
Values = NDArray[np.float64]
"""Of each cell: shape (rows, columns), or (rows, columns, colours)."""
Pixels = NDArray[np.uint8]
"""Colours of fine pixels, shape (rows * side, columns * side, 3)."""

_SHADED = np.array([0.3, 1.0, 1.0])
"""How much lightness, red and yellow count when colours are told apart."""
_EVEN = 0.02
"""Weight of a pixel that is like its surroundings. Smaller differences, as in JPEG files, hardly count."""
SMOOTH = 4
"""A cell of fewer pixels a side is drawn pixel by pixel, and has no mixtures."""
_LIKE, _GRAIN = 0.06, 1.5
"""Distance up to which a pixel is like the background, after pixels around it were averaged."""
_RIM, _SUBJECT = 0.6, 0.01
"""Share of the rim that a background has, and of the picture that a subject has, at least."""
_LUMA = np.array([0.299, 0.587, 0.114])


@dataclass(frozen=True, eq=False)
class Fine:
    """The fine pixels of a picture, a square of them for each cell."""

    pixels: Pixels  # their colours, transparent ones on white
    side: int  # pixels along a side of a cell
    clear: Mask | None = None  # the transparent pixels, shape (rows * side, columns * side), or None

    @cached_property
    def _counted(self) -> tuple[Pixels, NDArray[np.int32]]:
        """All colours after sharpening, shape (count, 3), and the number of each pixel's one."""
        rgb = (_sharpened(self.pixels) if self.side >= SMOOTH else self.pixels).astype(np.int32)
        packed = (rgb[..., 0] << 16) | (rgb[..., 1] << 8) | rgb[..., 2]
        found, numbers = np.unique(packed, return_inverse=True)
        colours = np.stack([found >> 16, found >> 8 & 255, found & 255], axis=1).astype(np.uint8)
        return colours, numbers.reshape(packed.shape).astype(np.int32)

    @property
    def colours(self) -> Pixels:
        """All colours that pixels have, shape (count, 3)."""
        return self._counted[0]

    @property
    def numbers(self) -> NDArray[np.int32]:
        """The number of each pixel's colour."""
        return self._counted[1]

    @cached_property
    def _contrast(self) -> NDArray[np.float32]:
        """How far each pixel is from the surroundings of its cell, shape (rows, columns, side * side)."""
        from scipy.ndimage import convolve1d

        pixels = self.by_cell(oklab(self.colours).astype(np.float32)[self.numbers])
        around = pixels.mean(axis=2)
        for axis in (0, 1):
            around = convolve1d(around, [0.25, 0.5, 0.25], axis=axis, mode="nearest")
        far: NDArray[np.float32] = np.sqrt(((pixels - around[:, :, np.newaxis]) ** 2).sum(axis=3))
        return _EVEN + far

    @property
    def shades(self) -> Values:
        """How dark the pixels are, from 0 (white) to 1 (black), as they are in the picture."""
        shades: Values = 1.0 - self.pixels @ _LUMA / 255.0
        return shades

    @property
    def clear_cells(self) -> Mask | None:
        """The cells that are transparent for the most part; None if no pixel is."""
        return None if self.clear is None else self.by_cell(self.clear).mean(axis=2) > 0.5

    @cached_property
    def grey(self) -> Values:
        """How dark the cells are, from 0 (white) to 1 (black)."""
        # Equally dark cells stay equal, so that a threshold does not part them.
        return self._mean(1.0 - self.colours @ _LUMA / 255.0).round(3)

    def far(self, colours: Lab) -> Values:
        """Return how far the pixels of each cell are from some colours, shape (rows, columns, colours)."""
        own = oklab(self.colours)
        apart = (np.sqrt(((own - one) ** 2).sum(axis=1)) for one in colours)
        return np.stack([self._mean(distance) for distance in apart], axis=2)

    def votes(self, colours: Lab) -> Values:
        """Return the share of each colour in each cell; transparent pixels vote for the first one."""
        chosen = nearest(oklab(self.colours), colours)[self.numbers]
        if self.clear is not None:
            chosen[self.clear] = 0
        cells, weights = self.by_cell(chosen), self._contrast
        shares = [np.where(cells == i, weights, 0).sum(axis=2) for i in range(len(colours))]
        votes: Values = np.stack(shares, axis=2) / weights.sum(axis=2)[..., np.newaxis]
        return votes

    def _mean(self, values: NDArray[np.float64]) -> Values:
        """Return the weighted mean in each cell of a value that each colour has."""
        pixels = self.by_cell(values.astype(np.float32)[self.numbers])
        weights = self._contrast
        means: Values = (np.vecdot(pixels, weights) / weights.sum(axis=2)).astype(np.float64)
        return means

    def by_cell(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return a value of each pixel in shape (rows, columns, side * side, ...)."""
        rows, columns = (length // self.side for length in values.shape[:2])
        cut = values.reshape(rows, self.side, columns, self.side, *values.shape[2:]).swapaxes(1, 2)
        return cut.reshape(rows, columns, self.side**2, *values.shape[2:])


def nearest(lab: Lab, colours: Lab) -> NDArray[np.uint8]:
    """Return the number of the colour that people would call each one, shape (count,)."""
    best = np.full(len(lab), np.inf)
    chosen = np.zeros(len(lab), np.uint8)
    for number, colour in enumerate(colours):
        far = shaded_distance(lab, colour)
        closer = far < best
        best[closer], chosen[closer] = far[closer], number
    return chosen


def shaded_distance(one: Lab, other: Lab) -> NDArray[np.float64]:
    """Return how different colours are for people, who ignore light and shade for the most part."""
    far: NDArray[np.float64] = np.sqrt((((one - other) * _SHADED) ** 2).sum(axis=-1))
    return far


def _sharpened(pixels: Pixels) -> Pixels:
    """Return the picture with sharp borders between its areas.

    Each pixel becomes the darkest or the lightest of the 3x3 pixels around it, whichever is nearer in colour;
    one in the corner of an area of its colour is no mixture, and stays.
    """
    lab = oklab(pixels).astype(np.float32)
    rows, columns = pixels.shape[:2]
    shades = np.pad(lab[..., 0], 1, mode="edge")
    around = np.stack([shades[y : y + rows, x : x + columns] for y in range(3) for x in range(3)])
    sides = []
    for place in (around.argmin(axis=0), around.argmax(axis=0)):
        row = np.arange(rows)[:, np.newaxis] + place // 3 - 1
        column = np.arange(columns) + place % 3 - 1
        at = row.clip(0, rows - 1), column.clip(0, columns - 1)
        sides.append((((lab - lab[at]) ** 2).sum(axis=2), pixels[at]))
    (to_dark, dark), (to_light, light) = sides
    sharp: Pixels = np.where((to_dark <= to_light)[..., np.newaxis], dark, light)
    beside = np.pad(lab, ((1, 1), (1, 1), (0, 0)), constant_values=np.nan)
    alike = [(lab == beside[y : y + rows, x : x + columns]).all(axis=2) for y in range(3) for x in range(3)]
    is_area = np.count_nonzero(alike, axis=0) >= 4
    return np.where(is_area[..., np.newaxis], pixels, sharp)


def background_of(pixels: Pixels) -> Mask | None:
    """Return the uniform background of a picture; None if it has none.

    The median colour of the rim spreads from there to all connected pixels that are like it, apart from grain
    and shadows. It is a background if it covers most of the rim and leaves something of the picture.
    """
    from scipy.ndimage import gaussian_filter, label

    lab = gaussian_filter(oklab(pixels).astype(np.float32), (_GRAIN, _GRAIN, 0), mode="nearest")
    areas, _ = label(shaded_distance(lab, np.median(_rim(lab), axis=0)) <= _LIKE)
    rim = _rim(areas)
    background: Mask = np.isin(areas, np.unique(rim[rim > 0]))
    if np.count_nonzero(rim) < _RIM * rim.size or background.mean() > 1 - _SUBJECT:
        return None
    return background


def _rim(pixels: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([pixels[0], pixels[-1], pixels[1:-1, 0], pixels[1:-1, -1]])
