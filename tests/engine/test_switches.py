"""Switches, against every choice of two rows and two columns."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from nonocsp import _core
from nonocsp.model import Grid, Palette, Puzzle, verify


def is_switch(colours: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], corners: tuple[int, ...]) -> bool:
    """Whether these corners change places and leave a grid of the same clues."""
    top, bottom, left, right = corners
    box = np.ix_((top, bottom), (left, right))
    (a, b), (c, d) = colours[box]
    if a == b or (a, b) != (d, c):
        return False
    other = colours.copy()
    other[box] = colours[box][::-1]
    palette = Palette.of(4)
    before, after = (Puzzle.from_grid(Grid.from_cells(g), palette=palette) for g in (colours, other))
    return (before.rows, before.columns) == (after.rows, after.columns)


@pytest.mark.parametrize("colours", [1, 2, 3])
@pytest.mark.parametrize("shape", [(2, 4), (3, 5), (5, 4), (6, 6)])
def test_a_switch_is_found_if_and_only_if_there_is_one(shape: tuple[int, int], colours: int) -> None:
    rng = np.random.default_rng([*shape, colours])
    found = 0
    for _ in range(80):
        cells = (rng.integers(1, colours + 1, shape) * (rng.random(shape) < 0.5)).astype(np.uint8)
        grid = Grid.from_cells(cells)
        other = _core.switched(grid.candidates)
        every = (
            (top, bottom, left, right)
            for top, bottom in combinations(range(shape[0]), 2)
            for left, right in combinations(range(shape[1]), 2)
        )
        assert (other is not None) == any(is_switch(cells, corners) for corners in every)
        if other is not None:
            found += 1
            assert (other != grid.candidates).sum() == 4
            assert verify(Puzzle.from_grid(grid, palette=Palette.of(4)), Grid(other))
    assert found


def test_lines_of_any_length_have_switches() -> None:
    for shape in ((1, 70), (70, 1)):
        assert _core.switched(Grid.from_cells(np.ones(shape, np.uint8)).candidates) is None
    cells = np.zeros((70, 130), np.uint8)
    cells[0, 0] = cells[69, 129] = 1
    other = _core.switched(Grid.from_cells(cells).candidates)
    assert other is not None
    assert np.argwhere(other == 2).tolist() == [[0, 129], [69, 0]]
