"""Generate against figure 7 as written, and what goes beyond the paper, on random images."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp.making.colours import distances
from nonocsp.making.drawings import apple
from nonocsp.making.generate import Scene, Weights, depart, generate
from nonocsp.making.init import Edges, PictureOptions, prepare
from nonocsp.making.picture import read_picture
from nonocsp.model import UsageError

from .conftest import drafted, random_example, random_scene
from .naive import NaiveDraft, open_cells

SHAPES = [(1, 1, 1), (8, 8, 1), (15, 11, 1), (9, 10, 3)]
"""Rows, columns, colours."""
EXAMPLES = range(96)


def generated(
    scene: Scene, *, earlier: NDArray[np.int64] | None = None, seed: int = 0, jobs: int = 1
) -> NDArray[np.uint8]:
    with drafted(scene, scene.start, earlier=earlier, seed=seed, jobs=jobs) as draft:
        return generate(draft)


@cache
def naively_generated(number: int) -> bytes:
    scene, earlier = random_example(number)
    return NaiveDraft(scene.start, scene, earlier, number).generate().tobytes()


@pytest.mark.parametrize("number", EXAMPLES)
def test_generate_ends_with_the_image_found_by_trying_every_change(number: int) -> None:
    scene, earlier = random_example(number)
    assert generated(scene, earlier=earlier, seed=number).tobytes() == naively_generated(number)


def with_weights(scene: Scene, **weights: float) -> Scene:
    return replace(scene, weights=replace(scene.weights, **weights))


WRONG: dict[str, Callable[[Scene], Scene]] = {
    "alpha ignored": lambda scene: with_weights(scene, alpha=0.0),
    "beta ignored": lambda scene: with_weights(scene, beta=0.0),
    "gamma ignored": lambda scene: with_weights(scene, gamma=0.0),
    "cleared against the option": lambda scene: replace(scene, clears=True),
    "not cleared against the option": lambda scene: replace(scene, clears=False),
}


@pytest.mark.parametrize("rule", WRONG)
def test_the_examples_expose_wrong_rules(rule: str) -> None:
    ends = [
        NaiveDraft(scene.start, WRONG[rule](scene), earlier, number).generate().tobytes()
        for number, (scene, earlier) in ((number, random_example(number)) for number in EXAMPLES)
    ]
    assert sum(end != naively_generated(number) for number, end in zip(EXAMPLES, ends, strict=True)) >= 5


@pytest.mark.parametrize("clears", [False, True], ids=["adding", "clearing too"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_generate_ends_with_a_simple_image(shape: tuple[int, int, int], seed: int, clears: bool) -> None:
    assert open_cells(generated(random_scene(shape, seed, clears=clears)), shape[2]) == 0


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_without_clearing_cells_only_gain_colour(shape: tuple[int, int, int]) -> None:
    scene = random_scene(shape, 5)
    image = generated(scene)
    assert np.array_equal(image[scene.start > 0], scene.start[scene.start > 0])


def test_clearing_keeps_a_picture_from_becoming_too_dark() -> None:
    prepared = prepare(read_picture(apple(), (28, 28)), PictureOptions(edges=Edges.ONLY))
    far = distances(prepared.picture, prepared.palette)
    black = [generated(Scene(far, prepared.start, clears=clears)).sum() for clears in (False, True)]
    assert black[1] - prepared.start.sum() < (black[0] - prepared.start.sum()) * 0.7


def test_the_same_seed_gives_the_same_image_on_any_number_of_threads() -> None:
    scene = random_scene((15, 15, 1), 7)
    first, second = generated(scene, seed=3, jobs=1), generated(scene, seed=3, jobs=3)
    assert np.array_equal(first, second)


def test_the_seed_breaks_ties_between_equal_changes() -> None:
    flat = Scene(np.zeros((12, 12, 2)), random_scene((12, 12, 1), 1).start)
    assert len({generated(flat, seed=seed).tobytes() for seed in range(5)}) > 1


def test_a_high_gamma_makes_an_image_differ_from_earlier_ones() -> None:
    plain = random_scene((15, 15, 1), 9)
    first = generated(plain)
    earlier = (first[..., np.newaxis] == np.arange(2)).astype(np.int64)
    second = generated(with_weights(plain, gamma=400.0), earlier=earlier)
    added = [(image == 1) & (plain.start == 0) for image in (first, second)]
    assert np.count_nonzero(added[0] & added[1]) < np.count_nonzero(added[0]) / 2


def test_the_cell_closest_to_the_picture_changes() -> None:
    start = np.zeros((4, 4), np.uint8)
    start[[0, 1], [0, 1]] = 1  # the two diagonals of a 2x2 have the same clues
    far = np.full((4, 4, 2), 200.0)
    far[0, 1, 1] = 0.0
    expected = start.copy()
    expected[0, 1] = 1
    assert np.array_equal(generated(Scene(far, start)), expected)


@pytest.mark.parametrize("clears", [False, True], ids=["adding", "clearing too"])
def test_departing_makes_an_image_differ_from_each_earlier_one_as_much_as_asked(clears: bool) -> None:
    scene = random_scene((8, 8, 2), 3, clears=clears)
    near, far = scene.start.copy(), 2 - scene.start
    near[0] = 1
    with drafted(scene, scene.start) as draft:
        assert depart(draft, [(scene.start, 3), (near, 7), (far, 5)])
        distances = [np.count_nonzero(draft.image != image) for image in (scene.start, near, far)]
        assert all(np.array(distances) >= (3, 7, 5))
        assert not depart(draft, [(scene.start, 65)])


@pytest.mark.parametrize("weight", [-1e-9, float("inf"), float("nan")])
@pytest.mark.parametrize("name", ["alpha", "beta", "gamma"])
def test_a_weight_is_finite_and_not_negative(name: str, weight: float) -> None:
    Weights(**{name: 0.0})
    with pytest.raises(UsageError, match="finite, and 0 or more"):
        Weights(**{name: weight})
