"""Nothing changes that need not, targets are met or missed and said, and puzzles of a picture differ."""

from dataclasses import replace
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

import nonocsp
from nonocsp.making.draft import generate
from nonocsp.making.drawings import apple
from nonocsp.making.image import Edges, PictureOptions, Prepared, prepare
from nonocsp.making.picture import read_picture
from nonocsp.making.puzzles import ATTEMPTS, TARGET_DEPTH, Generated, Production, PuzzleOptions

Image = NDArray[np.uint8]
INKS = np.array([[255, 255, 255], [0, 0, 0], [208, 32, 32]], np.uint8)


@pytest.fixture(scope="module")
def prepared() -> Prepared:
    return prepare(read_picture(apple(), (14, 14)), PictureOptions(edges=Edges.ONLY, fill_empty=True))


def made(prepared: Prepared, **options: Any) -> list[Generated]:
    """Make puzzles as in the paper: cells are only added, and nothing is undone."""
    return list(Production(prepared, PuzzleOptions(**{"clear": False, "prune": False} | options)))


def test_puzzles_are_numbered_and_named_after_the_picture(prepared):
    assert [one.puzzle.title for one in made(prepared, count=2)] == ["puzzle 1", "puzzle 2"]
    picture = replace(prepared.picture, name="fruit/apple.png")
    named = replace(prepared, picture=picture)
    (one,) = made(named, vary=9)
    images = [one.image, *(varied.image for varied in one.varied)]
    assert all(np.all(later >= earlier) for earlier, later in pairwise(images))  # as in figure 9
    assert (one.puzzle.title, one.varied[-1].puzzle.title) == ("apple 1", f"apple 1 + {one.varied[-1].depth}")


def test_the_first_variation_that_meets_the_target_is_the_puzzle(prepared):
    (plain,) = made(prepared, vary=TARGET_DEPTH)
    for target in {one.difficulty for one in plain.varied} - {plain.difficulty}:
        first = next(one for one in plain.varied if one.difficulty == target)
        (one,) = made(prepared, difficulty=(target, target))
        assert np.array_equal(one.image, first.image)
        assert (one.difficulty, one.is_wanted) == (target, True)


def test_an_unreachable_target_is_tried_on_several_images_and_a_reachable_one_on_one(prepared, monkeypatch):
    images: list[int] = []
    monkeypatch.setattr("nonocsp.making.puzzles.generate", lambda *args: images.append(1) or generate(*args))
    (far,) = made(prepared, difficulty=(1000, 1000))
    assert not far.is_wanted
    assert ATTEMPTS <= len(images) <= 2 * ATTEMPTS
    images.clear()
    (near,) = made(prepared, difficulty=(1, 1000))
    assert (near.is_wanted, len(images)) == (True, 1)


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
def test_a_unique_drawing_comes_back_bit_for_bit_and_every_other_one_becomes_unique(pixels):
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
def test_several_puzzles_are_unique_and_as_far_apart_as_asked(pixels, apart, class_, most):
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
def test_undoing_any_single_change_leaves_a_puzzle_that_is_not_unique(seed):
    noise = np.random.default_rng(seed).random((9, 9)) < 0.4
    production = nonocsp.generate((~noise * 255).astype(np.uint8))
    (one,) = production
    assert one.changes
    for change in one.changes:
        image = one.image.copy()
        image[change.row, change.column] = change.before
        assert nonocsp.solve(nonocsp.Puzzle.from_grid(nonocsp.Grid.from_cells(image))).answer == "multiple"


def test_an_ambiguous_drawing_changes_one_cell_where_one_suffices():
    cells = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1]])
    (one,) = nonocsp.generate((255 * (1 - cells)).astype(np.uint8))
    assert len(one.changes) == 1
