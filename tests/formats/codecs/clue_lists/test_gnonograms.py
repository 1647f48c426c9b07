"""The ``.gno`` files of Gnonograms: clues, solutions, and games that somebody began."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nonocsp.model import FormatError, Grid, Puzzle, PuzzleError

Read = Callable[..., list[Puzzle]]
FORMAT = "gnonograms"
Write = Callable[..., bytes]

CLUES = """[Description]
A stair
Ada

4
[License]
CC BY-SA
[Dimensions]
2
3
[Row clues]
1, 1
2
[Column clues]
1
1
2
"""
SOLUTION = "[Solution grid]\n2 1 2 \n1 2 2 \n"
STAIR = Puzzle.from_clues([[1, 1], [2]], [[1], [1], [2]], title="A stair", author="Ada", licence="CC BY-SA")
GOAL = Grid.from_strings(["#.#", ".##"])


def test_clues_stand_in_sections(read: Read) -> None:
    assert read(CLUES, format=FORMAT) == [STAIR]


@pytest.mark.parametrize("title", ["[Solution grid]", "[Solution]"])
def test_a_solution_is_the_goal(read: Read, write: Write, title: str) -> None:
    (puzzle,) = read(CLUES + SOLUTION.replace("[Solution grid]", title), format=FORMAT)
    assert puzzle.goal == GOAL
    assert read(write(puzzle, "gnonograms"), format=FORMAT) == [puzzle]


def test_without_clues_the_solution_gives_them(read: Read) -> None:
    head = CLUES.partition("[Row clues]")[0]
    (puzzle,) = read(head + SOLUTION, format=FORMAT)
    assert (puzzle.rows, puzzle.columns, puzzle.goal) == (STAIR.rows, STAIR.columns, GOAL)


def test_a_game_that_somebody_began_is_not_part_of_the_puzzle(read: Read) -> None:
    working = "[Working grid]\n0 1 2\n0 0 0\n[State]\nGAME_STATE_SOLVING\n[Locked]\nfalse\n"
    assert read(CLUES + working, format=FORMAT) == [STAIR]
    assert read(CLUES + SOLUTION.replace("1 2 2", "0 2 2"), format=FORMAT)[0].goal is None


def test_a_title_like_a_section_stays_a_title(read: Read, write: Write) -> None:
    puzzle = Puzzle.from_clues([[1]], [[1]], title="[History]")
    assert read(write(puzzle, "gnonograms"), format=FORMAT)[0].title == "[History]"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[License]", "[Colours]", ":6: unknown section '[Colours]'; expected one of [Description]"),
        ("[License]", "[Description]", ":6: [Description] a second time; expected one puzzle a file"),
        ("[Description]\n", "", ":1: 'A stair' is out of place; expected the title of a section"),
        ("2\n3\n[Row", "2\n[Row", ":9: no dimensions; expected [Dimensions] and below it the number of rows"),
        ("2\n3\n[Row", "2\n4\n[Row", ":19: no row of the solution; expected 4 cells"),
        ("\n2\n[Solution", "\n[Solution", ":16: 2 column clues; expected 3, as [Dimensions] says"),
        ("1, 1\n", "1, x\n", ":12:4: 'x' is no block length"),
        ("2 1 2 \n", "2 1 \n", ":19: no row of the solution; expected 3 cells, 1 empty and 2 filled"),
        ("2 1 2 \n", "", ":19: 1 rows in the solution; expected 2, as [Dimensions] says"),
    ],
)
def test_a_faulty_file_names_the_line(read: Read, old: str, new: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read((CLUES + SOLUTION).replace(old, new, 1), name="a.gno", format=FORMAT)
    assert f"a.gno{message}" in str(error.value)


def test_neither_clues_nor_solution_are_no_puzzle(read: Read) -> None:
    with pytest.raises(FormatError, match="neither clues nor a full solution"):
        read("[Dimensions]\n2\n3\n", format=FORMAT)


def test_a_solution_of_other_clues_is_refused(read: Read) -> None:
    with pytest.raises(PuzzleError, match="the stored solution does not have this clue"):
        read(CLUES + SOLUTION.replace("2 1 2", "2 2 2"), format=FORMAT)
