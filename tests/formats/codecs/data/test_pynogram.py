"""``pynogram``: an INI file with clues in lines or between commas, and colours by keys."""

from __future__ import annotations

from collections.abc import Callable
from configparser import RawConfigParser

import pytest

from nonocsp.model import Colour, FormatError, Palette, Puzzle, PuzzleError

Read = Callable[..., list[Puzzle]]

WIDE = Puzzle.from_clues([[1, 1], []], [[1], [], [1]])
FLAG = Puzzle.from_clues([[(1, 1), (2, 2)], [(3, 1)]], [[(2, 1)], [(1, 2), (1, 1)], [(1, 2), (1, 1)]])
WIDE_TEXT = "[clues]\ncolumns =\n    1\n    0\n    1\nrows =\n    1 1\n    0\n"
FLAG_TEXT = (
    "[colors]\nr = (red) %\n[clues]\n"
    "rows = 1 2r, 3\ncolumns =\n    2\n    1r 1\n    1r 1\n"  # either key comes first
)


@pytest.mark.parametrize("name", ["cat.txt", "cat.json", "cat"])
@pytest.mark.parametrize(
    "content",
    [
        WIDE_TEXT,
        "[clues]\nrows = 1 1, 0\ncolumns = 1, 0, 1",
        "[clues]\nrows: '1 1', '',\ncolumns: 1,, \"1\"\n",
        "\ufeff# a comment\n; another\n\n" + WIDE_TEXT.replace("\n", " \r\n"),
        WIDE_TEXT.replace("    1\n", "\t1 # the first\n\n\n").replace("0\n", "0 ; empty = [\n# out\n"),
        "[clues]\n  COLUMNS =\n    1,\n    0,\n    1,\n  ROWS =\n    1 1,\n    0,\n[notes]\nby = me\n",
    ],
)
def test_one_puzzle_in_many_spellings_whatever_the_suffix(read: Read, content: str, name: str) -> None:
    assert read(content, name=name) == [WIDE]


@pytest.mark.parametrize("content", [FLAG_TEXT, FLAG_TEXT.replace("r =", "R =").replace("2r", "2R")])
def test_a_coloured_puzzle_has_the_colours_of_its_file(read: Read, content: str) -> None:
    (puzzle,) = read(content)
    assert puzzle.canonical_hash == FLAG.canonical_hash
    assert puzzle.palette.colours[1:] == (Colour("black", "#000000", "#"), Colour("r", "#ff0000", "%"))


@pytest.mark.parametrize(
    ("value", "rgb"),
    [
        *(("(red) %", "#ff0000"), ("(teal)%", "#008080"), ("(0af) %", "#00aaff"), ("(00AA0f) %", "#00aa0f")),
        *(("(1, 2,255) %", "#0102ff"), ("(Red)", "#ff0000")),
    ],
)
def test_a_colour_is_given_in_any_of_four_ways(read: Read, value: str, rgb: str) -> None:
    (puzzle,) = read(FLAG_TEXT.replace("(red) %", value))
    assert puzzle.palette[2].rgb == rgb


def test_black_and_white_may_be_given_other_colours(read: Read) -> None:
    (puzzle,) = read("[colors]\nblack = (0000ff) o\nwhite = (ffc) _\n" + WIDE_TEXT)
    assert puzzle.palette == Palette((Colour("white", "#ffffcc", "_"), Colour("black", "#0000ff", "o")))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[colors]\n", ":1: no rows; expected rows = and its clues in the section [clues]"),
        ("[clues]\ncolumns =\n  1\nrows =\n\n", ":5: no rows; expected rows = and its clues in the section"),
        ("[clues]\nrows = 1\n", ":2: no columns; expected columns = and its clues in the section [clues]"),
        ("columns = 1\n", ":1: 'columns = 1' is out of place; expected [clues] or [colors]"),
        ("[clues]\ncolumns =\n1\n", ":3: '1' is out of place; expected a key such as columns =, or deeper"),
        ("[clues]\nrows = 1\nrows = 1\n", ":3: rows a second time; expected one puzzle a file"),
        ("[clues]\n[clues]\n", ":2: [clues] a second time; expected one puzzle a file"),
        (
            "[clues]\ncolumns = 1\nrows =\n  2, '1 x'\n",
            ":4:9: 'x' is no block; expected a clue such as 3 1, or 3r 1b in the colours r and b, or 0 for",
        ),
        ("[clues]\nrows = 1, ?\n", ":2:11: '?' is no block; expected a clue such as 3 1"),
        ("[clues]\nrows = 1 9999999999\n", ":2:10: '9999999999' is no block; expected a clue"),
        (FLAG_TEXT.replace("1 2r", "1 2g"), ":4:10: '2g' is no block of black, r; expected a clue such as"),
        (FLAG_TEXT.replace("1 2r", "1white 2r"), ":4:8: '1white' is no block of black, r"),
        (
            FLAG_TEXT.replace("(red) %", "red"),
            ":2: r = red; expected a colour and a character such as (red) %",
        ),
        (FLAG_TEXT.replace("red", "rot"), ":2: r = (rot) %; expected a colour and a character"),
        (FLAG_TEXT.replace("red", "1, 2, 300"), ":2: r = (1, 2, 300) %; expected a colour and a character"),
        ("[clues]\nrows =\n" + "  1\n" * 5000, ":4100: too many clues; expected at most 4096"),
    ],
)
def test_a_faulty_file_names_the_place_and_what_was_expected(read: Read, content: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(content, name="cat.txt", format="pynogram")
    assert f"cat.txt{message}" in str(error.value)


def test_clues_that_form_no_puzzle_are_reported_with_the_line(read: Read) -> None:
    with pytest.raises(PuzzleError, match=r"cat\.txt: row 1: the clue 2 needs 2 cells, the line has 1"):
        read("[clues]\nrows = 2\ncolumns = 1", name="cat.txt")


def test_what_is_written_reads_the_same_with_the_parser_that_pynogram_uses(
    write: Callable[..., bytes],
) -> None:
    parser = RawConfigParser(inline_comment_prefixes="#;")
    parser.read_string(write(FLAG, "pynogram").decode())
    values = {name: dict(parser.items(name)) for name in parser.sections()}
    assert values == {
        "colors": {"red": "(d7191c) a"},
        "clues": {"columns": "\n2\n1red 1\n1red 1", "rows": "\n1 2red\n3"},
    }
    assert write(WIDE, "pynogram").decode() == WIDE_TEXT
