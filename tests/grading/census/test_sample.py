"""Samples: random images, graded as the reference does, and intervals as the textbooks have them."""

from math import sqrt

import numpy as np
import pytest
from scipy import stats

from nonocsp.grading.census.counts import Difficulties
from nonocsp.grading.census.pools import threads
from nonocsp.grading.census.sample import CHUNK, Chunk, ImageSample, grade, random_images, take_sample
from nonocsp.model import Grid, Palette, Puzzle, UsageError
from tests import oracle

Z = 1.959963984540054
"""The quantile of the normal distribution that leaves 2.5 % above it."""


def taken(rows: int, columns: int, images: int, seed: int, jobs: int = 1) -> ImageSample:
    with threads(jobs) as pool:
        return take_sample(rows, columns, images, pool, seed=seed)


def difficulty(image: np.ndarray) -> int:
    puzzle = Puzzle.from_grid(Grid.from_cells(image), palette=Palette.of(1))
    grid, sweeps = oracle.fixpoint(puzzle, [[3] * image.shape[1] for _ in range(image.shape[0])])
    assert grid is not None
    return sweeps if all(cell in (1, 2) for row in grid for cell in row) else 0


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (3, 4), (6, 5), (12, 9)])
def test_images_are_graded_like_the_reference(rows, columns):
    chunk = Chunk(rows, columns, seed=5, number=0, images=60)
    seen = np.bincount([difficulty(image) for image in random_images(chunk)])
    assert grade(chunk) == Difficulties(60, tuple(seen[1:].tolist()))


def test_a_seed_gives_the_same_images_in_every_pool():
    alone, together = taken(5, 5, 2 * CHUNK + 7, seed=3), taken(5, 5, 2 * CHUNK + 7, seed=3, jobs=3)
    assert alone == together
    assert alone.difficulties.images == 2 * CHUNK + 7
    assert alone != taken(5, 5, 2 * CHUNK + 7, seed=4)


def test_all_images_are_equally_likely():
    images = random_images(Chunk(2, 2, seed=1, number=0, images=16000))
    seen = np.bincount(images.reshape(-1, 4) @ [1, 2, 4, 8], minlength=16)
    assert stats.chisquare(seen).pvalue > 0.001
    other = random_images(Chunk(2, 2, seed=1, number=1, images=16000))
    assert abs(np.corrcoef(images.ravel(), other.ravel())[0, 1]) < 0.02


@pytest.mark.parametrize(("simple", "images"), [(0, 10), (3, 40), (40, 40), (5100, 10000)])
def test_shares_have_wilson_intervals(simple, images):
    share = ImageSample(9, 9, 0, Difficulties(images, (simple,))).share(simple)
    p = simple / images
    centre = (p + Z**2 / (2 * images)) / (1 + Z**2 / images)
    margin = Z / (1 + Z**2 / images) * sqrt(p * (1 - p) / images + Z**2 / (4 * images**2))
    assert share.value == p
    assert (share.low, share.high) == pytest.approx((centre - margin, centre + margin), abs=1e-12)


@pytest.mark.parametrize("histogram", [(1, 1), (0, 12, 30, 7, 0, 1), (2, 300, 5)])
def test_means_have_student_intervals(histogram):
    mean = ImageSample(9, 9, 0, Difficulties(1000, histogram)).mean()
    values = np.repeat(np.arange(1, len(histogram) + 1), histogram)
    low, high = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert mean == pytest.approx((values.mean(), low, high))
    assert ImageSample(9, 9, 0, Difficulties(10, (0, 0, 1))).mean() is None


@pytest.mark.parametrize(("rows", "columns"), [(5000, 2), (2, 5000), (0, 2)])
def test_an_impossible_size_is_an_error(rows, columns):
    with pytest.raises(UsageError, match=f"{rows}x{columns}: a puzzle has 1 to 4096 rows and columns"):
        taken(rows, columns, 1, seed=0)
