"""The best change against trying every change, and which method solves an image."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

import nonocsp
from nonocsp.datasets import n_dom
from nonocsp.engine import Interrupted, StopFlag
from nonocsp.making.judging import ImageJudge, RequiredClass, crossing, grade, prove, puzzle_of, swept
from nonocsp.model import BLACK_AND_WHITE, BackendError, Grid, Palette, Puzzle

from .naive import after, first_of_the_least, open_cells

SIMPLE = Grid.from_strings(["##.#", "#..#", "##.."]).cells
TWO_SOLUTIONS = Grid.from_strings(["#.", ".#"]).cells


@dataclass(frozen=True, eq=False)
class Case:
    """A random image, changes of it, and the cells that each of them leaves open."""

    image: NDArray[np.uint8]
    colours: int
    changes: NDArray[np.int32]
    costs: NDArray[np.float64]
    alpha: float
    open: NDArray[np.int64]

    @property
    def best(self) -> int:
        return first_of_the_least((self.alpha * self.open + self.costs).tolist())


def case(seed: int) -> Case:
    """Return an image of up to 7x7 in one to three colours; in half of the cases only white cells change."""
    rng = np.random.default_rng(seed)
    colours = 1 + seed % 3
    rows, columns = (int(lines) for lines in rng.integers(4, 8, 2))
    filled = rng.random((rows, columns)) < rng.uniform(0.2, 0.5)
    image = (rng.integers(1, colours + 1, (rows, columns)) * filled).astype(np.uint8)
    every = np.argwhere(image[..., np.newaxis] != np.arange(colours + 1))
    if seed % 2:
        every = every[image[tuple(every[:, :2].T)] == 0]
    changes = rng.permutation(every).astype(np.int32)
    alpha = (8.0, 1.0, 0.3)[seed // 9 % 3]
    steps, step = ((1, alpha), (6, alpha), (60, 0.7))[seed // 3 % 3]
    costs = rng.integers(0, steps, len(changes)) * step
    return examined(image, colours, changes, costs, alpha)


def examined(
    image: NDArray[np.uint8],
    colours: int,
    changes: NDArray[np.int32],
    costs: NDArray[np.float64],
    alpha: float,
) -> Case:
    still_open = np.array([open_cells(after(image, tuple(change)), colours) for change in changes.tolist()])
    return Case(image, colours, changes, costs, alpha, still_open)


TIES = ((139, 1), (139, 4), (277, 1), (277, 12), (379, 1), (691, 1), (11212, 12), (23197, 12), (28318, 12))
"""Seed and number of costs of rare images: several changes are best, and their bounds have another order."""


def tie(seed: int, steps: int) -> Case:
    rng = np.random.default_rng(seed)
    colours = 1 + seed % 3
    rows, columns = (int(lines) for lines in rng.integers(4, 10, 2))
    share = rng.uniform(0.1, 0.6)
    drawn = rng.integers(1, colours + 1, (rows, columns)) * (rng.random((rows, columns)) < share)
    image = drawn.astype(np.uint8)
    changes = rng.permutation(np.argwhere(image[..., np.newaxis] != np.arange(colours + 1))).astype(np.int32)
    for fewer in (1, 4, 12):
        costs = rng.integers(0, fewer, len(changes)).astype(float)
        if fewer == steps:
            break
    return examined(image, colours, changes, costs, 1.0)


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return [*(case(seed) for seed in range(162)), *(tie(*one) for one in TIES)]


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 3])
def test_the_best_change_agrees_with_trying_all_changes_ties_included(cases, jobs):
    for number, one in enumerate(cases):
        judge = ImageJudge(Palette.of(one.colours), jobs)
        trials = judge.trials(one.image)
        assert judge.open_after(trials, one.changes).tolist() == one.open.tolist()
        assert judge.best_change(trials, one.changes, one.costs, one.alpha) == one.best, number


def test_everything_ends_at_the_time_limit_or_when_told_to_stop():
    image = (np.random.default_rng(4).random((20, 20)) < 0.4).astype(np.uint8)
    changes, costs = np.c_[np.argwhere(image == 0), np.ones((image == 0).sum())].astype(np.int32), np.zeros(1)
    late, stop = ImageJudge(BLACK_AND_WHITE, seconds=1e-9), StopFlag()
    stopped = ImageJudge(BLACK_AND_WHITE, stop=stop, seconds=60.0)
    assert ImageJudge(BLACK_AND_WHITE).remaining() is None
    assert stopped.remaining() <= 60.0
    trials = stopped.trials(image)
    stop.set()
    for judge in (late, stopped):
        with pytest.raises(Interrupted):
            judge.trials(image)
        with pytest.raises(Interrupted):
            judge.open_after(trials, changes)
        with pytest.raises(Interrupted):
            judge.best_change(trials, changes, np.resize(costs, len(changes)), 1.0)
    with pytest.raises(Interrupted):
        late.gaps(SIMPLE, RequiredClass.SIMPLE)


def sufficient(cells: NDArray[np.uint8], seconds: float | None = None) -> set[str]:
    judge = ImageJudge(BLACK_AND_WHITE, 1, seconds)
    return {str(one) for one in RequiredClass if not judge.gaps(cells, one).any()}


SUFFICIENT = {
    "trivial": {"simple", "fp1", "unique"},
    "simple": {"simple", "fp1", "unique"},
    "2-sat": {"fp1", "unique"},
    "fp1": {"fp1", "unique"},
    "multiple": set(),
}
"""Methods that suffice, by the meter's class; a 2-SAT puzzle may also need more than probing."""


