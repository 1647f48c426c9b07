"""Likeness is that of a plain computation, window by window; changes at a rim are hardest to see."""

from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from nonocsp.making.colours import parse_palette
from nonocsp.making.likeness import CellChange, likeness, visibilities, visibility
from nonocsp.making.picture import Picture
from nonocsp.model import BLACK_AND_WHITE, Palette
from nonocsp.model.oklab import oklab

FLAG = parse_palette(["white", "#d02020", "#2020d0", "#202020"])
TINY = [(1, 1), (1, 7), (2, 2), (3, 5), (7, 7)]


def random_cells(shape: tuple[int, int], colours: int = 2, seed: int = 0) -> NDArray[np.uint8]:
    return np.random.default_rng(seed).integers(0, colours, shape).astype(np.uint8)


def drawn(cells: NDArray[np.uint8], palette: Palette = BLACK_AND_WHITE) -> Picture:
    rgb = np.array([list(bytes.fromhex(colour.rgb[1:])) for colour in palette.colours], np.uint8)[cells]
    return Picture(1 - rgb.mean(axis=2) / 255, rgb)


@pytest.mark.parametrize("shape", [*TINY, (20, 31)])
@pytest.mark.parametrize("palette", [BLACK_AND_WHITE, FLAG], ids=["black and white", "colours"])
def test_equal_images_are_alike_and_so_is_the_picture_of_the_image(shape, palette):
    cells = random_cells(shape, len(palette))
    assert likeness(cells, cells, palette) == pytest.approx(1)
    if palette == FLAG or np.ptp(cells):
        assert likeness(cells, drawn(cells, palette), palette) == pytest.approx(1)


def plain_likeness(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Compute it from the definition: windows of 3x3 of mirrored images, in three views."""

    def blocks(lab: NDArray[np.float64], side: int) -> NDArray[np.float64]:
        rows, columns = (range(0, length, side) for length in lab.shape[:2])
        return np.array([[lab[r : r + side, c : c + side].mean(axis=(0, 1)) for c in columns] for r in rows])

    def similarity(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
        scores = []
        one, other = (np.pad(lab, ((1, 1), (1, 1), (0, 0)), mode="symmetric") for lab in (one, other))
        for row, column in np.ndindex(one.shape[0] - 2, one.shape[1] - 2):
            x, y = (lab[row : row + 3, column : column + 3].reshape(9, 3) for lab in (one, other))
            apart = ((x.mean(axis=0) - y.mean(axis=0)) ** 2).sum()
            x, y = x - x.mean(axis=0), y - y.mean(axis=0)
            covariance, variances = (x * y).sum() / 9, ((x * x).sum() + (y * y).sum()) / 9
            scores.append((1 - apart) * (2 * covariance + 0.0009) / (variances + 0.0009))
        return fmean(scores)

    views = [side for side in (1, 2, 4) if side <= min(one.shape[:2])]
    return max(0.0, fmean(similarity(blocks(one, side), blocks(other, side)) for side in views))


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 1000))
def test_the_likeness_is_that_of_the_definition(rows, columns, seed):
    one, other = (random_cells((rows, columns), len(FLAG), seed + more) for more in (0, 1))
    expected = plain_likeness(oklab(drawn(one, FLAG).colours), oklab(drawn(other, FLAG).colours))
    assert likeness(one, other, FLAG) == pytest.approx(expected, abs=1e-9)
    assert likeness(one, other, FLAG) == likeness(other, one, FLAG)


def test_a_puzzle_in_black_and_white_is_compared_with_the_shades_of_the_picture():
    cells = random_cells((12, 12))
    assert likeness(cells, drawn(cells, parse_palette(["#ffe0e0", "#a02020"])), BLACK_AND_WHITE) > 0.99
    assert likeness(cells, drawn(1 - cells), BLACK_AND_WHITE) < 0.05


@pytest.mark.parametrize("seed", range(20))
def test_the_visibility_of_all_changes_is_that_of_each(seed):
    colours = 2 + seed % 2
    cells, before = (random_cells((5, 6), colours, 2 * seed + more) for more in (0, 1))
    for (row, column, after), seen in np.ndenumerate(visibilities(cells, before, colours)):
        change = CellChange(row, column, int(before[row, column]), after)
        assert seen == pytest.approx(visibility(cells, [change]))
