"""The puzzle model: accepted and refused puzzles, and the place of the fault in the message."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from nonocsp.model import (
    BLACK_AND_WHITE,
    MAX_LINES,
    Block,
    Clue,
    Colour,
    FlatClues,
    Grid,
    Line,
    Palette,
    Puzzle,
    PuzzleError,
    mismatches,
    verify,
)

images = hnp.arrays(
    np.uint8,
    hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=9),
    elements=st.integers(0, 3),
)


def runs(cells: list[int]) -> list[tuple[int, int]]:
    """The maximal runs of one colour other than background, cell by cell: the definition, spelled out."""
    found: list[tuple[int, int]] = []
    previous = 0
    for cell in cells:
        if cell and cell == previous:
            found[-1] = (found[-1][0] + 1, cell)
        elif cell:
            found.append((1, cell))
        previous = cell
    return found


@given(images)
def test_clues_derived_from_a_grid_are_its_runs(image):
    puzzle = Puzzle.from_grid(Grid.from_cells(image), palette=Palette.of(3))
    assert [list(clue) for clue in puzzle.rows] == [runs(row) for row in image.tolist()]
    assert [list(clue) for clue in puzzle.columns] == [runs(column) for column in image.T.tolist()]


@given(images, st.data())
def test_verify_accepts_exactly_the_grids_with_the_same_runs(image, data):
    puzzle = Puzzle.from_grid(Grid.from_cells(image), palette=Palette.of(3))
    other = image.copy()
    cell = data.draw(st.integers(0, image.size - 1))
    other.flat[cell] = data.draw(st.integers(0, 3))
    same = all(
        runs(a) == runs(b)
        for a, b in zip(
            [*image.tolist(), *image.T.tolist()], [*other.tolist(), *other.T.tolist()], strict=True
        )
    )
    assert verify(puzzle, Grid.from_cells(other)) == same


def test_mismatches_name_every_wrong_line():
    puzzle = Puzzle.from_clues([[2], [1]], [[2], [1]])
    assert mismatches(puzzle, Grid.from_cells([[1, 1], [0, 1]])) == [Line("column", 0), Line("column", 1)]
    assert str(Line("column", 1)) == "column 2"


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        (["##.", "#.."], "the grid is 2x3, the puzzle 2x2"),
        (["#"], "the grid is 1x1, the puzzle 2x2"),
        (["#?", "??"], "3 cells are undecided"),
    ],
)
def test_verify_refuses_a_grid_of_another_shape_and_a_partial_one(grid, message):
    with pytest.raises(PuzzleError, match=message):
        verify(Puzzle.from_clues([[2], [1]], [[2], [1]]), Grid.from_strings(grid))


@pytest.mark.parametrize(
    ("rows", "columns", "fault"),
    [
        ([[3], [1]], [[2], [1]], "row 1: the clue 3 needs 3 cells, the line has 2"),
        ([[2], [1]], [[1, 1], [1]], "column 1: the clue 1 1 needs 3 cells, the line has 2"),
        ([[2], [1, 0, 1]], [[1], [1]], "row 2: a zero stands between two blocks"),
        ([[2], [1]], [[-1], [1]], "column 1: a block has at least one cell, not -1"),
        ([[2], [1]], [[1], [1]], "the rows have 3 black cells and the columns 2"),
        ([[(1, 2)], [1]], [[(1, 2)], [(1, 2)]], "the rows have 1 black cells and the columns 0"),
        ([[1], [10**30]], [[1], [1]], "row 2: the clue 1000000000000000000000000000000 needs 1000"),
        ([[2, 2], [1]], [[1]] * 4, "row 1: the clue 2 2 needs 5 cells, the line has 4"),
        ([], [[1]], "a puzzle has 1 to 4096 rows, not 0"),
        ([[1]], [], "a puzzle has 1 to 4096 columns, not 0"),
        ([[]] * (MAX_LINES + 1), [[]], "a puzzle has 1 to 4096 rows, not 4097"),
    ],
)
def test_impossible_clues_are_refused_naming_the_line(rows, columns, fault):
    with pytest.raises(PuzzleError) as error:
        Puzzle.from_clues(rows, columns)
    assert str(error.value).startswith(fault)


def test_blocks_of_different_colours_may_touch():
    assert Clue.of((2, 1), (1, 2)).min_length == 3
    assert Clue.of((2, 1), (1, 1)).min_length == 4
    Puzzle.from_clues([[(1, 1), (1, 2)]], [[(1, 1)], [(1, 2)]])


def test_a_goal_with_other_clues_is_refused_naming_the_line():
    with pytest.raises(PuzzleError, match="column 1: the stored solution does not have this clue"):
        Puzzle.from_clues([[1], []], [[1], []], goal=Grid.from_cells([[0, 1], [0, 0]]))
    with pytest.raises(PuzzleError, match="4 cells are undecided"):
        Puzzle.from_grid(Grid.unknown(2, 2))


def test_the_largest_size_is_accepted():
    puzzle = Puzzle.from_clues([[MAX_LINES]] * MAX_LINES, [[MAX_LINES]] * MAX_LINES)
    assert puzzle.shape == (MAX_LINES, MAX_LINES)


@given(images)
def test_symmetries_are_involutions_and_keep_the_goal(image):
    puzzle = Puzzle.from_grid(Grid.from_cells(image), palette=Palette.of(3), title="image")
    for turned in (
        puzzle.transposed(),
        puzzle.reflected(left_right=True),
        puzzle.reflected(top_bottom=True),
        puzzle.reflected(left_right=True, top_bottom=True),
    ):
        assert turned.goal is not None
        assert verify(turned, turned.goal)
    assert puzzle.transposed().transposed() == puzzle
    assert puzzle.reflected(left_right=True).reflected(left_right=True) == puzzle
    expected = Puzzle.from_grid(Grid.from_cells(image[::-1, ::-1]), palette=Palette.of(3), title="image")
    assert puzzle.reflected(left_right=True, top_bottom=True) == expected


def test_the_canonical_hash_depends_only_on_the_clues_and_on_no_numbering_of_colours():
    puzzle = Puzzle.from_clues([[1, 1], [1]], [[2], [], [1]])
    titled = Puzzle.from_clues([[1, 1], [1]], [[2], [], [1]], title="other")
    assert puzzle != titled
    assert puzzle.canonical_hash == titled.canonical_hash
    assert puzzle.canonical_hash != puzzle.reflected(left_right=True).canonical_hash
    assert puzzle.canonical_hash != Puzzle.from_clues([[1], [1, 1]], [[2], [], [1]]).canonical_hash
    one = Puzzle.from_clues([[(1, 1), (2, 2)]], [[(1, 1)], [(1, 2)], [(1, 2)]])
    two = Puzzle.from_clues([[(1, 3), (2, 1)]], [[(1, 3)], [(1, 1)], [(1, 1)]])
    other = Puzzle.from_clues([[(1, 1), (2, 1)]], [[1], [], [1], [1]], palette=Palette.of(2))
    assert one.canonical_hash == two.canonical_hash != other.canonical_hash


def test_the_canonical_hash_is_the_same_in_every_process():
    program = "from nonocsp.model import Puzzle; print(Puzzle.from_clues([[1]], [[1]]).canonical_hash)"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == Puzzle.from_clues([[1]], [[1]]).canonical_hash


@given(images)
def test_flat_clues_round_trip(image):
    puzzle = Puzzle.from_grid(Grid.from_cells(image), palette=Palette.of(3))
    assert FlatClues.of(puzzle.rows).clues() == puzzle.rows


def test_clues_print_as_lengths_and_colours():
    assert str(Clue.of(3, 1)) == "3 1"
    assert str(Clue()) == "0"
    assert str(Clue.of((3, 2))) == "3:2"
    assert Clue.of((3, 2), 1).reversed() == (Block(1), Block(3, 2))


PALETTE_FAULTS = [
    ([], "1 to 63 colours, not 0"),
    ([Colour("white", "#000000", "#")], "share the name 'white'"),
    ([Colour("black", "#000000", ".")], "share the character '.'"),
    ([Colour("black", "#000000", "?")], "not one printable character"),
    ([Colour("black", "#000000", "ab")], "not one printable character"),
    ([Colour("black", "#000000", "\n")], "not one printable character"),
    ([Colour("black", "000000", "#")], "not of the form #rrggbb"),
]


@pytest.mark.parametrize(("colours", "fault"), PALETTE_FAULTS)
def test_a_palette_that_cannot_be_written_is_refused(colours, fault):
    with pytest.raises(PuzzleError, match=fault):
        Palette((BLACK_AND_WHITE[0], *colours))
    for count in (-1, 0, 64):
        with pytest.raises(PuzzleError, match=f"a background and 1 to 63 colours, not {count}"):
            Palette.of(count)


def test_default_palettes_are_valid_up_to_the_maximum_of_colours():
    assert len(Palette.of(63)) == 64
    assert Palette.of(2).index("red") == 2
    with pytest.raises(PuzzleError, match="unknown colour 'mauve'; the palette has white, black, red"):
        Palette.of(2).index("mauve")


def test_flat_clues_make_the_same_puzzle_and_the_same_fault() -> None:
    puzzle = Puzzle.from_clues([[1, 1], []], [[1], [], [1]], title="Stair")
    assert Puzzle.from_flat(puzzle.flat_rows, puzzle.flat_columns, title="Stair") == puzzle
    with pytest.raises(PuzzleError, match="row 1: the clue 1 1 needs 3 cells, the line has 2"):
        Puzzle.from_flat(puzzle.flat_rows, puzzle.flat_rows)
