"""Trials of changes to an image, against line solving of every changed image."""

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp.engine import Interrupted, LineSolver, StopFlag
from nonocsp.engine.images import ImageTrials
from nonocsp.model import Grid, Palette, Puzzle

SHAPES = [(1, 1, 1), (1, 7, 1), (6, 1, 2), (6, 7, 1), (5, 6, 3), (9, 9, 1), (3, 70, 1), (66, 2, 2)]
"""Rows, columns, colours."""


def random_image(rows: int, columns: int, colours: int, seed: int) -> NDArray[np.uint8]:
    rng = np.random.default_rng([rows, columns, colours, seed])
    filled = rng.random((rows, columns)) < 0.55
    return (rng.integers(1, colours + 1, (rows, columns)) * filled).astype(np.uint8)


def fixpoint(image: NDArray[np.uint8], colours: int) -> NDArray[np.uint64]:
    puzzle = Puzzle.from_grid(Grid.from_cells(image), palette=Palette.of(colours))
    return LineSolver(puzzle).propagate().candidates


def open_cells(candidates: NDArray[np.uint64]) -> int:
    return int(np.count_nonzero(np.bitwise_count(candidates) > 1))


def every_change(image: NDArray[np.uint8], colours: int) -> NDArray[np.int32]:
    changes = np.argwhere(np.ones((*image.shape, colours + 1)))
    return changes[image[tuple(changes[:, :2].T)] != changes[:, 2]].astype(np.int32)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", [0, 1])
def test_open_cells_after_a_change_are_those_of_the_changed_image(shape, seed):
    *_, colours = shape
    image = random_image(*shape, seed)
    trials = ImageTrials(image, colours + 1, None, None)
    assert np.array_equal(trials.known(), fixpoint(image, colours))
    changes = every_change(image, colours)
    exact = trials.open_after(changes, False, None, None)
    least = trials.open_after(changes, True, None, None)
    for (row, column, colour), count in zip(changes, exact, strict=True):
        changed = image.copy()
        changed[row, column] = colour
        assert count == open_cells(fixpoint(changed, colours))
    assert np.all(least <= exact)


def test_trials_can_be_stopped():
    image = random_image(9, 9, 1, 1)
    trials = ImageTrials(image, 2, None, None)
    stop = StopFlag()
    stop.set()
    with pytest.raises(Interrupted):
        trials.open_after(every_change(image, 1), False, stop, None)
    with pytest.raises(Interrupted):
        ImageTrials(image, 2, stop, None)


def test_threads_count_the_same_and_a_best_change_needs_a_cost_for_each():
    image = (np.random.default_rng(5).random((9, 12)) < 0.4).astype(np.uint8)
    trials, changes = ImageTrials(image, 2, None, None), every_change(image, 1)
    costs = np.zeros(len(changes))
    for least in (False, True):
        alone, together = (trials.open_after(changes, least, None, None, jobs) for jobs in (1, 3))
        assert alone.tolist() == together.tolist()
    open_cells = trials.open_after(changes, False, None, None)
    assert trials.best_change(changes, costs, 1.0, None, None, 3) == open_cells.argmin()
    for wrong in (changes[:0], changes[1:]):
        with pytest.raises(ValueError, match="a cost for each change"):
            trials.best_change(wrong, costs, 1.0, None, None)
    with pytest.raises(ValueError, match="outside the image"):
        trials.best_change(changes + 50, costs, 1.0, None, None, 3)
