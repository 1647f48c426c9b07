"""Pictures of every kind become grey cells; hostile ones become errors, in little memory."""

import io
import struct
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress

import numpy as np
import PIL.Image
import pytest
from numpy.typing import NDArray

from nonocsp.formats import load
from nonocsp.making.image import prepare
from nonocsp.making.picture import Picture, read_picture
from nonocsp.model import FormatError, FormatWarning, UsageError
from tools.fuzzing.hostile import Nursery

HALVES = np.repeat([[0, 255]], 40, axis=0).repeat(20, axis=1).astype(np.uint8)
"""Black on the left, white on the right, 40x40."""
DARK_LEFT = [[1.0, 0.0]] * 2


def saved(image: PIL.Image.Image, codec: str, **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, codec, **options)
    return file.getvalue()


def grey_image() -> PIL.Image.Image:
    return PIL.Image.fromarray(HALVES)


def see_through() -> PIL.Image.Image:
    """Black on the left; black but fully transparent on the right."""
    return PIL.Image.merge("LA", [PIL.Image.new("L", (40, 40)), PIL.Image.fromarray(255 - HALVES)])


def sixteen_bits() -> PIL.Image.Image:
    return PIL.Image.fromarray(HALVES.astype(np.uint16) * 257)


def floats() -> PIL.Image.Image:
    return PIL.Image.fromarray(HALVES.astype(np.float32) * 40.0 - 1000.0)


def turned_by_the_camera() -> PIL.Image.Image:
    image = grey_image().transpose(PIL.Image.Transpose.ROTATE_90)
    image.getexif()[0x0112] = 6  # to be shown turned by 90 degrees clockwise
    return image


def animation() -> bytes:
    later = [PIL.Image.new("L", (40, 40), shade) for shade in (0, 100, 200)]
    return saved(grey_image(), "GIF", save_all=True, append_images=later, duration=10)


KINDS: dict[str, Callable[[], bytes]] = {
    "grey.png": lambda: saved(grey_image(), "PNG"),
    "rgb.bmp": lambda: saved(grey_image().convert("RGB"), "BMP"),
    "photo.jpg": lambda: saved(grey_image(), "JPEG", quality=98),
    "lossless.webp": lambda: saved(grey_image().convert("RGB"), "WEBP", lossless=True),
    "palette.gif": lambda: saved(grey_image().convert("P"), "GIF"),
    "bits.png": lambda: saved(grey_image().convert("1"), "PNG"),
    "alpha.png": lambda: saved(see_through(), "PNG"),
    "rgba.tiff": lambda: saved(see_through().convert("RGBA"), "TIFF"),
    "sixteen.png": lambda: saved(sixteen_bits(), "PNG"),
    "sixteen.tiff": lambda: saved(sixteen_bits(), "TIFF"),
    "floats.tiff": lambda: saved(floats(), "TIFF"),
    "print.jpg": lambda: saved(grey_image().convert("CMYK"), "JPEG", quality=98),
    "print.tiff": lambda: saved(grey_image().convert("CMYK"), "TIFF"),
    "turned.jpg": lambda: saved(
        turned_by_the_camera(), "JPEG", quality=98, exif=turned_by_the_camera().getexif()
    ),
    "turned.png": lambda: saved(turned_by_the_camera(), "PNG", exif=turned_by_the_camera().getexif()),
    "animated.gif": animation,
}


@pytest.mark.parametrize("name", KINDS)
def test_a_picture_of_any_kind_is_read(name, tmp_path):
    path = tmp_path / name
    path.write_bytes(KINDS[name]())
    # the right half is blank, and would be cropped from a large picture; up to 64 pixels nothing is
    assert read_picture(path, (2, 2)).grey == pytest.approx(np.array(DARK_LEFT), abs=0.02)


def drawn(*rows: str) -> PIL.Image.Image:
    """Return a drawing: . white, # black, r red, b blue, _ transparent."""
    inks = {".": (255, 255, 255, 255), "#": (0, 0, 0, 255), "r": (208, 32, 32, 255), "b": (32, 32, 208, 255)}
    pixels = [[inks.get(char, (0, 0, 0, 0)) for char in row] for row in rows]
    return PIL.Image.fromarray(np.array(pixels, np.uint8))


