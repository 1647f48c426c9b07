"""Load the project's own drawings: three grey pictures, and thirty motifs to make a pack of.

They are data below ``datasets/drawings``. ``draw.py`` there paints the grey pictures; the motifs are shapes
in ``motifs.json``, which this module fills with pillow. The same data give the same pixels.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nonocsp.model import BLACK_AND_WHITE, Colour, Palette
from nonocsp.shipped import root

if TYPE_CHECKING:
    from PIL.Image import Image

SIDE = 400
"""Width and height of a drawn motif, in pixels."""
_LINE_WIDTH = 7
WHITE, BLACK = BLACK_AND_WHITE.colours


def apple() -> NDArray[np.uint8]:
    """Return an apple with stem and leaf, lit from the upper left: 512x512 grey values, 255 is white."""
    return _grey_picture("apple")


def portrait() -> NDArray[np.uint8]:
    """Return head and shoulders of a man in a dark suit: 480 rows and 608 columns, 255 is white."""
    return _grey_picture("portrait")


def textured_portrait() -> NDArray[np.uint8]:
    """Return the portrait with the texture of a photograph: 240 rows and 304 columns, 255 is white."""
    return _grey_picture("textured_portrait")


def _grey_picture(name: str) -> NDArray[np.uint8]:
    import PIL.Image

    with PIL.Image.open(_folder() / f"{name}.png") as image:
        return np.array(image)


def _folder() -> Path:
    return root() / "datasets" / "drawings"


@dataclass(frozen=True, slots=True)
class Motif:
    """Filled shapes on a white square, in one to three colours."""

    name: str
    palette: Palette
    """White, and the colours that the shapes have."""
    shapes: tuple[tuple[str, dict[str, Any]], ...]
    """As ``motifs.json`` has them, each with its colour; a shape covers those before. Coordinates run from 0
    to 100, x to the right and y downwards.

    - ``box``: left, top, right, bottom; ``polygon``: its corners;
    - ``disc``: centre, width, height; ``ring``: centre, outer diameter;
    - ``line``: its points; joints and ends are round;
    - ``arc``: centre, width and height of an ellipse; two angles in degrees, clockwise from the right."""

    def image(self, *, in_colour: bool = True) -> Image:
        """Draw the motif; without colours, everything that is not white is black."""
        import PIL.Image
        from PIL.ImageDraw import Draw

        image = PIL.Image.new("RGB", (SIDE, SIDE), WHITE.rgb)
        canvas = Draw(image)
        for ink, shape in self.shapes:
            width = shape.get("width", _LINE_WIDTH)
            pixels = round(width * SIDE / 100)
            match shape:
                case {"box": corners}:
                    canvas.rectangle(_scaled(*corners), ink)
                case {"disc": [x, y, wide, high]}:
                    canvas.ellipse(_around(x, y, wide, high), ink)
                case {"polygon": corners}:
                    canvas.polygon([tuple(_scaled(*corner)) for corner in corners], ink)
                case {"line": points}:
                    canvas.line([tuple(_scaled(*point)) for point in points], ink, pixels, joint="curve")
                    for x, y in (points[0], points[-1]):
                        canvas.ellipse(_around(x, y, width, width), ink)
                case {"ring": [x, y, size]}:
                    canvas.ellipse(_around(x, y, size, size), outline=ink, width=pixels)
                case {"arc": [x, y, wide, high, first, last]}:
                    canvas.arc(_around(x, y, wide, high), first, last, ink, pixels)
                case _:
                    raise ValueError(f"motifs.json: unknown shape {shape}")
        return image if in_colour else image.convert("L").point([0] * 250 + [255] * 6)


@cache
def motifs() -> tuple[Motif, ...]:
    """Return the motifs, from those that need few cells to those that need many."""
    document = json.loads((_folder() / "motifs.json").read_text(encoding="utf-8"))
    inks = {name: Colour(name, rgb, char) for name, (rgb, char) in document["inks"].items()}
    inks |= {WHITE.name: WHITE, BLACK.name: BLACK}
    return tuple(
        Motif(
            motif["name"],
            Palette((WHITE, *(inks[name] for name in motif["inks"]))),
            tuple((inks[shape.get("ink", BLACK.name)].rgb, shape) for shape in motif["shapes"]),
        )
        for motif in document["motifs"]
    )


def _around(x: float, y: float, width: float, height: float) -> list[float]:
    """Return left, top, right and bottom of a box with this centre, in pixels."""
    return _scaled(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def _scaled(*coordinates: float) -> list[float]:
    return [coordinate * (SIDE / 100) for coordinate in coordinates]
