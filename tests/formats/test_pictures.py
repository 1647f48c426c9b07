"""Pictures: which colour is the background, and which files are refused."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import PIL.Image
import pytest

from nonocsp.model import Colour, FormatError, FormatWarning, Grid, Palette, Puzzle, UsageError

Read = Callable[..., list[Puzzle]]
Write = Callable[..., bytes]
Pixels = list[list[Any]]

WHITE, BLACK, RED, CREAM = (255, 255, 255), (0, 0, 0), (255, 0, 0), (255, 250, 220)
CLEAR = (0, 0, 0, 0)


def png(pixels: Pixels, mode: str = "RGB", **options: Any) -> bytes:
    """Return a picture, not made by the code under test."""
    image = PIL.Image.new(mode, (len(pixels[0]), len(pixels)))
    image.putdata([pixel for row in pixels for pixel in row])
    stream = io.BytesIO()
    image.save(stream, format="PNG", **options)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("content", "cells"),
    [
        (png([[WHITE, BLACK], [BLACK, BLACK]]), [[0, 1], [1, 1]]),
        (png([[BLACK, BLACK]]), [[1, 1]]),
        (png([[WHITE, WHITE]]), [[0, 0]]),
        (png([[CREAM, RED], [RED, RED]]), [[0, 1], [1, 1]]),
        (png([[BLACK, WHITE, CREAM]]), [[1, 0, 2]]),
        (png([[(*BLACK, 255), CLEAR], [(*RED, 255), (*WHITE, 127)]], "RGBA"), [[1, 0], [2, 0]]),
        (png([[(*WHITE, 255), CLEAR]], "RGBA"), [[1, 0]]),
        (png([[0, 255]], "1"), [[1, 0]]),
        (png([[0, 128, 255]], "L"), [[1, 2, 0]]),
        (png([[(0, 255), (0, 0)]], "LA"), [[1, 0]]),
        (png([[0, 7]], "L", transparency=7), [[1, 0]]),
    ],
    ids=[
        "white",
        "all black",
        "all white",
        "cream",
        "white wins",
        "clear",
        "clear wins",
        "bits",
        "grey",
        "LA",
        "tRNS",
    ],
)
def test_the_background_is_transparent_or_white_or_the_lightest_colour(
    read: Read, content: bytes, cells: Pixels
) -> None:
    (puzzle,) = read(content)
    assert puzzle.goal is not None
    assert np.array_equal(puzzle.goal.cells, cells)


@pytest.mark.parametrize(
    ("content", "cells"),
    [
        (b"P1\n# comment\n3 2\n0 1 1\n1 0 0\n", [[0, 1, 1], [1, 0, 0]]),
        (b"P4\n3 2\n\x60\x80", [[0, 1, 1], [1, 0, 0]]),
        (b"P2\n2 1\n255\n0 255\n", [[1, 0]]),
        (b"P5 2 1 255\n\x00\xff", [[1, 0]]),
        (b"P3\n2 1\n255\n255 0 0 255 255 255\n", [[1, 0]]),
    ],
    ids=["P1", "P4", "P2", "P5", "P3"],
)
def test_netpbm_pictures_are_read_plain_and_raw(read: Read, content: bytes, cells: Pixels) -> None:
    (puzzle,) = read(content)
    assert puzzle.goal is not None
    assert np.array_equal(puzzle.goal.cells, cells)


def test_colours_that_look_the_same_cannot_be_a_picture(write: Write) -> None:
    palette = Palette((Colour("a", "#ffffff", "."), Colour("b", "#ff0000", "b"), Colour("c", "#ff0000", "c")))
    with pytest.raises(UsageError, match="look the same"):
        write(Puzzle.from_grid(Grid.from_cells([[1, 2]]), palette=palette), "png")


def test_a_photograph_has_too_many_colours(read: Read) -> None:
    with pytest.raises(FormatError, match=r"65 colours in 1x65 pixels.*nonocsp generate"):
        read(png([[i * 3 for i in range(65)]], "L"))


def header_only_png(width: int, height: int) -> bytes:
    """Return a small file that claims to be a large picture."""
    header = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    data = b"IDAT" + zlib.compress(b"\0" * 100)
    chunks = (
        struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
        for chunk in (header, data)
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (png([[BLACK, WHITE]])[:-30], "expected a whole PNG picture"),
        (b"\x89PNG\r\n\x1a\nnothing", "not a readable picture; expected a whole PNG picture"),
        (b"GIF89a", "expected a whole GIF picture"),
        (b"P4\n9 9\n\0", "expected a whole PPM picture"),
        (b"P4\n99999 1\n\0", "a picture of 1x99999 pixels; expected at most 4096x4096"),
        (header_only_png(5000, 10), "a picture of 10x5000 pixels; expected at most 4096x4096"),
        (header_only_png(100_000, 100_000), "at most 4096x4096"),
        (png([[1, 7_000]], "I;16"), "a picture in mode I"),
    ],
    ids=["cut", "junk", "no size", "cut PBM", "wide PBM", "wide", "bomb", "16 bits"],
)
@pytest.mark.filterwarnings("ignore:.*:DeprecationWarning")
def test_an_unusable_picture_is_refused(read: Read, content: bytes, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(content, name="cat.png")
    assert "cat.png:" in str(error.value)
    assert message in str(error.value)


SAW = np.array([[0, 1, 0, 1, 0], [1, 1, 1, 1, 1], [1, 1, 1, 1, 0], [0, 0, 1, 0, 0], [1, 0, 1, 0, 0]])


def enlarged(side: int, line: int = 0, colour: int = 128) -> Any:
    """Return the pixels of `SAW` with larger cells, with lines around them."""
    pitch = side + line
    pixels = np.full((5 * pitch + line, 5 * pitch + line), colour, np.uint8)
    for (row, column), cell in np.ndenumerate(SAW):
        top, left = line + row * pitch, line + column * pitch
        pixels[top : top + side, left : left + side] = 255 * (1 - cell)
    return pixels


NOISE = np.random.default_rng(3).integers(0, 4, (60, 60)).astype(np.uint8)
ENLARGED = {
    "2": enlarged(2),
    "8": enlarged(8),
    "40": enlarged(40),
    "dark lines": enlarged(12, 1, 0),
    "grey lines": enlarged(9, 2),
    "light lines": enlarged(14, 3, 255),
    "margin": np.pad(enlarged(8), 3, constant_values=255),
    "noise": np.abs(enlarged(12).astype(int) - NOISE).astype(np.uint8),
    "scaled": np.asarray(PIL.Image.fromarray(enlarged(10)).resize((68, 68), PIL.Image.Resampling.BICUBIC)),
    "soft": np.asarray(PIL.Image.fromarray(enlarged(1)).resize((30, 30), PIL.Image.Resampling.BILINEAR)),
}


@pytest.mark.parametrize("pixels", ENLARGED.values(), ids=ENLARGED)
def test_an_enlarged_drawing_is_read_in_its_cells(read: Read, pixels: Any) -> None:
    with pytest.warns(FormatWarning, match=r"read as 5x5: each cell is .* pixels.*--cell 1 reads pixels"):
        (puzzle,) = read(png(pixels.tolist(), "L"))
    assert puzzle.goal is not None
    assert np.array_equal(puzzle.goal.cells, SAW)


def test_the_user_says_the_cells_and_the_background(read: Read) -> None:
    content = png(enlarged(8).tolist(), "L")
    assert read(content, cell=1)[0].shape == (40, 40)
    (puzzle,) = read(content, cell=(8, 8), invert=True)
    assert puzzle.goal is not None
    assert np.array_equal(puzzle.goal.cells, 1 - SAW)
    with pytest.raises(FormatError, match="whole number of cells of 9x9 pixels"):
        read(content, cell=9)


@pytest.mark.parametrize("format", ["png", "gif", "pbm", "pgm", "ppm", "bmp", "tiff", "webp"])
def test_a_drawing_in_blocks_is_written_as_it_is(read: Read, write: Write, format: str) -> None:
    puzzle = Puzzle.from_grid(Grid.from_cells(np.kron(SAW, np.ones((2, 2), int))))
    assert read(write(puzzle, format))[0].shape == (10, 10)
