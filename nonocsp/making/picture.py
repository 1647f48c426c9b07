"""Read a picture of any kind as one pixel for every cell of a grid.

Blank margins are cropped, then the picture is cropped around its middle to the shape of the grid, and every
cell gets the mean of its pixels. The fine pixels are kept as well: `cells.py` chooses what a cell shows of
them. A small picture of few colours is a drawing: every pixel is a cell and keeps its colour exactly. So does
every cell of a drawing that was enlarged, unless a size is asked for.

Files are not trusted: no picture above `bounds.PICTURE_PIXELS` is decoded, only strips of it are ever copied,
and no other program is started. Reading needs 60 MiB, and 4 to 8 bytes for each pixel of the file.
"""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from nonocsp.formats.codecs.pictures.enlarged import find_cells
from nonocsp.formats.source import open_source
from nonocsp.making.cells import Fine, background_of
from nonocsp.model import FormatError, FormatWarning, NonocspError, UsageError, bounds

if TYPE_CHECKING:
    from PIL.Image import Image

AnyPicture: TypeAlias = "str | Path | Image | NDArray[Any] | Picture"
Rgb = tuple[int, int, int]
Size = tuple[int | None, int | None]
"""Rows and columns. If one is None, the other one and the picture's aspect determine it."""

BLANK = 0.05
"""A pixel up to this darkness looks white; from 1 minus this on it looks black."""
OPAQUE = 128
"""Pixels of less alpha are background."""
MAX_SIDE = 400
"""Most rows or columns: generating solves thousands of images by lines, seconds each beyond this."""
SIDE = 30
PIXEL_ART = 64
"""A picture of at most this side was drawn for a grid: it keeps its margins, and needs no size."""
FEW_COLOURS = 16
"""The most colours of a drawing, the background included; a small picture with more is a photo."""
_FINE = 1024
"""A picture keeps as many pixels as a square of this side, at least; a cropped one has no longer side."""
_ACCURATE = 4
"""Pixels along a side of a cell, at least, if the pixels of the picture do not fit into the cells."""
_ORIENTATION = 0x0112
_CODECS = ("PNG", "JPEG", "GIF", "WEBP", "AVIF", "TIFF", "BMP", "PPM", "TGA", "PCX")
"""What pillow decodes fast, without starting a program, and without another picture inside."""
_JPEG = ("JPEG", "MPO")  # which is several in one file
_PASS = b"\xff\xda"


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture of a grid's size."""

    grey: NDArray[np.float64]
    """How dark every pixel is, shape (rows, columns), from 0 (white) to 1 (black)."""
    rgb: NDArray[np.uint8] | None = field(default=None, repr=False)
    """The colours, uint8, shape (rows, columns, 3); None if only the grey values are known."""
    name: str = ""
    """Name of the file; empty if there is none."""
    background: Rgb | None = None
    """The background of a drawing as (red, green, blue); None for a photo."""
    fine: Fine | None = field(default=None, repr=False)
    """What lies under the cells; None if only the cells are known."""

    @property
    def is_drawing(self) -> bool:
        """Whether it is taken as it is: drawn for a grid, a pixel a cell, in few colours."""
        return self.background is not None

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        rows, columns = self.grey.shape
        return rows, columns

    @property
    def detail(self) -> NDArray[np.float64]:
        """How dark every cell is if what stands out in it counts most, same shape and range as `grey`."""
        return self.grey if self.fine is None else self.fine.grey

    @property
    def pixels(self) -> NDArray[np.uint8]:
        """The colours if they are known, else grey values, 255 is white: uint8 as `rgb`, or as `grey`."""
        return np.round(255 * (1 - self.grey)).astype(np.uint8) if self.rgb is None else self.rgb

    @property
    def colours(self) -> NDArray[np.uint8]:
        """The colours, shape (rows, columns, 3); grey if no others are known."""
        return self.pixels if self.rgb is not None else np.stack([self.pixels] * 3, axis=2)


