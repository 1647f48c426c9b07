"""What is written is what the other programs expect, and what readers and writers say of it."""

from __future__ import annotations

from collections.abc import Callable
from configparser import RawConfigParser
from pathlib import Path

import pytest

from nonocsp.formats import load
from nonocsp.formats.codecs.data.json_files import decode as from_json
from nonocsp.formats.codecs.data.json_files import encode as to_json
from nonocsp.model import Colour, FormatError, Grid, Palette, Puzzle, UsageError, bounds
from tests.formats.samples import BOSCH, MK, NIN, PYNOGRAM, WIDE

Read = Callable[..., list[Puzzle]]
Write = Callable[..., bytes]

STEP = Puzzle.from_clues([[2, 1], [1]], [[1], [2], [], [1]])
FLAG = Puzzle.from_clues([[(1, 1), (2, 2)], [(3, 1)]], [[(2, 1)], [(1, 2), (1, 1)], [(1, 2), (1, 1)]])
CORNER = Puzzle.from_clues([[1, 1]], [[1], [], [1]], title="Corner  piece")
ODD = Palette((Colour("w", "#ffffff", "."), Colour("Big", "#ff0000", "7"), Colour("b c", "#00ff00", ",")))
PAIR = Puzzle.from_clues([[(1, 1), (1, 2)]], [[(1, 1)], [(1, 2)]], palette=ODD)


@pytest.mark.parametrize(
    ("format", "puzzle", "text"),
    [
        ("nin", WIDE, NIN),
        ("mk", WIDE, MK),
        ("cwd", WIDE, "2\n3\n1 1\n0\n\n1\n0\n1\n"),
        ("keen", WIDE, "1 1\n0\n\n1\n0\n1\n"),
        ("game-id", WIDE, "3x2:1//1/1.1/\n"),
        ("bosch", WIDE, BOSCH),
        ("tournament", WIDE, "$1\n1\n\n1\n1\t1\n\n"),
        ("picross", CORNER, "GRID Corner piece\nROWS\n[ 1 1 ]\nCOLUMNS\n[ 1 ]\n[ 0 ]\n[ 1 ]\n"),
        ("pynogram", WIDE, PYNOGRAM),
        (
            "nonogrid",
            WIDE,
            '[clues]\ncolumns = """\n    1\n    0\n    1\n"""\nrows = """\n    1 1\n    0\n"""\n',
        ),
        ("olsak", PAIR, "#d\n   0:.  #FFFFFF   w\n   a:7  #FF0000   Big\n   b:,  #00FF00   b c\n"),
        ("olsak", WIDE, ": rows\n1 1\n\n: columns\n1\n\n1\n: end\n"),
        ("asp", PAIR, 'row_cnt(1).\ncol_cnt(2).\nrow(0, 0, "Big", 1). row(0, 1, "b c", 1).\n'),
        (
            "dzn",
            STEP,
            "rows = 2;\nrow_rule_len = 2;\nrow_rules = array2d(1..rows, 1..row_rule_len, [\n  2,1,\n  0,1\n",
        ),
        (
            "dzn-dfa",
            STEP,
            "X = 4;\nY = 2;\nmaxlen = 4;\nrows = [|1,1,0,1\n  |1,-1,-1,-1\n  |];\ncols = [|1,-1,-1,-1\n",
        ),
        (
            "dzn-states",
            STEP,
            "row_max = 2;\nrow_states = array2d(1..row_total_states, 1..2, [\n% pattern 2,1\n1,2, 0,3,",
        ),
        ("json", WIDE, '{\n  "rows": [\n    [1, 1],\n    []\n  ],\n'),
        ("csv", Puzzle.from_clues([[1, 1]], [[1], [], [1]], title="=1+1"), "'=1+1,,1,0,1\n"),
    ],
)
def test_other_programs_can_read_what_is_written(
    write: Write, format: str, puzzle: Puzzle, text: str
) -> None:
    assert write(puzzle, format).decode().startswith(text)


def test_sets_are_written_as_other_programs_separate_them(read: Read, write: Write) -> None:
    assert write([CORNER, CORNER], "picross").count(b"\n\nGRID") == 1
    assert write([WIDE, WIDE], "tournament").startswith(b"$1\n1\n\n1\n1\t1\n\n$2\n")
    written = write([CORNER, WIDE], "latex")
    assert b"\\nonogramV{{0}, {1, 1}}\n" in written
    assert [puzzle.title for puzzle in read(written)] == ["Corner piece", ""]


def test_what_is_written_reads_the_same_with_the_parser_that_pynogram_uses(write: Write) -> None:
    parser = RawConfigParser(inline_comment_prefixes="#;")
    parser.read_string(write(FLAG, "pynogram").decode())
    assert {name: dict(parser.items(name)) for name in parser.sections()} == {
        "colors": {"red": "(d7191c) a"},
        "clues": {"columns": "\n2\n1red 1\n1red 1", "rows": "\n1 2red\n3"},
    }


@pytest.mark.parametrize("format", ["text", "freenono", "png", "pbm"])
def test_a_puzzle_without_a_solution_is_not_written_as_one(write: Write, format: str) -> None:
    with pytest.raises(UsageError, match="this puzzle has none"):
        write(WIDE, format)


def test_the_project_s_json_names_colours_and_needs_no_palette_for_black_and_white() -> None:
    puzzle = Puzzle.from_clues([[(2, 1), (1, 2)]], [[1], [1], [(1, 2)]], title="T")
    assert to_json(puzzle)["rows"] == [[[2, "black"], [1, "red"]]]
    assert to_json(WIDE) == {"rows": [[1, 1], []], "columns": [[1], [], [1]]}
    red = [
        {"name": name, "rgb": rgb, "char": char}
        for name, rgb, char in (("w", "#ffffff", "."), ("r", "#ff0000", "r"))
    ]
    bare = from_json({"rows": [[1]], "columns": [[[1, "r"]]], "palette": red})
    assert bare.rows == bare.columns
    assert from_json({"goal": ["r."], "palette": red}).goal == Grid.from_cells([[1, 0]])


def test_the_suffix_identifies_an_mk_file_whose_separator_comes_late(read: Read) -> None:
    rows, columns = ["1 " * 40 + "1"] * 120, ["120", "0"] * 40 + ["120"]
    (puzzle,) = read("\n".join(["120 81", *rows, "#", *columns, ""]), name="tall.mk")
    assert puzzle.shape == (120, 81)


def test_an_endless_list_is_refused_before_it_fills_the_memory(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "FILE_BYTES", 50_000)
    for format in ("nin", "mk", "keen"):
        with pytest.raises(FormatError, match="the file is too large"):
            read("2 2\n" + "1\n" * 40_000, format=format)


def test_relatives_of_nonograms_are_refused_by_name(read: Read, datasets: Path) -> None:
    with pytest.raises(FormatError, match="a random seed"):
        read("15x15#1234567890\n")
    with pytest.raises(FormatError, match="a triddler"):
        load(datasets / "number-loom" / "examples" / "triddler" / "blob.g")
