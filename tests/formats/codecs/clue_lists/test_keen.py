"""Row clues, a separator, column clues: the files of Keen, ish, syro and pbnsol."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nonocsp.formats import formats
from nonocsp.formats.base import Sureness
from nonocsp.model import FormatError, Puzzle

Read = Callable[..., list[Puzzle]]

TALL = Puzzle.from_clues([[2], [], [1]], [[1, 1], [1]])
DIAMOND = Puzzle.from_clues([[1, 1], [1], [1], [1]], [[2], [1, 1], [], [1]])


@pytest.mark.parametrize(
    "text",
    [
        "2\n0\n1\n\n1 1\n1\n",
        "# a comment\n2\n0\n1\n\n\n1,1\n1\n\n",
        "* of pbnsol\n2\n0\n1\n&\n1 1\n1\n",
        "2 0\n0\n1 0\n\n1 1 0\n1 0\n",
    ],
)
def test_an_empty_line_or_an_ampersand_separates(read: Read, text: str) -> None:
    assert read(text, format="keen") == [TALL]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\n1\n", ":2: 1 sections of clues; expected two: row clues, an empty line or &"),
        ("1\n\n1\n\n1\n", ":5: 3 sections of clues; expected two"),
        ("1 x\n\n1\n", ":1:3: 'x' is no block length"),
        ("# nothing\n", ":1: 0 sections of clues"),
    ],
)
def test_other_texts_are_refused_with_the_line(read: Read, text: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(text, name="a.keen", format="keen")
    assert f"a.keen{message}" in str(error.value)


@pytest.mark.parametrize(
    ("text", "sureness"),
    [
        ("1 1\n1\n1\n1\n\n2\n1 1\n0\n1\n", Sureness.STRONG),
        ("101\n010\n\n111\n000\n", Sureness.NO),
        ("5 5\n1\n", Sureness.NO),
        ("1\n\n2\n", Sureness.NO),
        ("1 1 1\n\n3\n", Sureness.NO),
        ("one\n\ntwo\n", Sureness.NO),
        ("1\n" * 9000, Sureness.WEAK),
    ],
)
def test_sections_are_taken_if_they_fit_each_other(text: str, sureness: Sureness) -> None:
    (known,) = (known for known in formats() if known.name == "keen")
    assert known.sniff(text.encode()[:8192]).sureness is sureness


def test_clue_lists_of_zeros_and_ones_are_no_picture(read: Read) -> None:
    assert read("1 1\n1\n1\n1\n\n2\n1 1\n0\n1\n", name="q.txt") == [DIAMOND]
