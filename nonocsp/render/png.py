"""Write a drawing as PNG with pillow."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nonocsp.model import Grid, Puzzle
from nonocsp.render.drawing import Drawing, Label, draw
from nonocsp.render.fonts import HALF_CAPITAL, SHIFTS, image_font, spans
from nonocsp.render.hatching import hatching

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw


def to_png(
    puzzle: Puzzle,
    grid: Grid | None = None,
    *,
    marked: NDArray[np.bool_] | None = None,
    has_patterns: bool = False,
) -> bytes:
    """Return the PNG file of a puzzle."""
    return file(draw(puzzle, grid, marked=marked, has_patterns=has_patterns))


def file(picture: Drawing, *, dpi: int | None = None) -> bytes:
    """Return the PNG file of a drawing."""
    stream = BytesIO()
    image = painted(picture, 1.0 if dpi is None else dpi / 72)
    image.save(stream, "PNG", optimize=True, **({"dpi": (dpi, dpi)} if dpi else {}))
    return stream.getvalue()


def painted(picture: Drawing, scale: float = 1.0) -> Image:
    """Return a drawing as a pillow image."""
    from PIL import Image
    from PIL.ImageDraw import Draw

    scaled = picture.placed(0, 0, scale)
    image = Image.new("RGB", (round(scaled.width), round(scaled.height)), "#ffffff")
    canvas = Draw(image)
    for box in scaled.boxes:
        left, top = round(box.x), round(box.y)
        right, bottom = round(box.x + box.width), round(box.y + box.height)
        canvas.rectangle((left, top, max(left, right - 1), max(top, bottom - 1)), fill=box.fill)
        segments, width, colour = hatching(box)
        for ends in segments:
            canvas.line([round(end) for end in ends], colour, max(1, round(width)))
    for stroke in scaled.strokes:
        ends = (stroke.x1, stroke.y1, stroke.x2, stroke.y2)
        canvas.line([round(end) for end in ends], stroke.colour, max(1, round(stroke.width)))
    for label in scaled.labels:
        _write(canvas, label)
    return image


def _write(canvas: ImageDraw, label: Label) -> None:
    """Write a label; its lengths are pixels."""
    size = max(1, round(label.size))
    parts = [(image_font(name, size), part) for name, part in spans(label.text, is_bold=label.is_bold)]
    x = label.x - SHIFTS[label.anchor] * sum(font.getlength(part) for font, part in parts)
    for font, part in parts:
        canvas.text((x, label.y + HALF_CAPITAL * size), part, label.fill, font, anchor="ls")
        x += font.getlength(part)
