"""Draw the pictures of pictures.jsonl: ``python datasets/pictures/draw.py`` rewrites the file.

A picture is painted with a few shapes on the unit square, y downwards, and cut into cells at three sizes: a
cell has the colour painted last over its centre. Every picture is the only solution of its clues, at every
size.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nonocsp.formats import save
from nonocsp.model import BLACK_AND_WHITE, Colour, Grid, Palette, Puzzle

SIZES = (15, 20, 25)
WHITE = Colour("white", "#ffffff", ".")
RED, BLUE, GREEN, BROWN, YELLOW, BLACK = (
    Colour(*colour)
    for colour in (
        ("red", "#d7191c", "r"),
        ("blue", "#2c7bb6", "b"),
        ("green", "#1a9641", "g"),
        ("brown", "#8c510a", "n"),
        ("yellow", "#ffd92f", "y"),
        ("black", "#000000", "#"),
    )
)

Cells = NDArray[np.bool_]
Point = tuple[float, float]


class Canvas:
    """Square of cells that shapes are painted on, in palette indices."""

    def __init__(self, size: int) -> None:
        self.cells = np.zeros((size, size), np.uint8)
        self.y, self.x = (np.indices((size, size)) + 0.5) / size

    def paint(self, colour: int, *shapes: Cells) -> None:
        """Paint shapes over the sheet; colour 0 erases."""
        for shape in shapes:
            self.cells[shape] = colour

    def disc(self, x: float, y: float, width: float, height: float | None = None) -> Cells:
        """Return the ellipse with this centre, as wide and high (default: as high as wide)."""
        inside: Cells = ((self.x - x) / width) ** 2 + ((self.y - y) / (height or width)) ** 2 <= 0.25
        return inside

    def box(self, left: float, top: float, right: float, bottom: float) -> Cells:
        """Return a rectangle."""
        inside: Cells = (left <= self.x) & (self.x <= right) & (top <= self.y) & (self.y <= bottom)
        return inside

    def polygon(self, *corners: Point) -> Cells:
        """Return a convex polygon, corners clockwise on the screen."""
        inside = np.ones_like(self.cells, bool)
        for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True):
            inside &= (x1 - x0) * (self.y - y0) >= (y1 - y0) * (self.x - x0)
        return inside


def _heart(c: Canvas) -> None:
    c.paint(1, c.disc(0.29, 0.34, 0.5), c.disc(0.71, 0.34, 0.5))
    c.paint(1, c.polygon((0.07, 0.45), (0.93, 0.45), (0.5, 0.97)))


def _boat(c: Canvas) -> None:
    c.paint(1, c.polygon((0.05, 0.7), (0.97, 0.7), (0.8, 0.95), (0.2, 0.95)), c.box(0.46, 0.02, 0.53, 0.7))
    c.paint(
        1, c.polygon((0.56, 0.08), (0.92, 0.6), (0.56, 0.6)), c.polygon((0.42, 0.2), (0.42, 0.6), (0.14, 0.6))
    )


def _cat(c: Canvas) -> None:
    c.paint(1, c.disc(0.5, 0.58, 0.86, 0.76))
    c.paint(
        1, c.polygon((0.1, 0.03), (0.45, 0.3), (0.1, 0.5)), c.polygon((0.9, 0.03), (0.9, 0.5), (0.55, 0.3))
    )
    c.paint(0, c.disc(0.33, 0.5, 0.15, 0.2), c.disc(0.67, 0.5, 0.15, 0.2))
    c.paint(0, c.polygon((0.43, 0.65), (0.57, 0.65), (0.5, 0.74)), c.box(0.3, 0.78, 0.7, 0.84))


def _cup(c: Canvas) -> None:
    c.paint(1, c.disc(0.72, 0.55, 0.46, 0.4))
    c.paint(0, c.disc(0.72, 0.55, 0.24, 0.2))
    c.paint(1, c.polygon((0.1, 0.3), (0.76, 0.3), (0.64, 0.88), (0.22, 0.88)), c.box(0.02, 0.9, 0.84, 0.99))
    c.paint(1, c.box(0.26, 0.02, 0.33, 0.2), c.box(0.46, 0.08, 0.53, 0.24))


def _key(c: Canvas) -> None:
    c.paint(1, c.disc(0.3, 0.3, 0.58))
    c.paint(0, c.disc(0.3, 0.3, 0.28))
    c.paint(1, c.polygon((0.46, 0.36), (0.98, 0.88), (0.88, 0.98), (0.36, 0.46)))
    c.paint(1, c.polygon((0.86, 0.62), (0.92, 0.68), (0.78, 0.82), (0.72, 0.76)))


def _umbrella(c: Canvas) -> None:
    c.paint(1, c.disc(0.5, 0.5, 0.98, 0.9))
    c.paint(0, c.box(0, 0.5, 1, 1), c.disc(0.2, 0.52, 0.24, 0.2), c.disc(0.8, 0.52, 0.24, 0.2))
    c.paint(1, c.box(0.46, 0.0, 0.54, 0.9), c.disc(0.37, 0.86, 0.34, 0.26))
    c.paint(0, c.disc(0.37, 0.84, 0.16, 0.14), c.box(0.0, 0.6, 0.45, 0.84))


def _house(c: Canvas) -> None:
    c.paint(2, c.box(0.7, 0.06, 0.84, 0.4))
    c.paint(1, c.polygon((0.5, 0.02), (1.0, 0.46), (0.0, 0.46)))
    c.paint(2, c.box(0.12, 0.46, 0.88, 0.98))
    c.paint(0, c.box(0.2, 0.56, 0.4, 0.74), c.box(0.56, 0.6, 0.76, 0.98))


def _tree(c: Canvas) -> None:
    c.paint(2, c.box(0.42, 0.6, 0.58, 0.98), c.box(0.28, 0.92, 0.72, 0.99))
    c.paint(1, c.disc(0.5, 0.3, 0.6), c.disc(0.27, 0.46, 0.46, 0.4), c.disc(0.73, 0.46, 0.46, 0.4))


def _fish(c: Canvas) -> None:
    c.paint(1, c.disc(0.42, 0.5, 0.8, 0.6), c.polygon((0.98, 0.15), (0.98, 0.85), (0.7, 0.5)))
    c.paint(2, c.box(0.44, 0.2, 0.53, 0.8) & c.disc(0.42, 0.5, 0.8, 0.6))
    c.paint(0, c.disc(0.22, 0.43, 0.13))


def _mushroom(c: Canvas) -> None:
    c.paint(2, c.polygon((0.38, 0.5), (0.62, 0.5), (0.7, 0.98), (0.3, 0.98)))
    c.paint(1, c.disc(0.5, 0.52, 0.98, 0.98) & c.box(0, 0, 1, 0.54))
    c.paint(0, c.disc(0.27, 0.36, 0.18), c.disc(0.56, 0.2, 0.2, 0.16), c.disc(0.75, 0.42, 0.16))


def _flower(c: Canvas) -> None:
    c.paint(2, c.box(0.46, 0.55, 0.54, 1.0), c.disc(0.3, 0.84, 0.36, 0.16), c.disc(0.7, 0.84, 0.36, 0.16))
    c.paint(1, *(c.disc(x, y, 0.3) for x, y in ((0.5, 0.15), (0.5, 0.57), (0.29, 0.36), (0.71, 0.36))))
    c.paint(3, c.disc(0.5, 0.36, 0.26))


def _night(c: Canvas) -> None:
    c.paint(1, c.disc(0.42, 0.42, 0.8))
    c.paint(0, c.disc(0.6, 0.32, 0.66))
    c.paint(2, c.polygon((0.0, 0.86), (0.45, 0.74), (1.0, 0.86), (1.0, 1.0), (0.0, 1.0)))
    c.paint(1, c.box(0.66, 0.26, 0.74, 0.5), c.box(0.58, 0.34, 0.82, 0.42))


PICTURES: tuple[tuple[str, Callable[[Canvas], None], tuple[Colour, ...]], ...] = (
    ("heart", _heart, ()),
    ("boat", _boat, ()),
    ("cat", _cat, ()),
    ("cup", _cup, ()),
    ("key", _key, ()),
    ("umbrella", _umbrella, ()),
    ("house", _house, (RED, BROWN)),
    ("tree", _tree, (GREEN, BROWN)),
    ("fish", _fish, (BLUE, YELLOW)),
    ("mushroom", _mushroom, (RED, BLACK)),
    ("flower", _flower, (RED, GREEN, YELLOW)),
    ("night", _night, (YELLOW, BLUE)),
)


def draw(name: str, paint: Callable[[Canvas], None], colours: tuple[Colour, ...], size: int) -> Puzzle:
    """Return the puzzle of one picture; without colours it is black and white."""
    canvas = Canvas(size)
    paint(canvas)
    return Puzzle.from_grid(
        Grid.from_cells(canvas.cells),
        palette=Palette((WHITE, *colours)) if colours else BLACK_AND_WHITE,
        title=f"{name} {size}x{size}",
        licence="CC0-1.0",
    )


def pictures() -> list[Puzzle]:
    """Return all pictures, by size."""
    return [draw(*picture, size) for size in SIZES for picture in PICTURES]


if __name__ == "__main__":
    save(pictures(), Path(__file__).with_name("pictures.jsonl"))
