"""Edges lie where shades change, dithered cells mix to the shades of the picture."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp.making.colours import parse_palette
from nonocsp.making.drawings import apple
from nonocsp.making.filters import Dither, EdgeFilter
from nonocsp.making.init import Edges, PictureOptions, prepare
from nonocsp.making.picture import Picture, read_picture
from nonocsp.model import BLACK_AND_WHITE, UsageError
from nonocsp.model.oklab import rgb_of


def disc(dark: int = 40, light: int = 220) -> NDArray[np.uint8]:
    """Return a dark disc, 20 cells of 30 wide at 20 pixels a cell."""
    y, x = np.indices((600, 600)) - 299.5
    return np.where(x**2 + y**2 < 200**2, dark, light).astype(np.uint8)


def outlined(pixels: NDArray[np.uint8], **options: object) -> NDArray[np.uint8]:
    found = prepare(read_picture(pixels, (30, 30)), PictureOptions(edges="only", **options)).outlined
    assert found is not None
    return found


@pytest.mark.parametrize("edge_filter", [EdgeFilter.CANNY, EdgeFilter.SOBEL])
@pytest.mark.parametrize("shades", [(40, 220), (110, 150), (220, 40)], ids=str)
def test_the_edges_of_a_disc_are_a_ring(edge_filter: EdgeFilter, shades: tuple[int, int]) -> None:
    ring = outlined(disc(*shades), edge_filter=edge_filter, black=0.1)
    y, x = np.indices((30, 30)) - 14.5
    far = np.hypot(x, y)
    assert (np.abs(far[ring > 0] - 10) < 2).all()
    for angle in np.linspace(0, 2 * np.pi, 24):
        around = (14.5 + 10 * np.array([np.sin(angle), np.cos(angle)])).round().astype(int)
        assert ring[around[0] - 1 : around[0] + 2, around[1] - 1 : around[1] + 2].any()


def test_an_ink_drawing_keeps_dark_areas_and_a_thin_line() -> None:
    pixels = disc()
    pixels[30:36, 60:540] = 90
    ink = outlined(pixels, edge_filter="xdog", black=0.4)
    assert ink[10:20, 10:20].all()
    assert ink[1, 4:26].all()
    assert not ink[5, :8].any()


def test_in_texture_lines_take_no_more_than_their_share() -> None:
    noise = np.random.default_rng(0).integers(0, 256, (600, 600)).astype(np.uint8)
    textured = (0.5 * disc() + 0.5 * noise).astype(np.uint8)
    assert outlined(textured).mean() <= 0.25
    assert outlined(textured, black=0.1).mean() <= 0.1


def test_both_is_the_edges_and_the_darker_half() -> None:
    picture = read_picture(apple(), (30, 30))
    only, both = (prepare(picture, PictureOptions(edges=edges)).outlined for edges in ("only", "both"))
    areas = prepare(picture, PictureOptions()).start
    assert only is not None
    assert both is not None
    assert (both >= only).all()
    assert (both <= np.maximum(only, areas)).all()
    assert np.count_nonzero(both & areas) >= areas.sum() / 2


def test_in_several_colours_edges_have_the_colour_of_their_area() -> None:
    palette = parse_palette(["white", "#282828", "red"])
    pixels = np.stack([disc()] * 3, axis=2)
    pixels[:300, :, 0][disc()[:300] == 40] = 220
    prepared = prepare(read_picture(pixels, (30, 30)), PictureOptions(edges=Edges.ONLY, palette=palette))
    assert prepared.outlined is not None
    assert set(np.unique(prepared.outlined)) == {0, 1, 2}
    kept = prepared.outlined > 0
    assert np.array_equal(prepared.outlined[kept], prepared.thresholded[kept])
    assert not prepared.outlined[9:13, 13:17].any()


@pytest.mark.parametrize("kind", [Dither.DIFFUSION, Dither.ORDERED])
@pytest.mark.parametrize("shade", [0.2, 0.5, 0.8])
def test_dithered_cells_mix_to_the_shade(kind: Dither, shade: float) -> None:
    grey = Picture(np.full((32, 32), shade))
    black = prepare(grey, PictureOptions(dither=kind)).start
    assert black.mean() == pytest.approx(shade, abs=0.04)
    blocks = black.reshape(4, 8, 4, 8).mean(axis=(1, 3))
    assert np.abs(blocks - shade).max() < 0.15


@pytest.mark.parametrize("kind", ["diffusion", "ordered"])
def test_dithered_colours_mix_to_the_colour(kind: str) -> None:
    rgb = np.full((40, 40, 3), (255, 160, 40), np.uint8)
    rgb[:, 20:] = (120, 120, 255)
    palette = parse_palette(["white", "#ff0000", "#ffff00", "#0000ff"])
    picture = Picture(1 - rgb.mean(axis=2) / 255, rgb)
    prepared = prepare(picture, PictureOptions(palette=palette, dither=kind))
    left, right = (rgb_of(palette)[half].mean(axis=(0, 1)) for half in np.split(prepared.start, 2, axis=1))
    assert np.abs(left - (255, 160, 40)).max() < 45
    assert np.abs(right - (120, 120, 255)).max() < 25


@pytest.mark.parametrize("kind", ["diffusion", "ordered"])
def test_pure_colours_and_transparent_cells_are_not_dithered(kind: str) -> None:
    cells = np.random.default_rng(0).integers(0, 2, (9, 9))
    assert np.array_equal(prepare(Picture(cells.astype(float)), PictureOptions(dither=kind)).start, cells)
    rgba = np.zeros((90, 90, 4), np.uint8)
    rgba[:, 45:] = (120, 120, 120, 255)
    start = prepare(read_picture(rgba, (10, 10)), PictureOptions(dither=kind, palette=BLACK_AND_WHITE)).start
    assert not start[:, :4].any()
    assert start.any()


def test_dithered_edges_are_refused() -> None:
    with pytest.raises(UsageError, match="choose one of them"):
        PictureOptions(edges="only", dither="ordered")
    for wrong in ({"edge_filter": "prewitt"}, {"dither": "yes"}):
        with pytest.raises(UsageError, match="unknown"):
            PictureOptions(**wrong)
