"""Provide the puzzles that several measurements use: random ones of one seed, and folders of files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from nonocsp import Puzzle
from nonocsp.datasets import random_set

ROOT = Path(__file__).parents[2]
DATASETS = ROOT.parent / "shared" / "datasets"
"""Reference data, where it stands beside the checkout."""
TOURNAMENTS = DATASETS / "tournament"
SEED = 2017


def random_puzzles(size: int, count: int = 1000, density: float = 0.5, colours: int = 1) -> list[Puzzle]:
    """Return the puzzles of random square images, without the images."""
    made = random_set(SEED, count=count, rows=size, columns=size, density=density, colours=colours)
    return [replace(puzzle, goal=None) for puzzle in made]
