"""Pruning: nothing stays that is not needed, and what stays is the least visible."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp.engine import Interrupted, images
from nonocsp.making.adapt import change_evaluator
from nonocsp.making.changes import CellChange, differences, visibilities, visibility
from nonocsp.making.generate import Draft, Scene, generate
from nonocsp.making.prune import prune, undo_changes

from .conftest import drafted, random_example, random_scene
from .naive import open_cells

Image = NDArray[np.uint8]


@pytest.mark.parametrize("number", range(1, 24, 3))
def test_undoing_keeps_the_changes_that_are_needed_and_tries_the_most_expensive_first(number: int) -> None:
    scene, earlier = random_example(number)
    tried: list[tuple[int, int]] = []
    with drafted(scene, scene.start, earlier=earlier, seed=number) as draft:
        full = generate(draft)
        needed = (slice(None, len(full) // 2),)

        def accept(image: NDArray[np.uint8]) -> bool:
            (cell,) = np.argwhere(image != draft.image).tolist()
            tried.append(tuple(cell))
            return np.array_equal(image[needed], full[needed])

        undo_changes(draft, accept)
    tried = tried[: np.count_nonzero(full != scene.start)]
    costs = scene.costs(earlier)
    changed = np.argwhere(full != scene.start).tolist()
    assert sorted(tried) == sorted(map(tuple, changed))
    prices = [costs[row, column, full[row, column]] for row, column in tried]
    assert prices == sorted(prices, reverse=True)
    assert np.array_equal(draft.image[needed], full[needed])
    assert np.array_equal(draft.image[needed[0].stop :], scene.start[needed[0].stop :])


def line_gaps(image: Image) -> NDArray[np.bool_]:
    found = images.sweep_image(image).candidates
    is_open: NDArray[np.bool_] = np.bitwise_count(found) > 1
    return is_open


def pruned(scene: Scene, seed: int = 0) -> tuple[Image, Image]:
    """Return what Generate makes of a scene, and what pruning leaves of it."""
    with drafted(scene, scene.start, seed=seed) as draft:
        full = generate(draft)
        prune(draft, line_gaps, lambda image: not line_gaps(image).any())
        return full, draft.image


@pytest.mark.parametrize("clears", [False, True], ids=["adding", "clearing too"])
@pytest.mark.parametrize("seed", range(6))
def test_pruned_images_are_simple_and_no_change_can_be_undone(seed: int, clears: bool) -> None:
    scene = random_scene((10, 10, 1 + seed % 2), seed, clears=clears, visible=32.0)
    full, image = pruned(scene, seed)
    colours = scene.far.shape[2] - 1
    assert open_cells(image, colours) == 0
    assert np.count_nonzero(image != scene.start) <= np.count_nonzero(full != scene.start)
    for change in differences(scene.start, image):
        without = image.copy()
        without[change.row, change.column] = change.before
        assert open_cells(without, colours) > 0
        assert clears or change.before == 0


@pytest.mark.parametrize("seed", range(3))
def test_an_interruption_at_any_moment_leaves_an_accepted_image(seed: int) -> None:
    scene = random_scene((10, 10, 1), seed, clears=False, visible=32.0)
    interruptions = 0
    for most in range(40):
        with drafted(scene, scene.start, seed=seed) as draft:
            generate(draft)
            looks = iter(range(most))

            def accept(image: Image, looks: Iterator[int] = looks) -> bool:
                if next(looks, None) is None:
                    raise Interrupted("the time is over")
                return not line_gaps(image).any()

            try:
                prune(draft, line_gaps, accept)
            except Interrupted:
                interruptions += 1
            assert open_cells(draft.image, 1) == 0
    assert interruptions > 3


def test_two_changes_are_replaced_by_one_that_suffices() -> None:
    start = np.zeros((4, 4), np.uint8)
    start[[0, 1], [0, 1]] = 1  # the two diagonals of a 2x2 have the same clues
    crowded = start.copy()
    crowded[[0, 3], [1, 3]] = 1
    scene = Scene(np.full((4, 4, 2), 100.0), start, visible=32.0)
    with change_evaluator(2, 1, None) as evaluator:
        draft = Draft(crowded, scene, np.zeros((4, 4, 2), np.int64), evaluator, np.random.default_rng(0))
        prune(draft, line_gaps, lambda image: not line_gaps(image).any())
    assert np.count_nonzero(draft.image != start) == 1


@pytest.mark.parametrize("seed", range(20))
def test_the_visibility_of_all_changes_is_that_of_each(seed: int) -> None:
    rng = np.random.default_rng(seed)
    colours = 2 + seed % 2
    cells = rng.integers(0, colours, (5, 6)).astype(np.uint8)
    before = rng.integers(0, colours, (5, 6)).astype(np.uint8)
    table = visibilities(cells, before, colours)
    for (row, column, after), seen in np.ndenumerate(table):
        change = CellChange(row, column, int(before[row, column]), after)
        assert seen == pytest.approx(visibility(cells, [change]))
