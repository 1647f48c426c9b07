"""Reads a picture, whatever kind it is, as one pixel for every cell of a grid.

What is transparent lies on white; what a camera turned is turned back; of an animation the first frame
counts; sixteen bits a channel become eight, and CMYK becomes RGB. The picture is cropped to the shape of the
grid around what is in it (its blank margins go first), and every cell gets the mean of its pixels. Without a
size, small pictures are taken as they are, a pixel a cell, and others get `SIDE` cells on their longer side.

Files are not trusted: nothing above `MAX_PIXELS` is decoded, beyond what pillow decodes only strips are held,
and nothing is handed to another program. A reader needs 60 MiB, and 4 to 8 bytes for each pixel of the file.
"""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from nonocsp.formats.source import open_source
from nonocsp.making.picture import BLANK, Picture
from nonocsp.model import FormatError, UsageError

if TYPE_CHECKING:
    from PIL.Image import Image

AnyPicture: TypeAlias = "str | Path | Image | NDArray[Any] | Picture"
Size = tuple[int | None, int | None]
"""Rows and columns; one that is None follows from the other and the picture."""

MAX_PIXELS = 50_000_000
MAX_BYTES = 96 << 20
MAX_SIDE = 400
"""Of a grid: line solving of larger images takes seconds, and generating takes thousands of them."""
SIDE = 30
PIXEL_ART = 64
"""Up to this side a picture is drawn for a grid: it loses no margins, and needs no size."""
_FINE = 1024
"""Pixels that a side keeps before cells are averaged, at least."""
_ORIENTATION = 0x0112
_STARTS_PROGRAMS = {"EPS"}


def read_picture(source: AnyPicture, size: Size | None = None) -> Picture:
    """Return a picture in the size of a grid.

    Parameters
    ----------
    source
        A file that pillow reads, ``"-"`` for standard input, a pillow image, or its array: grey values, RGB
        or RGBA. A `Picture` is returned as it is if it has the size.
    size
        Rows and columns, one of which may be None; None for a size that suits the picture.

    Raises
    ------
    UsageError
        If there is no such file, or the size is out of reach.
    FormatError
        If the file is no whole picture, or has too many pixels.
    """
    if isinstance(source, Picture):
        if size in (None, source.shape):
            return source
        source = np.round(255 * (1 - source.grey)).astype(np.uint8) if source.rgb is None else source.rgb
    _check_size(size)
    with _readable(source) as (image, name):
        return _in_cells(_upright(image), size, name)


def _check_size(size: Size | None) -> None:
    for lines in size or ():
        if lines is not None and not 1 <= lines <= MAX_SIDE:
            raise UsageError(f"a puzzle from a picture has 1 to {MAX_SIDE} rows and columns, not {lines}")


@contextmanager
def _readable(source: str | Path | Image | NDArray[Any]) -> Iterator[tuple[Image, str]]:
    """Provide a pillow image that can be decoded, and its name; what decoders raise becomes a FormatError."""
    if not isinstance(source, str | Path):
        yield _image_of(source), ""
        return
    expected = "a whole picture in a format that pillow reads, such as PNG, JPEG, GIF, WebP or TIFF"
    with open_source(source) as opened, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        content = io.BytesIO(opened.content(MAX_BYTES))
        try:
            with _opened(content) as image:
                _check_pixels(image, opened.name)
                image.draft("RGB", (_FINE, _FINE))  # decodes a JPEG at a fraction of its size if that will do
                yield image, opened.name
        except (FormatError, KeyboardInterrupt):
            raise
        except Exception as error:  # on damaged data the decoders raise whatever they trip over
            raise opened.error(_reason(error), expected=expected) from error


def _opened(content: io.BytesIO) -> Image:
    import PIL.Image

    PIL.Image.init()
    return PIL.Image.open(content, formats=[name for name in PIL.Image.ID if name not in _STARTS_PROGRAMS])


def _check_pixels(image: Image, name: str) -> None:
    if image.width * image.height > MAX_PIXELS:
        message = f"a picture of {image.height}x{image.width} pixels"
        raise FormatError(
            message, file=name, expected=f"at most {MAX_PIXELS // 10**6} million; make it smaller"
        )


def _reason(error: Exception) -> str:
    import PIL.Image

    if isinstance(error, PIL.UnidentifiedImageError):
        return "not a readable picture"
    if isinstance(error, PIL.Image.DecompressionBombError):
        return f"a picture of far more than {MAX_PIXELS // 10**6} million pixels"
    return str(error) or "damaged"


