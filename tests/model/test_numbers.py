"""NumPy in, NumPy out: clues and cells from lists and arrays, and grids as arrays."""

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from nonocsp.model import Grid, Palette, Puzzle, PuzzleError, verify

NAN = float("nan")
CAT = Puzzle.from_clues([[1, 1], [3], []], [[2], [1], [2]])
COLOURED = Puzzle.from_clues([[(1, 1), (1, 2)]], [[(1, 1)], [(1, 2)]])
PICTURE = np.array([[1, 0, 1], [1, 1, 1], [0, 0, 0]])
cells = hnp.arrays(np.uint8, hnp.array_shapes(min_dims=2, max_dims=2, max_side=6), elements=st.integers(0, 3))


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        (np.array([[1, 1], [3, 0], [0, 0]]), np.array([[2], [1], [2]])),
        (np.array([[1, 1], [0, 3], [0, 0]], np.uint8), np.array([2, 1, 2])[:, None]),
        ([np.array([1, 1]), np.array([3]), np.array([], int)], [[np.int8(2)], (1,), [2]]),
        (np.array([[1, 1], [3, NAN], [NAN, NAN]]), [[2.0], [1.0], [2.0]]),
        (pandas.DataFrame([[1, 1], [3, None], [None, None]]), pandas.DataFrame([2, 1, 2])),
        (np.array([[1, 1], [3], []], object), [[0, 2], [1, 0], [2]]),
        (iter([[1, 1], [3], [0]]), (clue for clue in ([2], [1], [2]))),
        (np.array([[[1, 1], [1, 1]], [[3, 1], [0, 0]], [[0, 0], [0, 0]]]), [[(2, 1)], [[1, 1]], [(2, 1)]]),
    ],
    ids=["zeros", "zeros before", "ragged", "NaN", "data frames", "objects", "iterators", "pairs"],
)
def test_clues_come_from_arrays_and_lists_of_every_shape(rows, columns):
    assert Puzzle.from_clues(rows, columns) == CAT


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[1], [1, 0, 1]], "row 2: a zero stands between two blocks; expected zeros at the ends only"),
        ([[1], "11"], r"row 2: '11' is no clue; expected lengths such as \[2, 1\], or pairs"),
        ([[1], 7], "row 2: 7 is no clue"),
        ([[1], [1.5]], r"row 2: \[1.5\] is no clue"),
        ([[1], [True]], r"row 2: \[True\] is no clue"),
        ([[1], [(1, 1, 1)]], r"row 2: \[\(1, 1, 1\)\] is no clue"),
        ([[1], ["2"]], r"row 2: \['2'\] is no clue"),
        (np.array([1, 2]), "row 1: .*1.* is no clue"),
        (np.ones((2, 2), bool), "row 1: array.* is no clue"),
        ("1 1", "the clues of the rows are '1 1'; expected a clue for each row"),
        (3, "the clues of the rows are 3; expected a clue for each row"),
        ([[(1, 0)]], "row 1: unknown colour 0; the palette has 1 to 1"),
        ([[(1, 99)]], "row 1: unknown colour 99; the palette has 1 to 63"),
    ],
)
def test_what_is_no_clue_is_refused_naming_the_line(rows, message):
    with pytest.raises(PuzzleError, match=message):
        Puzzle.from_clues(rows, [[1], [1]])


def test_a_clue_that_is_too_long_is_told_with_the_names_of_its_colours():
    with pytest.raises(PuzzleError, match="row 1: the clue 2 black 1 red needs 3 cells, the line has 2"):
        Puzzle.from_clues([[(2, 1), (1, 2)]], [[], []])


@pytest.mark.parametrize("kind", [bool, np.int64, np.uint8, float])
def test_a_picture_as_an_array_makes_a_puzzle(kind):
    puzzle = Puzzle.from_grid(PICTURE.astype(kind))
    assert puzzle.rows == CAT.rows
    assert puzzle.goal == PICTURE
    assert Puzzle.from_grid(PICTURE.tolist()) == puzzle == Puzzle.from_grid(pandas.DataFrame(PICTURE))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ([[0, 1], [0, 64]], "row 2, column 2 is 64; cells hold colours 0 to 63"),
        ([[0, -1]], "row 1, column 2 is -1"),
        ([[0, 0.5]], "row 1, column 2 is 0.5"),
        ([[0, NAN]], "row 1, column 2 is nan"),
        ([[0, 1], [0]], "the rows of the cells have different lengths"),
        (["#.", ".#"], "cells are numbers of colours, not text; Grid.from_strings reads text"),
        ([0, 1], "a grid has two dimensions, not 1"),
        (np.zeros((2, 2, 3)), "a grid has two dimensions, not 3; nonocsp.generate takes pictures"),
        ([[None]], "cells are of type object; expected integers from 0 to 63"),
    ],
)
def test_what_is_no_cell_is_refused_naming_its_place(wrong, message):
    with pytest.raises(PuzzleError, match=message):
        Puzzle.from_grid(wrong)


def test_a_full_grid_is_the_array_of_its_colours_to_numpy():
    grid = Grid.from_cells(PICTURE)
    array = np.asarray(grid)
    assert array.dtype == np.uint8
    assert array.tolist() == PICTURE.tolist()
    assert np.asarray(grid, float).dtype == float
    assert np.array(grid, copy=True).sum() == np.sum(grid) == 5
    array[0] = 7  # a copy of its own
    assert grid == PICTURE
    with pytest.raises(ValueError, match="always a copy"):
        np.asarray(grid, copy=False)


def test_a_partial_grid_is_no_array_of_colours():
    grid = Grid.from_strings(["#?"])
    with pytest.raises(ValueError, match=r"the grid is partial, 1 cells are undecided; Grid.colours"):
        np.asarray(grid)
    assert grid.colours(unknown=255).tolist() == [[1, 255]]
    assert grid != [[1, 255]]


@given(cells, st.integers(0, 1))
def test_an_array_with_a_number_for_open_cells_is_read_back(image, bit):
    image = np.where(image == 3, 255 if bit else 3, image)
    grid = Grid.from_cells(image, unknown=255, palette=Palette.of(3))
    assert grid.colours(unknown=255).tolist() == image.tolist()
    assert {*grid.candidates[image == 255].tolist()} <= {0b1111}


@pytest.mark.parametrize(
    "equal", [PICTURE, PICTURE.astype(float), PICTURE.tolist(), pandas.DataFrame(PICTURE), PICTURE > 0]
)
def test_a_grid_equals_what_has_its_colours(equal):
    grid = Grid.from_cells(PICTURE)
    assert (grid == equal) is True
    assert (grid != equal) is False
    if isinstance(equal, np.ndarray):
        assert (equal == grid) is True
        assert verify(CAT, equal)


@pytest.mark.parametrize(
    "puzzle", [CAT, COLOURED, Puzzle.from_clues([[1]], [[1]], title="a 'b'", author="c")]
)
def test_the_representation_of_a_puzzle_makes_it_again(puzzle):
    assert eval(repr(puzzle)) == puzzle
