"""Backend ``hybrid``: the hand-over from probing to learning, guidance, limits and statistics."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest

from nonocsp.backends.base import Answer, Limits, Outcome, Request, Task, Termination
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag
from nonocsp.model import Grid, Palette, Puzzle
from nonocsp.testing import n_dom, permutations, solutions

LEARNING = ("none", "beliefs", "dives")


def outcome_of(puzzle: Puzzle, spec: str = "hybrid", task: Task = Task.DECIDE, seed: int = 0) -> Outcome:
    return run_backend(create(spec), puzzle, Request(task, seed=seed, bound=1000), StopFlag())


def random_puzzle(shape: tuple[int, int], colours: int, seed: int, density: float = 0.5) -> Puzzle:
    random = np.random.default_rng(seed)
    cells = random.integers(1, colours + 1, shape) * (random.random(shape) < density)
    return Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(colours))


@pytest.mark.parametrize("colours", [1, 2, 3])
@pytest.mark.parametrize("budget", [0, 1, 3])
@pytest.mark.parametrize("backtracking", ["yes", "no"])
def test_what_the_stages_find_together_are_all_solutions(
    backtracking: str, budget: int, colours: int
) -> None:
    for seed in range(25):
        puzzle = random_puzzle((5, 6), colours, seed)
        outcome = outcome_of(puzzle, f"hybrid:backtracking={backtracking},budget={budget}", Task.COUNT)
        assert len(outcome.solutions) == len(set(outcome.solutions))
        assert set(outcome.solutions) == set(solutions(puzzle))


@pytest.mark.parametrize("guidance", LEARNING)
def test_learning_enumerates_permutations(guidance: str) -> None:
    outcome = outcome_of(permutations(6), f"hybrid:backtracking=no,budget=0,guidance={guidance}", Task.COUNT)
    assert len(set(outcome.solutions)) == 720
    assert outcome.stats["handed_over"] == 1


@pytest.mark.parametrize("guidance", LEARNING)
@pytest.mark.parametrize("colours", [1, 2, 3])
def test_verdicts_are_those_of_sat(colours: int, guidance: str) -> None:
    for seed in range(4):
        puzzle = random_puzzle((12, 14), colours, seed, density=0.4)
        assert (
            outcome_of(puzzle, f"hybrid:backtracking=no,budget=0,guidance={guidance}").answer
            is outcome_of(puzzle, "sat").answer
        )


@pytest.mark.parametrize("shape", [(1, 90), (90, 1), (70, 9), (3, 130)])
@pytest.mark.parametrize("colours", [1, 2])
def test_lines_of_several_words(shape: tuple[int, int], colours: int) -> None:
    puzzle = random_puzzle(shape, colours, seed=5, density=0.6)
    outcome = outcome_of(puzzle, "hybrid:backtracking=no,budget=0")
    assert outcome.answer is outcome_of(puzzle, "sat").answer
    assert outcome.termination is Termination.OK


def test_easy_puzzles_are_not_handed_over() -> None:
    stats = outcome_of(random_puzzle((10, 10), 1, seed=3, density=0.7)).stats
    assert stats["handed_over"] == stats["conflicts"] == stats["dives"] == 0


def test_a_hard_unique_puzzle_is_proved_by_learning() -> None:
    outcome = outcome_of(n_dom(8), "hybrid:budget=10")
    assert outcome.answer is Answer.UNIQUE
    assert outcome.stats["handed_over"] == 1
    assert outcome.stats["conflicts"] > 100


@pytest.mark.parametrize("seed", [0, 7])
def test_a_seed_does_the_same_every_time(seed: int) -> None:
    first, second = (outcome_of(n_dom(7), "hybrid:backtracking=no,budget=0", seed=seed) for _ in range(2))
    assert first.solutions == second.solutions
    assert first.stats == second.stats


def test_seeds_take_different_ways() -> None:
    conflicts = {
        outcome_of(n_dom(8), "hybrid:backtracking=no,budget=0", seed=seed).stats["conflicts"]
        for seed in range(4)
    }
    assert len(conflicts) > 1


def test_little_memory_gives_the_same_answer() -> None:
    little, much = (
        outcome_of(n_dom(8), f"hybrid:backtracking=no,budget=0,clause_memory={memory}") for memory in (1, 256)
    )
    assert little.answer is much.answer is Answer.UNIQUE


def test_a_stop_ends_the_learning_search_soon() -> None:
    stop = StopFlag()
    timer = threading.Timer(0.3, stop.set)
    timer.start()
    outcome = run_backend(create("hybrid:backtracking=no,budget=0"), n_dom(20), Request(), stop)
    timer.join()
    assert outcome.termination is Termination.KILLED
    assert outcome.answer is Answer.UNKNOWN


def test_the_wall_limit_ends_it() -> None:
    started = time.perf_counter()
    outcome = run_backend(create("hybrid"), n_dom(20), Request(limits=Limits(wall=0.3)), StopFlag())
    assert outcome.termination is Termination.WALL
    assert time.perf_counter() - started < 5
