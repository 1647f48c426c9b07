"""Write a drawing as PNG with pillow."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nonocsp.model import Grid, Puzzle
from nonocsp.render.drawing import Drawing, draw

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont, ImageFont


def to_png(puzzle: Puzzle, grid: Grid | None = None, *, marked: NDArray[np.bool_] | None = None) -> bytes:
    """Return the PNG file of a puzzle.

    Parameters
    ----------
    puzzle, grid, marked
        As for `nonocsp.render.svg.to_svg`.
    """
    return file(draw(puzzle, grid, marked=marked))


def file(picture: Drawing, *, dpi: int | None = None) -> bytes:
    """Return the PNG file of a drawing.

    Parameters
    ----------
    picture
        In points with `dpi`, else in pixels.
    dpi
        Pixels per inch, for printing.
    """
    stream = BytesIO()
    image = painted(picture, 1.0 if dpi is None else dpi / 72)
    image.save(stream, "PNG", optimize=True, **({"dpi": (dpi, dpi)} if dpi else {}))
    return stream.getvalue()


def painted(picture: Drawing, scale: float = 1.0) -> Image:
    """Return a drawing as a pillow image.

    Parameters
    ----------
    picture
        The drawing.
    scale
        Pixels for each of its units.
    """
    from PIL import Image
    from PIL.ImageDraw import Draw

    scaled = picture.placed(0, 0, scale)
    image = Image.new("RGB", (round(scaled.width), round(scaled.height)), "#ffffff")
    canvas = Draw(image)
    for box in scaled.boxes:
        left, top = round(box.x), round(box.y)
        right, bottom = round(box.x + box.width), round(box.y + box.height)
        canvas.rectangle((left, top, max(left, right - 1), max(top, bottom - 1)), fill=box.fill)
    for stroke in scaled.strokes:
        ends = (stroke.x1, stroke.y1, stroke.x2, stroke.y2)
        canvas.line([round(end) for end in ends], stroke.colour, max(1, round(stroke.width)))
    for label in scaled.labels:
        anchor = "mm" if label.anchor == "middle" else "lm"
        weight = max(1, round(label.size / 25)) if label.is_bold else 0
        font = _font(max(1, round(label.size)))
        canvas.text((label.x, label.y), label.text, label.fill, font, anchor=anchor, stroke_width=weight)
    return image


@cache
def _font(size: int) -> FreeTypeFont | ImageFont:
    from PIL.ImageFont import load_default

    return load_default(size)
