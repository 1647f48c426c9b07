"""The project's JSON and near relatives of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from nonocsp.formats import load_all
from nonocsp.formats.codecs.data.project_json import decode as from_json
from nonocsp.formats.codecs.data.project_json import encode as to_json
from nonocsp.model import Clue, FormatError, Palette, Puzzle, PuzzleError

Read = Callable[..., list[Puzzle]]

ONE = {"rows": [[1, 1], []], "columns": [[1], [0], [1]]}
RED = [{"name": "white", "rgb": "#ffffff", "char": "."}, {"name": "red", "rgb": "#ff0000", "char": "r"}]


@pytest.mark.parametrize(
    ("content", "count"),
    [
        (json.dumps(ONE), 1),
        (json.dumps(ONE, indent=2), 1),
        ("\ufeff \n" + json.dumps(ONE), 1),
        (json.dumps([ONE, ONE]), 2),
        (json.dumps([ONE], indent=1).replace("\n", "\r\n"), 1),
        (f"{json.dumps(ONE)}\n{json.dumps(ONE)}\n\n", 2),
        (json.dumps({**ONE, "difficulty": 3, "goal": None}), 1),
    ],
    ids=["object", "indented", "BOM", "list", "CRLF", "lines", "unknown keys"],
)
def test_a_file_holds_one_object_a_list_or_one_object_per_line(read: Read, content: str, count: int) -> None:
    assert read(content) == [Puzzle.from_clues([[1, 1], []], [[1], [], [1]])] * count


def test_a_document_survives_json_and_names_its_colours() -> None:
    puzzle = Puzzle.from_clues([[(2, 1), (1, 2)]], [[1], [1], [(1, 2)]], title="T")
    document = to_json(puzzle)
    assert document["rows"] == [[[2, "black"], [1, "red"]]]
    assert from_json(json.loads(json.dumps(document))) == puzzle


def test_black_and_white_needs_no_palette() -> None:
    puzzle = Puzzle.from_clues([[1]], [[1]])
    assert to_json(puzzle) == {"rows": [[1]], "columns": [[1]]}
    assert puzzle.palette == Palette.of(1)


def test_a_bare_length_has_the_first_colour() -> None:
    puzzle = from_json({"rows": [[1]], "columns": [[[1, "red"]]], "palette": RED})
    assert puzzle.rows == puzzle.columns == (Clue.of(1),)


def test_json_lines_are_read_lazily(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(f"{json.dumps(ONE)}\n" * 3000 + "broken\n")
    assert len(list(islice(load_all(path), 3000))) == 3000


def test_each_clue_takes_one_line_of_a_written_file(write: Callable[..., bytes]) -> None:
    text = write(from_json(ONE), "json").decode()
    assert "    [1, 1],\n    []\n" in text


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([], "no puzzle in the file"),
        (3, "not a JSON object; expected an object with"),
        ([ONE, 3], "cat.json#2: not a JSON object"),
        ({"rows": [[1]]}, 'no list "columns"; expected the keys'),
        ({"rows": 1, "columns": []}, 'no list "rows"'),
        ({**ONE, "rows": [[1], 2]}, "rows[1] is not a list; expected a clue such as [3, 1]"),
        ({**ONE, "rows": [[1.5], []]}, "rows[0]: 1.5 is no block; expected a length or"),
        ({**ONE, "rows": [[True], []]}, "rows[0]: true is no block"),
        ({**ONE, "rows": [["1"], []]}, 'rows[0]: "1" is no block'),
        ({**ONE, "rows": [[[1, ["red"]]], []]}, 'rows[0]: [1, ["red"]] is no block'),
        (
            {**ONE, "rows": [[[1, "red"]], []]},
            "rows[0]: unknown colour 'red'; expected one of the palette: black",
        ),
        ({**ONE, "palette": {}}, '"palette" is not a list'),
        ({**ONE, "palette": [{"name": "red"}]}, "palette[0] is no colour; expected"),
        ({**ONE, "goal": ["#.#", 3]}, '"goal" is no grid; expected a list of strings'),
        ({**ONE, "title": 3}, '"title" is not a text'),
    ],
)
def test_a_faulty_document_says_where_and_what_was_expected(read: Read, document: Any, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(json.dumps(document), name="cat.json", format="json")
    assert "cat.json" in str(error.value)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{\n "rows": [[1],,\n', ":2:15: Expecting value; expected valid JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"rows": [[' + "9" * 5000 + "]]}", "a number is too long"),
    ],
)
def test_broken_json_is_a_format_error(read: Read, content: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(content, name="cat.json")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rows": [[1, 1], [0, 1]]}, "row 2: a block has at least one cell, not 0"),
        ({"rows": [[1, 2], []]}, "row 1: the clue 1 2 needs 4 cells"),
        ({"rows": [[1], []]}, "the rows have 1 black cells and the columns 2"),
        ({"goal": ["##.", "..."]}, "row 1: the stored solution does not have this clue"),
        ({"goal": ["#?#", "..."]}, "a solution is a full grid"),
        ({"goal": ["#x#", "..."]}, "unknown cell 'x'"),
        (
            {"palette": [{"name": "a", "rgb": "red", "char": "."}, RED[1]]},
            "colour 'a': 'red' is not of the form #rrggbb",
        ),
        ({"rows": [[10**30], []]}, "row 1: the clue"),
    ],
)
def test_clues_that_form_no_puzzle_are_reported_with_file_number_and_line(
    read: Read, change: Any, message: str
) -> None:
    with pytest.raises(PuzzleError) as error:
        read(json.dumps([ONE, {**ONE, **change}]), name="cat.json")
    assert f"cat.json#2: {message}" in str(error.value)
