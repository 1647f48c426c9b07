"""Pictures as puzzles, read and written through pillow: one pixel a cell, or larger cells (`enlarged`).

Which colour is the background is decided in this order: the darkest one if the picture is inverted;
transparent pixels (less than half opaque); what a PNG written by nonocsp says; white, if the picture has any;
the lightest colour; but a picture in one colour that is not white is wholly filled. The other colours are
numbered as they first appear, row by row. Of an animation the first frame counts. PNG also keeps title,
author, licence and source.

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
from nonocsp.formats.codecs.pictures.enlarged import cells_of_size, find_cells
from nonocsp.formats.palettes import Sketch, complete
from nonocsp.formats.source import Source
from nonocsp.model import MAX_COLOURS, MAX_LINES, FormatError, Grid, Puzzle, UsageError, bounds

if TYPE_CHECKING:
    from PIL.Image import Image

_TRANSPARENT = -1
_WHITE = 0xFFFFFF
_MODES = ("1", "L", "LA", "P", "PA", "RGB", "RGBA")
"""Pixels that eight bits a channel hold exactly."""

_TEXT_KEYS = {"title": "Title", "author": "Author", "licence": "Copyright", "source": "Source"}
_BACKGROUND_KEY = "Background"
_LARGE = 64
"""The longest side, in pixels, of a drawing that is read without advice."""
_FEW_COLOURS = 16
"""Colours of a large drawing, at most."""
_NETPBM_SIZES = rb"(\s+(#[^\n]*\n\s*)*[0-9]+){2}\s"
_RGB = re.compile(r"#[0-9a-f]{6}")


def read(codec: str, source: Source) -> Iterator[Puzzle]:
    """Yield the puzzle that a picture is the solution of."""
    decoded, info, is_marked = _decode(codec, source)
    pixels = _cells(source, decoded, is_marked=is_marked)
    colours = np.unique(pixels)
    found = np.searchsorted(colours, pixels).astype(np.uint8)
    first = [int((found == i).argmax()) for i in range(len(colours))]
    ordered: list[int] = colours[np.argsort(first)].tolist()
    background = _background(ordered, str(info.get(_BACKGROUND_KEY, "")), invert=source.options.invert)
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


def _background(colours: list[int], told: str, *, invert: bool) -> int:
    """Return the background among the colours of a picture; `told` is what its file says."""

    def luma(colour: int) -> int:  # ITU-R BT.601
        return 299 * (colour >> 16) + 587 * (colour >> 8 & 255) + 114 * (colour & 255)

    if invert:
        return min((colour for colour in colours if colour != _TRANSPARENT), key=luma, default=_TRANSPARENT)
    if _TRANSPARENT in colours:
        return _TRANSPARENT
    if _RGB.fullmatch(told):
        return int(told[1:], 16)
    return _WHITE if _WHITE in colours or len(colours) == 1 else max(colours, key=luma)


def _cells(source: Source, pixels: NDArray[np.int32], *, is_marked: bool) -> NDArray[np.int32]:
    """Return the colours of the cells of a picture; FormatError if it is no drawing."""
    rows, columns = pixels.shape
    cell = source.options.cell
    if cell and cell != (1, 1):
        found = cells_of_size(pixels, *cell)
        if found is None:
            expected = f"a whole number of cells of {cell[0]}x{cell[1]} pixels"
            raise source.error(f"a picture of {rows}x{columns} pixels", expected=expected)
    elif cell or is_marked or (found := find_cells(pixels)) is None:
        _check_colours(source, pixels, is_told=bool(cell))
        return pixels
    _check_colours(source, found.colours, is_told=True)
    if not cell:
        height, width = (f"{side:.3g}" for side in found.size)
        shape = f"{found.colours.shape[0]}x{found.colours.shape[1]}"
        margin = f", without a margin of {max(found.margins)}" if max(found.margins) > 4 else ""
        source.note(f"read as {shape}: each cell is {height}x{width} pixels{margin}; --cell 1 reads pixels")
    return found.colours


def _check_colours(source: Source, pixels: NDArray[np.int32], *, is_told: bool) -> None:
    """Raise FormatError if pixels are those of a photograph or of text; note what may be enlarged."""
    rows, columns = pixels.shape
    count = len(np.unique(pixels))
    is_large = max(rows, columns) > _LARGE and not is_told
    if count > MAX_COLOURS + 1 or (is_large and count > _FEW_COLOURS):
        what = f"{count} colours in {rows}x{columns} pixels, as a photograph or a screenshot has"
        how = "" if count > MAX_COLOURS + 1 else "; --cell 1 reads its pixels"
        expected = f"a drawing, or clues as text; `nonocsp generate {source.name}` takes any picture{how}"
        raise source.error(what, expected=expected)
    if is_large:
        source.note(
            f"read as {rows}x{columns}, a pixel a cell; --cell N reads cells of NxN pixels, "
            f"`nonocsp generate {source.name}` makes a smaller puzzle, and clues in a picture must be typed"
        )


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
        cells = puzzle.goal.cells
        mark = _mark(cells.shape)
        options: dict[str, Any] = {"lossless": True, **_marked(codec, mark)}
        if codec == "PNG":
            options = {"pnginfo": (info := PIL.PngImagePlugin.PngInfo())}
            for name, key in _TEXT_KEYS.items():
                if text := getattr(puzzle, name):
                    info.add_text(key, text)
            info.add_text(_BACKGROUND_KEY, puzzle.palette[0].rgb)
            info.add_text("Comment", mark.decode())
        if mode in ("1", "L"):
            grey = np.where(cells == 0, np.uint8(255), np.uint8(0))
            image = PIL.Image.frombytes("L", cells.shape[::-1], grey.tobytes())
        else:
            image = PIL.Image.frombytes("P", cells.shape[::-1], cells.tobytes())
            image.putpalette(bytes.fromhex("".join(rgb[1:] for rgb in rgbs)))
        picture = io.BytesIO()  # some encoders must seek, and standard output cannot
        image.convert(mode).save(picture, format=codec, **options)
        content = picture.getvalue()
        if codec == "PPM":
            content = content[:2] + b"\n# " + mark + content[2:]
        stream.write(content + mark if codec == "BMP" else content)


def _mark(shape: tuple[int, ...]) -> bytes:
    """Return what says that a file has a pixel a cell, and its size: who enlarges the file may keep this."""
    return b"nonocsp: a pixel a cell of %dx%d" % shape


def _marked(codec: str, mark: bytes) -> dict[str, Any]:
    """Return the options with which pillow writes a remark."""
    keys = {"GIF": "comment", "TIFF": "description", "WEBP": "xmp"}
    return {keys[codec]: mark} if codec in keys else {}


def _decode(codec: str, source: Source) -> tuple[NDArray[np.int32], dict[Any, Any], bool]:
    """Return the pixels (``0xrrggbb`` or `_TRANSPARENT`), pillow's info, and whether a pixel is a cell."""
    import PIL.Image

    expected = f"a whole {codec} picture of at most {MAX_LINES}x{MAX_LINES} pixels"
    content = source.content()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", PIL.Image.DecompressionBombWarning)
            with PIL.Image.open(io.BytesIO(content), formats=[codec]) as image:
                _check(source, image)
                rgba = np.asarray(image.convert("RGBA"))
                info: dict[Any, Any] = dict(image.info)
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
    return pixels, info, _mark(pixels.shape) in content


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
        is_picture=True,
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
