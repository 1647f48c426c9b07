"""Tournament sets: blank lines are clues, and the size is nowhere said."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from nonocsp.formats import load_all
from nonocsp.model import Clue, FormatError, Puzzle

Read = Callable[..., list[Puzzle]]

PLUS = Puzzle.from_clues([[1], [3], [1]], [[1], [3], [1]], title="1")
L_SHAPE = Puzzle.from_clues([[1], [2], []], [[2], [1], []], title="7")
TALL = Puzzle.from_clues([[1, 1], [3], []], [[2], [1], [2]], title="1")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("$1\n1\n3\n1\n1\n3\n1\n", [PLUS]),
        ("$1\r\n1\r\n3\r\n1\r\n1\r\n3\r\n1\r\n", [PLUS]),
        ("\n\n$1\n1\n3\n1\n1\n3\n1", [PLUS]),
        ("$1\n1\n3\n1\n1\n3\n1\n\n\n", [PLUS]),
        ("\ufeff$1  \n 1\t\n3 \n1\n1\n3\n1\n", [PLUS]),
        ("$7\n2\n1\n\n1\n2\n\n", [L_SHAPE]),
        ("$7\n2\n1\n\n1\n2\n", [L_SHAPE]),
        ("$7\n2\n1\n\n1\n2\n\n\n", [L_SHAPE]),
        ("$7\n2\n1\n0\n1\n2\n[]\n", [L_SHAPE]),
        ("$7\n2\n1\n\n1\n2\n\n$1\n1\n3\n1\n1\n3\n1\n", [L_SHAPE, PLUS]),
        ("$1\n1\n3\n1\n1\n3\n1\n\n$7\n2\n1\n\n1\n2\n\n\n", [PLUS, L_SHAPE]),
        ("$1\n2\n1\n2\n1  1\n3\n\n", [TALL]),
        ("$1\n2\n1\n2\n1\t1\n3\n\n", [TALL]),
    ],
)
def test_real_sets_are_read(read: Read, content: str, expected: list[Puzzle]) -> None:
    assert read(content) == expected


def test_columns_come_before_rows_and_a_given_size_is_rows_by_columns(read: Read) -> None:
    (puzzle,) = read("$1\n2\n1\n2\n1 1\n3\n", size=(2, 3))
    assert puzzle.columns == (Clue.of(2), Clue.of(1), Clue.of(2))
    assert puzzle.rows == (Clue.of(1, 1), Clue.of(3))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("$1\n1\n2\n1 1\n1\n1\n", ":1: no square puzzle: 5 clue lines; expected as many column clues"),
        ("$1\n1\n1\n2\n1 1\n3\n$2\n", "--size ROWSxCOLUMNS"),
        ("$1\n\n\n\n\n", ":1: more than one size fits puzzle $1: 4 clue lines"),
        ("$1\n1\n1\n$2\n1\n", ":4: puzzle $2 has 1 clue lines; expected 1 column clues and 1 row clues"),
        ("$1\n1\n1\n$2\n1\n1\n1\n", ":4: puzzle $2 has 3 clue lines"),
        ("$1\n1\n1 x\n", ":3:3: 'x' is no block length; expected a clue such as 3 1 2"),
        ("$1\n1\n-1\n", ":3:1: '-1' is no block length"),
        ("$1\n1\n99999999999999999999\n", ":3:1: '99999999999999999999' is no block length"),
        ("1\n$1\n1\n1\n", ":1: a clue before the first header; expected a header such as $1"),
    ],
)
def test_a_faulty_set_names_the_line_and_what_was_expected(read: Read, content: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(content, name="set.txt", format="tournament")
    assert message in str(error.value)
    assert str(error.value).count("set.txt:") == 1


def test_a_set_is_read_lazily(tmp_path: Path) -> None:
    path = tmp_path / "set.txt"
    path.write_text("".join(f"${k}\n1\n1\n" for k in range(1, 5000)) + "$5000\nbroken\n")
    first = list(islice(load_all(path), 4000))
    assert [puzzle.title for puzzle in first[-2:]] == ["3999", "4000"]


def test_an_endless_puzzle_is_refused_before_it_fills_the_memory(read: Read) -> None:
    with pytest.raises(FormatError, match="too many clue lines"):
        read("$1\n" + "1\n" * 10_000)


def test_titles_that_are_not_numbers_are_replaced_by_the_position(
    read: Read, write: Callable[..., bytes]
) -> None:
    puzzle = Puzzle.from_clues([[1]], [[1]], title="Cat")
    assert write([puzzle, puzzle], "tournament") == b"$1\n1\n1\n$2\n1\n1\n"
