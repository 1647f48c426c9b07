"""MiniZinc data of automata: the clue follows from the states."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nonocsp.model import FormatError, Puzzle

Read = Callable[..., list[Puzzle]]
Write = Callable[..., bytes]

WIDE = Puzzle.from_clues([[2, 1], []], [[1], [1], [], [1]])
WIDE_TEXT = """% as Kjellerstrand's program writes them
row_max = 2;
row_states = array2d(1..row_total_states, 1..2, [
% pattern 2,1
1,2, 0,3, 4,0, 4,5, 5,0,
% pattern 0
1,0,
]);
row_total_states = 6;
row_num_states = [5,1];
row_start_where = [1,6];
col_max = 4;
col_states = array2d(1..6, 1..2, [1,2, 2,0, 1,2, 2,0, 1,2, 2,0]);
col_num_states = [2,2,0,2];
col_start_where = [1,3,5,5];
"""


def test_the_clue_of_a_line_follows_from_its_automaton(read: Read) -> None:
    assert read(WIDE_TEXT, name="a_aut.dzn") == [WIDE]


def test_the_automata_are_written_as_they_were_published(write: Write) -> None:
    written = write(Puzzle.from_clues([[2, 1]], [[1], [1], [], [1]]), "dzn-states").decode()
    assert "% pattern 2,1\n1,2, 0,3, 4,0, 4,5, 5,0,\n" in written


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1,2, 0,3, 4", "1,2, 1,3, 4", ":5:6: no end of a block; expected 0,3 or 3,0"),
        ("4,5, 5,0,", "4,4, 5,0,", ":5:16: no gap before a block; expected 4,5"),
        ("1,0,\n]", "1,1,\n]", ":7:1: no end of the line; expected 1,0"),
        ("row_max = 2", "row_max = 3", ":10:18: 2 sizes and 2 starts; expected as many as row_max says"),
        ("[1,6]", "[1,7]", ":11:19: an automaton from 7 on; expected states of row_states, which has 6"),
        ("row_start_where", "row_start", ": row_start_where is missing; expected row_states, row_num_states"),
        ("= [5,1]", "= {5,1}", ":10:18: row_num_states is no list; expected numbers between [ and ]"),
    ],
)
def test_another_automaton_is_refused_with_its_place(read: Read, old: str, new: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(WIDE_TEXT.replace(old, new), name="a.dzn", format="dzn-states")
    assert f"a.dzn{message}" in str(error.value)
