"""Options, targets, and the differences between several puzzles of one picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from nonocsp.grading.levels import Level
from nonocsp.making.drawings import apple
from nonocsp.making.generate import Draft, Weights, generate
from nonocsp.making.init import Edges, PictureOptions, Prepared, prepare
from nonocsp.making.picture import Cells, read_picture
from nonocsp.making.prove import RequiredClass
from nonocsp.making.puzzles import ATTEMPTS, STEPS, TARGET_DEPTH, Generated, Production, PuzzleOptions, Varied
from nonocsp.model import Puzzle, UsageError


@pytest.fixture(scope="module")
def prepared() -> Prepared:
    return prepare(read_picture(apple(), (14, 14)), PictureOptions(edges=Edges.ONLY, fill_empty=True))


def made(prepared: Prepared, **options: Any) -> list[Generated]:
    """Make puzzles as in the paper: cells are only added, and nothing is undone."""
    return list(Production(prepared, PuzzleOptions(**{"clear": False, "prune": False} | options)))


def test_options_accept_members_and_their_values() -> None:
    assert PuzzleOptions(class_="fp1") == PuzzleOptions(class_=RequiredClass.FP1)
    assert PuzzleOptions().class_ is None


@pytest.mark.parametrize(
    ("name", "least"), [("count", 1), ("vary", 0), ("max_changes", 0), ("apart", 1), ("seed", 0), ("jobs", 1)]
)
def test_numbers_have_a_minimum(name: str, least: int) -> None:
    PuzzleOptions(**{name: least})  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=f"{name} is {least} or more, not {least - 1}"):
        PuzzleOptions(**{name: least - 1})  # type: ignore[arg-type]


@pytest.mark.parametrize("time", [0.0, -1.0, float("nan")])
def test_a_time_limit_is_positive(time: float) -> None:
    PuzzleOptions(time=1e-9)
    with pytest.raises(UsageError, match="the time is above 0 s"):
        PuzzleOptions(time=time)


@pytest.mark.parametrize("wrong", [(0, 5), (6, 5)])
def test_a_target_is_a_range_that_starts_at_1_or_more(wrong: tuple[int, int]) -> None:
    PuzzleOptions(difficulty=(1, 1))
    with pytest.raises(UsageError, match=r"is not a range of difficulties; expected A\.\.B with 1 <= A <= B"):
        PuzzleOptions(difficulty=wrong)


@pytest.mark.parametrize(
    ("target", "difficulty", "expected"),
    [((3, 5), 1, 2), ((3, 5), 3, 0), ((3, 5), 5, 0), ((3, 5), 9, 4), (None, 7, 0)],
)
def test_the_miss_of_a_target_is_the_distance_to_its_nearer_end(
    target: tuple[int, int] | None, difficulty: int, expected: int
) -> None:
    puzzle = Puzzle.from_clues([[1]], [[1]])
    assert PuzzleOptions(difficulty=target).missed_by(Varied(puzzle, difficulty, 1)) == expected


@pytest.mark.parametrize(("level", "missed"), [("easy", 0), (Level.MEDIUM, 1), ("hard", 2), ("expert", 3)])
def test_the_miss_of_a_level_is_the_number_of_levels_between(level: str, missed: int) -> None:
    puzzle = Puzzle.from_clues([[1]], [[1]])
    assert PuzzleOptions(difficulty=level).missed_by(Varied(puzzle, 1, 1)) == missed


def test_an_unknown_level_is_an_error_that_lists_them() -> None:
    with pytest.raises(UsageError, match="easy"):
        PuzzleOptions(difficulty="simple")


def test_a_target_level_is_met_with_few_changes_or_missed_and_said(prepared: Prepared) -> None:
    (easy,) = made(prepared, difficulty="easy")
    assert (easy.level, easy.is_wanted) == ("easy", True)
    (other,) = made(prepared, difficulty="medium")
    assert other.is_wanted == (other.level == "medium")
    assert other.likeness > 0.5


def test_puzzles_are_numbered_and_named_after_the_picture(prepared: Prepared) -> None:
    assert [one.puzzle.title for one in made(prepared, count=2)] == ["puzzle 1", "puzzle 2"]
    named = Prepared(
        type(prepared.picture)(prepared.picture.grey, name="fruit/apple.png"),
        prepared.thresholded,
        None,
        prepared.start,
    )
    (one,) = made(named, vary=3)
    assert (one.puzzle.title, one.varied[-1].puzzle.title) == ("apple 1", f"apple 1 + {one.varied[-1].depth}")


def test_a_second_puzzle_fills_other_cells_if_gamma_is_high(prepared: Prepared) -> None:
    def common(gamma: float) -> int:
        weights = Weights(gamma=gamma)
        first, second = made(prepared, count=2, weights=weights)
        added = (first.image > 0) & (second.image > 0) & (prepared.start == 0)
        return int(np.count_nonzero(added))

    assert common(1000.0) < common(0.0)


def test_at_most_the_requested_variations_are_returned_even_if_a_target_needs_more(
    prepared: Prepared,
) -> None:
    (plain,) = made(prepared, vary=TARGET_DEPTH)
    assert len(plain.varied) > TARGET_DEPTH / 2
    for varied in plain.varied:
        assert np.count_nonzero(varied.image != plain.image) == varied.depth
    easier = [one for one in plain.varied if one.difficulty < plain.difficulty]
    lowest = min(one.difficulty for one in easier)
    (one,) = made(prepared, vary=2, difficulty=(1, lowest))
    assert one.is_wanted
    assert [varied.depth for varied in one.varied] == [v.depth for v in plain.varied if v.depth <= 2]


def test_a_target_met_at_once_needs_no_change(prepared: Prepared) -> None:
    (plain,) = made(prepared)
    (one,) = made(prepared, difficulty=(plain.difficulty, plain.difficulty))
    assert np.array_equal(one.image, plain.image)


def test_the_first_variation_that_meets_the_target_is_the_puzzle(prepared: Prepared) -> None:
    (plain,) = made(prepared, vary=TARGET_DEPTH)
    for target in {one.difficulty for one in plain.varied} - {plain.difficulty}:
        first = next(one for one in plain.varied if one.difficulty == target)
        (one,) = made(prepared, difficulty=(target, target))
        assert np.array_equal(one.image, first.image)
        assert (one.difficulty, one.is_wanted) == (target, True)


@pytest.fixture
def images(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that grows with every image that is generated."""
    made: list[int] = []
    monkeypatch.setattr("nonocsp.making.puzzles.generate", lambda *args: made.append(1) or generate(*args))
    return made


def test_an_unreachable_target_is_tried_on_several_images_and_a_reachable_one_on_one(
    prepared: Prepared, images: list[int]
) -> None:
    (far,) = made(prepared, difficulty=(1000, 1000))
    assert not far.is_wanted
    assert ATTEMPTS <= len(images) <= 2 * ATTEMPTS
    images.clear()
    (near,) = made(prepared, difficulty=(1, 1000))
    assert (near.is_wanted, len(images)) == (True, 1)


def test_random_changes_may_keep_the_distance_from_the_target(
    prepared: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[bool, int]] = []

    def wander(draft: Draft, accept: Callable[[Cells], bool], steps: int, **_: bool) -> Iterator[Cells]:
        asked.append((accept(draft.image), steps))
        return iter(())

    monkeypatch.setattr("nonocsp.making.puzzles.wander", wander)
    made(prepared, difficulty=(1000, 1000))
    assert asked == [(True, STEPS)] * ATTEMPTS


def test_a_puzzle_is_simple_if_the_meter_says_trivial_or_simple(prepared: Prepared) -> None:
    (one,) = made(prepared)
    for class_, expected in {"trivial": True, "simple": True, "fp1": False}.items():
        assert Generated(one.puzzle, 3, class_).is_simple is expected
