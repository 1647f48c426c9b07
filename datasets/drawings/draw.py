"""Paint the grey pictures of this folder: ``python datasets/drawings/draw.py`` rewrites them.

An apple and a portrait stand in for the two pictures of Batenburg et al. (2009): a shaded body on white,
and a face with dark hair and a dark suit before a grey wall. Each shape on the unit square, y downwards,
covers those before. Nothing is smoothed.

The textured portrait is the same picture with what a photograph has and smooth shapes lack: a stained wall,
strands of hair, uneven skin and the folds of a suit. Each texture is noise that is equally strong in every
octave, as photographs are (Field 1987: the amplitude falls with the frequency).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import PIL.Image
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Shades = NDArray[np.float64]
WHITE, BLACK = 255.0, 0.0


def apple(rows: int = 512, columns: int = 512) -> NDArray[np.uint8]:
    """Return an apple with stem and leaf, lit from the upper left, as grey values from 0 to 255 (white)."""
    canvas = _Canvas(rows, columns, WHITE)
    body = canvas.disc(0.37, 0.6, 0.56, 0.66) | canvas.disc(0.63, 0.6, 0.56, 0.66)
    canvas.paint(body, canvas.ball(0.5, 0.6, 0.9, 0.8, darkest=20.0, lightest=235.0))
    canvas.paint(canvas.disc(0.5, 0.3, 0.26, 0.09), 60.0)
    canvas.paint(canvas.band(0.5, 0.32, 0.58, 0.06, 0.045), BLACK)
    canvas.paint(canvas.disc(0.74, 0.15, 0.36, 0.14, turn=-0.35), 85.0)
    canvas.paint(canvas.band(0.6, 0.2, 0.88, 0.1, 0.012), 200.0)
    return canvas.pixels()


def portrait(rows: int = 480, columns: int = 608) -> NDArray[np.uint8]:
    """Return head and shoulders of a man in a dark suit, as grey values from 0 to 255 (white)."""
    canvas = _Canvas(rows, columns, WHITE)
    _paint_sitter(canvas)
    return canvas.pixels()


def textured_portrait(rows: int = 240, columns: int = 304, strength: float = 15.0) -> NDArray[np.uint8]:
    """Return the portrait with the texture of a photograph, in 32 greys so that the file stays small.

    Parameters
    ----------
    rows, columns
        Pixels.
    strength
        Most that an octave of the noise changes a shade; the hair has twice as much.
    """
    canvas = _Canvas(rows, columns, WHITE)
    _paint_sitter(
        canvas,
        wall=canvas.noise(4, 5, strength=strength, seed=1),
        suit=canvas.noise(4, 5, strength=strength, seed=2),
        hair=canvas.noise(2, 20, strength=2 * strength, seed=3),
        skin=canvas.noise(4, 5, strength=strength, seed=4),
    )
    return canvas.pixels() // 8 * 8 + 7


def _paint_sitter(
    canvas: _Canvas,
    *,
    wall: float | Shades = 0.0,
    suit: float | Shades = 0.0,
    hair: float | Shades = 0.0,
    skin: float | Shades = 0.0,
) -> None:
    """Paint the portrait; the textures are added to the shades of its parts."""
    canvas.paint(canvas.everything(), 205.0 + 45.0 * canvas.x - 25.0 * canvas.y + wall)
    canvas.paint(canvas.disc(0.5, 1.08, 0.94, 0.66), 55.0 + 25.0 * canvas.x + suit)
    canvas.paint(canvas.polygon((0.4, 0.74), (0.6, 0.74), (0.51, 1.0), (0.47, 1.0)), 245.0)
    canvas.paint(canvas.polygon((0.47, 0.8), (0.53, 0.8), (0.52, 1.0), (0.48, 1.0)), 30.0)
    canvas.paint(canvas.box(0.42, 0.6, 0.58, 0.79), 165.0 + skin)
    canvas.paint(canvas.disc(0.5, 0.32, 0.4, 0.6), 25.0 + hair)
    canvas.paint(canvas.disc(0.335, 0.47, 0.07, 0.13) | canvas.disc(0.665, 0.47, 0.07, 0.13), 170.0 + skin)
    canvas.paint(
        canvas.disc(0.5, 0.46, 0.32, 0.6)
        & ~canvas.polygon((0.3, 0.1), (0.72, 0.1), (0.66, 0.3), (0.36, 0.24)),
        canvas.ball(0.46, 0.44, 0.62, 0.9, darkest=95.0, lightest=250.0) + skin,
    )
    _paint_face(canvas)


def _paint_face(canvas: _Canvas) -> None:
    for x in (0.43, 0.58):
        canvas.paint(canvas.band(x - 0.05, 0.37, x + 0.05, 0.36, 0.024), 40.0)
        canvas.paint(canvas.disc(x, 0.435, 0.07, 0.045), 235.0)
        canvas.paint(canvas.disc(x, 0.435, 0.035, 0.05), BLACK)
    canvas.paint(canvas.polygon((0.5, 0.42), (0.54, 0.56), (0.48, 0.56)), 120.0)
    canvas.paint(canvas.disc(0.505, 0.64, 0.12, 0.035), 60.0)
    canvas.paint(canvas.disc(0.505, 0.745, 0.14, 0.02), 110.0)


class _Canvas:
    """A sheet that shapes are painted on; coordinates run from 0 to 1 whatever its size."""

    def __init__(self, rows: int, columns: int, ground: float) -> None:
        self.shades: Shades = np.full((rows, columns), ground)
        y, x = np.indices((rows, columns)) + 0.5
        self.y, self.x = y / rows, x / columns

    def pixels(self) -> NDArray[np.uint8]:
        return self.shades.clip(BLACK, WHITE).round().astype(np.uint8)

    def paint(self, shape: Mask, shade: float | Shades) -> None:
        self.shades = np.where(shape, shade, self.shades)

    def everything(self) -> Mask:
        return np.ones_like(self.shades, bool)

    def disc(self, x: float, y: float, width: float, height: float, turn: float = 0.0) -> Mask:
        """Return the ellipse with this centre, turned by an angle."""
        right, down = self.x - x, self.y - y
        along = np.cos(turn) * right + np.sin(turn) * down
        across = np.cos(turn) * down - np.sin(turn) * right
        inside: Mask = (along / width) ** 2 + (across / height) ** 2 <= 0.25
        return inside

    def box(self, left: float, top: float, right: float, bottom: float) -> Mask:
        inside: Mask = (left <= self.x) & (self.x <= right) & (top <= self.y) & (self.y <= bottom)
        return inside

    def polygon(self, *corners: tuple[float, float]) -> Mask:
        """Return a convex polygon, corners clockwise on the sheet."""
        inside = self.everything()
        for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True):
            inside &= (x1 - x0) * (self.y - y0) >= (y1 - y0) * (self.x - x0)
        return inside

    def band(self, x0: float, y0: float, x1: float, y1: float, width: float) -> Mask:
        """Return a straight stroke."""
        along, down = x1 - x0, y1 - y0
        length = along**2 + down**2
        share = ((self.x - x0) * along + (self.y - y0) * down) / length
        off = np.abs((self.x - x0) * down - (self.y - y0) * along) / length**0.5
        inside: Mask = (share >= 0) & (share <= 1) & (off <= width / 2)
        return inside

    def ball(
        self, x: float, y: float, width: float, height: float, *, darkest: float, lightest: float
    ) -> Shades:
        """Return the shades of an ellipsoid lit from the upper left, for the whole sheet."""
        right, down = 2 * (self.x - x) / width, 2 * (self.y - y) / height
        towards = np.sqrt(np.maximum(0.0, 1.0 - right**2 - down**2))
        light = np.maximum(0.0, 0.7 * towards - 0.5 * right - 0.5 * down)
        shades: Shades = darkest + (lightest - darkest) * light
        return shades

    def noise(self, down: int, across: int, *, strength: float, seed: int) -> Shades:
        """Return noise around 0 in five octaves, each up to `strength`; the coarsest has these many waves."""
        random = np.random.default_rng(seed)
        noise = np.zeros_like(self.shades)
        for octave in (1, 2, 4, 8, 16):
            rows, columns = down * octave, across * octave
            knots = strength * (2 * random.random((rows + 1, columns + 1)) - 1)
            y, x = np.minimum(self.y * rows, rows - 1e-9), np.minimum(self.x * columns, columns - 1e-9)
            top, left = y.astype(int), x.astype(int)
            below, right = y - top, x - left
            noise += (1 - below) * ((1 - right) * knots[top, left] + right * knots[top, left + 1])
            noise += below * ((1 - right) * knots[top + 1, left] + right * knots[top + 1, left + 1])
        return noise


if __name__ == "__main__":
    for paint in (apple, portrait, textured_portrait):
        PIL.Image.fromarray(paint()).save(Path(__file__).with_name(f"{paint.__name__}.png"), optimize=True)
