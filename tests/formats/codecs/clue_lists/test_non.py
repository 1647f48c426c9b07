"""``.non``: keys in any order, two meanings of blank lines, colours, entities, bundles."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from nonocsp.model import Clue, Colour, FormatError, Grid, Puzzle

Read = Callable[..., list[Puzzle]]

WIDE = Puzzle.from_clues([[1, 1], []], [[1], [], [1]])


@pytest.mark.parametrize(
    "content",
    [
        "width 3\nheight 2\nrows\n1,1\n0\ncolumns\n1\n0\n1\n",
        "width 3\nheight 2\nrows\n1,1\n\ncolumns\n1\n\n1\n",
        "width 3\nheight 2\n\nrows\n1,1\n\n\ncolumns\n1\n\n1\n\n\n",
        "width 3\nheight 2\nrows\n\n1,1\n0\n\ncolumns\n\n1\n\n0\n\n1\n",
        "columns\n1\n0\n1\nheight 2\nrows\n1 1\n[]\nwidth 3\n",
        "rows 2\ncolumns 3\nrows\n1, 1\n0\ncolumns\n1\n0\n1\n",
        "\ufeffwidth 3\r\nheight 2 \r\nrows\r\n1,1 \r\n\r\ncolumns\r\n1\r\n\r\n1",
        "# comment\n% comment\nrating 5\nwidth\t3\nheight 2\nrows\n1,1\n0\nnothing known\ncolumns\n1\n0\n1\n",
    ],
    ids=[
        "zeros",
        "blanks are clues",
        "and separators",
        "blanks mean nothing",
        "any order",
        "rows N",
        "CRLF",
        "unknown",
    ],
)
def test_one_puzzle_in_many_spellings(read: Read, content: str) -> None:
    assert read(content) == [WIDE]


def test_quotes_and_entities_are_removed_and_copyright_replaces_a_missing_licence(read: Read) -> None:
    body = "width 1\nheight 1\nrows\n1\ncolumns\n1\n"
    head = 'title "Caf&eacute; &amp; &quot;Bar&quot;"\nby Ann\ncopyright "&copy; Ann"\ncatalogue "book #3"\n'
    (puzzle,) = read(head + body)
    texts = (puzzle.title, puzzle.author, puzzle.licence, puzzle.source)
    assert texts == ('Café & "Bar"', "Ann", "© Ann", "book #3")
    (puzzle,) = read(head + "license CC0-1.0\n" + body)
    assert puzzle.licence == "CC0-1.0"


def test_the_goal_is_read_row_by_row(read: Read) -> None:
    (puzzle,) = read('width 3\nheight 2\nrows\n1,1\n0\ncolumns\n1\n0\n1\ngoal "101000"\n')
    assert puzzle.goal == Grid.from_cells([[1, 0, 1], [0, 0, 0]])


@pytest.mark.parametrize(
    ("colours", "row"),
    [
        ("", "2a,1b"),
        ("color a #d7191c\ncolor b #2c7bb6\n", "2a, 1b"),
        ("", "red 2 blue 1"),
        ("color ink #d7191c\ncolor water #2c7bb6\n", "ink 2, water 1"),
        ("color ink #d7191c\ncolor water #2c7bb6\n", "2ink 1water"),
    ],
)
def test_colours_are_given_by_suffixes_or_by_words_for_all_that_follows(
    read: Read, colours: str, row: str
) -> None:
    words = row.replace("2", "1").replace(",", " ").split()
    first, second = (words[0], words[1]) if len(words) == 2 else (" ".join(words[:2]), " ".join(words[2:]))
    (puzzle,) = read(f"{colours}width 3\nheight 1\nrows\n{row}\ncolumns\n{first}\n{first}\n{second}\n")
    assert puzzle.rows == (Clue.of((2, 1), (1, 2)),)
    assert [colour.rgb for colour in puzzle.palette.colours] == ["#ffffff", "#d7191c", "#2c7bb6"]


def test_a_colour_word_applies_to_all_lengths_after_it_and_bare_lengths_are_black(read: Read) -> None:
    (puzzle,) = read("width 6\nheight 1\nrows\n1 red 1 1 blue 1\ncolumns\n1\nred 1\n0\nred 1\nblue 1\n\n")
    names = [puzzle.palette[block.colour].name for block in puzzle.rows[0]]
    assert names == ["black", "red", "red", "blue"]


def test_colours_without_a_declaration_get_distinct_ones(read: Read) -> None:
    (puzzle,) = read('width 2\nheight 1\nrows\n1x,1y\ncolumns\n1x\n1y\ngoal "xy"\n')
    assert len({colour.rgb for colour in puzzle.palette.colours}) == 3
    assert puzzle.goal is not None
    assert np.array_equal(puzzle.goal.cells, [[1, 2]])


def test_a_bundle_has_four_equal_signs_between_its_puzzles(read: Read) -> None:
    one = "width 1\nheight 1\nrows\n1\ncolumns\n1\n"
    puzzles = read(f'title "A"\n{one}====\ntitle "B"\n{one}====\n', name="pack.nonpack")
    assert [puzzle.title for puzzle in puzzles] == ["A", "B"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("width 1\nrows\n1\ncolumns\n1\n", ":5: height is missing; expected the keys width, height, rows"),
        ("width 1\nheight 1\nrows\n1\n", ":4: columns is missing"),
        ("width 0\nheight 1\nrows\n1\ncolumns\n1\n", ":1: width '0'; expected a width from 1 to 4096"),
        ("width 9999999999\nheight 1\nrows\n1\ncolumns\n1\n", ":1: width '9999999999'"),
        ("width 1\nheight 2\nrows\n1\ncolumns\n1\n", ":4: 1 clues of rows; expected 2, as height says"),
        ("width 1\nheight 1\nrows\n1\n1\ncolumns\n1\n", ":5: 2 clues of rows; expected 1, as height says"),
        (
            "width 2\nheight 1\nrows\n  1,~\ncolumns\n1\n\n",
            ":4:5: '~' is no block; expected a clue such as 3,1",
        ),
        ("width 1\nheight 1\nrows\n1\nrows\n1\ncolumns\n1\n", ":5: rows a second time; expected ===="),
        ("color a red\nwidth 1\nheight 1\n", ":1: color 'a red'; expected such as: color a #ff0000"),
        (
            'width 1\nheight 1\nrows\n1\ncolumns\n1\ngoal "11"\n',
            ":7: a goal of 2 cells; expected 1 x 1 cells",
        ),
        ('width 2\nheight 1\nrows\n1a1b\ncolumns\n1a\n1b\ngoal "ac"\n', "'1a1b' is no block"),
        (
            'width 2\nheight 1\nrows\n1a,1b\ncolumns\n1a\n1b\ngoal "ac"\n',
            ":8: 'c' in the goal; expected characters",
        ),
    ],
)
def test_a_faulty_file_names_the_line_and_what_was_expected(read: Read, content: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(content, name="cat.non")
    assert "cat.non:" in str(error.value)
    assert message in str(error.value)


NONNY_TEXT = """title "Bow"
width 3
height 2

color background 000020 .
color red FF0000 #
color yellow FFFF00 0

rows
red 1 1
yellow: 2, red: 1

columns
red: 1 yellow 1
yellow 1
red 2
"""


def test_nonny_names_colours_and_gives_them_characters(read: Read) -> None:
    (puzzle,) = read(NONNY_TEXT)
    assert puzzle.palette.colours == (
        Colour("black", "#000020", "."),
        Colour("red", "#ff0000", "#"),
        Colour("yellow", "#ffff00", "0"),
    )
    expected = Puzzle.from_clues([[1, 1], [(2, 2), 1]], [[1, (1, 2)], [(1, 2)], [2]])
    assert puzzle.canonical_hash == expected.canonical_hash
