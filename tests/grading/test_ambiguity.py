"""The ambiguous cells against all solutions of small puzzles."""

from __future__ import annotations

import numpy as np
import pytest

from nonocsp import Grid, Palette, Puzzle
from nonocsp.grading.context import ambiguity
from nonocsp.testing import n_dom

from .. import oracle


@pytest.mark.parametrize("seed", range(40))
def test_two_solutions_differ_in_these_cells_and_in_no_other(seed: int) -> None:
    rng = np.random.default_rng(seed)
    colours = 1 + seed % 3
    shape = tuple(int(side) for side in rng.integers(1, 5, 2))
    cells = rng.integers(1, colours + 1, shape) * (rng.random(shape) < 0.5)
    puzzle = Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(colours))
    solutions = np.array(oracle.solutions(puzzle))
    found = ambiguity(puzzle)
    assert found.is_complete
    assert np.array_equal(found.cells, (solutions != solutions[0]).any(axis=0))


@pytest.mark.parametrize("clues", [([[1, 1], [1], [1, 1]], [[2], [1], [2]]), ([[2]], [[1], [1]])])
def test_without_two_solutions_no_cell_is_ambiguous(clues: tuple[list[list[int]], list[list[int]]]) -> None:
    found = ambiguity(Puzzle.from_clues(*clues))
    assert (found.cells.any(), found.is_complete) == (False, True)


def test_a_search_without_time_is_not_complete() -> None:
    assert not ambiguity(n_dom(9), wall=0.0).is_complete
