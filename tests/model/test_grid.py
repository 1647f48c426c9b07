"""Grids: candidate sets, full and partial."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from nonocsp.model import BLACK_AND_WHITE, Grid, Palette, PuzzleError

full_grids = hnp.arrays(np.uint8, hnp.array_shapes(min_dims=2, max_dims=2), elements=st.integers(0, 63))


@given(full_grids)
def test_a_full_grid_returns_its_cells_and_round_trips_as_text(cells):
    grid, palette = Grid.from_cells(cells), Palette.of(63)
    assert grid.is_full
    assert grid.unknown_cells == 0
    assert grid.cells.dtype == np.uint8
    np.testing.assert_array_equal(grid.cells, cells)
    assert Grid.from_strings(grid.strings(palette), palette) == grid


def test_undecided_cells_are_question_marks_and_have_no_colour():
    grid = Grid.from_strings(["#.?"])
    assert grid.strings() == ["#.?"]
    assert grid.candidates.tolist() == [[2, 1, 3]]
    assert grid.unknown_cells == 1
    assert not Grid(np.array([[0]], np.uint64)).is_full
    with pytest.raises(ValueError, match="1 cells are undecided"):
        _ = grid.cells


def test_an_unknown_grid_may_have_every_colour():
    assert Grid.unknown(2, 3, Palette.of(2)).candidates.tolist() == [[7] * 3] * 2
    assert Grid.unknown(1, 1, Palette.of(63)).candidates.tolist() == [[2**64 - 1]]


def test_a_grid_keeps_a_read_only_copy():
    source = np.full((2, 2), 3, np.uint64)
    grid = Grid(source)
    source[0, 0] = 1
    assert grid.candidates[0, 0] == 3
    with pytest.raises(ValueError, match="read-only"):
        grid.candidates[0, 0] = 1


def test_grids_compare_and_hash_by_content():
    one, two = Grid.from_cells([[0, 1]]), Grid.from_cells([[0, 1]])
    assert one == two
    assert len({one, two, one.transposed(), one.reflected(left_right=True)}) == 3


@pytest.mark.parametrize(
    ("lines", "fault"),
    [(["#x"], "unknown cell 'x'"), (["##", "#"], "different lengths")],
)
def test_text_that_is_not_a_grid_is_refused(lines, fault):
    with pytest.raises(PuzzleError, match=fault):
        Grid.from_strings(lines, BLACK_AND_WHITE)
