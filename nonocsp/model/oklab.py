"""Colours as people see them: OKLab, in which equal distances look equally different (Ottosson 2020).

A colour is three numbers: its lightness from 0 (black) to 1 (white), and how red and how yellow it is, each
within about -0.4 to 0.4, negative for green and blue. Black and white are 1 apart, which is the greatest
distance. See https://bottosson.github.io/posts/oklab/.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nonocsp.model.palette import Palette

Lab = NDArray[np.float64]
"""Colours in OKLab, shape (..., 3)."""

_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_OPPONENTS = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
_SHADES = np.arange(256) / 255.0
_LINEAR = np.where(_SHADES <= 0.04045, _SHADES / 12.92, ((_SHADES + 0.055) / 1.055) ** 2.4)
"""Light of each value of an sRGB channel."""


def oklab(rgb: NDArray[np.uint8]) -> Lab:
    """Return sRGB colours in OKLab, same shape (..., 3)."""
    lab: Lab = np.cbrt(_LINEAR[rgb] @ _CONES.T) @ _OPPONENTS.T
    return lab


def rgb_of(palette: Palette) -> NDArray[np.uint8]:
    """Return the colours of a palette, shape (colours, 3)."""
    return np.array([tuple(bytes.fromhex(colour.rgb[1:])) for colour in palette.colours], np.uint8)
