"""Partial grids: every notation that nonocsp writes is read, and broken ones are reported."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

import nonocsp
from nonocsp import FormatError, Grid, Palette, Puzzle
from nonocsp.formats.grids import load_grid
from nonocsp.model import UsageError
from nonocsp.render.plain import plain

PUZZLE = Puzzle.from_clues([[1, 1], [3], [1]], [[2], [2], [2]])
COLOURED = Puzzle.from_clues([[1, (1, 2)], [1]], [[2], [(1, 2)]], palette=Palette.of(2))
ROWS = ["#.?", "???", "?#."]


def load(tmp_path: Path, text: str | bytes, puzzle: Puzzle = PUZZLE) -> Grid:
    path = tmp_path / "grid.txt"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return load_grid(path, puzzle)


@pytest.mark.parametrize(
    "text",
    [
        "#.?\n???\n?#.\n",
        "#.?\r\n???\r\n?#.",
        "\n# . ?\n? ? ?\n\n? # .\n",
        "cat.non: 3x3\n\n    2 2 2\n1 1 # . ?\n  3 ? ? ?\n  1 ? # .\n\nanswer       partial\n",
        json.dumps(ROWS),
        json.dumps(ROWS, indent=1),
        json.dumps({"answer": "partial", "solutions": [], "partial": ROWS}),
        json.dumps({"step": 1}) + "\n" + json.dumps({"grid": ROWS}) + "\n",
        json.dumps({"solutions": [ROWS, ["###"] * 3]}),
        gzip.compress(b"#.?\n???\n?#.\n", mtime=0),
    ],
)
def test_every_notation_of_a_grid_is_read(tmp_path: Path, text: str | bytes) -> None:
    assert load(tmp_path, text) == Grid.from_strings(ROWS)


@pytest.mark.parametrize("puzzle", [PUZZLE, COLOURED])
def test_a_partial_grid_is_read_from_text_and_from_json(tmp_path: Path, puzzle: Puzzle) -> None:
    outcome = nonocsp.solve(puzzle, backend="settle")
    grid = (*outcome.solutions, outcome.partial)[0]
    assert grid is not None
    assert load(tmp_path, plain(puzzle, grid), puzzle) == grid
    assert load(tmp_path, json.dumps(outcome.record(puzzle)), puzzle) == grid


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#.?\n??\n?#.\n", r"grid.txt:2: row 2 has 2 cells; expected 3"),
        (
            "#.?\n?Z?\n?#.\n",
            r"grid.txt:2:2: 'Z' in row 2 is no cell; expected \. \(white\), # \(black\)",
        ),
        ("#.?\n???\n", r"grid.txt: 2 rows of 3 cells; expected 3"),
        ("", "the file is empty"),
        ("[1, 2", r"grid.txt:1:\d+: no JSON value"),
        ("{}", "no grid in the file; expected a list of strings"),
        ('["#.?", "???"]', "2 rows of 3 cells"),
        (b"\xff\xfe", "the file is empty|a puzzle"),
    ],
)
def test_a_broken_grid_is_reported_with_its_place(tmp_path: Path, text: str | bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        load(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("#. \n   \n #.\n", ROWS),
        ("#.\n \n #.\n", ROWS),
        ("#x?\n???\n?#x\n", ROWS),
        ("#X?\n???\n?#.\n", ROWS),
        ("#×_\n___\n_#×\n", ROWS),
        ("#-?\n???\n?#·\n", ROWS),
        (json.dumps(["#x ", "   ", " #x"]), ROWS),
        ("#-#\n###\n#--\n", ["#.#", "###", "#.."]),
        ("#.x\n...\n.#x\n", "'.' and 'x' each can be white or open; write ? for open"),
        ("#.-\n---\n-#.\n", "'-' and '.' each can be"),
        ("#_#\n___\n_#_\n", "'_' can be white or open"),
        ("#? \n   \n #.\n", "' ' can be white or open"),
    ],
)
def test_marks_of_people_are_read_where_they_mean_one_thing(
    tmp_path: Path, text: str, rows: list[str] | str
) -> None:
    if isinstance(rows, list):
        assert load(tmp_path, text) == Grid.from_strings(rows)
        return
    with pytest.raises(UsageError, match=re.escape(rows)):
        load(tmp_path, text)


def test_a_missing_file_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no such file"):
        load_grid(tmp_path / "none", PUZZLE)