@pytest.mark.parametrize("seed", [*range(30), 99, 157, 191, 163, 553, 569, 3632])
def test_the_class_of_the_meter_determines_the_sufficient_methods(seed):
    cells = (np.random.default_rng(seed).random((10, 10)) < 0.5).astype(np.uint8)
    class_ = str(nonocsp.difficulty(puzzle_of(cells, BLACK_AND_WHITE), deepest=1).class_)
    assert sufficient(cells) == SUFFICIENT[class_]


def test_a_puzzle_too_hard_for_probing_is_unique_unless_the_proof_takes_too_many_conflicts(monkeypatch):
    (solution,) = nonocsp.solve(n_dom(5)).solutions
    assert sufficient(solution.cells) == {"unique"}
    monkeypatch.setattr("nonocsp.making.judging.CONFLICTS", 0)
    assert sufficient(solution.cells) == sufficient(solution.cells, 60.0) == set()
    assert sufficient(SIMPLE) == {"simple", "fp1", "unique"}


def test_the_gaps_of_an_image_are_the_cells_in_which_another_solution_differs():
    two = Grid.from_strings(["#...", ".#..", "....", "####"]).cells
    found = ImageJudge(BLACK_AND_WHITE).gaps(two, RequiredClass.UNIQUE)
    assert np.argwhere(found).tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    marked = np.zeros((3, 4), bool)
    marked[1, 2] = True
    assert crossing(marked).astype(int).tolist() == [[0, 0, 1, 0], [1, 1, 1, 1], [0, 0, 1, 0]]


def test_a_proved_puzzle_has_the_image_as_its_goal_the_grade_of_the_meter_and_one_solution():
    puzzle = prove(SIMPLE, BLACK_AND_WHITE, "cat 1")
    assert (puzzle.title, puzzle.goal) == ("cat 1", Grid.from_cells(SIMPLE))
    found = nonocsp.difficulty(puzzle)
    assert grade(puzzle) == (found.sweeps, str(found.class_))
    assert swept(SIMPLE, BLACK_AND_WHITE, "cat 1") == (puzzle, found.sweeps, True)
    stuck, sweeps, is_simple = swept(TWO_SOLUTIONS, BLACK_AND_WHITE)
    assert (stuck, sweeps, is_simple) == (Puzzle.from_grid(Grid.from_cells(TWO_SOLUTIONS)), 0, False)
    with pytest.raises(BackendError, match=r"hybrid finds multiple for 'cat 2'.*please report it"):
        prove(TWO_SOLUTIONS, BLACK_AND_WHITE, "cat 2")
