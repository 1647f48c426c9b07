"""Puzzles in the JSON of other programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from nonocsp.formats import formats
from nonocsp.formats.base import Sureness
from nonocsp.model import FormatError, Grid, Puzzle

Read = Callable[..., list[Puzzle]]
FORMAT = "json-hints"

ROWS, COLUMNS = [[1, 1], []], [[1], [], [1]]
WIDE = Puzzle.from_clues(ROWS, COLUMNS)


@pytest.mark.parametrize(
    "document",
    [
        {"rows": ROWS, "cols": COLUMNS},
        {"cols": [[1], [0], "1"], "rows": ["1 1", 0]},
        {"width": 3, "height": 2, "rowHints": ROWS, "columnHints": COLUMNS},
        {"rows": 2, "cols": 3, "row_clues": ROWS, "col_clues": COLUMNS},
        {"rowsDef": ["1,1", ""], "colsDef": [1, [], 1]},
        {"id": 7, "clues": {"rows": ROWS, "columns": COLUMNS}},
        {"nonograms": [{"rowHints": ROWS, "colHints": COLUMNS}]},
        [{"rowHints": ROWS, "colHints": COLUMNS}],
    ],
)
def test_the_names_of_the_lists_may_differ(read: Read, document: Any) -> None:
    assert read(json.dumps(document, indent=1), format=FORMAT) == [WIDE]


@pytest.mark.parametrize(
    "solution", [[[1, 0, 1], [0, 0, 0]], [[True, False, True], [False] * 3], ["# #", "   "]]
)
def test_a_solution_is_the_goal(read: Read, solution: Any) -> None:
    (puzzle,) = read(
        json.dumps({"name": "A", "rowHints": ROWS, "colHints": COLUMNS, "solution": solution}), format=FORMAT
    )
    assert puzzle.goal == Grid.from_strings(["#.#", "..."])
    assert puzzle.title == "A"


def test_an_image_gives_the_clues(read: Read) -> None:
    (puzzle,) = read(json.dumps({"image": ["# #", "   "]}), format=FORMAT)
    assert (puzzle.rows, puzzle.columns) == (WIDE.rows, WIDE.columns)


def test_a_partial_solution_is_no_goal(read: Read) -> None:
    (puzzle,) = read(
        json.dumps({"rowHints": ROWS, "colHints": COLUMNS, "grid": [[-1, 0, 1], [0, 0, 0]]}), format=FORMAT
    )
    assert puzzle.goal is None


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (
            {"rows": [[1, 1], None], "cols": COLUMNS},
            ": rows[1] is null, a clue that is not told; expected every clue; nonocsp has no puzzles with",
        ),
        (
            {"nonograms": [{"rowHints": ROWS}]},
            ": nonograms[0]: no clues of columns; expected a list of clues under",
        ),
        (
            {"rowHints": ["^H4$"], "colHints": [[1]]},
            ': rowHints[0]: "^H4$" is no clue of one colour; expected',
        ),
        ({"rowHints": [[{"n": 1}]], "colHints": [[1]]}, ': rowHints[0]: [{"n": 1}] is no clue of one colour'),
        ({"rowHints": ROWS, "rowClues": ROWS}, ": 'rowHints' and 'rowClues' are both clues of rows"),
        ([3], ": [0]: no object; expected an object with the clues"),
        ({"clues": [1]}, ": no clues of rows; expected"),
    ],
)
def test_what_is_no_puzzle_is_refused_with_its_place(read: Read, document: Any, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(json.dumps(document), name="a.json", format=FORMAT)
    assert f"a.json{message}" in str(error.value)


@pytest.mark.parametrize(
    "document",
    [
        {"rows": ROWS, "columns": COLUMNS},
        {"name": "package", "version": "1.0", "columns": ["a"]},
        {"rows": 8, "cols": 9, "frames": []},
        {"data": {"x": {"problem": "2 2"}}},
    ],
)
def test_other_json_is_not_taken(document: Any) -> None:
    (known,) = (known for known in formats() if known.name == "json-hints")
    assert known.sniff(json.dumps(document).encode()).sureness is Sureness.NO
