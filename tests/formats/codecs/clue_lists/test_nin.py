"""``.nin``: the header is width first, the rows come first."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nonocsp.model import FormatError, FormatWarning, Puzzle

Read = Callable[..., list[Puzzle]]

WIDE = Puzzle.from_clues([[1, 1], []], [[1], [], [1]])


@pytest.mark.parametrize(
    "content",
    [
        "3 2\n1 1\n0\n1\n0\n1\n",
        "3 2\n1 1\n\n1\n\n1\n",
        "\ufeff3 2 \r\n1 1\t\r\n\r\n1\r\n\r\n1",
        "# a comment\n\n3 2\n1 1\n[]\n% another\n1\n0 # no cell\n1\n\n\n",
        "3 2\n1 1\n0\n1\n0\n1\nwhat follows is ignored\n",
    ],
)
def test_one_puzzle_in_many_spellings(read: Read, content: str) -> None:
    assert read(content) == [WIDE]


def test_a_last_empty_clue_may_lack_its_newline(read: Read) -> None:
    assert read("2 1\n1\n1\n") == [Puzzle.from_clues([[1]], [[1], []])]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "2 3\n1 1\n0\n1\n0\n",
            ":5: 4 clue lines; expected 3 row clues and 2 column clues, as line 1 says (width",
        ),
        ("3 2\n1 1\n0\n1,b\n0\n1\n", ":4:3: 'b' is no block length; expected a clue such as 3 1 2"),
        ("0 2\n1 1\n", ":1: width '0'; expected a width from 1 to 4096"),
        ("3 999999999999999999\n1 1\n", ":1: height '999999999999999999'; expected a height from 1 to 4096"),
        ("# nothing\n", "nothing but comments"),
        ("3\n1\n", ":1: no size; expected WIDTH HEIGHT"),
    ],
)
def test_a_faulty_file_names_the_line_and_what_was_expected(read: Read, content: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(content, name="cat.nin", format="nin")
    assert "cat.nin:" in str(error.value)
    assert message in str(error.value)


def test_a_puzzle_without_any_block_is_still_recognised(read: Read) -> None:
    assert read("2 1\n\n\n\n") == [Puzzle.from_clues([[]], [[], []])]


def test_an_empty_clue_is_written_as_zero(write: Callable[..., bytes]) -> None:
    assert write(WIDE, "nin") == b"3 2\n1 1\n0\n1\n0\n1\n"


def test_clues_behind_the_last_one_are_ignored_with_a_note(read: Read) -> None:
    with pytest.warns(FormatWarning, match=r"cat.nin:5: ignored from here on: line 1 says 2 clues"):
        (puzzle,) = read("1 1\n1\n1\n\n2\n1 1\n", name="cat.nin")
    assert puzzle.shape == (1, 1)
