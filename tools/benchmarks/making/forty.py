"""Draw forty pictures of the kinds that people turn into puzzles, the same ones at every call.

Icons and tiny pictures are a few cells wide and have the colours of their characters. The others are shapes
as in ``datasets/drawings/motifs.json``, text in the font that pillow brings along, and noise. A photograph is
imitated: lit from one side, blurred, and with noise that is equally strong in every octave.

The rules were written before any result was seen, and no picture was replaced because of its result. Only the
two portraits were looked at while nonocsp was made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from nonocsp.making.drawings import SIDE, Motif, portrait, textured_portrait
from nonocsp.model import BLACK_AND_WHITE
from tools.benchmarks.making.forty_shapes import CELLS, SHAPES

Picture = Image.Image
Greys = NDArray[np.float64]
INKS = {
    ".": "#ffffff",
    "#": "#000000",
    "r": "#d7191c",
    "y": "#ffd92f",
    "g": "#1a9641",
    "b": "#2c7bb6",
    "n": "#8c510a",
}
"""The colours of the characters of `CELLS`."""
HEADINGS = {
    "icon": "Icons",
    "tiny": "Tiny pictures",
    "face": "Faces",
    "animal": "Animals",
    "text": "Text",
    "gradient": "Gradients",
    "photo": "Like photographs",
    "transparent": "Transparent pictures",
    "huge": "Huge pictures",
}
"""The kinds of pictures."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A picture, and how an author would ask for puzzles of it.

    Parameters
    ----------
    kind
        One of `HEADINGS`.
    draw
        Returns the picture.
    options
        Arguments of `nonocsp.generate` that an author would give.
    """

    name: str
    kind: str
    draw: Callable[[], Picture] = field(repr=False)
    options: dict[str, Any] = field(default_factory=dict)

    def saved(self, folder: Path) -> Path:
        """Write the picture as PNG and return its path."""
        path = folder / f"{self.name}.png"
        self.draw().save(path)
        return path


def subjects() -> Iterator[Subject]:
    """Yield the forty pictures by kind."""
    for kind in ("icon", "tiny"):
        for name, rows in CELLS[kind].items():
            yield Subject(name, kind, lambda rows=rows: _cells(rows))  # type: ignore[misc]
    yield from _SHAPED
    yield from _OTHERS


def _cells(text: str) -> Picture:
    """Return a picture with a pixel for each character."""
    rows = [[tuple(bytes.fromhex(INKS[char][1:])) for char in row] for row in text.split()]
    return Image.fromarray(np.array(rows, np.uint8))


def _shapes(name: str) -> Picture:
    """Return a picture of shapes: each line has ink, kind, numbers, and the width of a stroke."""
    shapes = []
    for line in SHAPES[name].strip().splitlines():
        ink, kind, *words = line.split()
        numbers = [float(word) for word in words if not word.startswith("w=")]
        pairs = [[x, y] for x, y in zip(numbers[::2], numbers[1::2], strict=False)]
        shape: dict[str, Any] = {kind: pairs if kind in ("polygon", "line") else numbers}
        if words[-1].startswith("w="):
            shape["width"] = float(words[-1][2:])
        shapes.append((ink, shape))
    return Motif(name, BLACK_AND_WHITE, tuple(shapes)).image()


def _noise(rows: int, columns: int, seed: int) -> Greys:
    """Return noise with mean 0 and deviation 1 whose amplitude falls with the frequency."""
    waves = np.fft.rfft2(np.random.default_rng(seed).random((rows, columns)))
    y, x = np.fft.fftfreq(rows)[:, np.newaxis], np.fft.rfftfreq(columns)
    waves /= np.maximum(np.hypot(y * rows, x * columns), 1.0)
    waves[0, 0] = 0.0
    noise: Greys = np.fft.irfft2(waves, (rows, columns))
    return noise / noise.std()


def _photograph(picture: Picture, seed: int, *, strength: float = 14.0) -> Picture:
    """Return a picture as a camera sees it: lit from the left, slightly blurred, with texture."""
    pixels = np.asarray(picture.filter(ImageFilter.GaussianBlur(2)), float)
    rows, columns = pixels.shape[:2]
    light = np.linspace(20, -30, columns)[np.newaxis, :] + strength * _noise(rows, columns, seed)
    light = light if pixels.ndim == 2 else light[..., np.newaxis]
    return _of_shades(pixels + light)


def _of_shades(shades: Greys) -> Picture:
    return Image.fromarray(shades.clip(0, 255).round().astype(np.uint8))


def _text(text: str, *, ink: str = "black", ground: str = "white", size: int = 200) -> Picture:
    """Return a text on one line, with a small margin."""
    font = ImageFont.load_default(size)
    left, top, right, bottom = map(
        round, ImageDraw.Draw(Image.new("RGB", (1, 1))).textbbox((0, 0), text, font)
    )
    margin = size // 10
    picture = Image.new("RGB", (right - left + 2 * margin, bottom - top + 2 * margin), ground)
    ImageDraw.Draw(picture).text((margin - left, margin - top), text, ink, font)
    return picture


def _across(rows: int = SIDE, columns: int = SIDE) -> tuple[Greys, Greys]:
    """Return how far down and how far to the right each pixel is, from 0 to 1."""
    y, x = np.mgrid[:rows, :columns]
    return y / (rows - 1), x / (columns - 1)


def _ramp() -> Picture:
    y, x = _across(300, 400)
    return _of_shades(255 * (0.85 * x + 0.15 * y))


def _ball() -> Picture:
    """Return a ball on white, lit from the upper left, above its shadow."""
    y, x = _across()
    shades = np.where(((x - 0.55) / 0.4) ** 2 + ((y - 0.88) / 0.07) ** 2 < 1, 190.0, 255.0)
    right, down = (x - 0.5) / 0.38, (y - 0.47) / 0.38
    towards = np.sqrt(np.maximum(0.0, 1 - right**2 - down**2))
    light = 25 + 215 * np.maximum(0.0, 0.7 * towards - 0.5 * right - 0.5 * down)
    return _of_shades(np.where(towards > 0, light, shades))


def _sunset() -> Picture:
    """Return a sun that sets behind the sea: a sky from purple to orange, its light on the water."""
    y, x = _across(300, 400)
    sky = np.stack([120 + 135 * y / 0.65, 60 + 110 * y / 0.65, 130 - 90 * y / 0.65], axis=2)
    sea = np.broadcast_to(np.array([25.0, 40.0, 80.0]), sky.shape)
    sun = np.array([255.0, 240.0, 150.0])
    pixels = np.where((y > 0.65)[..., np.newaxis], sea, sky)
    disc = (1.33 * (x - 0.5)) ** 2 + (y - 0.55) ** 2 < 0.17**2
    glitter = (np.abs(x - 0.5) < 0.1 + 0.1 * np.sin(70 * y)) & (np.sin(110 * y) > 0.2) & (y > 0.68)
    return _of_shades(np.where(((disc & (y < 0.65)) | glitter)[..., np.newaxis], sun, pixels))


def _mist() -> Picture:
    """Return five ridges, each darker than the one behind it."""
    y, x = _across(300, 400)
    shades = np.full_like(x, 245.0)
    for i in range(5):
        ridge = 0.3 + 0.14 * i + 0.09 * np.sin((5 + 2 * i) * x + 2 * i) + 0.03 * np.sin(23 * x + i)
        shades = np.where(y > ridge, 205.0 - 42 * i + 30 * (y - ridge), shades)
    return _of_shades(shades)


def _clouds() -> Picture:
    y, _ = _across(300, 400)
    return _of_shades(120 + 60 * y + 45 * _noise(300, 400, 5))


def _wood() -> Picture:
    """Return the rings of a plank with a knot."""
    y, x = _across(300, 400)
    bent = np.hypot(3 * (x - 0.35), 1.2 * (y - 0.5)) + 0.012 * _noise(300, 400, 6)
    return _of_shades(150 + 60 * np.sin(38 * bent) + 8 * _noise(300, 400, 7))


def _leaves() -> Picture:
    """Return discs that hide each other, as things do in photographs (Lee, Mumford & Huang 2001)."""
    y, x = _across(300, 300)
    shades = np.full_like(x, 128.0)
    random = np.random.default_rng(8)
    for _ in range(160):
        radius = 0.3 * (1 - 0.9 * random.random()) ** 1.5
        at_x, at_y, grey = random.random(3)
        inside = (x - at_x) ** 2 + (y - at_y) ** 2 < radius**2
        shades = np.where(inside, 20 + 215 * grey + 90 * (x - at_x), shades)
    return _photograph(_of_shades(shades), 9)


def _skyline(rows: int = 800, columns: int = 5000) -> Picture:
    """Return the houses of a city before a grey sky, with a spire and windows that are lit."""
    picture = Image.new("L", (columns, rows), 205)
    canvas = ImageDraw.Draw(picture)
    random = np.random.default_rng(10)
    left = 0
    while left < columns:
        width, height = int(random.integers(150, 420)), int(random.integers(200, 650))
        canvas.rectangle((left, rows - height, left + width, rows), int(random.integers(10, 80)))
        for window in range(left + 40, left + width - 60, 100):
            if random.random() < 0.5:
                canvas.rectangle((window, rows - height + 60, window + 45, rows - height + 130), 235)
        left += width + int(random.integers(0, 60))
    canvas.polygon([(2400, 60), (2330, 800), (2470, 800)], 20)
    return picture


def _transparent(name: str, *, below: tuple[int, int, int], alpha: int = 255) -> Picture:
    """Return shapes where white is transparent, with a colour that nobody should see below.

    Parameters
    ----------
    name
        Of the shapes; ``#fefefe`` stays white.
    below
        The colour of the pixels that are transparent.
    alpha
        How opaque the shapes are, to 255.
    """
    pixels = np.asarray(_shapes(name))
    blank = (pixels == 255).all(axis=2)
    pixels = np.where(blank[..., np.newaxis], np.array(below, np.uint8), pixels)
    return Image.fromarray(np.dstack([pixels, np.where(blank, 0, alpha).astype(np.uint8)]))


def _shape(name: str, kind: str, **options: Any) -> Subject:
    return Subject(name, kind, lambda: _shapes(name), options)


def _photo(name: str, kind: str, seed: int, **options: Any) -> Subject:
    return Subject(name, kind, lambda: _photograph(_shapes(name), seed), options)


def _huge(name: str, width: int, height: int, **options: Any) -> Subject:
    return Subject(
        name, "huge", lambda: _shapes(name).resize((width, height), Image.Resampling.BICUBIC), options
    )


_SHAPED = (
    _shape("smile", "face", colours=2),
    _shape("glasses", "face", colours=5),
    _shape("robot", "face"),
    Subject("portrait", "face", lambda: Image.fromarray(portrait())),
    Subject("textured portrait", "face", lambda: Image.fromarray(textured_portrait())),
    _shape("cat", "animal", colours=2),
    _shape("fish", "animal", colours=3),
    _photo("owl", "animal", 1),
    _shape("snail", "animal"),
    _shape("zebra", "animal"),
    _shape("bird", "animal"),
    Subject("star", "transparent", lambda: _transparent("star", below=(0, 0, 0))),
    Subject("drop", "transparent", lambda: _transparent("drop", below=(0, 0, 0), alpha=150), {"colours": 2}),
    Subject("ghost", "transparent", lambda: _transparent("ghost", below=(255, 255, 255))),
    _huge("boat", 4000, 3000, colours=4),
    _huge("lighthouse", 2700, 3600),
    Subject("skyline", "huge", _skyline, {"size": (None, 60)}),
)
_OTHERS = (
    Subject("hello", "text", lambda: _text("HELLO")),
    Subject("ampersand", "text", lambda: _text("&", size=400)),
    Subject("year", "text", lambda: _text("2026", ink="white", ground="#203060")),
    Subject("nonogram", "text", lambda: _text("Nonogram"), {"size": (None, 60)}),
    Subject("ramp", "gradient", _ramp),
    Subject("ball", "gradient", _ball),
    Subject("sunset", "gradient", _sunset, {"colours": 4}),
    Subject("mist", "gradient", _mist, {"edges": "both"}),
    Subject("clouds", "photo", _clouds),
    Subject("wood", "photo", _wood),
    Subject("leaves", "photo", _leaves, {"edges": "both"}),
    _photo("house", "photo", 2, colours=4),
    _photo("pears", "photo", 3, colours=3),
)
