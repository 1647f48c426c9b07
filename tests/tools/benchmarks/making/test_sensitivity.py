"""Changes of single cells are counted like those found by trying every image of the size."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np

from nonocsp import Grid, Puzzle
from tools.benchmarks.making.sensitivity import changed


def clues(image: np.ndarray) -> tuple[object, ...]:
    puzzle = Puzzle.from_grid(Grid.from_cells(image))
    return puzzle.rows, puzzle.columns


def test_changes_of_single_cells_are_sorted_by_what_they_leave() -> None:
    image = np.array([[1, 1, 0], [0, 1, 0], [0, 0, 0]], np.uint8)
    solutions = Counter(
        clues(np.array(cells, np.uint8).reshape(3, 3)) for cells in product((0, 1), repeat=image.size)
    )
    ambiguous = 0
    for row, column in np.ndindex(image.shape):
        other = image.copy()
        other[row, column] ^= 1
        ambiguous += solutions[clues(other)] > 1
    found = changed(Puzzle.from_grid(Grid.from_cells(image)))
    assert ambiguous > 0
    assert (found.ambiguous, found.unique, len(found.after)) == (ambiguous, 0, image.size - ambiguous)
    assert found.changes == image.size
    assert found.before > 0
    assert (found.after > 0).all()
