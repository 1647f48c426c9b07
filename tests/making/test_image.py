"""Init: thresholds, edges and dithering against their definitions, empty lines against drawings."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp.making.colours import parse_palette
from nonocsp.making.image import (
    Edges,
    PictureOptions,
    Threshold,
    prepare,
    without_empty_lines,
)
from nonocsp.making.picture import Picture, read_picture
from nonocsp.model import BLACK_AND_WHITE, FormatError, Grid, UsageError
from nonocsp.model.oklab import rgb_of


def cells(*rows: str) -> NDArray[np.uint8]:
    return Grid.from_strings(rows).cells


def noise(shape: tuple[int, int], seed: int = 0) -> Picture:
    return Picture(np.random.default_rng(seed).uniform(0.1, 0.9, shape))


@pytest.mark.parametrize("threshold", [Threshold.SHARE, Threshold.ADAPTIVE])
@pytest.mark.parametrize("black", [0.1, 0.35, 0.8])
def test_the_share_of_black_is_the_requested_one(threshold, black):
    picture = noise((20, 25))
    found = prepare(picture, PictureOptions(threshold=threshold, black=black)).thresholded == 1
    assert found.mean() == pytest.approx(black, abs=1 / 500)
    if threshold is Threshold.SHARE:
        assert picture.grey[found].min() > picture.grey[~found].max()


@pytest.mark.parametrize("seed", range(8))
def test_otsus_threshold_minimises_the_variance_within_the_groups(seed):
    rng = np.random.default_rng(seed)
    # in the middle of the 256 bins of the histogram, so that it loses nothing
    grey = (np.floor(rng.beta(1.5 + seed / 4, 5, (16, 16)) * 220) + 20.5) / 256
    black = prepare(Picture(grey), PictureOptions(threshold=Threshold.OTSU)).thresholded == 1

    def within(mask: NDArray[np.bool_]) -> float:
        return float(sum(part.size * part.var() for part in (grey[mask], grey[~mask])))

    assert within(black) == pytest.approx(min(within(grey >= shade) for shade in np.unique(grey)[1:]))
    assert prepare(Picture(np.array([[0.3, 0.7]]))).thresholded.tolist() == [[0, 1]]


def test_the_adaptive_threshold_finds_contrast_in_dark_and_light_areas():
    grey = np.linspace(0.1, 0.7, 40) * np.ones((40, 1))
    marks = np.zeros((40, 40), bool)
    marks[5::10, 5::10] = True
    found = prepare(Picture(grey + 0.2 * marks), PictureOptions(threshold=Threshold.ADAPTIVE, black=0.01))
    assert np.array_equal(found.thresholded, marks)


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        (Edges.NONE, ("#####..", "#####..", "#####..", "#####..", ".......")),
        (Edges.ONLY, ("....#..", "....#..", "....#..", "#####..", ".......")),
        (Edges.BOTH, ("##..#..", "##..#..", "##..#..", "#####..", ".......")),
    ],
)
def test_edges_are_dark_cells_beside_lighter_ones_and_both_adds_the_darker_half(edges, expected):
    grey = np.zeros((5, 7))
    grey[:4, :5] = [0.9, 0.85, 0.6, 0.55, 0.5]
    kept, filled = (
        prepare(Picture(grey), PictureOptions(edges=edges, black=20 / 35, fill_empty=fill))
        for fill in (False, True)
    )
    assert np.array_equal(kept.start, cells(*expected))
    assert filled.start.any(axis=0).all()
    assert filled.start.any(axis=1).all()


def test_an_empty_line_gets_its_darkest_cell_or_else_continues_its_neighbour():
    grey = np.zeros((4, 5))
    grey[1, 4] = 0.3
    drawn = cells(".....", ".....", ".#...", ".##..")
    filled = without_empty_lines(drawn, grey, np.ones_like(drawn))
    assert np.array_equal(filled, cells("....#", "....#", "##...", ".###."))
    for seed in range(20):
        drawn = (np.random.default_rng(seed).random((12, 9)) < 0.06).astype(np.uint8)
        drawn[3, 3] = 1
        filled = without_empty_lines(drawn, noise((12, 9), seed).grey, np.full_like(drawn, 2))
        assert filled.any(axis=0).all()
        assert filled.any(axis=1).all()
        assert np.array_equal(filled[drawn > 0], drawn[drawn > 0])


def test_every_cell_gets_the_nearest_colour_and_empty_lines_the_nearest_foreground():
    palette = parse_palette(["white", "red", "blue"])
    rgb = np.full((3, 3, 3), 255, np.uint8)
    rgb[0, 0], rgb[0, 1], rgb[2, 2] = (200, 30, 30), (40, 40, 210), (150, 150, 255)
    picture = Picture(1 - rgb.mean(axis=2) / 255, rgb)
    prepared = prepare(picture, PictureOptions(palette=palette, fill_empty=True))
    assert prepared.thresholded.tolist() == [[1, 2, 0], [0, 0, 0], [0, 0, 0]]
    assert prepared.start[2].tolist() == [0, 0, 2]
    assert prepared.start[1].any()
    assert prepared.palette == palette


def disc(dark: int = 40, light: int = 220) -> NDArray[np.uint8]:
    """Return a dark disc, 20 cells of 30 wide at 20 pixels a cell."""
    y, x = np.indices((600, 600)) - 299.5
    return np.where(x**2 + y**2 < 200**2, dark, light).astype(np.uint8)


def outlined(pixels: NDArray[np.uint8], **options: Any) -> NDArray[np.uint8]:
    found = prepare(read_picture(pixels, (30, 30)), PictureOptions(edges="only", **options)).outlined
    assert found is not None
    return found


def test_an_ink_drawing_keeps_dark_areas_and_a_thin_line():
    pixels = disc()
    pixels[30:36, 60:540] = 90
    ink = outlined(pixels, edge_filter="xdog", black=0.4)
    assert ink[10:20, 10:20].all()
    assert ink[1, 4:26].all()
    assert not ink[5, :8].any()


def test_in_texture_lines_take_no_more_than_their_share():
    texture = np.random.default_rng(0).integers(0, 256, (600, 600)).astype(np.uint8)
    textured = (0.5 * disc() + 0.5 * texture).astype(np.uint8)
    assert outlined(textured).mean() <= 0.25
    assert outlined(textured, black=0.1).mean() <= 0.1


@pytest.mark.parametrize("kind", ["diffusion", "ordered"])
def test_dithered_colours_mix_but_pure_colours_and_transparent_cells_do_not(kind):
    rgb = np.full((40, 40, 3), (255, 160, 40), np.uint8)
    rgb[:, 20:] = (120, 120, 255)
    palette = parse_palette(["white", "#ff0000", "#ffff00", "#0000ff"])
    picture = Picture(1 - rgb.mean(axis=2) / 255, rgb)
    prepared = prepare(picture, PictureOptions(palette=palette, dither=kind))
    left, right = (rgb_of(palette)[half].mean(axis=(0, 1)) for half in np.split(prepared.start, 2, axis=1))
    assert np.abs(left - (255, 160, 40)).max() < 45
    assert np.abs(right - (120, 120, 255)).max() < 25
    drawn = np.random.default_rng(0).integers(0, 2, (9, 9))
    assert np.array_equal(prepare(Picture(drawn.astype(float)), PictureOptions(dither=kind)).start, drawn)
    rgba = np.zeros((90, 90, 4), np.uint8)
    rgba[:, 45:] = (120, 120, 120, 255)
    start = prepare(read_picture(rgba, (10, 10)), PictureOptions(dither=kind, palette=BLACK_AND_WHITE)).start
    assert not start[:, :4].any()
    assert start.any()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        *(({"black": share}, "share of black") for share in (0.0, 1.0, -1.0, float("nan"))),
        *(({name: "mean"}, "unknown") for name in ("threshold", "edges", "edge_filter", "dither")),
        ({"edges": "only", "dither": "ordered"}, "choose one of them"),
        ({"colours": 2, "palette": BLACK_AND_WHITE}, "either found"),
    ],
    ids=str,
)
def test_wrong_options_are_refused(wrong, message):
    with pytest.raises(UsageError, match=message):
        PictureOptions(**wrong)


@pytest.mark.parametrize("shade", [0.0, 0.5, 1.0])
def test_a_picture_of_one_shade_or_of_background_only_is_refused(shade):
    with pytest.raises(FormatError, match=r"grey\.png: the picture has one shade only; expected dark parts"):
        prepare(Picture(np.full((5, 5), shade), name="grey.png"))
    white = Picture(np.zeros((4, 4)), np.full((4, 4, 3), 255, np.uint8), "white.png")
    with pytest.raises(FormatError, match=r"white\.png: the whole picture is background; expected a second"):
        prepare(white, PictureOptions(palette=parse_palette(["white", "red"])))
