"""How many puzzles with several solutions are contextually solvable: one solution stands out.

All descriptions of small sizes, random images, random images that are mirrored, and drawings in which one
cell is changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import numpy as np
from rich.console import Console
from rich.table import Table

from nonocsp import DifficultyClass, Grid, Puzzle, difficulty
from nonocsp.grading.context import Trait
from nonocsp.testing.enumeration import descriptions
from tools.benchmarks.making.sensitivity import drawings, neighbours
from tools.benchmarks.puzzles import SEED, random_puzzles

COUNT = 2000
"""Random images of each kind."""


def main() -> None:
    """Print how many puzzles of each set have several solutions, and what stands out in them."""
    several = "several solutions"
    table = Table("set", "puzzles", several, "contextual", "unknown", *(trait.name for trait in Trait))
    for name, puzzles in _sets().items():
        found = Counter[str]()
        for puzzle in puzzles():
            graded = difficulty(puzzle, deepest=0)
            found["puzzles"] += 1
            found[several] += graded.class_ is DifficultyClass.MULTIPLE
            if (context := graded.context) is not None:
                found["unknown"] += context.is_contextual is None
                found["contextual"] += bool(context.is_contextual)
                found.update(trait.name for trait in context.traits if context.is_contextual)
        keys = ("puzzles", several, "contextual", "unknown", *(trait.name for trait in Trait))
        table.add_row(name, *(str(found[key]) for key in keys))
    Console(width=160).print(table)


def _sets() -> dict[str, Callable[[], Iterable[Puzzle]]]:
    sets: dict[str, Callable[[], Iterable[Puzzle]]] = {
        f"all {size}x{size}": lambda size=size: (puzzle for puzzle, _ in descriptions(size, size))
        for size in (2, 3, 4)
    }
    for size, density in ((5, 0.5), (10, 0.5), (15, 0.5), (20, 0.5), (10, 0.3)):
        sets[f"random {size}x{size}, {density:.0%} black"] = lambda size=size, density=density: (
            random_puzzles(size, COUNT, density)
        )
    for size in (5, 10, 15, 20):
        sets[f"mirrored {size}x{size}, 50% black"] = lambda size=size: _mirrored(size)
    return sets | {"drawings, one cell changed": _changed}


def _mirrored(size: int) -> Iterator[Puzzle]:
    """Yield the puzzles of random images, half black, whose left and right are mirror images."""
    random = np.random.default_rng(SEED)
    for _ in range(COUNT):
        half = random.random((size, (size + 1) // 2)) < 0.5
        image = np.hstack([half, half[:, : size // 2][:, ::-1]]).astype(np.uint8)
        yield Puzzle.from_grid(Grid.from_cells(image))


def _changed() -> Iterator[Puzzle]:
    for drawing in drawings():
        for image in neighbours(drawing):
            yield Puzzle.from_grid(Grid.from_cells(image), palette=drawing.palette)
