"""Game IDs of Simon Tatham's Pattern."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nonocsp.formats import formats
from nonocsp.formats.base import Sureness
from nonocsp.model import FormatError, Puzzle

Read = Callable[..., list[Puzzle]]

WIDE = Puzzle.from_clues([[1], [3]], [[1], [2], [1]])
"""Three columns and two rows, so that an exchange of the two is an error."""


@pytest.mark.parametrize(
    "text",
    [
        "3x2:1/2/1/1/3",
        "3x2:1/2/1/1/3\n",
        "\n# from a forum\nPattern 3x2:1/2/1/1/3",
        "pattern: 3x2:1/2/1/1/3\r\n",
        "3x2:1/2/1/1/3#123456",
    ],
)
def test_columns_come_before_rows(read: Read, text: str) -> None:
    assert read(text) == [WIDE]


def test_an_empty_field_is_an_empty_line_and_a_line_is_a_puzzle(read: Read) -> None:
    first, second = read("2x2:1//1/\n\n3x1:1//1/1.1\n", format="game-id")
    assert first == Puzzle.from_clues([[1], []], [[1], []])
    assert second == Puzzle.from_clues([[1, 1]], [[1], [], [1]])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("15x15#1234567890", ":1: '15x15#1234567890' is a random seed, of which only Pattern can make"),
        ("3x2:1/2/1/1/3,aBc", ":1: given cells behind a comma, which no clue holds; expected clues alone"),
        ("\n3x2:1/2/1/1", ":2: 4 clues; expected 3 of columns and 2 of rows, between slashes"),
        ("3x2:1/2/x/1/3", ":1:9: 'x' is no clue; expected lengths between dots, such as 3.1"),
        ("0x2:1/2", ":1: width '0'; expected a width from 1 to 4096"),
        ("5000x2:1/2", ":1: width '5000'; expected a width from 1 to 4096"),
        ("3 2\n1\n", ":1: '3 2' is no game ID; expected WIDTHxHEIGHT: and the clues"),
    ],
)
def test_what_is_no_puzzle_is_refused_with_the_reason(read: Read, text: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(text, name="id.txt", format="game-id")
    assert f"id.txt{message}" in str(error.value)


def test_a_seed_is_recognised_so_that_it_is_refused_by_name(read: Read) -> None:
    with pytest.raises(FormatError, match="a random seed"):
        read("15x15#1234567890\n")


@pytest.mark.parametrize(
    "text", ["10x10:a3b2c1\n", "10x10: see page 4\n", "2x2:1/1/1\n", "16x9#\nand more\n"]
)
def test_ids_of_other_games_and_prose_are_not_taken(text: str) -> None:
    (known,) = (known for known in formats() if known.name == "game-id")
    assert known.sniff(text.encode()).sureness is Sureness.NO
