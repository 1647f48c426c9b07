"""Init: thresholds against their definitions, edges and empty lines against images drawn by hand."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp.making.colours import parse_palette
from nonocsp.making.init import Edges, PictureOptions, Threshold, prepare, without_empty_lines
from nonocsp.making.picture import Picture
from nonocsp.model import FormatError, Grid, UsageError


def cells(*rows: str) -> NDArray[np.uint8]:
    return Grid.from_strings(rows).cells


def noise(shape: tuple[int, int], seed: int = 0) -> Picture:
    return Picture(np.random.default_rng(seed).uniform(0.1, 0.9, shape))


@pytest.mark.parametrize("threshold", [Threshold.SHARE, Threshold.ADAPTIVE])
@pytest.mark.parametrize("black", [0.1, 0.35, 0.8])
def test_the_share_of_black_is_the_requested_one(threshold: Threshold, black: float) -> None:
    found = prepare(noise((20, 25)), PictureOptions(threshold=threshold, black=black)).thresholded
    assert found.mean() == pytest.approx(black, abs=1 / 500)


def test_a_share_of_black_takes_the_darkest_cells() -> None:
    picture = noise((10, 10))
    black = prepare(picture, PictureOptions()).thresholded == 1
    assert picture.grey[black].min() > picture.grey[~black].max()


@pytest.mark.parametrize("dark", [0.02, 0.2, 0.6])
def test_white_stays_white_and_black_stays_black_whatever_the_share(dark: float) -> None:
    drawn = np.random.default_rng(1).random((30, 30)) < dark
    assert np.array_equal(prepare(Picture(drawn.astype(float)), PictureOptions()).thresholded, drawn)


def test_otsus_threshold_minimises_the_variance_within_the_groups() -> None:
    rng = np.random.default_rng(2)
    grey = (
        np.concatenate([rng.normal(0.3, 0.05, 300), rng.normal(0.8, 0.08, 100)])
        .clip(0.06, 0.94)
        .reshape(20, 20)
    )
    black = prepare(Picture(grey), PictureOptions(threshold=Threshold.OTSU)).thresholded == 1

    def within(mask: NDArray[np.bool_]) -> float:
        return float(sum(part.size * part.var() for part in (grey[mask], grey[~mask])))

    shades = np.unique(grey)
    assert within(black) <= min(within(grey >= shade) for shade in shades[1:]) * 1.001


def test_the_adaptive_threshold_finds_contrast_in_dark_and_light_areas() -> None:
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
def test_edges_are_dark_cells_beside_lighter_ones_and_both_adds_the_darker_half(
    edges: Edges, expected: tuple[str, ...]
) -> None:
    grey = np.zeros((5, 7))
    grey[:4, :5] = [0.9, 0.85, 0.6, 0.55, 0.5]
    prepared = prepare(Picture(grey), PictureOptions(edges=edges, black=20 / 35, fill_empty=True))
    kept = prepared.thresholded if prepared.outlined is None else prepared.outlined
    assert np.array_equal(kept, cells(*expected))
    assert prepared.start[4].any(), "the empty row got a cell"


def test_an_empty_line_gets_its_darkest_cell_or_else_continues_its_neighbour() -> None:
    grey = np.zeros((4, 5))
    grey[1, 4] = 0.3
    drawn = cells(".....", ".....", ".#...", ".##..")
    filled = without_empty_lines(drawn, grey, np.ones_like(drawn))
    assert np.array_equal(filled, cells("....#", "....#", "##...", ".###."))


def test_empty_lines_stay_empty_unless_they_are_to_be_filled() -> None:
    grey = np.zeros((6, 6))
    grey[2:4, 2:4] = 0.9
    kept, filled = (prepare(Picture(grey), PictureOptions(fill_empty=fill)).start for fill in (False, True))
    assert np.array_equal(kept > 0, grey > 0)
    assert filled.any(axis=0).all()
    assert filled.any(axis=1).all()


def test_no_line_stays_empty() -> None:
    for seed in range(20):
        drawn = (np.random.default_rng(seed).random((12, 9)) < 0.06).astype(np.uint8)
        drawn[3, 3] = 1
        filled = without_empty_lines(drawn, noise((12, 9), seed).grey, np.full_like(drawn, 2))
        assert filled.any(axis=0).all()
        assert filled.any(axis=1).all()
        assert np.array_equal(filled[drawn > 0], drawn[drawn > 0])


@pytest.mark.parametrize("shade", [0.0, 0.5, 1.0])
def test_a_picture_of_one_shade_is_refused(shade: float) -> None:
    with pytest.raises(FormatError, match=r"grey\.png: the picture has one shade only; expected dark parts"):
        prepare(Picture(np.full((5, 5), shade), name="grey.png"), PictureOptions())


@pytest.mark.parametrize("black", [0.0, 1.0, -1.0, float("nan")])
def test_the_share_of_black_is_limited_to_the_range_from_none_to_all(black: float) -> None:
    with pytest.raises(UsageError, match="share of black"):
        PictureOptions(black=black)


def test_options_accept_members_and_their_values_and_refuse_others() -> None:
    options = PictureOptions(threshold="otsu", edges="both")
    assert options.threshold is Threshold.OTSU
    assert options.edges is Edges.BOTH
    for wrong in ({"threshold": "mean"}, {"edges": "yes"}):
        with pytest.raises(UsageError, match="unknown"):
            PictureOptions(**wrong)
    palette = parse_palette(["white", "red"])
    assert PictureOptions(colours=2).palette is None
    assert PictureOptions(palette=palette).colours is None
    with pytest.raises(UsageError, match="either found"):
        PictureOptions(colours=2, palette=palette)


def test_nearly_black_and_nearly_white_cells_ignore_the_share() -> None:
    rng = np.random.default_rng(3)
    dark = np.where(rng.random((20, 20)) < 0.6, rng.uniform(0.95, 1.0, (20, 20)), 0.3)
    dark[0, 0] = 1 - 0.05
    assert np.array_equal(prepare(Picture(dark), PictureOptions(black=0.2)).thresholded, dark > 0.3)
    light = np.where(rng.random((20, 20)) < 0.7, rng.uniform(0.0, 0.05, (20, 20)), 0.5)
    light[0, 0] = 0.05
    assert np.array_equal(prepare(Picture(light), PictureOptions(black=0.8)).thresholded, light == 0.5)


@pytest.mark.parametrize("seed", range(8))
def test_otsus_threshold_is_right_for_lopsided_shades(seed: int) -> None:
    rng = np.random.default_rng(seed)
    # in the middle of the 256 bins of the histogram, so that it loses nothing
    grey = (np.floor(rng.beta(1.5 + seed / 4, 5, (16, 16)) * 220) + 20.5) / 256
    black = prepare(Picture(grey), PictureOptions(threshold=Threshold.OTSU)).thresholded == 1

    def within(mask: NDArray[np.bool_]) -> float:
        return float(sum(part.size * part.var() for part in (grey[mask], grey[~mask])))

    assert within(black) == pytest.approx(min(within(grey >= shade) for shade in np.unique(grey)[1:]))


def test_every_cell_gets_the_nearest_colour_and_empty_lines_the_nearest_foreground() -> None:
    palette = parse_palette(["white", "red", "blue"])
    rgb = np.full((3, 3, 3), 255, np.uint8)
    rgb[0, 0], rgb[0, 1], rgb[2, 2] = (200, 30, 30), (40, 40, 210), (150, 150, 255)
    picture = Picture(1 - rgb.mean(axis=2) / 255, rgb)
    prepared = prepare(picture, PictureOptions(palette=palette, fill_empty=True))
    assert prepared.thresholded.tolist() == [[1, 2, 0], [0, 0, 0], [0, 0, 0]]
    assert prepared.start[2].tolist() == [0, 0, 2]
    assert prepared.start[1].any()
    assert prepared.palette == palette


def test_a_picture_of_background_only_is_refused() -> None:
    white = Picture(np.zeros((4, 4)), np.full((4, 4, 3), 255, np.uint8), "white.png")
    with pytest.raises(FormatError, match=r"white\.png: the whole picture is background; expected a second"):
        prepare(white, PictureOptions(palette=parse_palette(["white", "red"])))


def test_otsus_threshold_parts_two_pixels() -> None:
    picture = Picture(np.array([[0.3, 0.7]]))
    assert np.array_equal(prepare(picture, PictureOptions(threshold=Threshold.OTSU)).thresholded, [[0, 1]])


@pytest.mark.parametrize("seed", range(4))
def test_the_darker_half_is_that_of_the_black_cells_even_where_the_background_is_darker(seed: int) -> None:
    picture = Picture(noise((20, 20), seed).grey * np.linspace(0.3, 1.0, 20))
    edges, both = (
        prepare(picture, PictureOptions(threshold=Threshold.ADAPTIVE, edges=kind, black=0.7))
        for kind in (Edges.ONLY, Edges.BOTH)
    )
    assert edges.outlined is not None
    black = edges.thresholded == 1
    dark = black & (picture.grey >= np.median(picture.grey[black]))
    assert picture.grey[~black].max() > picture.grey[dark].min()
    assert np.array_equal(both.outlined, (edges.outlined == 1) | dark)
