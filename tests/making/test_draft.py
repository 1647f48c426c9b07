"""Generate, Vary and prune against figures 7 and 9 as written, and what goes beyond the paper."""

from collections.abc import Iterator
from functools import cache
from itertools import islice

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp.engine import Interrupted, images
from nonocsp.making.draft import (
    CHEAP,
    Scene,
    depart,
    generate,
    prune,
    vary,
    wander,
)
from nonocsp.making.likeness import differences

from .conftest import drafted, random_example, random_scene
from .naive import NaiveDraft, open_cells

Image = NDArray[np.uint8]
EXAMPLES = range(24)
clearing = pytest.mark.parametrize("clears", [False, True], ids=["adding", "clearing too"])


def generated(
    scene: Scene, *, earlier: NDArray[np.int64] | None = None, seed: int = 0, jobs: int = 1
) -> Image:
    return generate(drafted(scene, scene.start, earlier=earlier, seed=seed, jobs=jobs))


@cache
def naively_generated(number: int) -> bytes:
    scene, earlier = random_example(number)
    return NaiveDraft(scene.start, scene, earlier, number).generate().tobytes()


@pytest.mark.parametrize("number", EXAMPLES)
def test_generate_ends_with_the_image_found_by_trying_every_change(number):
    scene, earlier = random_example(number)
    for jobs in (1, 3):
        found = generated(scene, earlier=earlier, seed=number, jobs=jobs)
        assert found.tobytes() == naively_generated(number)


def diagonals() -> Image:
    """Return two diagonal cells, whose clues fit the other two as well."""
    start = np.zeros((4, 4), np.uint8)
    start[[0, 1], [0, 1]] = 1
    return start


def test_the_cell_closest_to_the_picture_changes():
    far = np.full((4, 4, 2), 200.0)
    far[0, 1, 1] = 0.0
    assert np.argwhere(generated(Scene(far, diagonals())) != diagonals()).tolist() == [[0, 1]]


@clearing
def test_departing_makes_an_image_differ_from_each_earlier_one_as_much_as_asked(clears):
    scene = random_scene((8, 8, 2), 3, clears=clears)
    near, far = scene.start.copy(), 2 - scene.start
    near[0] = 1
    draft = drafted(scene, scene.start)
    assert depart(draft, [(scene.start, 3), (near, 7), (far, 5)])
    distances = [np.count_nonzero(draft.image != image) for image in (scene.start, near, far)]
    assert all(np.array(distances) >= (3, 7, 5))
    assert not depart(draft, [(scene.start, 65)])


@pytest.mark.parametrize("number", range(24))
def test_vary_makes_the_best_change_at_each_step(number):
    scene, earlier = random_example(number)
    images = list(islice(vary(drafted(scene, scene.start, earlier=earlier, seed=number)), 12))
    expected = list(islice(NaiveDraft(scene.start, scene, earlier, number).vary(), 12))
    assert [image.tobytes() for image in images] == [image.tobytes() for image in expected]


@clearing
def test_random_changes_are_cheap_and_keep_the_image_simple_and_accepted(clears):
    scene = random_scene((12, 12, 1), 6, clears=clears)
    start = generated(scene)
    refused = 0

    def accept(image: Image) -> bool:
        nonlocal refused
        assert open_cells(image, 1) == 0
        is_light = bool(image.sum() <= start.sum() + 3)
        refused += not is_light
        return is_light

    draft, before, shares = drafted(scene, start), start, []
    for image in wander(draft, accept, 60):
        (cell,) = np.argwhere(image != before)
        allowed = (before != image[tuple(cell)]) if clears else before == 0
        cost = draft.costs(np.array([[*cell, image[tuple(cell)]]]))[0]
        shares.append(np.mean(scene.costs(np.zeros((12, 12, 2)))[allowed][:, 1] < cost))
        assert image.sum() <= start.sum() + 3
        before = image
    assert len(shares) >= 3
    assert refused
    assert clears or max(shares) <= 1 / CHEAP
    assert len(list(wander(drafted(scene, start), lambda image: True, 1))) <= 1
    assert clears or not list(wander(drafted(scene, np.ones((12, 12), np.uint8)), lambda image: True, 5))


def line_gaps(image: Image) -> NDArray[np.bool_]:
    is_open: NDArray[np.bool_] = np.bitwise_count(images.sweep_image(image).candidates) > 1
    return is_open


@clearing
@pytest.mark.parametrize("seed", range(6))
def test_pruned_images_are_simple_and_no_change_can_be_undone(seed, clears):
    scene = random_scene((10, 10, 1 + seed % 2), seed, clears=clears, visible=32.0)
    draft = drafted(scene, scene.start, seed=seed)
    full = generate(draft)
    prune(draft, line_gaps, lambda image: not line_gaps(image).any())
    colours = scene.far.shape[2] - 1
    assert open_cells(draft.image, colours) == 0
    assert np.count_nonzero(draft.image != scene.start) <= np.count_nonzero(full != scene.start)
    for change in differences(scene.start, draft.image):
        without = draft.image.copy()
        without[change.row, change.column] = change.before
        assert open_cells(without, colours) > 0
        assert clears or change.before == 0


def test_an_interruption_at_any_moment_leaves_an_accepted_image():
    scene = random_scene((10, 10, 1), 0, clears=False, visible=32.0)
    interruptions = 0
    for most in range(40):
        draft = drafted(scene, scene.start)
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


def test_two_changes_are_replaced_by_one_that_suffices():
    crowded = diagonals()
    crowded[[0, 3], [1, 3]] = 1
    draft = drafted(Scene(np.full((4, 4, 2), 100.0), diagonals(), visible=32.0), crowded)
    prune(draft, line_gaps, lambda image: not line_gaps(image).any())
    assert np.count_nonzero(draft.image != diagonals()) == 1
