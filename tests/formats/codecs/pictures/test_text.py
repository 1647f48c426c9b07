"""Text grids: what is background, what is a colour, and where one grid ends."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from nonocsp.model import BLACK_AND_WHITE, FormatError, Puzzle, UsageError

Read = Callable[..., list[Puzzle]]

CELLS = [[0, 1, 1], [1, 0, 0]]


@pytest.mark.parametrize(
    "content",
    [
        ".##\n#..\n",
        ".##\r\n#..",
        "\ufeff.XX\nX..\n\n\n",
        "011\n100\n",
        " ##\n#\n",
        "-@@\n@--\n",
        "_██\n█__\n",
    ],
)
def test_one_grid_in_many_spellings(read: Read, content: str) -> None:
    (puzzle,) = read(content)
    assert puzzle.goal is not None
    assert np.array_equal(puzzle.goal.cells, CELLS)
    assert puzzle.palette == BLACK_AND_WHITE


def test_several_characters_are_several_colours(read: Read) -> None:
    (puzzle,) = read("..b\n#ab\n")
    assert [colour.name for colour in puzzle.palette.colours] == ["white", "black", "red", "blue"]
    assert puzzle.goal is not None
    assert np.array_equal(puzzle.goal.cells, [[0, 0, 3], [1, 2, 3]])


def test_a_zero_in_a_grid_of_dots_is_a_colour(read: Read) -> None:
    (puzzle,) = read(".0\n#.\n")
    assert len(puzzle.palette) == 3


def test_empty_lines_separate_grids(read: Read) -> None:
    assert [puzzle.shape for puzzle in read(".#\n##\n\n\n#..\n")] == [(2, 2), (1, 3)]


def test_grids_of_other_symbols_are_recognised(read: Read) -> None:
    (puzzle,) = read("⬜🟧\n🟪🟪\n")
    assert puzzle.shape == (2, 2)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (".##\n#.\n", ":2: 2 cells; expected 3, as in the line above"),
        (".##\n#?.\n", ":2:2: '?' is no cell; expected a full solution"),
        ("◢◼ \n◼ ◼\n", ":1:1: '◢' is no cell; expected a full solution of whole cells"),
        (". #\n#..\n", ":1:2: ' ' is no cell"),
        ("", "the file is empty"),
        ("\n\n", "no puzzle in the file"),
    ],
)
def test_a_faulty_grid_names_the_line_and_what_was_expected(read: Read, content: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(content, name="cat.grid", format="text")
    assert "cat.grid:" in str(error.value)
    assert message in str(error.value)


def test_a_puzzle_without_solution_cannot_be_a_text_grid(write: Callable[..., bytes]) -> None:
    with pytest.raises(UsageError, match="this puzzle has none; write json, or solve it first"):
        write(Puzzle.from_clues([[1]], [[1]]), "text")
