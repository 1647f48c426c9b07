"""The Olšáks' ``.g`` files: colours, comments, and relatives of nonograms that are refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from nonocsp.formats import load
from nonocsp.model import Colour, FormatError, Palette, Puzzle

Read = Callable[..., list[Puzzle]]
Write = Callable[..., bytes]

PLAIN = Puzzle.from_clues([[2], []], [[1], [1]])
PLAIN_TEXT = "any text\n\n:rows--\n2\n\n:columns\n 1\n1\n: end\nmore text 3 4\n"
FLAG_TEXT = """two colours
#d
   0:   white     the background
   1:*  black
   m:%  #0000FF   ocean
: rows
1m 1
2m
: columns
2m
1 1m
:
"""


@pytest.mark.parametrize(
    "text",
    [
        PLAIN_TEXT,
        PLAIN_TEXT.replace("2\n\n", "\t2\n0\n"),
        PLAIN_TEXT.replace("\n", "\r\n"),
        PLAIN_TEXT.partition(": end")[0],
        "#c is a comment\n" + PLAIN_TEXT,
    ],
)
def test_a_file_without_colours_is_black_and_white(read: Read, text: str) -> None:
    (puzzle,) = read(text, name="a.g")
    assert puzzle == PLAIN


def test_colours_have_letters_characters_and_names(read: Read) -> None:
    (puzzle,) = read(FLAG_TEXT)
    assert puzzle.palette.colours == (
        Colour("white", "#ffffff", "."),
        Colour("black", "#000000", "*"),
        Colour("ocean", "#0000ff", "%"),
    )
    assert (
        puzzle.canonical_hash
        == Puzzle.from_clues([[(1, 2), 1], [(2, 2)]], [[(2, 2)], [1, (1, 2)]]).canonical_hash
    )


def test_a_background_may_be_given_a_colour(read: Read, write: Write) -> None:
    (puzzle,) = read(FLAG_TEXT.replace("white  ", "#000020"))
    assert puzzle.palette[0].rgb == "#000020"
    assert read(write(puzzle, "olsak")) == [puzzle]


def test_a_colour_of_x11_that_nobody_knows_gets_one_of_the_stock(read: Read) -> None:
    (puzzle,) = read(FLAG_TEXT.replace("#0000FF   ocean", "PeachPuff4"))
    assert puzzle.palette[2].name == "PeachPuff4"
    assert puzzle.palette[2].rgb not in ("#ffffff", "#000000")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x\n#t\n#d\n: A\n1\n", ":2: a triddler, which is no rectangular nonogram"),
        (FLAG_TEXT.replace("#0000FF", "black/blue"), ":5: triangles ('black/blue'); expected cells of one"),
        (FLAG_TEXT.replace("#0000FF", "#00GG00"), ":5: '#00GG00' is no colour; expected #RRGGBB"),
        (FLAG_TEXT.replace("   m:%", "   5:%"), ":5: '5:%  #0000FF   ocean' is no colour; expected a letter"),
        (FLAG_TEXT.replace("   m:%", "   1:%"), ":5: '1' a second time; expected a letter"),
        (
            FLAG_TEXT.replace("1m 1\n", "1m 1x\n"),
            ":7:4: '1x' is no block; expected a clue such as 3 1, with one",
        ),
        (
            FLAG_TEXT.replace("1:*", "k:*"),
            ":7:4: '1' is no block; expected a clue such as 3 1, with one of the",
        ),
        (": rows\n1 a\n: columns\n1\n:", ":2:3: 'a' is no block; expected a clue such as 3 1; an empty line"),
        (": rows\n1\n", ":2: the file ends; expected : between row and column clues"),
        ("just text\n", ":1: the file ends; expected : before the row clues"),
        (": rows\n1\n: columns\n1\n\n", ":5: the file ends with empty lines; expected : below the last clue"),
        (": rows\n" + "1\n" * 5000, ":4098: too many clues; expected at most 4096, then :"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_line(read: Read, text: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(text, name="cat.g", format="olsak")
    assert f"cat.g{message}" in str(error.value)


def test_colours_are_written_with_letters_that_can_follow_a_number(write: Write) -> None:
    palette = Palette((Colour("w", "#ffffff", "."), Colour("a", "#ff0000", "7"), Colour("b", "#00ff00", ",")))
    puzzle = Puzzle.from_clues([[(1, 1), (1, 2)]], [[(1, 1)], [(1, 2)]], palette=palette)
    assert ": rows\n1a 1b\n" in write(puzzle, "olsak").decode()


def test_a_triddler_of_another_program_is_refused_by_name(datasets: Path) -> None:
    with pytest.raises(FormatError, match="a triddler"):
        load(datasets / "number-loom" / "examples" / "triddler" / "blob.g")
