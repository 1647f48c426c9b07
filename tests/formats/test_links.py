"""Links and files of puzz.link, and saved games of Pattern: read as they are, or refused with the place."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nonocsp.formats import load, load_all
from nonocsp.model import FormatError, Grid, NonocspError, Puzzle
from tests.formats.samples import PATTERN_SAVE
from tests.formats.test_round_trip import puzzles, through_file

Read = Callable[..., list[Puzzle]]
LINK = "https://puzz.link/p?nonogram/6/6/12g1111h11112j12g11g21j11g3h"
PUZZLE = Puzzle.from_clues(
    [[2, 1], [1, 1], [1, 2], [], [1, 1], [3]], [[2, 1], [1, 1, 1], [1], [1, 1, 1], [2, 1], []]
)


def test_a_link_is_a_puzzle_wherever_a_file_is(read: Read) -> None:
    assert load(LINK) == PUZZLE
    assert read(f"{LINK}\n{LINK}\n", format="puzz-link") == [PUZZLE, PUZZLE]


@pytest.mark.parametrize(
    ("link", "message"),
    [
        (LINK[:-1], ":1:61: the link ends too early; expected 36 places, 2 more"),
        (f"{LINK}g", ":1:61: more numbers than places"),
        (LINK.replace("1111h", "11.1h"), ":1:39: an unknown number; expected every number"),
        (LINK.replace("1111h", "11!1h"), ":1:39: '!' is no number"),
        (LINK.replace("6/6", "0/6"), ":1: width '0'"),
        (LINK.replace("6/6", "6"), "is no whole link"),
        (LINK.replace("nonogram", "coral"), "a puzzle of the kind 'coral'; expected nonogram"),
        ("https://webpbn.com/1", "holds no puzzle; expected a link with a nonogram"),
    ],
)
def test_a_damaged_link_is_refused_with_its_place(link: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        load(link)
    assert message in str(error.value)


@given(at=st.integers(LINK.index("12g"), len(LINK) - 1), char=st.sampled_from("0123456789abcdefghijz.-+/#"))
@settings(max_examples=100)
def test_one_changed_character_of_a_link_gives_another_puzzle_or_an_error(at: int, char: str) -> None:
    try:
        (puzzle,) = load_all(LINK[:at] + char + LINK[at + 1 :])
    except NonocspError:
        return
    assert (puzzle == PUZZLE) == (char == LINK[at])


@pytest.mark.parametrize("format", ["puzz-link", "pzprv3"])
@given(puzzle=puzzles(1))
@settings(max_examples=30)
def test_what_is_written_is_read_without_its_name(format: str, puzzle: Puzzle) -> None:
    assert through_file(puzzle, format).canonical_hash == puzzle.canonical_hash


def test_long_blocks_and_long_gaps_survive(read: Read, write: Callable[..., bytes]) -> None:
    wide = Puzzle.from_grid(Grid.from_cells([[1] * 300, [1, *[0] * 299], [1] * 20 + [0] * 280]))
    assert b"+12c" in write(wide, "puzz-link")
    for format in ("puzz-link", "pzprv3"):
        assert read(write(wide, format))[0].rows == wide.rows


@pytest.mark.filterwarnings("ignore:.*no solution of the clues")
def test_cells_of_a_file_are_the_goal_if_they_solve_the_puzzle(read: Read) -> None:
    assert read("pzprv3/nonogram/1/2/. 1 . /1 # + /")[0].goal == Grid.from_cells([[1, 0]])
    assert read("pzprv3/nonogram/1/2/. 1 . /1 . # /")[0].goal is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("pzprv3/slither/1/2/. . /", "a puzzle of the kind 'slither'; expected nonogram"),
        ("pzprv3\nnonogram\n1\n2\n. 1 .\n1 #\n", ":6: row 2 has 2 places; expected 2 rows of 3 places"),
        ("pzprv3\nnonogram\n1\n2\n. -2 .\n1 . .\n", ":5: an unknown number; expected every number"),
        ("pzprv3\nnonogram\n1\n2\n. 1 .\n1 # x\n", ":6: 'x' is no cell"),
        ("pzprv3\nnonogram\n", "height ''"),
        (PATTERN_SAVE.replace("1.1/", "1.2/"), "cat: row 1: the clue 1 2 needs 4 cells"),
        (PATTERN_SAVE.replace("DESC    :9:1//", "DESC    :9:1/"), ":6: DESC has 8 bytes; expected 9"),
        (PATTERN_SAVE.replace("1.1/", "1.x/"), ":6: '1.x' is no clue"),
        (PATTERN_SAVE.replace("Pattern", "Bridges"), ":3: a game of 'Bridges'; expected Pattern"),
        (PATTERN_SAVE[:90], "is no line of a saved game"),
        (PATTERN_SAVE[:85], "a saved game without its puzzle"),
    ],
)
def test_a_faulty_file_is_refused_with_its_place(read: Read, content: str, message: str) -> None:
    with pytest.raises(NonocspError) as error:
        read(content, name="cat")
    assert message in str(error.value)
