"""Nothing changes that need not, every change is told, and several puzzles of a picture differ."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

import nonocsp
from nonocsp.making.drawings import apple
from nonocsp.making.puzzles import Generated, Production

Image = NDArray[np.uint8]
INKS = np.array([[255, 255, 255], [0, 0, 0], [208, 32, 32]], np.uint8)


@st.composite
def drawings(draw: st.DrawFn) -> Image:
    """Draw pixels in black, white and perhaps red; at least two colours, white among them."""
    shape = (draw(st.integers(2, 7)), draw(st.integers(2, 7)))
    cells = draw(arrays(np.uint8, shape, elements=st.integers(0, draw(st.integers(1, 2)))))
    cells[0, 0], cells[-1, -1] = 0, 1
    return INKS[cells]


def is_unique(puzzle: nonocsp.Puzzle) -> bool:
    outcomes = [nonocsp.solve(puzzle, backend=backend) for backend in ("hybrid", "sat")]
    return all(one.answer == "unique" and one.solutions == (puzzle.goal,) for one in outcomes)


def with_changes(production: Production, one: Generated) -> Image:
    image = production.prepared.start.copy()
    for row, column, before, after in one.changes:
        assert image[row, column] == before != after
        image[row, column] = after
    return image


@settings(max_examples=50)
@given(drawings())
def test_a_unique_drawing_comes_back_bit_for_bit_and_every_other_one_becomes_unique(pixels: Image) -> None:
    production = nonocsp.generate(pixels)
    (one,) = production
    prepared = production.prepared
    palette = [list(bytes.fromhex(colour.rgb[1:])) for colour in prepared.palette.colours]
    assert np.array_equal(np.array(palette)[prepared.start], pixels)
    start = nonocsp.Puzzle.from_grid(nonocsp.Grid.from_cells(prepared.start), palette=prepared.palette)
    was_unique = is_unique(start)
    assert is_unique(one.puzzle)
    assert (not one.changes) == was_unique
    assert (one.likeness == 1) == was_unique
    assert np.array_equal(with_changes(production, one), one.image)


@pytest.mark.slow
@settings(max_examples=25)
@given(drawings(), st.integers(1, 4), st.sampled_from(["unique", "simple", "fp1"]), st.integers(0, 3))
def test_several_puzzles_are_unique_and_as_far_apart_as_asked(
    pixels: Image, apart: int, class_: str, most: int
) -> None:
    wishes = {"count": 4, "apart": apart, "class_": class_, "vary": 2, "seed": most}
    production = nonocsp.generate(pixels, max_changes=most, **wishes)
    made = list(production)
    assert (len(made) < 4) == bool(production.shortage)
    assert all(len(one.changes) <= most for one in made[1:])
    assert all(one.is_wanted == (len(one.changes) <= most) for one in made)
    for one, other in combinations(made, 2):
        assert np.count_nonzero(one.image != other.image) >= apart
    every = [each.puzzle for one in made for each in (one, *one.varied)]
    assert len({puzzle.canonical_hash for puzzle in every}) == len(every)
    for one in made:
        assert is_unique(one.puzzle)
        assert np.array_equal(with_changes(production, one), one.image)
        assert class_ != "simple" or one.is_simple


@pytest.mark.parametrize("seed", [0, 2, 3])
def test_undoing_any_single_change_leaves_a_puzzle_that_is_not_unique(seed: int) -> None:
    noise = np.random.default_rng(seed).random((9, 9)) < 0.4
    production = nonocsp.generate((~noise * 255).astype(np.uint8))
    (one,) = production
    assert one.changes
    for change in one.changes:
        image = one.image.copy()
        image[change.row, change.column] = change.before
        assert nonocsp.solve(nonocsp.Puzzle.from_grid(nonocsp.Grid.from_cells(image))).answer == "multiple"


def test_an_ambiguous_drawing_changes_one_cell_where_one_suffices() -> None:
    cells = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1]])
    (one,) = nonocsp.generate((255 * (1 - cells)).astype(np.uint8))
    assert len(one.changes) == 1


def test_eight_puzzles_of_the_apple_are_distinct_and_the_seed_repeats_them_on_any_number_of_threads() -> None:
    def images(jobs: int) -> list[Image]:
        return [one.image for one in nonocsp.generate(apple(), size=(16, 16), count=8, seed=2, jobs=jobs)]

    made = images(1)
    assert len(made) == 8
    assert all(np.count_nonzero(one != other) >= 2 for one, other in combinations(made, 2))
    assert np.array_equal(made, images(3))


def test_variations_repeat_neither_each_other_nor_a_puzzle() -> None:
    made = list(nonocsp.generate(apple(), size=(12, 12), count=3, vary=12))
    images = [each.image.tobytes() for one in made for each in (one, *one.varied)]
    assert len(set(images)) == len(images)
    for one in made:
        depths = [0, *(varied.depth for varied in one.varied)]
        assert all(before < after for before, after in pairwise(depths))


def test_too_many_changes_give_the_closest_puzzle_and_say_so() -> None:
    noise = np.random.default_rng(0).random((9, 9)) < 0.4
    (one,) = nonocsp.generate((~noise * 255).astype(np.uint8), max_changes=0)
    assert not one.is_wanted
    assert one.changes
    assert is_unique(one.puzzle)
