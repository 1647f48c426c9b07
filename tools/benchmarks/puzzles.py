"""The random puzzles that most measurements use, of one seed."""

from __future__ import annotations

from dataclasses import replace

from nonocsp import Puzzle
from nonocsp.datasets.random_images import random_set

SEED = 2017


def random_puzzles(size: int, count: int = 1000, density: float = 0.5, colours: int = 1) -> list[Puzzle]:
    """Return puzzles of random square images, without these; a shorter set begins a longer one."""
    made = random_set(SEED, count=count, rows=size, columns=size, density=density, colours=colours)
    return [replace(puzzle, goal=None) for puzzle in made]