def read_picture(source: AnyPicture, size: Size | None = None, *, cut: bool = False) -> Picture:
    """Return a picture in the size of a grid; a `Picture` of that size as it is.

    `size` has rows and columns, one or both of which may be None; then they suit the picture. With `cut`, the
    subject is cut from its background; a drawing is its subject already. Raises UsageError for a file that is
    not there or a size out of range, FormatError for a file that is not a complete picture, is too large, or
    has no uniform background to cut.
    """
    if isinstance(source, Picture):
        if size in (None, source.shape):
            return source
        source = source.pixels
    for lines in size or ():
        if lines is not None and not 1 <= lines <= MAX_SIDE:
            raise UsageError(f"a puzzle from a picture has 1 to {MAX_SIDE} rows and columns, not {lines}")
    with readable(source) as (image, name):
        upright, alpha = _upright(image)
    if size is None:
        upright, alpha = _in_one_pixel(upright, alpha, name)
    drawing = _drawing(upright, alpha, name) if _is_small(upright, size) else None
    if drawing:
        return drawing
    if cut:
        upright, alpha = _cut(upright, alpha, name)
    return _in_cells(upright, alpha, size, name)


def _in_one_pixel(image: Image, alpha: Image | None, name: str) -> tuple[Image, Image | None]:
    """Return an enlarged drawing with a pixel for each cell."""
    import PIL.Image

    red, green, blue = np.moveaxis(np.asarray(image, np.int32), -1, 0)
    pixels = red << 16 | green << 8 | blue
    if alpha is not None:
        pixels[np.asarray(alpha) < OPAQUE] = -1
    found = find_cells(pixels)
    if found is None or len(np.unique(found.colours)) > FEW_COLOURS:
        return image, alpha
    cells = np.stack([found.colours >> shift & 255 for shift in (16, 8, 0)], axis=-1).astype(np.uint8)
    small = PIL.Image.fromarray(cells)
    if not _is_small(small, None):
        return image, alpha
    height, width = (f"{side:.3g}" for side in found.size)
    note = f"{name or 'picture'}: read as {small.height}x{small.width}: each cell is {height}x{width} pixels"
    warnings.warn(f"{note}; --size makes another grid", FormatWarning, stacklevel=3)
    clear = np.where(found.colours < 0, np.uint8(0), np.uint8(255))
    return small, None if alpha is None else PIL.Image.fromarray(clear)


def _is_small(image: Image, size: Size | None) -> bool:
    """Return whether a picture can be a drawing: small, and no other size asked for."""
    own = image.height, image.width
    return max(own) <= PIXEL_ART and all(
        asked in (None, has) for asked, has in zip(size or own, own, strict=True)
    )


def _drawing(image: Image, alpha: Image | None, name: str) -> Picture | None:
    """Return a small picture as a drawing; None if it has one colour, or more than a drawing has.

    If some pixels are transparent, the background is white, and opaque white belongs to it; but white shapes
    on a transparent ground lie on black. Otherwise the background is white if there is one other colour, or
    if most of the picture is white; in other pictures it is the most common colour of the rim.
    """
    import PIL.Image

    rgb, background = np.array(image), (255, 255, 255)
    see_through = None if alpha is None else np.asarray(alpha) == 0
    if see_through is not None and see_through.any() and (rgb == 255).all():
        background = (0, 0, 0)
        rgb[see_through] = background
    colours, numbers = np.unique(rgb.reshape(-1, 3), axis=0, return_inverse=True)
    if not 2 <= len(colours) <= FEW_COLOURS:
        return None
    numbers = numbers.reshape(rgb.shape[:2])
    if see_through is None or not see_through.any():
        white = np.flatnonzero((colours == 255).all(axis=1))
        is_white = len(white) and (len(colours) == 2 or np.bincount(numbers.ravel()).argmax() == white[0])
        rim = np.concatenate([numbers[0], numbers[-1], numbers[1:-1, 0], numbers[1:-1, -1]])
        if not is_white:
            background = tuple(colours[np.bincount(rim).argmax()].tolist())
    grey = 1.0 - np.asarray(PIL.Image.fromarray(rgb).convert("L"), np.float64) / 255.0
    return Picture(grey, rgb, name, background)