@pytest.mark.parametrize(
    ("rows", "colours", "cells"),
    [
        (("###", "#.#", "###"), "#ffffff #000000", ("111", "101", "111")),
        (("_r_", "r.r", "_#_"), "#ffffff #000000 #d02020", ("020", "202", "010")),
        (("_.", "._"), "#000000 #ffffff", ("01", "10")),
        (("bbbb", "b.rb", "bbbb"), "#2020d0 #d02020 #ffffff", ("0000", "0210", "0000")),
        (("####", "#..r", "#...", "#..."), "#ffffff #000000 #d02020", ("1111", "1002", "1000", "1000")),
        (("rbr", "r_r", "rbr"), "#ffffff #2020d0 #d02020", ("212", "202", "212")),
    ],
)
def test_a_drawing_keeps_its_colours_and_its_background_is_recognised(rows, colours, cells):
    picture = read_picture(drawn(*rows))
    assert picture.is_drawing
    prepared = prepare(picture)
    assert [colour.rgb for colour in prepared.palette.colours] == colours.split()
    assert prepared.start.tolist() == [[int(number) for number in row] for row in cells]


def test_large_pictures_those_of_many_shades_and_those_of_another_size_are_photos():
    small = np.where(np.arange(64 * 64).reshape(64, 64) % 3, 255, 0).astype(np.uint8)
    assert read_picture(small).is_drawing
    assert read_picture(small, (64, None)).is_drawing
    assert not read_picture(small, (32, None)).is_drawing
    assert not read_picture(np.pad(small, ((0, 1), (0, 0)))).is_drawing
    shades = (np.arange(17) * 15).astype(np.uint8)[np.newaxis]
    assert not read_picture(shades).is_drawing
    assert read_picture(shades[:, :16]).is_drawing


def noise(rows: int, columns: int) -> NDArray[np.uint8]:
    return np.random.default_rng(0).integers(0, 200, (rows, columns)).astype(np.uint8)


@pytest.mark.parametrize(
    ("pixels", "size", "cells"),
    [
        ((300, 400), None, (22, 30)),
        ((400, 300), None, (30, 22)),
        ((300, 400), (20, None), (20, 27)),
        ((300, 400), (None, 20), (15, 20)),
        ((300, 400), (17, 39), (17, 39)),
        ((12, 17), None, (12, 17)),
        ((12, 17), (24, None), (24, 34)),
        ((5000, 3), None, (30, 1)),
        ((3, 5000), (2, None), (2, 400)),
        ((3000, 4000), (None, 60), (45, 60)),
    ],
)
def test_without_a_size_the_aspect_ratio_is_kept(pixels, size, cells):
    assert read_picture(noise(*pixels), size).shape == cells


def test_an_enlarged_drawing_has_a_pixel_a_cell_unless_another_size_is_asked_for():
    cells = np.array([[0, 255, 0], [255, 0, 0], [0, 0, 255]], np.uint8)
    large = np.kron(cells, np.ones((8, 8), np.uint8))
    with pytest.warns(FormatWarning, match="read as 3x3: each cell is 8x8 pixels"):
        found = read_picture(large)
    assert found.is_drawing
    assert (found.grey == 1 - cells / 255).all()
    assert read_picture(large, (24, 24)).shape == (24, 24)


def test_blank_margins_are_cropped_first_and_the_drawing_stays():
    pixels = np.full((300, 500), 255, np.uint8)
    pixels[200:280, 400:480] = 0
    assert (read_picture(pixels, (8, 8)).grey == 1).all()
    wide = read_picture(pixels, (8, 16)).grey
    assert np.count_nonzero(wide == 1) == 64
    assert np.count_nonzero(wide == 0) == 64


def test_a_picture_of_the_requested_size_keeps_its_values_and_others_are_shrunk():
    picture = Picture(np.random.default_rng(1).random((20, 20)))
    assert read_picture(picture, (20, 20)) is picture
    assert read_picture(picture, (10, 10)).grey == pytest.approx(
        picture.grey.reshape(10, 2, 10, 2).mean(axis=(1, 3)), abs=0.01
    )


@pytest.mark.parametrize("size", [(0, 5), (401, 5), (None, -3)])
def test_an_impossible_size_is_refused(size):
    with pytest.raises(UsageError, match="1 to 400 rows and columns"):
        read_picture(HALVES, size)