def _image_of(source: Image | NDArray[Any]) -> Image:
    import PIL.Image

    if isinstance(source, PIL.Image.Image):
        return source
    if not isinstance(source, np.ndarray):
        raise UsageError(f"a picture is a file, a pillow image or an array, not {type(source).__name__}")
    try:
        if source.size and source.ndim in (2, 3):
            return PIL.Image.fromarray(source)
    except (TypeError, ValueError):
        pass
    found = f"an array of shape {source.shape} and type {source.dtype} is no picture"
    raise UsageError(f"{found}; expected uint8 of shape (rows, columns), or with 3 or 4 channels")


def _upright(image: Image) -> Image:
    """Return the picture in RGB, no finer than needed, on white, as the camera was held."""
    import PIL.Image
    import PIL.ImageOps

    orientation = image.getexif().get(_ORIENTATION)
    spread = _spread(image)
    width, height = image.size
    factor = max(1, width // _FINE), max(1, height // _FINE)
    fine = PIL.Image.new("RGB", (math.ceil(width / factor[0]), math.ceil(height / factor[1])))
    step = factor[1] * max(1, (1 << 20) // (width * factor[1]))
    for top in range(0, height, step):
        strip = image.crop((0, top, width, min(height, top + step)))
        fine.paste(_on_white(strip, spread).reduce(factor), (0, top // factor[1]))
    if orientation:
        fine.getexif()[_ORIENTATION] = orientation
    return PIL.ImageOps.exif_transpose(fine)


def _spread(image: Image) -> tuple[float, float] | None:
    """Return which values are black and white, for pixels of more than eight bits."""
    if image.mode.startswith("I;16"):
        return 0.0, 65535.0
    if image.mode not in ("I", "F"):
        return None
    lowest, highest = map(float, image.getextrema())  # type: ignore[arg-type]  # a pair in one channel
    return (lowest, highest) if lowest < highest else (lowest - 1.0, highest)


def _on_white(image: Image, spread: tuple[float, float] | None) -> Image:
    import PIL.Image

    if spread:
        lowest, highest = spread
        values = (np.asarray(image, np.float32) - lowest) * (255.0 / (highest - lowest))
        return PIL.Image.fromarray(values.clip(0, 255).astype(np.uint8)).convert("RGB")
    if not image.has_transparency_data:
        return image.convert("RGB")
    above = image.convert("RGBA")
    return PIL.Image.alpha_composite(PIL.Image.new("RGBA", image.size, "white"), above).convert("RGB")


def _in_cells(image: Image, size: Size | None, name: str) -> Picture:
    """Crop and shrink a picture to one pixel a cell."""
    import PIL.Image

    is_drawn_for_grid = max(image.size) <= PIXEL_ART
    content = (0, 0, *image.size) if is_drawn_for_grid else _content(image)
    if size is None and is_drawn_for_grid:
        rows, columns = image.height, image.width
    else:
        rows, columns = _lines(content, size or (None, None))
    box = _box(image.size, content, columns / rows)
    small = image.resize((columns, rows), PIL.Image.Resampling.BOX, box=box)
    grey = 1.0 - np.asarray(small.convert("L"), np.float64) / 255.0
    return Picture(grey, np.asarray(small, np.uint8), name)


def _content(image: Image) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of what is not blank; of everything if all is."""
    mask = image.convert("L").point(lambda value: 255 * (value < 255 * (1 - BLANK)))
    return mask.getbbox() or (0, 0, *image.size)


def _lines(content: tuple[int, int, int, int], size: Size) -> tuple[int, int]:
    """Return rows and columns, completed so that the aspect of the content is kept."""
    left, top, right, bottom = content
    aspect = (right - left) / (bottom - top)
    rows, columns = size
    if rows is None and columns is None:
        rows, columns = (SIDE, None) if aspect < 1 else (None, SIDE)
    if rows is None:
        rows = round(columns / aspect) if columns else SIDE
    if columns is None:
        columns = round(rows * aspect)
    return min(max(rows, 1), MAX_SIDE), min(max(columns, 1), MAX_SIDE)


def _box(
    size: tuple[int, int], content: tuple[int, int, int, int], aspect: float
) -> tuple[float, float, float, float]:
    """Return the smallest part of this aspect around the content, or as much of it as the picture has."""
    left, top, right, bottom = content
    width = max(right - left, (bottom - top) * aspect)
    width *= min(1.0, size[0] / width, size[1] / (width / aspect))
    height = width / aspect
    x = min(max((left + right - width) / 2, 0.0), size[0] - width)
    y = min(max((top + bottom - height) / 2, 0.0), size[1] - height)
    return max(x, 0.0), max(y, 0.0), min(x + width, size[0]), min(y + height, size[1])
