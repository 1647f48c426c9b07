"""The ``.cwd`` files of QNonograms: where rows end, with and without empty clues."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nonocsp.model import FormatError, Puzzle

Read = Callable[..., list[Puzzle]]

TALL = Puzzle.from_clues([[2], [], [1]], [[1, 1], [1]])


@pytest.mark.parametrize(
    "text",
    [
        "3\n2\n2\n0\n1\n\n1 1\n1\n",
        "3\n2\n2\n\n1\n\n1,1\n1",
        " 3 \r\n2\r\n2\r\n\r\n1\r\n\r\n1 1\r\n1\r\n\r\n\r\n",
    ],
)
def test_the_height_comes_first_and_the_size_tells_which_empty_line_separates(read: Read, text: str) -> None:
    assert read(text, name="a.cwd") == [TALL]


def test_an_empty_last_column_may_be_an_empty_line(read: Read) -> None:
    (puzzle,) = read("1\n2\n1\n\n1\n\n", name="a.cwd")
    assert puzzle == Puzzle.from_clues([[1]], [[1], []])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3 2\n2\n", ":1: height '3 2'; expected a height from 1 to 4096"),
        ("3\nx\n2\n", ":2: width 'x'; expected a width from 1 to 4096"),
        ("3\n", ":1: no width; expected the width in the second line"),
        ("2\n2\n1\n1\n1\n1\n", ":5: rows and columns are not separated; expected an empty line behind 2 row"),
        ("2\n2\n1\n1\n\n1\n1\n1\n", ":8: 3 column clues; expected 2, as the width says"),
        ("2\n2\n1\n1\n\n1\n", ":6: 1 column clues; expected 2, as the width says"),
        ("2\n2\n1 a\n1\n\n1\n1\n", ":3:3: 'a' is no block length"),
    ],
)
def test_what_does_not_fit_the_size_is_refused_with_the_line(read: Read, text: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(text, name="a.cwd", format="cwd")
    assert f"a.cwd{message}" in str(error.value)
