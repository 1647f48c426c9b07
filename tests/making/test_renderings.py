"""Renderings to choose from: what they show, that they differ, and that they are always the same."""

from itertools import combinations

import numpy as np
import pytest

import nonocsp
from nonocsp.making.drawings import apple, motifs, portrait
from nonocsp.making.image import prepare
from nonocsp.making.picture import read_picture
from nonocsp.making.puzzles import Production, PuzzleOptions
from nonocsp.making.renderings import ALIKE, COUNT, Rendering, ranked, renderings, resemblance
from nonocsp.model import BLACK_AND_WHITE

SIZE = (18, 18)


@pytest.fixture(scope="module")
def cat() -> list[Rendering]:
    """The renderings of a coloured picture, in all sizes."""
    motif = next(motif for motif in motifs() if motif.name == "apple")
    return ranked(renderings(motif.image()))


@pytest.mark.slow
def test_no_two_renderings_look_alike(cat):
    assert 6 <= len(cat) <= COUNT
    assert min(len({one.made.puzzle.shape for one in cat}), len({one.palette for one in cat})) > 1
    for one, other in combinations(cat, 2):
        assert resemblance((one.made.image, one.palette), (other.made.image, other.palette)) <= ALIKE


@pytest.mark.slow
def test_each_is_the_puzzle_that_its_options_give(cat):
    motif = next(motif for motif in motifs() if motif.name == "apple")
    for one in cat:
        picture = read_picture(motif.image(), one.made.puzzle.shape)
        again = next(Production(prepare(picture, one.look), PuzzleOptions(class_=one.required)))
        assert np.array_equal(again.image, one.made.image)
        assert nonocsp.solve(one.made.puzzle).answer == "unique"


@pytest.mark.slow
def test_a_grey_picture_and_a_wish_for_one_colour_get_no_colours():
    motif = next(motif for motif in motifs() if motif.name == "apple")
    for found in (renderings(portrait(), SIZE), renderings(motif.image(), SIZE, in_colours=False)):
        assert all(one.palette == BLACK_AND_WHITE for one in found)


@pytest.mark.slow
def test_the_class_asked_for_holds_for_all():
    found = [*renderings(apple(), SIZE, PuzzleOptions(class_="unique"))]
    assert found
    assert {one.required for one in found} == {"unique"}


def test_a_drawing_that_is_a_puzzle_is_the_only_rendering():
    pixels = np.array([[255, 0, 255], [0, 0, 0], [0, 255, 0]], np.uint8)
    (only,) = renderings(pixels)
    assert np.array_equal(only.made.image, pixels == 0)
    assert only.description == "as drawn"
    assert only.likeness == pytest.approx(1)


def test_a_picture_of_few_dark_cells_has_a_rendering_all_the_same():
    pixels = np.full((200, 200), 255, np.uint8)
    pixels[0, 0] = pixels[199, 199] = pixels[100:106, 100:106] = 0
    assert [*renderings(pixels)]


def test_when_the_time_is_over_there_are_no_more():
    assert [*renderings(apple(), (100, 100), PuzzleOptions(time=1e-6))] == []
