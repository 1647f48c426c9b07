"""Which method must suffice, and the proof that an image is the only solution of its puzzle."""

from __future__ import annotations

import numpy as np
import pytest

import nonocsp
from nonocsp.datasets.dominoes import n_dom
from nonocsp.engine import Interrupted
from nonocsp.making.adapt import change_evaluator
from nonocsp.making.prove import RequiredClass, gaps, grade, prove, puzzle_of, solve_by_lines, sweeps
from nonocsp.model import BLACK_AND_WHITE, BackendError, Grid

SIMPLE = ["##.#", "#..#", "##.."]
TWO_SOLUTIONS = ["#.", ".#"]


def image(rows: list[str]) -> np.ndarray:
    return Grid.from_strings(rows).cells


def met(cells: np.ndarray, seconds: float | None = None) -> set[str]:
    with change_evaluator(2, 1, seconds) as evaluator:
        return {str(one) for one in RequiredClass if not gaps(cells, BLACK_AND_WHITE, one, evaluator).any()}


MET = {
    "trivial": {"simple", "fp1", "unique"},
    "simple": {"simple", "fp1", "unique"},
    "2-sat": {"fp1", "unique"},
    "fp1": {"fp1", "unique"},
    "multiple": set(),
}
"""Methods that suffice, by the meter's class; a 2-SAT puzzle may also need more than probing."""


@pytest.mark.parametrize("seed", [*range(30), 99, 157, 191, 163, 553, 569, 3632])
def test_the_class_of_the_meter_determines_the_sufficient_methods(seed: int) -> None:
    cells = (np.random.default_rng(seed).random((10, 10)) < 0.5).astype(np.uint8)
    class_ = str(nonocsp.difficulty(puzzle_of(cells, BLACK_AND_WHITE), deepest=1).class_)
    assert met(cells) == MET[class_]


def test_a_puzzle_too_hard_for_probing_meets_only_the_method_unique() -> None:
    (solution,) = nonocsp.solve(n_dom(5)).solutions
    assert met(solution.cells) == {"unique"}


def test_uniqueness_that_takes_too_many_conflicts_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    (solution,) = nonocsp.solve(n_dom(5)).solutions
    monkeypatch.setattr("nonocsp.making.prove.CONFLICTS", 0)
    assert met(solution.cells) == met(solution.cells, 60.0) == set()
    assert met(image(SIMPLE)) == {"simple", "fp1", "unique"}


def test_the_gaps_of_an_image_are_the_cells_in_which_another_solution_differs() -> None:
    two = image(["#...", ".#..", "....", "####"])
    with change_evaluator(2, 1, None) as evaluator:
        found = gaps(two, BLACK_AND_WHITE, RequiredClass.UNIQUE, evaluator)
    assert found.tolist() == [
        [True, True, False, False],
        [True, True, False, False],
        [False] * 4,
        [False] * 4,
    ]


def test_the_time_limit_ends_the_check_of_a_method() -> None:
    with change_evaluator(2, 1, 1e-9) as evaluator, pytest.raises(Interrupted):
        gaps(image(SIMPLE), BLACK_AND_WHITE, RequiredClass.SIMPLE, evaluator)


def test_solving_by_lines_returns_the_puzzle_and_its_sweeps_or_none() -> None:
    puzzle, difficulty = solve_by_lines(image(SIMPLE), BLACK_AND_WHITE, "three lines")
    assert (puzzle.title, puzzle.goal) == ("three lines", Grid.from_strings(SIMPLE))
    assert difficulty == sweeps(image(SIMPLE), BLACK_AND_WHITE) == nonocsp.difficulty(puzzle).sweeps
    assert solve_by_lines(image(TWO_SOLUTIONS), BLACK_AND_WHITE) is None


def test_a_proved_puzzle_has_the_image_as_its_goal_and_two_solutions_are_an_error() -> None:
    puzzle = prove(image(SIMPLE), BLACK_AND_WHITE, "cat 1")
    assert (puzzle.title, puzzle.goal) == ("cat 1", Grid.from_strings(SIMPLE))
    with pytest.raises(BackendError, match=r"hybrid finds multiple for 'cat 2'.*please report it"):
        prove(image(TWO_SOLUTIONS), BLACK_AND_WHITE, "cat 2")


def test_the_grade_is_that_of_the_meter() -> None:
    puzzle = puzzle_of(image(SIMPLE), BLACK_AND_WHITE)
    found = nonocsp.difficulty(puzzle)
    assert grade(puzzle) == (found.sweeps, str(found.class_))
