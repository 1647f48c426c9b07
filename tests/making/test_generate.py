"""Generate, Vary and what goes beyond the paper, on random images."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp.engine import LineSolver
from nonocsp.making.adapt import change_evaluator
from nonocsp.making.colours import distances
from nonocsp.making.drawings import apple
from nonocsp.making.generate import Draft, Scene, Weights, generate, undo_changes
from nonocsp.making.init import Edges, PictureOptions, prepare
from nonocsp.making.picture import read_picture
from nonocsp.making.vary import vary, wander
from nonocsp.model import Grid, Palette, Puzzle

SHAPES = [(1, 1, 1), (8, 8, 1), (15, 11, 1), (9, 10, 3)]
"""Rows, columns, colours."""


def is_simple(image: NDArray[np.uint8], colours: int) -> bool:
    puzzle = Puzzle.from_grid(Grid.from_cells(image), palette=Palette.of(colours))
    return Grid(LineSolver(puzzle).propagate().candidates).is_full


def scene(shape: tuple[int, int, int], seed: int, **settings: object) -> Scene:
    rows, columns, colours = shape
    rng = np.random.default_rng([*shape, seed])
    start = (rng.integers(1, colours + 1, (rows, columns)) * (rng.random((rows, columns)) < 0.4)).astype(
        np.uint8
    )
    return Scene(rng.integers(0, 256, (rows, columns, colours + 1)).astype(float), start, **settings)  # type: ignore[arg-type]


def generated(
    made_of: Scene, *, earlier: NDArray[np.int64] | None = None, seed: int = 0, jobs: int = 1
) -> NDArray:
    with change_evaluator(made_of.far.shape[2], jobs, None) as evaluator:
        before = np.zeros(made_of.far.shape, np.int64) if earlier is None else earlier
        return generate(Draft(made_of.start, made_of, before, evaluator, np.random.default_rng(seed)))


@pytest.mark.parametrize("clears", [False, True], ids=["adding", "clearing too"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_generate_ends_with_a_simple_image(shape: tuple[int, int, int], seed: int, clears: bool) -> None:
    assert is_simple(generated(scene(shape, seed, clears=clears)), shape[2])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_without_clearing_cells_only_gain_colour(shape: tuple[int, int, int]) -> None:
    made_of = scene(shape, 5)
    image = generated(made_of)
    assert np.array_equal(image[made_of.start > 0], made_of.start[made_of.start > 0])


def test_clearing_keeps_a_picture_from_drifting_dark() -> None:
    prepared = prepare(read_picture(apple(), (24, 24)), PictureOptions(edges=Edges.ONLY))
    far = distances(prepared.picture, prepared.palette)
    black = [generated(Scene(far, prepared.start, clears=clears)).sum() for clears in (False, True)]
    assert black[1] - prepared.start.sum() < (black[0] - prepared.start.sum()) * 0.7


def test_the_same_seed_gives_the_same_image_on_any_number_of_threads() -> None:
    made_of = scene((15, 15, 1), 7)
    first, second = generated(made_of, seed=3, jobs=1), generated(made_of, seed=3, jobs=3)
    assert np.array_equal(first, second)


def test_ties_are_broken_by_the_seed() -> None:
    flat = Scene(np.zeros((12, 12, 2)), scene((12, 12, 1), 1).start)
    assert len({generated(flat, seed=seed).tobytes() for seed in range(5)}) > 1


def test_gamma_makes_an_image_differ_from_earlier_ones_and_beta_keeps_it_near_the_picture() -> None:
    weights = Weights(alpha=8.0, beta=1.0, gamma=400.0)
    plain, diverse = scene((15, 15, 1), 9), scene((15, 15, 1), 9, weights=weights)
    first = generated(plain)
    earlier = (first[..., np.newaxis] == np.arange(2)).astype(np.int64)
    second = generated(diverse, earlier=earlier)
    added = [(image == 1) & (plain.start == 0) for image in (first, second)]
    assert np.count_nonzero(added[0] & added[1]) < np.count_nonzero(added[0]) / 2


def test_a_costly_cell_stays_as_it_is_if_others_do() -> None:
    start = np.zeros((4, 4), np.uint8)
    start[[0, 1], [0, 1]] = 1  # the two diagonals of a 2x2 have the same clues
    far = np.full((4, 4, 2), 200.0)
    far[0, 1, 1] = 0.0
    expected = start.copy()
    expected[0, 1] = 1
    assert np.array_equal(generated(Scene(far, start)), expected)


@pytest.mark.parametrize("clears", [False, True], ids=["adding", "clearing too"])
def test_variations_change_one_more_cell_each_and_end(clears: bool) -> None:
    made_of = scene((6, 7, 1), 2, clears=clears)
    image = generated(made_of)
    with change_evaluator(2, 1, None) as evaluator:
        draft = Draft(image, made_of, np.zeros((6, 7, 2), np.int64), evaluator, np.random.default_rng(0))
        images = list(islice(vary(draft), 200))
    steps = [np.count_nonzero(a != b) for a, b in zip([image, *images], images, strict=False)]
    assert set(steps) == {1}
    assert images[-1].all()
    assert len(images) == (np.count_nonzero(image == 0) if not clears else len(images)) < 200


def test_taking_back_leaves_what_is_needed_only() -> None:
    made_of = scene((12, 12, 1), 4)
    with change_evaluator(2, 1, None) as evaluator:
        draft = Draft(
            made_of.start, made_of, np.zeros((12, 12, 2), np.int64), evaluator, np.random.default_rng(0)
        )
        full = generate(draft)
        undo_changes(draft, lambda image: bool(image[:6].sum() >= full[:6].sum()))
    assert np.array_equal(draft.image[:6], full[:6])
    assert np.array_equal(draft.image[6:], made_of.start[6:])


def test_wandering_goes_only_where_it_is_welcome_and_simple() -> None:
    made_of = scene((12, 12, 1), 6, clears=True)
    with change_evaluator(2, 1, None) as evaluator:
        draft = Draft(
            made_of.start, made_of, np.zeros((12, 12, 2), np.int64), evaluator, np.random.default_rng(0)
        )
        most = generate(draft).sum() + 3
        images = list(wander(draft, lambda image: image.sum() <= most, 60))
    assert images
    assert all(is_simple(image, 1) and image.sum() <= most for image in images)
