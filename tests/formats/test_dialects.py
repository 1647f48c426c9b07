"""A list of numbers is read in one way, said where another is near, or refused with all ways that fit."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from nonocsp.formats import load_all
from nonocsp.model import FormatError, NonocspError, Puzzle

Read = Callable[..., list[Puzzle]]

ROWS, COLUMNS = ["2 1", "1", "3"], ["2", "1 1", "1", "1 1"]
BASE = Puzzle.from_clues([[2, 1], [1], [3]], [[2], [1, 1], [1], [1, 1]])
COUNTED = [f"{len(clue.split())} {clue}" for clue in (*ROWS, *COLUMNS)]
TURNED = "; if the clues of the columns come first, add --columns-first"
OWN_ORDER = "the clues of the rows are read first"
COUNTS = "the first number of each clue is read as the number of lengths behind it"
HEIGHT = "the first number is read as the height"


def text(*lines: str) -> str:
    return "\n".join([*lines, ""])


@pytest.mark.parametrize(
    ("name", "content", "expected", "notes"),
    [
        ("q.nin", text("4 3", *ROWS, *COLUMNS), BASE, []),
        ("q.txt", text("4 3", *ROWS, *COLUMNS), BASE, [OWN_ORDER]),
        ("q.txt", text("3 4", *ROWS, *COLUMNS), BASE, [HEIGHT + TURNED]),
        ("q.txt", text("4 3", *COLUMNS, *ROWS), BASE.transposed(), [HEIGHT + TURNED]),
        ("q", text("3 4", *ROWS, "#", *COLUMNS), BASE, [OWN_ORDER]),
        ("q.mk", text("3 4", *ROWS, "#", *COLUMNS), BASE, []),
        ("q.mk", text("4 3", *ROWS, "#", *COLUMNS), BASE, [OWN_ORDER]),
        ("q.keen", text(*ROWS, "-----", *COLUMNS), BASE, []),
        (
            "q.keen",
            text(*(f"{clue} 0" for clue in (*ROWS, "", *COLUMNS))).replace("\n 0\n", "\n\n"),
            BASE,
            [],
        ),
        ("q.cwd", text("3", "4", *ROWS, "", *COLUMNS).replace("\n", "\r"), BASE, []),
        ("q.cwd", text("4", "3", *ROWS, "", *COLUMNS), BASE, [OWN_ORDER]),
        ("q.nin", text("4\u00a03", *ROWS, *COLUMNS).replace("\n", "\r\r\n"), BASE, []),
        ("q.txt", text("4 3", *COUNTED), BASE, [COUNTS, OWN_ORDER]),
        ("q.nin", text("4 3", *COUNTED), BASE, [COUNTS]),
        ("q.txt", text("3 4", *COUNTED), BASE, [HEIGHT + TURNED, COUNTS, OWN_ORDER]),
        ("q.txt", text("3", "4", *COUNTED), BASE, [COUNTS, OWN_ORDER]),
        ("q.txt", text(*COUNTED[:3], "", *COUNTED[3:]), BASE, [COUNTS, OWN_ORDER]),
        ("q.g", text(": columns", *COLUMNS, ": rows", *ROWS, ":"), BASE, ["the clues of the columns are"]),
    ],
)
def test_the_only_possible_reading_is_taken_and_said(
    read: Read, name: str, content: str, expected: Puzzle, notes: list[str]
) -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        (puzzle,) = read(content, name=name)
    assert (puzzle.rows, puzzle.columns) == (expected.rows, expected.columns)
    assert all(note in str(found.message) for note, found in zip(notes, said, strict=True))


def test_rows_may_come_first_in_a_set_whose_size_is_told(read: Read) -> None:
    with pytest.warns(UserWarning, match="the clues of the rows are read first, as only that fits the size"):
        (puzzle,) = read(text("$1", *ROWS, *COLUMNS), size=(3, 4))
    assert (puzzle.rows, puzzle.columns) == (BASE.rows, BASE.columns)


CORNERS = text("3 3", *["1 1", "0", "1 1"] * 2)
"""Two points in a line, or, behind a count of one, a point."""
PLAIN = text("6 6", *(f"1 {n}" for n in (1, 3, 1, 3, 3, 1, 1, 3, 1, 2, 2, 3)))
"""Twelve clues that all agree with their count, which plain clues hardly do."""


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "q.nin",
            text("3 4", *ROWS, *COLUMNS),
            "row 1: the clue 2 1 needs 4 cells, the line has 3 (line 2); it fi",
        ),
        (
            "q.nin",
            text("3 4", *ROWS, *COLUMNS),
            "it fits if the first number is the height (--from height-first",
        ),
        (
            "q.nin",
            text("3 4", *COUNTED),
            "it fits if the first number of each clue is the number of lengths behind",
        ),
        (
            "q.txt",
            CORNERS,
            "this could be nin or counted, which read different puzzles; expected --from nin or",
        ),
        (
            "q.txt",
            text(*ROWS, "", "2", "?", *COLUMNS[2:]),
            ":6:1: an unknown clue (?), which is not supported yet",
        ),
        ("q.nin", text("4 3", "é 1", *ROWS[1:], *COLUMNS), ":2:1: 'é' is no block length"),
        ("q.nin", text("4 3", "1\u3000é x").replace("\n", "\r"), ":2:3: 'é' is no block length"),
    ],
)
def test_a_fault_names_what_would_fit(read: Read, name: str, content: str, message: str) -> None:
    with pytest.raises(NonocspError) as error:
        read(content, name=name)
    assert message in str(error.value)


def test_counts_that_all_agree_are_believed_unless_the_format_is_named(read: Read) -> None:
    with pytest.warns(UserWarning, match="add --columns-first"), pytest.warns(UserWarning, match=COUNTS):
        (counted,) = read(PLAIN, name="q.txt")
    with pytest.warns(UserWarning, match="could also be the number of lengths behind it: --from counted"):
        (plain,) = read(PLAIN, name="q.nin")
    assert [len(counted.rows[1]), len(plain.rows[1])] == [1, 2]


def test_a_set_is_read_in_parts_with_the_right_line_of_a_fault(tmp_path: Path) -> None:
    puzzle, wide = "$7\r\n1\r\n\r\n1\r\n\r\n", "GRID a\nROWS\n" + "[ 1 ]\n" * 4000 + "COLUMNS\n[ 4000 ]\n"
    (tmp_path / "set").write_text(puzzle * 40_000 + "$8\r\n1 é x\r\n", newline="")
    puzzles = load_all(tmp_path / "set")
    assert sum(1 for _, _ in zip(range(40_000), puzzles, strict=False)) == 40_000
    with pytest.raises(FormatError, match=r":200002:3: 'é' is no block length"):
        next(puzzles)
    (tmp_path / "grids").write_text(wide.replace("[ 4000 ]", "[ 1 ]\n" * 3999 + "[ 1 ]") * 9)
    assert [found.shape for found in load_all(tmp_path / "grids")] == [(4000, 4000)] * 9
