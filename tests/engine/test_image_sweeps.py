"""The sweeps of many images at once, by tables and by propagation, equal those of single puzzles."""

import numpy as np
import pytest

from nonocsp.engine import Interrupted, StopFlag, sweep_image
from nonocsp.engine.images import ImageSweeps


def random_images(shape: tuple[int, int], count: int = 200) -> np.ndarray:
    rng = np.random.default_rng(1)
    return (rng.random((count, *shape)) < rng.uniform(0.2, 0.8, (count, 1, 1))).astype(np.uint8)


@pytest.mark.parametrize(
    "shape",
    [(1, 1), (1, 6), (6, 6), (5, 7), (8, 2), (8, 8), (10, 6), (6, 10), (9, 8), (9, 3), (11, 1), (12, 70)],
)
def test_sweeps_and_open_cells_of_images_agree_with_those_of_their_puzzles(shape):
    images = random_images(shape)
    assert [figures.shape for figures in ImageSweeps(*shape).grade(images[:0])] == [(0,), (0,)]
    sweeps, unknown = ImageSweeps(*shape).grade(images)
    found = [sweep_image(image) for image in images]
    assert sweeps.tolist() == [one.sweeps for one in found]
    assert unknown.tolist() == [int((np.bitwise_count(one.candidates) > 1).sum()) for one in found]


@pytest.mark.parametrize("shape", [(4, 4), (30, 30)])
def test_a_stop_flag_or_the_time_limit_ends_grading(shape):
    sweeps, images, stop = ImageSweeps(*shape), random_images(shape), StopFlag()
    stop.set()
    for given in ({"stop": stop}, {"wall": 0.0}):
        with pytest.raises(Interrupted):
            sweeps.grade(images, **given)