@pytest.mark.parametrize(
    "array", [np.zeros((3, 3, 7), np.uint8), np.zeros((0, 4), np.uint8), np.zeros(5), np.array([["a"]])]
)
def test_an_array_that_is_not_a_picture_is_refused(array):
    with pytest.raises(UsageError, match=r"picture"):
        read_picture(array)


def png_header(rows: int, columns: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", columns, rows, 8, 6, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(bytes(100))) + chunk(b"IEND", b"")


def truncated_jpeg() -> bytes:
    whole = saved(PIL.Image.fromarray(noise(500, 500)), "JPEG")
    return whole[: len(whole) // 2]


def largest_png() -> bytes:
    """The maximum number of pixels with alpha, noisy at the top."""
    image = PIL.Image.new("RGBA", (5_000, 3_200), (0, 0, 0, 99))
    image.paste((0, 0, 0, 255), (0, 0, 2_000, 2_000))
    image.paste(PIL.Image.fromarray(noise(100, 5_000)), (0, 0))
    return saved(image, "PNG", compress_level=1)


PUZZLE = "a puzzle"
HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "enormous.png": (lambda: png_header(60_000, 60_000), "of far more than 16 million pixels"),
    "large.png": (lambda: png_header(8_000, 8_000), "8000x8000 pixels; expected at most 16 million"),
    "long.png": (lambda: png_header(2_000_000_000, 1), "pixels"),
    "torn.png": (lambda: KINDS["grey.png"]()[:60], "expected a complete picture"),
    "truncated.jpg": (truncated_jpeg, "expected a complete picture"),
    "text.png": (lambda: b"not a picture at all", "not a readable picture"),
    "empty.png": (lambda: b"", "empty"),
    "drawing.eps": (
        lambda: b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n",
        "not a readable",
    ),
    "1x1.png": (lambda: saved(PIL.Image.new("L", (1, 1)), "PNG"), "one shade only"),
    "white.png": (lambda: saved(PIL.Image.new("L", (300, 300), 255), "PNG"), "one shade only"),
    "nothing.png": (lambda: saved(PIL.Image.new("RGBA", (30, 30)), "PNG"), "one shade only"),
    "many passes.jpg": (
        lambda: saved(PIL.Image.fromarray(noise(50, 50)), "JPEG", comment=b"\xff\xda" * 101),
        "a JPEG of too many passes; expected at most 100",
    ),
    "slow.qoi": (lambda: saved(PIL.Image.new("RGB", (50, 50)), "QOI"), "not a readable picture"),
    "nested.ico": (
        lambda: saved(PIL.Image.fromarray(noise(50, 50)), "ICO"),
        "not a readable picture",
    ),
    "photo.jpg": (lambda: saved(PIL.Image.new("L", (4_100, 4_100)), "JPEG"), "one shade only"),
    "larger photo.jpg": (lambda: saved(PIL.Image.new("L", (5_000, 5_001)), "JPEG"), "at most 25 million"),
    "most.png": (largest_png, PUZZLE),
    "animated.gif": (animation, PUZZLE),
}
"""Files, and what is said of them."""


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    """Commands in which a warning is an error."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONWARNINGS", "error")
        nursery = Nursery()
    yield nursery
    nursery.close()


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * name.startswith(("most", "photo"))) for name in HOSTILE],
)
def test_a_hostile_picture_ends_in_a_puzzle_or_a_clear_error_in_less_than_300_mib(nursery, name, tmp_path):
    make, message = HOSTILE[name]
    (tmp_path / name).write_bytes(make())
    found = nursery.react(["generate", name, "--size", "20x20", "--output", "made.json"], tmp_path)
    if message == PUZZLE:
        assert (found.code, load(tmp_path / "made.json").shape) == (0, (20, 20))
    else:
        assert found.code == 2
        assert found.said.startswith(f"error: {name}")
        assert message in found.said
    assert found.mib < 300


def test_damage_anywhere_in_a_file_is_a_format_error_or_harmless(tmp_path):
    whole = saved(PIL.Image.fromarray(noise(30, 30)), "PNG")
    path = tmp_path / "damaged.png"
    for place in range(8, len(whole), 11):
        for content in (whole[:place], whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :]):
            path.write_bytes(content)
            with suppress(FormatError):
                assert read_picture(path).grey.size
