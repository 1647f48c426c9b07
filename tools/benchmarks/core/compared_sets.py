"""The sets of puzzles that `before` decides; they need the reference data beside the checkout."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from nonocsp import Puzzle, load_all
from nonocsp.testing import n_dom
from tools.benchmarks.pictures import pictures
from tools.benchmarks.puzzles import DATASETS, TOURNAMENTS, random_puzzles

Named = tuple[str, str, Puzzle]
"""The name of a part of the set, that of the puzzle, and the puzzle."""
HARD = (
    "minizinc/*/non_fast_*.dzn",
    "minizinc/*/non_med_*.dzn",
    "webpbn-redist/frans_faase.txt",
    "webpbn-redist/knotty.nin",
)


def tournaments() -> list[Named]:
    """Return the puzzles of all tournaments that are there."""
    return [
        (path.stem, f"{path.stem} {number}", puzzle)
        for path in sorted(TOURNAMENTS.glob("*.txt"))
        for number, puzzle in enumerate(load_all(path), 1)
    ]


def hard() -> list[Named]:
    """Return puzzles whose uniqueness is hard to prove, and two famous ones."""
    files = [path for pattern in HARD for path in sorted(DATASETS.glob(pattern))]
    return [("n-Dom", f"{n}-Dom", n_dom(n)) for n in range(9, 17)] + [
        (path.relative_to(DATASETS).parts[0], path.stem, puzzle)
        for path in files
        for puzzle in load_all(path)
    ]


def _random(size: int, count: int, density: float = 0.5) -> list[Named]:
    made = enumerate(random_puzzles(size, count, density), 1)
    return [(f"random {size}x{size}", f"random {size}x{size} {i}", puzzle) for i, puzzle in made]


def _pictures() -> list[Named]:
    return [(re.sub(r" \d+x.*", "", name), name, puzzle) for name, puzzle in pictures()]


SETS: Mapping[str, Callable[[], list[Named]]] = {
    "tournaments": tournaments,
    "hard": hard,
    "r25": lambda: _random(25, 1000),
    "r40": lambda: _random(40, 40),
    "r50": lambda: _random(50, 20, 0.45),
    "pictures": _pictures,
}
"""Functions that return the puzzles."""
