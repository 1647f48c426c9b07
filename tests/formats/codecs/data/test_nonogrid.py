"""The TOML files of nonogrid."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nonocsp.model import Colour, FormatError, Puzzle

Read = Callable[..., list[Puzzle]]

WIDE = Puzzle.from_clues([[1, 1], []], [[1], [], [1]])
WIDE_TEXT = '''[clues]
columns = """
    1, 0   # two clues

    1  ; one
"""
rows = """'1 1'
    0"""
'''
FLAG_TEXT = """[colors]
defs = [
    'b = (blue) *',
    "W = (ffffcc) _",
]
[clues]
columns = '''
1b
1b 1'''
rows = '''2b
1
'''
"""


@pytest.mark.parametrize("text", [WIDE_TEXT, WIDE_TEXT.replace("\n", "\r\n"), "# comment\n" + WIDE_TEXT])
def test_commas_and_line_ends_separate_clues(read: Read, text: str) -> None:
    assert read(text, name="a.toml") == [WIDE]


def test_blocks_have_colours_with_characters(read: Read) -> None:
    (puzzle,) = read(FLAG_TEXT)
    assert puzzle.shape == (2, 2)
    assert puzzle.palette.colours[1:] == (Colour("black", "#000000", "#"), Colour("b", "#0000ff", "*"))
    assert puzzle.palette[0].rgb == "#ffffcc"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            WIDE_TEXT.replace("1, 0", "1 x, 0"),
            ":3: 'x' is no block; expected a length, or a length and one of",
        ),
        (
            WIDE_TEXT.replace("1, 0", "1r, 0"),
            ":3: '1r' is no block; expected a length, or a length and one of",
        ),
        (WIDE_TEXT.replace("rows =", "lines ="), ': no rows; expected rows = """ and clues in the section'),
        (WIDE_TEXT.replace('0"""', "0"), ":9: Unterminated string; expected TOML"),
        (FLAG_TEXT.replace("(blue)", "(blau)"), ":3: 'b = (blau) *' is no colour; expected a key, a colour"),
        (FLAG_TEXT.replace("defs = [", "defs = 3 # ["), ":3:19: Expected '=' after a key"),
        ("[clues]\nrows = 3\ncolumns = 3\n", ': no rows; expected rows = """ and clues'),
        ("colors = 3\n", ": [colors] without a list of strings; expected defs ="),
        ("a = " + "[" * 5000, ": nested too deeply, or a number is too long; expected a puzzle in TOML"),
    ],
)
def test_a_faulty_file_names_the_line(read: Read, text: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(text, name="a.toml", format="nonogrid")
    assert f"a.toml{message}" in str(error.value)
