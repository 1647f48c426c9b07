"""Pictures as puzzles: one pixel a cell, read and written through pillow.

Which colour is the background is decided in this order: transparent pixels (less than half opaque); what a
PNG written by nonocsp says; white, if the picture has any; the lightest colour; but a picture in one colour
that is not white is wholly filled. The other colours are numbered as they first appear, row by row. Of an
animation the first frame counts. PNG also keeps title, author, licence and source.

Files are not trusted: nothing above `bounds.IMAGE_PIXELS` is decoded, and only the formats named here are
tried.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from nonocsp.formats.base import Evidence, Format, Sureness
from nonocsp.formats.palettes import Sketch, check_colour_count, complete
from nonocsp.formats.source import Source
from nonocsp.model import MAX_LINES, FormatError, Grid, Puzzle, UsageError, bounds

if TYPE_CHECKING:
    from PIL.Image import Image

_TRANSPARENT = -1
_WHITE = 0xFFFFFF
_MODES = ("1", "L", "LA", "P", "PA", "RGB", "RGBA")
"""Pixels that eight bits a channel hold exactly."""

_TEXT_KEYS = {"title": "Title", "author": "Author", "licence": "Copyright", "source": "Source"}
_BACKGROUND_KEY = "Background"
_NETPBM_SIZES = rb"(\s+(#[^\n]*\n\s*)*[0-9]+){2}\s"
_RGB = re.compile(r"#[0-9a-f]{6}")


def read(codec: str, source: Source) -> Iterator[Puzzle]:
    """Yield the puzzle that a picture is the solution of."""
    pixels, info = _decode(codec, source)
    colours = np.unique(pixels)
    check_colour_count(len(colours) - 1)
    found = np.searchsorted(colours, pixels).astype(np.uint8)
    first = [int((found == i).argmax()) for i in range(len(colours))]
    ordered: list[int] = colours[np.argsort(first)].tolist()
    told = str(info.get(_BACKGROUND_KEY, ""))
    if _TRANSPARENT in ordered:
        background = _TRANSPARENT
    elif _RGB.fullmatch(told):
        background = int(told[1:], 16)
    elif _WHITE in ordered or len(ordered) == 1:
        background = _WHITE
    else:  # the lightest, by luma (ITU-R BT.601)
        background = max(ordered, key=lambda c: 299 * (c >> 16) + 587 * (c >> 8 & 255) + 114 * (c & 255))
    inks = [colour for colour in ordered if colour != background]
    index = {colour: i for i, colour in enumerate([background, *inks])}
    cells = np.array([index[colour] for colour in colours.tolist()], np.uint8)[found]
    if background == _TRANSPARENT:
        backdrop = Sketch("transparent", "#eeeeee" if _WHITE in inks else "#ffffff", ".")
    else:
        backdrop = Sketch(rgb=f"#{background:06x}", char=".")
    palette = complete([backdrop, *(Sketch(rgb=f"#{colour:06x}") for colour in inks)])
    texts = {name: str(info[key]) for name, key in _TEXT_KEYS.items() if key in info}
    yield Puzzle.from_grid(Grid.from_cells(cells), palette=palette, **texts)


def write(codec: str, mode: str, puzzles: Iterable[Puzzle], stream: BinaryIO) -> None:
    """Write the goal of a puzzle as a picture."""
    import PIL.Image
    import PIL.PngImagePlugin

    for puzzle in puzzles:
        rgbs = [colour.rgb for colour in puzzle.palette.colours]
        if puzzle.goal is None:
            message = "a picture is a solution and this puzzle has none; solve it first, or write json"
            raise UsageError(message)
        if len(set(rgbs)) < len(rgbs) and mode in ("P", "RGB"):
            message = "two colours of the palette look the same, so a picture cannot tell them apart"
            raise UsageError(f"{message}; write json")
        options: dict[str, Any] = {"lossless": True}
        if codec == "PNG":
            options = {"pnginfo": (info := PIL.PngImagePlugin.PngInfo())}
            for name, key in _TEXT_KEYS.items():
                if text := getattr(puzzle, name):
                    info.add_text(key, text)
            info.add_text(_BACKGROUND_KEY, puzzle.palette[0].rgb)
        cells = puzzle.goal.cells
        if mode in ("1", "L"):
            grey = np.where(cells == 0, np.uint8(255), np.uint8(0))
            image = PIL.Image.frombytes("L", cells.shape[::-1], grey.tobytes())
        else:
            image = PIL.Image.frombytes("P", cells.shape[::-1], cells.tobytes())
            image.putpalette(bytes.fromhex("".join(rgb[1:] for rgb in rgbs)))
        picture = io.BytesIO()  # some encoders must seek, and standard output cannot
        image.convert(mode).save(picture, format=codec, **options)
        stream.write(picture.getvalue())


def _decode(codec: str, source: Source) -> tuple[NDArray[np.int32], dict[Any, Any]]:
    """Return the pixels (``0xrrggbb`` or `_TRANSPARENT`), shape (rows, columns), and pillow's info."""
    import PIL.Image

    expected = f"a whole {codec} picture of at most {MAX_LINES}x{MAX_LINES} pixels"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", PIL.Image.DecompressionBombWarning)
            with PIL.Image.open(io.BytesIO(source.content()), formats=[codec]) as image:
                _check(source, image)
                rgba, info = np.asarray(image.convert("RGBA")), image.info
    except FormatError:
        raise
    except Exception as error:  # decoders raise all kinds of exceptions on damaged data
        reason = str(error) if not isinstance(error, PIL.UnidentifiedImageError) else "not a readable picture"
        raise source.error(reason or "damaged", expected=expected) from error
    pixels = np.zeros(rgba.shape[:2], np.int32)
    for channel in range(3):
        pixels <<= 8
        pixels |= rgba[..., channel]
    pixels[rgba[..., 3] < 128] = _TRANSPARENT
    return pixels, info


