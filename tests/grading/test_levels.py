"""Levels: the techniques that a person needs decide; turning and mirroring a puzzle does not matter."""

import numpy as np
import pytest

from nonocsp import DifficultyClass, Grid, Palette, Puzzle, UsageError, difficulty, explain
from nonocsp.datasets import n_dom
from nonocsp.grading.explain import Technique
from nonocsp.grading.levels import Level, effort
from nonocsp.model import BLACK_AND_WHITE, Colour


def random_puzzles(seed: int, count: int, colours: int, side: int) -> list[Puzzle]:
    rng, palette = np.random.default_rng(seed), Palette.of(colours)
    images = [
        rng.integers(1, colours + 1, (side, side + 2)) * (rng.random((side, side + 2)) < density)
        for density in rng.uniform(0.3, 0.8, count)
    ]
    return [Puzzle.from_grid(Grid.from_cells(image.astype(np.uint8)), palette=palette) for image in images]


@pytest.mark.parametrize(("colours", "side"), [(1, 5), (1, 9), (1, 13), (2, 6), (3, 9)])
def test_turning_and_mirroring_a_puzzle_changes_nothing(colours, side):
    for puzzle in random_puzzles(1, 40, colours, side):
        turns = puzzle.transposed(), puzzle.reflected(left_right=True), puzzle.reflected(top_bottom=True)
        assert [effort(turn) for turn in turns] == [effort(puzzle)] * 3


BY_HAND = {
    "counting": (
        "easy",
        "### .## #.#",
        (1, 0, 0, 0, 0),
        "finished, fit and overlap (grade 1, needed in 1 round)",
    ),
    "a run at a wall": ("easy", "...## ##... .#...", (4, 1, 0, 0, 0), "edge (grade 2, needed in 1 round)"),
    "a colour": ("easy", "#.a. .#.. #a.. ...#", (8, 1, 0, 0, 0), "complete (grade 2, needed in 1 round)"),
    "out of reach": ("medium", ".##.. #...# ..###", (5, 2, 1, 0, 0), "reach (grade 3, needed in 1 round)"),
    "out of colour reach": ("medium", "a.# .#a #a.", (4, 0, 1, 0, 0), "reach (grade 3, needed in 1 round)"),
    "all placements": (
        "hard",
        "..#.# ##.#. .#.## ..### ...#. ##...",
        (7, 3, 1, 1, 0),
        "settle (grade 4, needed in 1 round)",
    ),
    "what if": ("hard", "##. .## ..# ##.", (1, 0, 0, 0, 1), "1 what-if question, up to 3 sweeps long"),
    "two questions": (
        "hard",
        ".a.a. .a..# a.a.. ..aa. a..#.",
        (10, 0, 1, 0, 2),
        "2 what-if questions, up to 3 sweeps long",
    ),
}
"""Level, solution, rounds and reasons of small puzzles."""


@pytest.mark.parametrize(("level", "solution", "rounds", "reason"), BY_HAND.values(), ids=BY_HAND)
def test_the_hardest_need_sets_the_level(level, solution, rounds, reason):
    palette = Palette((*BLACK_AND_WHITE.colours, Colour("red", "#ff0000", "a")))
    colours = palette if "a" in solution else BLACK_AND_WHITE
    puzzle = Puzzle.from_grid(Grid.from_strings(solution.split(), colours), palette=colours)
    found, explained = effort(puzzle), explain(puzzle)
    assert (found.level, found.rounds) == (level, rounds)
    assert found.text.startswith(f"{level}: {len(explained.steps)} steps; ")
    assert explained.summary.startswith(f"Solved in {found.steps} steps")
    assert reason in found.text
    assert found.text.endswith("no what-if") == (found.questions == 0)


@pytest.mark.parametrize(("colours", "side"), [(1, 8), (2, 7)])
def test_needing_more_never_makes_a_puzzle_easier(colours, side):
    """Sorted by grade, then by many (4) or long (5 sweeps) questions, levels only rise."""
    found = [one for one in map(effort, random_puzzles(3, 150, colours, side)) if one.level]
    needs = [(one.depth, one.questions > 3 or one.chain > 4, one.grade * (one.depth == 0)) for one in found]
    ranks = [[*Level].index(one.least) for one in found]
    ordered = sorted(zip(needs, ranks, strict=True))
    assert [rank for _, rank in ordered] == sorted(ranks)
    assert len({*ranks}) > 2


@pytest.mark.parametrize("colours", [1, 2])
def test_a_level_agrees_with_the_class(colours):
    for puzzle in random_puzzles(2, 150, colours, 7):
        found, class_ = effort(puzzle), difficulty(puzzle).class_
        assert (found.level is None) == (class_ in (DifficultyClass.MULTIPLE, DifficultyClass.UNSAT))
        is_simple = class_ in (DifficultyClass.TRIVIAL, DifficultyClass.SIMPLE)
        assert is_simple == (found.level is not None and found.depth == 0)
        assert is_simple == (found.open_cells == 0)
        assert found.level not in (Level.EASY, Level.MEDIUM) or is_simple
        assert class_ is not DifficultyClass.TRIVIAL or found.level is Level.EASY


def test_dominoes_get_harder_and_a_level_needs_one_solution_and_time():
    found = [effort(n_dom(n)) for n in range(1, 7)]
    assert [one.level for one in found] == ["easy", "easy", "hard", "expert", "expert", "expert"]
    assert (found[2].depth, found[2].questions, found[2].chain) == (1, 1, 3)
    assert found[2].techniques[Technique.PROBE] == 1
    several = effort(Puzzle.from_clues([[1], [1]], [[1], [1]]))
    none = effort(Puzzle.from_clues([[3], [], [3]], [[1, 1], [2], [1, 1]]))
    assert (several.level, none.level, several.open_cells) == (None, None, 4)
    late = effort(n_dom(3), wall=1e-9)
    assert (late.level, late.is_complete) == (None, False)
    with pytest.raises(UsageError, match="wall"):
        effort(n_dom(1), wall=0)
    assert found[2].steps == len(explain(n_dom(3)).steps)
