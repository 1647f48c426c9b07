"""Levels: the techniques that a person needs decide; turning and mirroring a puzzle does not matter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nonocsp import DifficultyClass, Grid, Palette, Puzzle, UsageError, difficulty
from nonocsp.datasets.dominoes import n_dom
from nonocsp.grading.explain import Technique
from nonocsp.grading.levels import Effort, Level, effort


def random_puzzles(seed: int, count: int, colours: int, side: int) -> list[Puzzle]:
    """Return puzzles of random images of all densities."""
    rng, palette = np.random.default_rng(seed), Palette.of(colours)
    images = [
        rng.integers(1, colours + 1, (side, side + 2)) * (rng.random((side, side + 2)) < density)
        for density in rng.uniform(0.3, 0.8, count)
    ]
    return [Puzzle.from_grid(Grid.from_cells(image.astype(np.uint8)), palette=palette) for image in images]


def without_size(found: Effort) -> Effort:
    return replace(found, rows=0, columns=0)


@pytest.mark.parametrize(("colours", "side"), [(1, 5), (1, 9), (1, 13), (2, 6), (3, 9)])
def test_turning_and_mirroring_a_puzzle_changes_nothing(colours: int, side: int) -> None:
    for puzzle in random_puzzles(1, 40, colours, side):
        found = without_size(effort(puzzle))
        turns = puzzle.transposed(), puzzle.reflected(left_right=True), puzzle.reflected(top_bottom=True)
        assert [without_size(effort(turn)) for turn in turns] == [found] * 3


def test_dominoes_get_harder() -> None:
    levels = [effort(n_dom(n)).level for n in range(1, 7)]
    assert levels == [Level.EASY, Level.EASY, Level.HARD, Level.EXPERT, Level.EXPERT, Level.EXPERT]


@pytest.mark.parametrize("colours", [1, 2])
def test_a_level_agrees_with_the_class(colours: int) -> None:
    for puzzle in random_puzzles(2, 150, colours, 7):
        found, class_ = effort(puzzle), difficulty(puzzle).class_
        assert (found.level is None) == (class_ in (DifficultyClass.MULTIPLE, DifficultyClass.UNSAT))
        is_simple = class_ in (DifficultyClass.TRIVIAL, DifficultyClass.SIMPLE)
        assert is_simple == (found.level is not None and found.depth == 0)
        assert is_simple == (found.open_cells == 0)
        assert found.level not in (Level.EASY, Level.MEDIUM) or is_simple
        assert class_ is not DifficultyClass.TRIVIAL or found.level is Level.EASY


def test_what_ifs_are_neither_easy_nor_medium() -> None:
    found = effort(n_dom(3))
    assert (found.level, found.depth, found.questions, found.chain) == (Level.HARD, 1, 1, 3)
    assert found.techniques[Technique.PROBE] == 1


def test_an_invalid_puzzle_has_no_level() -> None:
    several = effort(Puzzle.from_clues([[1], [1]], [[1], [1]]))
    none = effort(Puzzle.from_clues([[3], [], [3]], [[1, 1], [2], [1, 1]]))
    assert several.level is none.level is None
    assert several.open_cells == 4


def test_a_limit_in_time_is_checked() -> None:
    with pytest.raises(UsageError, match="wall"):
        effort(n_dom(1), wall=0)


def test_without_time_there_is_no_level() -> None:
    found = effort(n_dom(3), wall=1e-9)
    assert (found.level, found.is_complete) == (None, False)