def _check(source: Source, image: Image) -> None:
    if max(image.size) > MAX_LINES or image.width * image.height > bounds.IMAGE_PIXELS:
        size = f"{image.height}x{image.width}"
        expected = f"at most {MAX_LINES}x{MAX_LINES}, and {bounds.IMAGE_PIXELS >> 20} million in all"
        raise source.error(f"a picture of {size} pixels", expected=expected)
    if image.mode not in _MODES:
        expected = "8 bits a channel: black and white, grey, palette or RGB"
        raise source.error(f"a picture in mode {image.mode}", expected=expected)


def _sniff(codec: str, magic: bytes, head: bytes) -> Evidence:
    if re.match(magic, head, re.DOTALL):
        return Evidence(Sureness.CERTAIN, f"it starts as {codec} pictures do")
    return Evidence(Sureness.NO, f"it does not start as {codec} pictures do")


def _format(name: str, codec: str, mode: str, magic: bytes, suffixes: tuple[str, ...] = ()) -> Format:
    """Return the format of the files whose first bytes match the regular expression `magic`."""
    colours = mode in ("P", "RGB")
    return Format(
        name=name,
        suffixes=suffixes or (f".{name}",),
        summary=f"picture of the solution, a pixel a cell{'' if colours else ', black and white'}",
        sniff=partial(_sniff, codec, magic),
        read=partial(read, codec),
        write=partial(write, codec, mode),
        holds_colours=colours,
    )


FORMATS = (
    _format("png", "PNG", "P", rb"\x89PNG"),
    _format("gif", "GIF", "P", rb"GIF8[79]a"),
    _format("pbm", "PPM", "1", rb"P[14]" + _NETPBM_SIZES),
    _format("pgm", "PPM", "L", rb"P[25]" + _NETPBM_SIZES),
    _format("ppm", "PPM", "RGB", rb"P[36]" + _NETPBM_SIZES),
    _format("bmp", "BMP", "P", rb"BM....\0\0\0\0...\0[\x0c-\x7c]\0\0\0"),
    _format("tiff", "TIFF", "P", rb"II\*\0|MM\0\*", (".tiff", ".tif")),
    _format("webp", "WEBP", "RGB", rb"RIFF....WEBP"),
)
