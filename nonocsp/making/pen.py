"""What the project's motifs are drawn with: filled shapes on a white square, through pillow.

Coordinates run from 0 to 100, x to the right and y downwards; a shape lies over those before.
"""

from __future__ import annotations

from nonocsp.model import BLACK_AND_WHITE, Colour

SIDE = 400
"""Pixels of a drawn motif, either way."""
_UNIT = SIDE / 100
WHITE, BLACK = BLACK_AND_WHITE.colours
RED, GREEN, BLUE, BROWN, YELLOW, ORANGE = (
    Colour(*colour)
    for colour in (
        ("red", "#d7191c", "r"),
        ("green", "#1a9641", "g"),
        ("blue", "#2c7bb6", "b"),
        ("brown", "#8c510a", "n"),
        ("yellow", "#ffd92f", "y"),
        ("orange", "#f28522", "o"),
    )
)

Point = tuple[float, float]


class Pen:
    """Draws filled shapes, each over those before."""

    def __init__(self) -> None:
        from PIL import Image
        from PIL.ImageDraw import Draw

        self.image = Image.new("RGB", (SIDE, SIDE), WHITE.rgb)
        self._canvas = Draw(self.image)

    def disc(self, x: float, y: float, width: float, height: float = 0, ink: Colour = BLACK) -> None:
        """Fill the ellipse with this centre, as wide and high (default: as high as wide)."""
        high = height or width
        self._canvas.ellipse(_scaled((x - width / 2, y - high / 2), (x + width / 2, y + high / 2)), ink.rgb)

    def box(self, left: float, top: float, right: float, bottom: float, ink: Colour = BLACK) -> None:
        """Fill a rectangle."""
        self._canvas.rectangle(_scaled((left, top), (right, bottom)), ink.rgb)

    def area(self, *corners: Point, ink: Colour = BLACK) -> None:
        """Fill a polygon."""
        self._canvas.polygon(_scaled(*corners), ink.rgb)

    def line(self, *points: Point, width: float = 7, ink: Colour = BLACK) -> None:
        """Draw a line with round joints and ends."""
        self._canvas.line(_scaled(*points), ink.rgb, round(width * _UNIT), joint="curve")
        for x, y in (points[0], points[-1]):
            self.disc(x, y, width, ink=ink)

    def ring(self, x: float, y: float, size: float, width: float = 7, ink: Colour = BLACK) -> None:
        """Draw a circle; `size` is its outer diameter."""
        ends = _scaled((x - size / 2, y - size / 2), (x + size / 2, y + size / 2))
        self._canvas.ellipse(ends, outline=ink.rgb, width=round(width * _UNIT))

    def arc(self, centre: Point, size: Point, angles: tuple[float, float], width: float = 7) -> None:
        """Draw a part of an ellipse in black; angles are in degrees, clockwise from the right."""
        (x, y), (wide, high) = centre, size
        ends = _scaled((x - wide / 2, y - high / 2), (x + wide / 2, y + high / 2))
        self._canvas.arc(ends, *angles, BLACK.rgb, round(width * _UNIT))


def _scaled(*points: Point) -> list[tuple[float, float]]:
    return [(x * _UNIT, y * _UNIT) for x, y in points]
