"""A cell shows what stands out in it, in a colour of the picture, which are few and typical."""

import numpy as np
import PIL.Image
import PIL.ImageDraw
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from nonocsp.making.cells import background_of
from nonocsp.making.colours import find_palette, parse_palette
from nonocsp.making.image import PictureOptions, prepare
from nonocsp.making.picture import Picture, read_picture
from nonocsp.model import FormatError, Palette
from nonocsp.model.oklab import rgb_of

INKS = np.array(
    [
        [255, 255, 255],
        [0, 0, 0],
        [240, 140, 40],
        [40, 70, 200],
        [120, 60, 20],
        [250, 190, 170],
        [30, 120, 40],
    ],
    np.uint8,
)
ORANGE, LIGHT, DARK = (240, 140, 40), (245, 240, 225), (20, 20, 20)


def grain(pixels: NDArray[np.uint8], amount: float = 14.0) -> NDArray[np.uint8]:
    """Return a drawing as a photo: with grain, and with light from the left."""
    rng = np.random.default_rng(0)
    light = np.linspace(1.05, 0.85, pixels.shape[1])[:, np.newaxis]
    noisy = pixels * light + rng.normal(0, amount, pixels.shape[:2])[..., np.newaxis]
    return noisy.clip(0, 255).astype(np.uint8)


def cat() -> NDArray[np.uint8]:
    """Return an orange cat with dark eyes, whiskers of 3 pixels and a white belly: 600x600."""
    image = PIL.Image.new("RGB", (600, 600), LIGHT)
    draw = PIL.ImageDraw.Draw(image)
    for corners in ([(150, 200), (170, 50), (270, 130)], [(450, 200), (430, 50), (330, 130)]):
        draw.polygon(corners, ORANGE)
    draw.ellipse((150, 340, 450, 598), ORANGE)
    draw.ellipse((140, 90, 460, 370), ORANGE)
    draw.ellipse((220, 410, 380, 590), "white")
    for x in (235, 365):
        draw.ellipse((x - 18, 186, x + 18, 234), DARK)
    for side in (-1, 1):
        draw.line([(300 + side * 60, 280), (300 + side * 270, 275)], DARK, 3)
    return np.array(image)


@given(
    st.integers(1, 12), st.integers(1, 12), st.integers(2, len(INKS)), st.integers(1, 9), st.integers(0, 99)
)
def test_a_picture_of_flat_colours_at_a_whole_scale_comes_back_exactly(rows, columns, colours, scale, seed):
    cells = np.random.default_rng(seed).integers(0, colours, (rows, columns))
    pixels = INKS[cells].repeat(scale, axis=0).repeat(scale, axis=1)
    picture = read_picture(pixels, (rows, columns))
    if len(np.unique(cells)) > 1:
        prepared = prepare(picture, PictureOptions(colours=colours - 1))
        assert np.array_equal(rgb_of(prepared.palette)[prepared.start], INKS[cells])


@pytest.mark.parametrize(("width", "ink"), [(1, DARK), (2, DARK), (5, DARK), (2, (40, 70, 200))], ids=str)
def test_a_line_much_thinner_than_a_cell_is_kept(width, ink):
    pixels = np.full((400, 400, 3), LIGHT, np.uint8)
    pixels[130 : 130 + width, 30:370] = ink
    pixels[300:380, 100:300] = ink
    for options in (PictureOptions(), PictureOptions(colours=1)):
        start = prepare(read_picture(pixels, (20, 20)), options).start
        assert np.count_nonzero(start[:10]) == pytest.approx(np.ptp(np.nonzero(start[:10])[1]) + 1)
        assert np.count_nonzero(start[:10]) >= 16


@pytest.mark.parametrize("photo", [False, True], ids=["drawn", "photo"])
@pytest.mark.parametrize("side", [20, 30])
def test_a_cat_keeps_its_eyes_and_whiskers_and_is_of_one_orange(photo, side):
    pixels = grain(cat()) if photo else cat()
    prepared = prepare(read_picture(pixels, (side, side)), PictureOptions(colours=2))
    background, dark, orange = rgb_of(prepared.palette).astype(int)
    assert np.abs(dark - DARK).max() < 40
    assert np.abs(orange - ORANGE).max() < 40
    assert np.abs(background - LIGHT).max() < 40
    start = prepared.start
    scale = 600 / side
    for x, y, found in ((235, 210, 1), (365, 210, 1), (300, 150, 2), (300, 500, 0)):
        row, column = int(y / scale), int(x / scale)
        assert found in start[row - 1 : row + 2, column - 1 : column + 2], (x, y)
    beside = start[:, : int(130 / scale)], start[:, int(470 / scale) + 1 :]
    assert (photo and side == 20) or all(np.count_nonzero(cells == 1) >= 2 for cells in beside), "whiskers"
    assert not (start[: side // 20] == 2).any()


def test_a_subject_is_cut_from_a_uniform_background_with_grain():
    pixels = grain(cat(), amount=6)
    found = background_of(pixels)
    assert found is not None
    is_background = (cat() == LIGHT).all(axis=2)
    assert (found == is_background).mean() > 0.97
    assert not found[400:590, 290:310].any(), "the belly is not connected with the rim"
    wide = np.pad(pixels, ((0, 0), (300, 0), (0, 0)), mode="edge")
    whole, cut = (read_picture(wide, (30, None), cut=cut) for cut in (False, True))
    assert cut.shape[1] < whole.shape[1], "the margins are cropped"
    assert prepare(cut, PictureOptions(colours=2)).palette.colours[0].rgb == "#ffffff"


def patches() -> NDArray[np.uint8]:
    pixels = np.random.default_rng(0).integers(0, 256, (9, 9, 3)).astype(np.uint8)
    return pixels.repeat(40, axis=0).repeat(40, axis=1)


@pytest.mark.parametrize("pixels", [patches(), np.zeros((90, 90), np.uint8)], ids=["patches", "all black"])
def test_a_picture_without_such_a_background_is_not_cut(pixels):
    with pytest.raises(FormatError, match="cannot be cut from its background; expected one colour along"):
        read_picture(pixels, (20, 20), cut=True)


RED, BLUE, WHITE = (208, 32, 32), (32, 32, 208), (255, 255, 255)


def picture(*rows: list[tuple[int, int, int]]) -> Picture:
    rgb = np.array(rows, np.uint8)
    return Picture(1 - rgb.mean(axis=2) / 255, rgb, "flag.png")


def rgbs(palette: Palette) -> list[str]:
    return [colour.rgb for colour in palette.colours]


def many(count: int) -> list[str]:
    return [f"#0000{number:02x}" for number in range(count)]


def test_a_palette_is_parsed_from_names_and_numbers_the_background_first():
    palette = parse_palette(["white", " #D7191C80", "blue"])
    assert rgbs(palette) == ["#ffffff", "#d7191c", "#0000ff"]
    assert palette.chars[0] == "."
    assert rgbs(parse_palette(many(64))) == many(64)


def test_found_colours_start_with_the_rim_and_continue_from_dark_to_light():
    inner = [WHITE, RED, BLUE, WHITE, (250, 250, 0)]
    found = find_palette(picture([BLUE] * 7, *[[BLUE, *inner, BLUE]] * 3, [BLUE] * 7), 3)
    assert rgbs(found) == ["#2020d0", "#d02020", "#fafa00", "#ffffff"]


def test_a_picture_of_one_colour_has_no_palette():
    with pytest.raises(FormatError, match=r"flag\.png: the picture has one colour only; expected several"):
        find_palette(picture([RED, RED], [RED, RED]), 3)
