"""``.dzn``: two codings in one grammar, that of MiniZinc data."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nonocsp.model import FormatError, Puzzle, PuzzleError

Read = Callable[..., list[Puzzle]]

WIDE = Puzzle.from_clues([[1, 1], []], [[1], [], [1]])
STEP = Puzzle.from_clues([[2, 1], [1]], [[1], [2], [], [1]])


@pytest.mark.parametrize("name", ["cat.dzn", "cat.non", "cat"])
@pytest.mark.parametrize(
    "content",
    [
        "rows = 2; cols = 3; row_rules = [|1,1|0,0|]; col_rules = [|1|0|1|];",
        "rows = 2; cols = 3; row_rules = [|1,1|0,0|]; col_rules = [|1|0|1|]",
        "cols = 3;\ncol_rules = array2d(1..cols, 1..1, [1, 0, 1,]);\nrow_rules = [| 1, 1,\n | 0, 0 |];\n",
        "rows = 2;\nrow_rule_len = 3;\nrow_rules = array2d(1..rows, 1..row_rule_len, [0,1,1, 0,0,0]);\n"
        "cols = 3;\ncol_rule_len = 2;\ncol_rules = array2d(1..cols, 1..col_rule_len, [1,0, 0,0, 1,0]);\n",
        "% a comment; rows = 5\nrow_rules = /* two\nlines */ array2d({1, 2}, 0..1, flat); flat = [1,1,0,0];\n"
        'col_rules = array2d(COLUMNS, -1..-1, [1,0,1]); COLUMNS = 4..6; title = "a ; \\" b"; scale = 1.5e3;',
        "/* width\n*/ \ufeff".rstrip("\ufeff") + "X = 3; Y = 2; maxlen = 3; rows = [|1,0,1|0,-1,-1|]; "
        "cols = [|1,-1,-1|0,-1,-1|-1,-1,1|];",
        "\ufeffX = 3;\r\nY = 2;\r\nrows = \t[|1, 0, 1\r\n\t|-1, -1, -1\r\n\t|];\r\ncols = [|1|0|1|];\r\n",
        "Y = 2; rows = array2d(1..Y, 1..3, [1,0,1,0,-1,-1]); cols = array2d(1..3, 1..1, [1,0,1]);",
    ],
)
def test_one_puzzle_in_many_spellings(read: Read, content: str, name: str) -> None:
    assert read(content, name=name) == [WIDE]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("row_rules = [|2,1|1,0|]; col_rules = [|1|2|0|1|];", STEP),
        ("rows = [|1,1,0,1|-1,1,-1,-1|]; cols = [|1,-1|1,1|0,-1|1,-1|];", STEP),
    ],
)
def test_the_names_of_the_tables_say_how_zeros_and_ones_are_read(
    read: Read, content: str, expected: Puzzle
) -> None:
    assert read(content) == [expected]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("rows = 2", ":1:8: rows is no table"),
        ("row_rules = [|1|];", ": col_rules is missing; expected the tables row_rules and col_rules"),
        ("X = 3;", ": rows is missing; expected the tables rows and cols"),
        ("rows = 3;\nrow_rules = [|1|0|];", ":2:13: 2 clues in row_rules; expected 3, as rows says"),
        ("row_rules = [|1,0,1\n|0,0,1|];", ":1:15: no clue; expected lengths such as 0,0,2,1, zeros outside"),
        ("row_rules = [|1,1\n|1,-1|];", ":2:2: no clue; expected lengths such as 0,0,2,1, zeros outside"),
        ("rows = [|1,1\n|2,1|];", ":2:2: no clue; expected 1s with a 0 between blocks, then -1s"),
        ("rows = [|1,0,0,1|];", ":1:10: no clue; expected 1s with a 0 between blocks"),
        ("rows = [|1,0|];", ":1:10: no clue; expected 1s with a 0 between blocks"),
        ("rows = [|1,-1,1|];", ":1:10: no clue; expected 1s with a 0 between blocks"),
        ("rows = [|1,0,1|1,1|];", ":1:16: a row of 2 numbers; expected 3"),
        ("rows = [1,2];", ":1:8: rows is no table; expected [| ... |] or array2d(..., ..., [...])"),
        ("rows = array2d(1..2, [1,2]);", ":1:8: rows is no table"),
        (
            "rows = array2d(1..2, 1..2, [1,2,3]);",
            ":1:28: no array of that size; expected 2 x 2 numbers between",
        ),
        ("rows = array2d(1..n, 1..2, [1,2]);", ":1:19: 'n' has no value; expected n = ...;"),
        ("n = m; m = n; rows = array2d(1..n, 1..2, [1,2]);", "' has no value; expected "),
        ("rows = array2d(2, 1..2, [1,2]);", ":1:16: no range; expected a range such as 1..20"),
        ("rows = [|1.5|];", ":1:10: no whole number; expected a whole number of at most nine digits"),
        ("rows = [|9999999999|];", ":1:10: no whole number; expected a whole number of at most nine digits"),
        ('rows = [|"a"|];', ":1:10: no whole number"),
        ("rows = [|1|]\ncols = [|1|];", ":2:1: 'cols' is out of place; expected ; behind the value"),
        ("rows = [|1|];\nrows = [|1|];", ":2:1: 'rows' is assigned a second time; expected one value"),
        ("rows := [|1|];", ":1:6: ':' is out of place; expected = behind the name"),
        ("rows = [|1 2|];", ":1:12: '2' is out of place; expected a comma, | or |]"),
        ("rows = [1, 2);", ":1:13: ')' is out of place; expected a comma or ]"),
        ("rows = [|1", ":1:11: the end of the file is out of place; expected a comma, | or |]"),
        ("rows = ;", ":1:8: ';' is out of place; expected a number, a string, a name or an array"),
        ("2 = rows;", ":1:1: '2' is out of place; expected a name such as rows"),
        ('rows = "open;\n', ":1:8: '\"' is out of place"),
        ("rows = " + "[" * 2000, ":1:17: nested too deeply; expected arrays of numbers"),
    ],
)
def test_a_faulty_file_names_the_place_and_what_was_expected(read: Read, content: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(content, name="cat.dzn", format="dzn")
    assert "cat.dzn:" in str(error.value)
    assert message in str(error.value)


def test_too_much_data_is_refused(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonocsp.formats.codecs.data.dzn_grammar._MAX_CHARACTERS", 10)
    with pytest.raises(FormatError, match="too much data; expected at most"):
        read("rows = [|1|]; cols = [|1|];")


def test_clues_that_form_no_puzzle_are_reported_with_the_line(read: Read) -> None:
    with pytest.raises(PuzzleError, match=r"cat\.dzn: row 1: the clue 2 1 needs 4 cells, the line has 1"):
        read("rows = [|1,1,0,1|]; cols = [|1|];", name="cat.dzn")


def test_padded_clues_are_written_unless_the_automaton_is_asked_for(write: Callable[..., bytes]) -> None:
    assert write(STEP, "dzn").decode() == (
        "rows = 2;\nrow_rule_len = 2;\nrow_rules = array2d(1..rows, 1..row_rule_len, [\n  2,1,\n  0,1\n]);\n"
        "cols = 4;\ncol_rule_len = 1;\ncol_rules = array2d(1..cols, 1..col_rule_len, [\n"
        "  1,\n  2,\n  0,\n  1\n]);\n"
    )
    assert write(STEP, "dzn-dfa").decode() == (
        "X = 4;\nY = 2;\nmaxlen = 4;\nrows = [|1,1,0,1\n  |1,-1,-1,-1\n  |];\n"
        "cols = [|1,-1,-1,-1\n  |1,1,-1,-1\n  |0,-1,-1,-1\n  |1,-1,-1,-1\n  |];\n"
    )
