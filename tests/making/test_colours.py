"""The colours of a puzzle: parsed, found in a picture, and how far pixels are from them."""

from __future__ import annotations

import numpy as np
import pytest

from nonocsp.making.colours import distances, find_palette, parse_palette
from nonocsp.making.picture import Picture
from nonocsp.model import BLACK_AND_WHITE, FormatError, Palette, UsageError
from nonocsp.model.oklab import oklab

RED, BLUE, WHITE = (208, 32, 32), (32, 32, 208), (255, 255, 255)


def picture(*rows: list[tuple[int, int, int]]) -> Picture:
    rgb = np.array(rows, np.uint8)
    return Picture(1 - rgb.mean(axis=2) / 255, rgb, "flag.png")


def shades(values: list[list[float]]) -> Picture:
    return Picture(np.array(values))


def rgbs(palette: Palette) -> list[str]:
    return [colour.rgb for colour in palette.colours]


def test_a_palette_is_parsed_from_names_and_numbers_the_background_first() -> None:
    palette = parse_palette(["white", " #D7191C80", "blue"])
    assert rgbs(palette) == ["#ffffff", "#d7191c", "#0000ff"]
    assert palette.chars[0] == "."


def many(count: int) -> list[str]:
    return [f"#0000{number:02x}" for number in range(count)]


@pytest.mark.parametrize("count", [2, 64])
def test_a_palette_has_a_background_and_up_to_63_colours(count: int) -> None:
    assert rgbs(parse_palette(many(count))) == many(count)


@pytest.mark.parametrize(
    ("colours", "message"),
    [
        (many(1), "not 1 colours in all"),
        (many(65), "not 65 colours in all"),
        (["white", "nocolour"], "unknown colour 'nocolour'"),
        (["white", "red", "#fff"], "the palette white,red,#fff has a colour twice"),
    ],
    ids=str,
)
def test_a_wrong_palette_is_refused(colours: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_palette(colours)


def test_found_colours_start_with_the_rim_and_continue_from_dark_to_light() -> None:
    inner = [WHITE, RED, BLUE, WHITE, (250, 250, 0)]
    found = find_palette(picture([BLUE] * 7, *[[BLUE, *inner, BLUE]] * 3, [BLUE] * 7), 3)
    assert rgbs(found) == ["#2020d0", "#d02020", "#fafa00", "#ffffff"]


@pytest.mark.parametrize("side", ["top", "bottom", "left", "right"])
def test_every_side_of_the_rim_counts_for_the_background(side: str) -> None:
    rgb = np.full((6, 6, 3), RED, np.uint8)
    edge: dict[str, tuple[slice | int, slice | int]] = {
        "top": (0, slice(None)),
        "bottom": (-1, slice(None)),
        "left": (slice(None), 0),
        "right": (slice(None), -1),
    }
    rgb[:] = BLUE
    for place in edge.values():
        rgb[place] = WHITE
    rgb[1:-1, 1:-1] = BLUE
    rgb[edge[side]] = RED
    third = find_palette(Picture(rgb.mean(axis=2) / 255, rgb), 2)
    assert rgbs(third)[0] == "#ffffff"
    for other in set(edge) - {side}:
        rgb[edge[other]] = RED
        rgb[edge[side]] = WHITE
    assert rgbs(find_palette(Picture(rgb.mean(axis=2) / 255, rgb), 2))[0] == "#d02020"


def test_nearly_white_and_nearly_black_become_white_and_black() -> None:
    found = find_palette(picture([(243, 250, 246)] * 4, [(3, 0, 12)] * 4, [(60, 90, 120)] * 4), 2)
    assert set(rgbs(found)) == {"#ffffff", "#000000", "#3c5a78"}
    near = find_palette(picture([(242, 250, 246)] * 4, [(3, 0, 13)] * 4), 1)
    assert set(rgbs(near)) == {"#f2faf6", "#03000d"}


@pytest.mark.parametrize("seed", range(30))
def test_the_background_is_the_more_frequent_colour_of_the_rim(seed: int) -> None:
    mask = np.random.default_rng(seed).random((5, 4)) < 0.5
    rgb = np.where(mask[..., np.newaxis], RED, BLUE).astype(np.uint8)
    inside = np.zeros((5, 4), bool)
    inside[1:-1, 1:-1] = True
    reds, blues = np.count_nonzero(mask & ~inside), np.count_nonzero(~mask & ~inside)
    if reds != blues:
        found = find_palette(Picture(rgb.mean(axis=2) / 255, rgb), 1)
        assert rgbs(found)[0] == ("#d02020" if reds > blues else "#2020d0")


def test_at_most_the_requested_number_of_colours_is_found() -> None:
    rgb = np.random.default_rng(0).integers(0, 256, (12, 12, 3)).astype(np.uint8)
    assert len(find_palette(Picture(rgb.mean(axis=2) / 255, rgb), 2)) == 3


def test_the_colours_of_a_grey_picture_are_grey() -> None:
    found = find_palette(shades([[0.0, 0.0, 0.0], [0.0, 0.4, 0.0], [0.0, 0.0, 0.0]]), 1)
    assert rgbs(found) == ["#ffffff", "#999999"]


def test_a_picture_of_one_colour_has_no_palette() -> None:
    with pytest.raises(FormatError, match=r"flag\.png: the picture has one colour only; expected several"):
        find_palette(picture([RED, RED], [RED, RED]), 3)


@pytest.mark.parametrize("colours", [-1, 0, 64])
def test_a_number_of_colours_out_of_range_is_refused(colours: int) -> None:
    with pytest.raises(UsageError, match=f"1 to 63 foreground colours, not {colours}"):
        find_palette(picture([RED, BLUE]), colours)


def test_a_full_palette_of_colours_is_found() -> None:
    rgb = np.zeros((8, 8, 3), np.uint8)
    rgb[..., 0], rgb[..., 1] = np.indices((8, 8)) * 32
    assert len(find_palette(Picture(np.zeros((8, 8)), rgb), 63)) == 64


def test_the_distance_from_black_and_white_is_the_grey_value() -> None:
    far = distances(shades([[0.0, 0.25], [0.5, 1.0]]), BLACK_AND_WHITE)
    assert far[..., 0].tolist() == [[0.0, 63.75], [127.5, 255.0]]
    assert far[..., 1].tolist() == [[255.0, 191.25], [127.5, 0.0]]


def test_the_distance_from_a_colour_is_that_of_oklab_and_black_and_white_are_255_apart() -> None:
    palette = parse_palette(["white", "#d02020"])
    far = distances(picture([WHITE, RED, (0, 0, 0)]), palette)
    assert far.shape == (1, 3, 2)
    assert far[0, :2] == pytest.approx(np.array([[0, 126.214], [126.214, 0]]), abs=0.001)
    assert far[0, 2, 0] == pytest.approx(255, abs=0.001)
    assert far[0, 2, 1] == pytest.approx(255 * np.linalg.norm(oklab(np.array(RED, np.uint8))), abs=0.001)
