"""Vary against figure 9 as written, and changes at random."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp.making.generate import generate
from nonocsp.making.vary import CHEAP, vary, wander

from .conftest import drafted, random_example, random_scene
from .naive import NaiveDraft, open_cells


@pytest.mark.parametrize("number", range(24))
def test_vary_makes_the_best_change_at_each_step(number: int) -> None:
    scene, earlier = random_example(number)
    with drafted(scene, scene.start, earlier=earlier, seed=number) as draft:
        images = list(islice(vary(draft), 12))
    expected = list(islice(NaiveDraft(scene.start, scene, earlier, number).vary(), 12))
    assert [image.tobytes() for image in images] == [image.tobytes() for image in expected]


@pytest.mark.parametrize("clears", [False, True], ids=["adding", "clearing too"])
def test_variations_change_one_more_cell_each_and_end_when_none_is_white(clears: bool) -> None:
    scene = random_scene((6, 7, 1), 2, clears=clears)
    with drafted(scene, scene.start) as draft:
        image = generate(draft)
    with drafted(scene, image) as draft:
        images = list(islice(vary(draft), 200))
    steps = [np.count_nonzero(a != b) for a, b in zip([image, *images], images, strict=False)]
    assert set(steps) == {1}
    assert images[-1].all()
    assert len(images) < 200
    assert clears or len(images) == np.count_nonzero(image == 0)


@pytest.mark.parametrize("clears", [False, True], ids=["adding", "clearing too"])
def test_random_changes_are_cheap_and_keep_the_image_simple_and_accepted(clears: bool) -> None:
    scene = random_scene((12, 12, 1), 6, clears=clears)
    with drafted(scene, scene.start) as draft:
        start = generate(draft)
    refused: list[NDArray[np.uint8]] = []

    def accept(image: NDArray[np.uint8]) -> bool:
        assert open_cells(image, 1) == 0
        if image.sum() > start.sum() + 3:
            refused.append(image)
        return bool(image.sum() <= start.sum() + 3)

    with drafted(scene, start) as draft:
        before, images, shares = start, [], []
        for image in wander(draft, accept, 60):
            (cell,) = np.argwhere(image != before)
            allowed = (before != image[tuple(cell)]) if clears else before == 0
            cost = draft.costs(np.array([[*cell, image[tuple(cell)]]]))[0]
            shares.append(np.mean(scene.costs(np.zeros((12, 12, 2)))[allowed][:, 1] < cost))
            images.append(image)
            before = image
    assert len(images) >= 3
    assert refused
    assert all(image.sum() <= start.sum() + 3 for image in images)
    assert clears or max(shares) <= 1 / CHEAP


def test_random_changes_end_at_the_requested_number_or_when_none_is_left() -> None:
    scene = random_scene((12, 12, 1), 6)
    with drafted(scene, scene.start) as draft:
        start = generate(draft)
    for steps in (0, 1, 5):
        with drafted(scene, start) as draft:
            assert len(list(wander(draft, lambda image: True, steps))) <= steps
    with drafted(scene, np.ones((12, 12), np.uint8)) as draft:
        assert list(wander(draft, lambda image: True, 5)) == []
