"""Ask backends in this process, about puzzles that everyone can make again."""

from functools import cache
from typing import Any

import numpy as np

from nonocsp.backends.base import Outcome, Request, Task
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag
from nonocsp.model import Grid, Palette, Puzzle
from nonocsp.testing import n_dom, permutations, solutions

SEARCHED = Puzzle.from_clues([[1], [2], [1, 1], [2]], [[1, 1], [1, 1], [1, 1], [1]])
"""Unique, not simple."""


def outcome_of(puzzle: Puzzle, spec: str, task: Task = Task.DECIDE, **request: Any) -> Outcome:
    return run_backend(create(spec), puzzle, Request(task, **request), StopFlag())


def random_puzzles(count: int, colours: int, rows: int = 8, columns: int = 8, seed: int = 0) -> list[Puzzle]:
    """Return the puzzles of random images, sparse and dense."""
    random = np.random.default_rng([seed, colours, rows, columns])
    shape = (count, rows, columns)
    filled = random.random(shape) < random.uniform(0.3, 0.8, (count, 1, 1))
    images = random.integers(1, colours + 1, shape) * filled
    return [Puzzle.from_grid(Grid.from_cells(image), palette=Palette.of(colours)) for image in images]


@cache
def small_puzzles() -> list[tuple[Puzzle, frozenset[Grid]]]:
    """Return puzzles with no to 24 solutions and more, in one to three colours, each with its solutions."""
    clues = [[2], [1, 1], [2], [2]], [[1, 1], [2], [2], [1, 1]]
    puzzles = [permutations(4), n_dom(3), SEARCHED, Puzzle.from_clues(*clues)]
    for colours in (1, 2, 3):
        puzzles += random_puzzles(3, colours, 5, 6)
    return [(puzzle, frozenset(solutions(puzzle))) for puzzle in puzzles]