@contextmanager
def readable(source: str | Path | Image | NDArray[Any]) -> Iterator[tuple[Image, str]]:
    """Provide a pillow image to decode, and the name of its file; errors of decoders become FormatError."""
    if not isinstance(source, str | Path):
        yield _image_of(source), ""
        return
    import PIL.Image

    PIL.Image.init()
    codecs = [name for name in _CODECS if name in PIL.Image.OPEN]
    expected = f"a complete picture as {', '.join(codecs)}"
    with open_source(source) as opened, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        content = opened.content(bounds.PICTURE_BYTES)
        try:
            with PIL.Image.open(io.BytesIO(content), formats=codecs) as image:
                most = bounds.PICTURE_PIXELS_OF.get(image.format or "", bounds.PICTURE_PIXELS)
                if image.width * image.height > most:
                    message = f"a picture of {image.height}x{image.width} pixels"
                    limit = f"at most {most // 10**6} million; make it smaller"
                    raise FormatError(message, file=opened.name, expected=limit)
                if image.format in _JPEG and content.count(_PASS) > bounds.JPEG_PASSES:
                    raise opened.error("a JPEG of too many passes", expected=f"at most {bounds.JPEG_PASSES}")
                image.draft("RGB", (_FINE, _FINE))  # decode a JPEG at a fraction of its size if that suffices
                yield image, opened.name
        except (NonocspError, KeyboardInterrupt):
            raise
        except PIL.UnidentifiedImageError as error:
            raise opened.error("not a readable picture", expected=expected) from error
        except PIL.Image.DecompressionBombError as error:
            found = f"a picture of far more than {bounds.PICTURE_PIXELS // 10**6} million pixels"
            raise opened.error(found, expected=expected) from error
        except Exception as error:  # on damaged data, decoders raise errors of all kinds
            raise opened.error(str(error) or "damaged", expected=expected) from error


def _image_of(source: Image | NDArray[Any]) -> Image:
    import PIL.Image

    if isinstance(source, PIL.Image.Image):
        return source
    if not isinstance(source, np.ndarray):
        raise UsageError(
            f"expected a file, a pillow image or an array as picture, not {type(source).__name__}"
        )
    try:
        if source.size and source.ndim in (2, 3):
            return PIL.Image.fromarray(source)
    except (TypeError, ValueError):
        pass
    found = f"an array of shape {source.shape} and type {source.dtype} is not a picture"
    raise UsageError(f"{found}; expected uint8 of shape (rows, columns) or (rows, columns, 3 or 4)")


