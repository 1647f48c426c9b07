"""``picross``: named grids, either section first; errors that say where."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from nonocsp.formats import load_all
from nonocsp.model import FormatError, NonocspError, Puzzle, PuzzleError

Read = Callable[..., list[Puzzle]]

CORNER = Puzzle.from_clues([[1, 1], [2], []], [[2], [1], [1]], title="Corner  piece")
DOT = Puzzle.from_clues([[1]], [[1]])
CORNER_TEXT = "GRID Corner  piece\nROWS\n[ 1 1 ]\n[ 2 ]\n[ ]\nCOLUMNS\n[ 2 ]\n[ 1 ]\n[ 1 ]\n"
DOT_TEXT = "GRID\nCOLUMNS\n[ 1 ]\nROWS\n[ 1 ]\n"


@pytest.mark.parametrize("name", ["set.txt", "set"])
@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (CORNER_TEXT, [CORNER]),
        (DOT_TEXT, [DOT]),
        (CORNER_TEXT + DOT_TEXT, [CORNER, DOT]),
        (f"# made by hand\n\n{DOT_TEXT}\n# the next one\n#\n{CORNER_TEXT}\n", [DOT, CORNER]),
        ("\ufeff" + CORNER_TEXT.replace("\n", " \r\n").replace("[ ]", "[ 0 ]"), [CORNER]),
        (CORNER_TEXT.replace("[ 1 1 ]", "\t[1 1]").replace("[ ]\n", "[]\n\n# inside\n"), [CORNER]),
    ],
)
def test_real_files_are_read(read: Read, content: str, expected: list[Puzzle], name: str) -> None:
    assert read(content, name=name) == expected


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("ROWS\n[ 1 ]\n", ":1:1: 'ROWS' is out of place; expected GRID and a name before anything else"),
        ("GRID a\n[ 1 ]\n", ":2:1: '[' is out of place; expected ROWS or COLUMNS below GRID"),
        (
            "GRID a\nROWS\n  1 2\n",
            ":3:3: '1' is out of place; expected a clue such as [ 1 2 ], ROWS, COLUMNS",
        ),
        ("GRID a\nROWS\n[ 1 2\n", ":3:6: a clue without ]; expected a clue such as [ 1 2 ]"),
        ("GRID a\nROWS\n[ 1 ] 2\n", ":3:8: a clue without ]; expected a clue such as [ 1 2 ]"),
        ("GRID a\nROWS\n[ 1 ] 2 ]\n", ":3:5: ']' is no block length; expected a clue such as 3 1 2"),
        ("GRID a\nROWS\n[ 1 x ]\n", ":3:5: 'x' is no block length; expected a clue such as 3 1 2"),
        ("GRID a\nROWS\n[ -1 ]\n", ":3:3: '-1' is no block length"),
        ("GRID a\nROWS\n[ 1 ]\nROWS\n", ":4: ROWS a second time; expected GRID before the next grid"),
        (
            "GRID a\nCOLUMNS\n[ 1 ]\n",
            ":1: the grid 'a' has no rows; expected ROWS and a clue such as [ 1 2 ]",
        ),
        ("\nGRID b\nROWS\n[ 1 ]\nCOLUMNS\n", ":2: the grid 'b' has no columns; expected COLUMNS and a clue"),
        ("GRID a\nROWS\n" + "[ 1 ]\n" * 5000, ":4099: too many clues in ROWS; expected at most 4096"),
    ],
)
def test_a_faulty_file_names_the_place_and_what_was_expected(read: Read, content: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(content, name="set.txt", format="picross")
    assert f"set.txt{message}" in str(error.value)


@pytest.mark.parametrize(
    ("fault", "kind", "message"),
    [
        ("GRILL b\n", FormatError, "set.txt:16:1: 'GRILL' is out of place; expected a clue"),
        ("GRID b\nROW\n", FormatError, "set.txt:17:1: 'ROW' is out of place; expected ROWS or COLUMNS"),
        ("GRID b\nROWS\n[ 2 ]\nCOLUMNS\n[ 1 ]\n", PuzzleError, "set.txt#3: row 1: the clue 2 needs 2 cells"),
        (
            "GRID b\nROWS\n[ ]\nCOLUMNS\n[ 1 ]\n",
            PuzzleError,
            "set.txt#3: the rows have 0 black cells and the columns 1",
        ),
    ],
)
def test_grids_before_a_fault_are_read(
    tmp_path: Path, fault: str, kind: type[NonocspError], message: str
) -> None:
    path = tmp_path / "set.txt"
    path.write_text(f"{CORNER_TEXT}\n{DOT_TEXT}{fault}{CORNER_TEXT}")
    puzzles = load_all(path)
    assert list(islice(puzzles, 2)) == [CORNER, DOT]
    with pytest.raises(kind) as error:
        next(puzzles)
    assert message in str(error.value)


def test_grids_after_a_fault_are_read_once_it_is_commented_out(read: Read) -> None:
    fault = "GRID b\nROWS\n[ 2 ]\nCOLUMNS\n[ 1 ]\n"
    commented = "".join(f"# {line}\n" for line in fault.splitlines())
    assert read(CORNER_TEXT + commented + DOT_TEXT) == [CORNER, DOT]


def test_a_set_is_read_lazily(tmp_path: Path) -> None:
    path = tmp_path / "set.txt"
    path.write_text(DOT_TEXT * 3000 + "broken\n")
    assert len(list(islice(load_all(path), 2999))) == 2999


def test_picross_solver_can_read_a_written_file(write: Callable[..., bytes]) -> None:
    assert write([CORNER, DOT], "picross").decode() == (
        "GRID Corner piece\nROWS\n[ 1 1 ]\n[ 2 ]\n[ 0 ]\nCOLUMNS\n[ 2 ]\n[ 1 ]\n[ 1 ]\n"
        "\nGRID\nROWS\n[ 1 ]\nCOLUMNS\n[ 1 ]\n"
    )
