"""Images as data URIs, a pixel a cell, so that a page contains them."""

from __future__ import annotations

import base64
from io import BytesIO
from typing import TYPE_CHECKING

from nonocsp.making.picture import Cells, Picture
from nonocsp.model import Palette, Puzzle

if TYPE_CHECKING:
    from PIL.Image import Image


def solution_uri(puzzle: Puzzle) -> str:
    """Return the goal of a puzzle as a data URI, a pixel a cell."""
    assert puzzle.goal is not None
    return cells_uri(puzzle.goal.cells, puzzle.palette)


def cells_uri(image: Cells, palette: Palette) -> str:
    """Return an image as a data URI, a pixel a cell."""
    import PIL.Image

    picture = PIL.Image.fromarray(image)
    picture.putpalette(bytes.fromhex("".join(colour.rgb[1:] for colour in palette.colours)))
    return _uri(picture)


def picture_uri(picture: Picture, *, side: int | None = None) -> str:
    """Return a picture as a data URI, a pixel a cell."""
    from PIL.Image import fromarray

    if side is None or picture.fine is None:
        return _uri(fromarray(picture.pixels))
    image = fromarray(picture.fine.pixels)
    image.thumbnail((side, side))
    return _uri(image)


def _uri(picture: Image) -> str:
    stream = BytesIO()
    picture.save(stream, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(stream.getvalue()).decode()}"