def _upright(image: Image) -> tuple[Image, Image | None]:
    """Return the picture in RGB on white, upright and no finer than needed, and its alpha channel."""
    import PIL.Image
    import PIL.ImageOps

    orientation = image.getexif().get(_ORIENTATION)
    spread = _spread(image)
    width, height = image.size
    factor = max(1, math.isqrt(width * height) // _FINE)  # one for both sides, which keeps the aspect
    size = math.ceil(width / factor), math.ceil(height / factor)
    fine = PIL.Image.new("RGB", size)
    alpha = PIL.Image.new("L", size) if image.has_transparency_data else None
    step = factor * max(1, (1 << 20) // (width * factor))
    for top in range(0, height, step):
        strip = image.crop((0, top, width, min(height, top + step)))
        place = 0, top // factor
        fine.paste(_on_white(strip, spread).reduce(factor), place)
        if alpha:
            alpha.paste(strip.convert("RGBA").getchannel("A").reduce(factor), place)
    for layer in (fine, alpha) if orientation else ():
        if layer:
            layer.getexif()[_ORIENTATION] = orientation
            PIL.ImageOps.exif_transpose(layer, in_place=True)
    return fine, alpha


def _spread(image: Image) -> tuple[float, float] | None:
    """Return the values of black and white, for pixels of more than eight bits."""
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


def _cut(image: Image, alpha: Image | None, name: str) -> tuple[Image, Image]:
    """Return a picture with its background white and transparent."""
    import PIL.Image

    pixels = np.array(image)
    if alpha and alpha.getextrema() != (255, 255):
        background = np.asarray(alpha) < OPAQUE
    elif (found := background_of(pixels)) is not None:
        background = found
    else:
        raise FormatError(
            "the subject cannot be cut from its background", file=name, expected="one colour along the rim"
        )
    pixels[background] = 255
    return PIL.Image.fromarray(pixels), PIL.Image.fromarray(np.where(background, 0, 255).astype(np.uint8))


def _in_cells(image: Image, alpha: Image | None, size: Size | None, name: str) -> Picture:
    """Crop and shrink a picture to one pixel a cell; the side that `size` leaves open keeps its aspect."""
    import PIL.Image

    content = (0, 0, *image.size)
    if max(image.size) <= PIXEL_ART:
        size = size or (image.height, image.width)
    elif not _is_in_blocks(image, size):
        mask = image.convert("L").point(lambda value: 255 * (value < 255 * (1 - BLANK)))
        content = mask.getbbox() or content  # where everything is blank, everything counts
    left, top, right, bottom = content
    aspect = (right - left) / (bottom - top)
    rows, columns = size or (None, None)
    if rows is None and columns is None:
        rows, columns = (SIDE, None) if aspect < 1 else (None, SIDE)
    if columns is None:
        columns = round((rows or SIDE) * aspect)
    if rows is None:
        rows = round(columns / aspect)
    rows, columns = min(max(rows, 1), MAX_SIDE), min(max(columns, 1), MAX_SIDE)
    box = _box(image.size, content, columns / rows)
    small = image.resize((columns, rows), PIL.Image.Resampling.BOX, box=box)
    grey = 1.0 - np.asarray(small.convert("L"), np.float64) / 255.0
    return Picture(grey, np.asarray(small, np.uint8), name, fine=_fine(image, alpha, box, (rows, columns)))


def _is_in_blocks(image: Image, size: Size | None) -> bool:
    """Return whether the picture is an enlarged image of the size: blocks of pixels, each of one colour."""
    import PIL.Image

    rows, columns = size or (None, None)
    if not rows or not columns or image.height % rows or image.width % columns:
        return False
    small = image.resize((columns, rows), PIL.Image.Resampling.NEAREST)
    return small.resize(image.size, PIL.Image.Resampling.NEAREST).tobytes() == image.tobytes()


def _fine(
    image: Image, alpha: Image | None, box: tuple[float, float, float, float], shape: tuple[int, int]
) -> Fine:
    """Return the pixels of a part of the picture, as many along the sides of every cell."""
    import PIL.Image

    rows, columns = shape
    left, top, right, bottom = box
    pixels = max((right - left) / columns, (bottom - top) / rows)
    side = max(math.ceil(pixels), 1 if pixels == round(pixels) else _ACCURATE)
    side = min(side, max(1, _FINE // max(shape)))
    # Each pixel is in the enlarged picture, with its colour; if it has to be smaller, pixels are averaged.
    method = PIL.Image.Resampling.NEAREST if side >= pixels else PIL.Image.Resampling.BOX

    def part(layer: Image) -> NDArray[np.uint8]:
        return np.asarray(layer.resize((columns * side, rows * side), method, box=box))

    clear = part(alpha) < OPAQUE if alpha else None
    return Fine(part(image), side, clear if clear is not None and clear.any() else None)


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
