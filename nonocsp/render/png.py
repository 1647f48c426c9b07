"""A drawing as PNG, through pillow."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING

from nonocsp.model import Grid, Puzzle
from nonocsp.render.drawing import Drawing, Label, draw

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont, ImageFont


def to_png(puzzle: Puzzle, grid: Grid | None = None) -> bytes:
    """Return the PNG file of a puzzle with the cells of `grid`; without one, of the empty sheet."""
    from PIL import Image
    from PIL.ImageDraw import Draw

    picture = draw(puzzle, grid)
    image = Image.new("RGB", (picture.width, picture.height), "#ffffff")
    _paint(Draw(image), picture)
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def _paint(canvas: ImageDraw, picture: Drawing) -> None:
    for box in picture.boxes:
        corners = (box.x, box.y, box.x + box.width - 1, box.y + box.height - 1)
        canvas.rectangle(corners, fill=box.fill)
    for stroke in picture.strokes:
        canvas.line((stroke.x1, stroke.y1, stroke.x2, stroke.y2), stroke.colour, round(stroke.width))
    for label in picture.labels:
        _write(canvas, label)


def _write(canvas: ImageDraw, label: Label) -> None:
    canvas.text((label.x, label.y), label.text, label.fill, _font(round(label.size)), anchor="mm")


@cache
def _font(size: int) -> FreeTypeFont | ImageFont:
    from PIL.ImageFont import load_default

    return load_default(size)
