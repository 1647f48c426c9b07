"""Facts for answer set solvers, in two dialects."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nonocsp.model import FormatError, Puzzle

Read = Callable[..., list[Puzzle]]
Write = Callable[..., bytes]

FLAG = Puzzle.from_clues([[(1, 2), (1, 1)], [(2, 1)]], [[(1, 2), (1, 1)], [(2, 1)]])
FLAG_TEXT = """row_cnt(2).
col_cnt(2).
row(0, 0, red, 1). row(0, 1, black, 1).
row(1, 0, black, 2).
col(0, 0, red, 1). col(0, 1, black, 1).
col(1, 0, black, 2).
"""
WIDE_TEXT = """%%% an instance
#const w = 3.  % columns
#const h = 2.
row_hint(1, 2, 1). row_hint(1, 1, 1).
%* nothing
in row 2 *%
col_hint(1,1,1).
col_hint(3,1,1).
"""
WIDE = Puzzle.from_clues([[1, 1], []], [[1], [], [1]])


def test_colours_are_names_or_strings(read: Read) -> None:
    (puzzle,) = read(FLAG_TEXT, name="a.lp")
    assert puzzle.canonical_hash == FLAG.canonical_hash
    assert [colour.name for colour in puzzle.palette.colours[1:]] == ["red", "black"]
    assert read(FLAG_TEXT.replace("red", '"dark red"'))[0].palette[1].name == "dark red"


def test_hints_are_counted_from_1_and_ordered_by_their_numbers(read: Read) -> None:
    assert read(WIDE_TEXT) == [WIDE]


def test_blocks_may_be_counted_from_any_number(read: Read) -> None:
    text = "row_cnt(1). col_cnt(3). row(0,5,black,1). row(0,7,black,1). col(0,9,black,1). col(2,9,black,1).\n"
    assert read(text) == [Puzzle.from_clues([[1, 1]], [[1], [], [1]])]


def test_names_that_are_no_terms_are_written_as_strings(write: Write) -> None:
    assert "row(0, 0, black, 1)." in write(Puzzle.from_clues([[1]], [[1]]), "asp").decode()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (FLAG_TEXT + "s(X) :- row(X,Y,C,L).\n", ":7: 'X) :- row' is no fact; expected facts such as"),
        (FLAG_TEXT + "row(0, 0, red, 1).\n", ":7: block 0 of row 0 a second time"),
        (FLAG_TEXT + "row_cnt(2).\n", ":7: a second number of rows"),
        (FLAG_TEXT.replace("row_cnt(2).", ""), ": no number of rows; expected row_cnt(5). or #const h = 5."),
        (FLAG_TEXT.replace("row(1,", "row(2,"), ": a block of row 2; expected 0 to 1, as the number of rows"),
        (FLAG_TEXT.replace("red, 1). row", "red). row"), ":3: 'row(0, 0, red)' says nothing of a puzzle"),
        (FLAG_TEXT.replace("2).\n", "2)\n"), ":1: 'row_cnt ( 2 ) col_cnt ( 2 )"),
        (FLAG_TEXT + "row(1, 1, red, 1)", ":7: the file ends in a fact; expected a dot behind each fact"),
        (FLAG_TEXT.replace("row_cnt(2)", "row_cnt(1..2)"), ":1: 'row_cnt ( 1 .' is no fact"),
    ],
)
def test_what_is_no_fact_of_a_puzzle_is_refused(read: Read, text: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(text, name="a.lp", format="asp")
    assert f"a.lp{message}" in str(error.value)
