"""A faulty file gets one message: the file, the line, the column, what is wrong, and what was expected."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from nonocsp.formats import formats, load_all
from nonocsp.formats.base import Sureness
from nonocsp.model import NonocspError, Puzzle
from tests.formats.samples import (
    ASP,
    BOSCH,
    FREENONO,
    GNONOGRAMS,
    LATEX,
    NON,
    NONOGRID,
    OBJECT,
    PICROSS,
    PYNOGRAM,
    STATES,
    WEBPBN,
    puzzlekit,
)

Read = Callable[..., list[Puzzle]]

ONE = "width 1\nheight 1\nrows\n1\ncolumns\n1\n"
COLOURED = "#d\n0: white\n1:* black\nm:% #0000FF sea\n: rows\n1m\n: columns\n1m\n:\n"
FLAG = "[colors]\nr = (red) %\n[clues]\nrows = 1r\ncolumns = 1r\n"


def js(**change: object) -> str:
    """Return the JSON of the sample with other values."""
    return json.dumps(OBJECT | change)


FAULTY: dict[str, list[tuple[str, str]]] = {
    "nin": [
        ("2 3\n1 1\n0\n1\n0\n", ":5: 4 clue lines; expected 3 row clues and 2 column clues, as line 1 says"),
        ("3 2\n1 1\n0\n1,b\n0\n1\n", ":4:3: 'b' is no block length; expected a clue such as 3 1 2"),
        ("1 1\n1\n99999999999999999999\n", ":3:1: '99999999999999999999' is no block length"),
        ("0 2\n1 1\n", ":1: width '0'; expected a width from 1 to 4096"),
        ("# nothing\n", ": nothing but comments; expected a puzzle"),
        ("3\n1\n", ":1: no size; expected WIDTH HEIGHT, two numbers, width first"),
        ("5000 1\n" + "1 " * 5000, ":1: width '5000'"),
        ("1 1\n" + "1 " * 5000 + "\n1\n", ":2: 5000 blocks; expected at most 4096 in a line"),
    ],
    "mk": [
        ("2 3\n1 1\n#\n1\n0\n1\n", ":2: 1 row clues; expected 2, as the size says (height first)"),
        ("2 3\n1 1\n0\n#\n1\n1\n1\n1\n", ":8: 6 clue lines; expected 2 row clues and 3 column clues"),
        ("2 3\n1 1\n0\n1\n0\n1\n", ": no line with # below the row clues; expected 2 row clues, #, column"),
    ],
    "cwd": [
        ("3 2\n2\n", ":1: height '3 2'; expected a height from 1 to 4096"),
        ("3\nx\n2\n", ":2: width 'x'; expected a width from 1 to 4096"),
        ("3\n", ":1: no width; expected the width in the second line"),
        ("2\n2\n1\n1\n1\n1\n", ":5: rows and columns are not separated; expected an empty line behind 2 row"),
        ("2\n2\n1\n1\n\n1\n1\n1\n", ":8: 5 clue lines; expected 2 row clues and 2 column clues"),
    ],
    "keen": [
        ("1\n1\n", ":2: 1 sections of clues; expected two: row clues, an empty line or &"),
        ("1\n\n1\n\n1\n", ":5: 3 sections of clues; expected two"),
    ],
    "tournament": [
        ("$1\n1\n2\n1 1\n1\n1\n", ":1: no square puzzle: 5 clue lines; expected as many column clues"),
        ("$1\n\n\n\n\n", ":1: more than one size fits puzzle $1: 4 clue lines; expected as many column clue"),
        ("$1\n1\n1\n$2\n1\n", ":4: puzzle $2 has 1 clue lines; expected 1 column clues and 1 row clues"),
        ("1\n$1\n1\n1\n", ":1:1: '1' is out of place; expected a header such as $1"),
        ("$1\n" + "1\n" * 10_000, ":8195: too many clue lines; expected the next header, such as $2"),
    ],
    "non": [
        ("width 1\nrows\n1\ncolumns\n1\n", ":5: height is missing; expected the keys width, height, rows"),
        (NON.replace("height 2", "height 3"), ":5: 2 clues of rows; expected 3, as height says"),
        (NON.replace("1,1", "  1,~"), ":4:5: '~' is no block; expected a clue such as 3,1"),
        (NON.replace("columns\n", "rows\n1\ncolumns\n"), ":6: rows a second time; expected ==== between"),
        ("color a red\n" + ONE, ":1: color 'a red'; expected such as: color a #ff0000"),
        (ONE + 'goal "11"\n', ":7: a goal of 2 cells; expected 1 x 1 cells"),
        ('width 2\nheight 1\nrows\n1a,1b\ncolumns\n1a\n1b\ngoal "ac"\n', ":8: 'c' in the goal; expected cha"),
        ("width 1\nheight 1\nrows\n" + "1 " * 5000, ":4: too many blocks; expected at most 4096 in a line"),
    ],
    "picross": [
        ("ROWS\n[ 1 ]\n", ":1:1: 'ROWS' is out of place; expected GRID and a name before anything else"),
        ("GRID a\n[ 1 ]\n", ":2:1: '[' is out of place; expected ROWS or COLUMNS below GRID"),
        ("GRID a\nROWS\n  1 2\n", ":3:3: '1' is out of place; expected a clue such as [ 1 2 ], ROWS, COLUMN"),
        ("GRID a\nROWS\n[ 1 2\n", ":3:6: a clue without ]; expected a clue such as [ 1 2 ]"),
        ("GRID a\nROWS\n[ 1 ]\nROWS\n", ":4: ROWS a second time; expected GRID before the next grid"),
        ("GRID a\nCOLUMNS\n[ 1 ]\n", ":1: the grid 'a' has no ROWS; expected ROWS and a clue such as [ 1 2"),
        ("GRID a\nROWS\n" + "[ 1 ]\n" * 5000, ":4099: too many clues; expected at most 4096"),
    ],
    "game-id": [
        ("15x15#1234567890", ":1: '15x15#1234567890' is a random seed, of which only Pattern can make"),
        ("3x2:1/2/1/1/3,aBc", ":1: given cells behind a comma, which no clue holds; expected clues alone"),
        ("\n3x2:1/2/1/1", ":2: 4 clues; expected 3 of columns and 2 of rows, between slashes"),
        ("3x2:1/2/x/1/3", ":1:9: 'x' is no clue; expected lengths between dots, such as 3.1"),
        ("0x2:1/2", ":1: width '0'; expected a width from 1 to 4096"),
        ("3 2\n1\n", ":1: '3 2' is no game ID; expected WIDTHxHEIGHT: and the clues"),
    ],
    "olsak": [
        ("x\n#t\n#d\n: A\n1\n", ":2: a triddler, which is no rectangular nonogram"),
        (COLOURED.replace("#0000FF", "a/b"), ":4: triangles ('a/b'); expected cells of one colour"),
        (COLOURED.replace("#0000FF", "#00GG00"), ":4: '#00GG00' is no colour; expected #RRGGBB"),
        (COLOURED.replace("m:%", "5:%"), ":4: '5:% #0000FF sea' is no colour; expected a letter"),
        (COLOURED.replace("m:%", "1:%"), ":4: '1' a second time; expected a letter"),
        (COLOURED.replace("1m", "1x"), ":6:1: '1x' is no block; expected a clue such as 3 1, with one of th"),
        (": rows\n1 a\n: columns\n1\n:", ":2:3: 'a' is no block; expected a clue such as 3 1; an empty line"),
        (": rows\n1\n", ":2: the file ends; expected : between row and column clues"),
        ("just text\n", ": no line starts with :; expected : before the row clues"),
        (": rows\n1\n: columns\n1\n\n", ":5: the file ends with empty lines; expected : below the last clue"),
        (": rows\n" + "1\n" * 5000, ":4098: too many clues; expected at most 4096, then :"),
    ],
    "bosch": [
        (BOSCH.replace("number_of_columns", "columns"), ":2: 'columns:'; expected number_of_columns:"),
        (BOSCH.replace("rows: 2", "rows: 0"), ":1: number of rows '0'; expected a number of rows from 1 to"),
        (BOSCH.replace("row_2", "row_4"), ":8: 'row_4' is out of place; expected row_1, column_1 and so on"),
        (BOSCH.replace("row_2", "row_1"), ":8: 'row_1' is out of place; expected row_1, column_1 and so on"),
        (BOSCH.replace("rows: 2", "rows: 3"), ":22: row_3 is missing; expected 3 rows, as number_of_rows sa"),
        (BOSCH.replace(": 1 1", ": 1"), ":8: 'row_2' is no block length; expected 2 lengths behind size(s):"),
        (BOSCH.replace("clusters: 2", "clusters: 9999"), ":5: '9999' is no number of blocks; expected a num"),
        (BOSCH[: BOSCH.rindex("size")], ":21: the file ends; expected size(s):"),
    ],
    "gnonograms": [
        (GNONOGRAMS.replace("[License]", "[Colours]"), ":6: unknown section '[Colours]'; expected one of [D"),
        (GNONOGRAMS.replace("[License]", "[Description]"), ":6: [Description] a second time; expected one"),
        (GNONOGRAMS[14:], ":1: 'A stair' is out of place; expected the title of a section"),
        (GNONOGRAMS.replace("2\n3\n[Row", "2\n[Row"), ":9: no dimensions; expected [Dimensions] and below i"),
        (GNONOGRAMS.replace("2\n3\n[Row", "2\n4\n[Row"), ":19: no row of the solution; expected 4 cells, 1"),
        (GNONOGRAMS.replace("\n1\n[Sol", "\n[Sol"), ":16: 2 column clues; expected 3, as [Dimensions] says"),
        (GNONOGRAMS.replace("2 1 2\n", ""), ":19: 1 rows in the solution; expected 2, as [Dimensions] says"),
        ("[Dimensions]\n2\n3\n", ": neither clues nor a full solution; expected [Row clues] and"),
    ],
    "dzn": [
        ("rows = 2", ":1:8: rows is no table"),
        ("row_rules = [|1|];", ": col_rules is missing; expected the tables row_rules and col_rules"),
        ("rows = 3;\nrow_rules = [|1|0|];", ":2:13: 2 clues in row_rules; expected 3, as rows says"),
        ("row_rules = [|1,0,1\n|0,0,1|];", ":1:15: no clue; expected lengths such as 0,0,2,1, zeros outside"),
        ("rows = [|1,1\n|2,1|];", ":2:2: no clue; expected 1s with a 0 between blocks, then -1s"),
        ("rows = [|1,0,0,1|];", ":1:10: no clue; expected 1s with a 0 between blocks"),
        ("rows = [|1,0,1|1,1|];", ":1:16: a row of 2 numbers; expected 3"),
        ("rows = array2d(1..2, 1..2, [1,2,3]);", ":1:28: no array of that size; expected 2 x 2 numbers"),
        ("rows = array2d(1..n, 1..2, [1,2]);", ":1:19: 'n' has no value; expected n = ...;"),
        ("n = m; m = n; rows = array2d(1..n, 1..2, [1,2]);", ":1:12: 'n' has no value; expected n = ...;"),
        ("rows = array2d(2, 1..2, [1,2]);", ":1:16: no range; expected a range such as 1..20"),
        ("rows = [|1.5|];", ":1:10: no whole number; expected a whole number of at most nine digits"),
        ("rows = [|1|]\ncols = [|1|];", ":2:1: 'cols' is out of place; expected ; behind the value"),
        ("rows = [|1|];\nrows = [|1|];", ":2:1: 'rows' is assigned a second time; expected one value"),
        ("rows := [|1|];", ":1:6: ':' is out of place; expected = behind the name"),
        ("rows = [|1 2|];", ":1:12: '2' is out of place; expected a comma, | or |]"),
        ("rows = [1, 2);", ":1:13: ')' is out of place; expected a comma or ]"),
        ("rows = [|1", ":1:11: the end of the file is out of place; expected a comma, | or |]"),
        ("rows = ;", ":1:8: ';' is out of place; expected a number, a string, a name or an array"),
        ("2 = rows;", ":1:1: '2' is out of place; expected a name such as rows"),
        ("rows = " + "[" * 2000, ":1:17: nested too deeply; expected arrays of numbers"),
        ("rows = 3; % " + "x" * (1 << 22), ": too much data; expected at most"),
    ],
    "dzn-states": [
        (STATES.replace("3,0, 3,4, 4", "3,1, 3,4, 4"), ":5:6: no end of a block; expected 0,3 or 3,0"),
        (STATES.replace("3,4, 4,0", "3,3, 4,0"), ":5:11: no gap before a block; expected 3,4"),
        (STATES.replace("1,0,\n]", "1,1,\n]"), ":7:1: no end of the line; expected 1,0"),
        (STATES.replace("row_max = 2", "row_max = 3"), ":10:18: 2 sizes and 2 starts; expected as many as r"),
        (STATES.replace("[1,5]", "[1,6]"), ":11:19: an automaton from 6 on; expected states of row_states,"),
        (STATES.replace("row_start_where", "row_start"), ": row_start_where is missing; expected row_states"),
        (STATES.replace("= [4,1]", "= {4,1}"), ":10:18: row_num_states is no list; expected numbers between"),
    ],
    "asp": [
        (ASP + "s(X) :- row(X,Y,C,L).\n", ":9: 'X) :- row' is no fact; expected facts such as"),
        (ASP + "row_hint(1, 2, 1).\n", ":9: block 2 of row 1 a second time; expected one fact for each bloc"),
        (ASP + "row_cnt(2).\n", ":9: a second number of rows"),
        (ASP.replace("#const h = 2.", ""), ": no number of rows; expected row_cnt(5). or #const h = 5."),
        (ASP.replace("int(3,", "int(4,"), ": a block of col 4; expected 1 to 3, as the number of columns sa"),
        (ASP.replace("(1,1,1)", "(1,1)"), ":7: 'col_hint(1, 1)' says nothing of a puzzle; expected one of r"),
        (ASP + "row_hint(1, 3, 1)", ":9: the file ends in a fact; expected a dot behind each fact"),
        ("row_cnt(1..2).", ":1: 'row_cnt ( 1 .' is no fact"),
        ("% " + "x" * (1 << 20), ": too many facts; expected at most 1048576 characters"),
    ],
    "pynogram": [
        ("[colors]\n", ":1: no rows; expected rows = and its clues in the section [clues]"),
        ("[clues]\nrows = 1\n", ":2: no columns; expected columns = and its clues in the section [clues]"),
        ("columns = 1\n", ":1: 'columns = 1' is out of place; expected [clues] or [colors]"),
        ("[clues]\ncolumns =\n1\n", ":3: '1' is out of place; expected a key such as columns =, or deeper"),
        ("[clues]\nrows = 1\nrows = 1\n", ":3: rows a second time; expected one puzzle a file"),
        ("[clues]\n[clues]\n", ":2: [clues] a second time; expected one puzzle a file"),
        (PYNOGRAM.replace("1 1", "2, '1 x'"), ":7:11: 'x' is no block; expected a clue such as 3 1, or 3r 1"),
        ("[clues]\nrows = 1 9999999999\n", ":2:10: '9999999999' is no block; expected a clue"),
        (FLAG.replace("= 1r", "= 1g"), ":4:8: '1g' is no block of black, r; expected a clue such as"),
        (FLAG.replace("(red) %", "red"), ":2: r = red; expected a colour and a character such as (red) %"),
        ("[clues]\nrows =\n" + "  1\n" * 5000, ":4100: too many clues; expected at most 4096"),
    ],
    "nonogrid": [
        (NONOGRID.replace("1, 0", "1 x, 0"), ":3: 'x' is no block; expected a length, or a length and one o"),
        (NONOGRID.replace("rows =", "lines ="), ': no rows; expected rows = """ and clues in the section'),
        (NONOGRID.replace('0"""', "0"), ":9: Unterminated string; expected TOML"),
        ("[colors]\ndefs = ['b = (blau) *']\n", ":2: 'b = (blau) *' is no colour; expected a key, a colour"),
        ("colors = 3\n", ": [colors] without a list of strings; expected defs ="),
        ("a = " + "[" * 5000, ": nested too deeply, or a number is too long; expected a puzzle in TOML"),
    ],
    "latex": [
        (LATEX.replace("\\end{nonogram}", ""), ":3: \\begin{nonogram} is not closed; expected \\end{nonogra"),
        (LATEX.replace("\\nonogramV", "\\nonogramX"), ":3: no \\nonogramV; expected \\nonogramV, the clues"),
        (LATEX.replace("rows=2", "rows=4"), ":3: 2 clues in \\nonogramV; expected 4, as rows=4 says"),
        (LATEX.replace("{1, 1}", "{2, a}"), ":4: '{2, a}' is no clue; expected clues such as {1, 2}, {3}"),
        (LATEX.replace("\\nonogramH", "\\nonogramV"), ":5: \\nonogramV a second time; expected one for each"),
        (LATEX.replace("\\nonogramH{", "\\nonogramH["), ":5: no braces behind the command; expected { and a"),
        (LATEX.replace("\\end", "\\nonogramrow{4}{1/1}\\end"), ":3: row 4 of the solution: '1/1'; expected"),
        (LATEX.replace("\\end", "\\nonogramrow{x}{1/1}\\end"), ":7: row 'x'; expected a row from 1 to 4096"),
    ],
    "freenono": [
        (FREENONO.replace('height="2"', 'height="3"'), ":4: 2 lines; expected 3, as height says"),
        (FREENONO.replace('width="3"', 'width="4"'), ":5: 3 cells; expected 4 cells, as width says: x or _"),
        (FREENONO.replace('width="3"', ""), ":4: width ''; expected a width from 1 to 4096"),
        (FREENONO.replace("x _ x", "x ? x"), ":5: '?' is no cell; expected 3 cells"),
        (FREENONO.replace("</Nonograms>", ""), ":9:3: mismatched tag; expected well-formed XML"),
    ],
    "webpbn": [
        ('<!DOCTYPE p [<!ENTITY a "aa">]>\n<puzzle>&a;</puzzle>', ":1: the file declares an entity"),
        (
            '<!DOCTYPE p [<!ENTITY a SYSTEM "file:///etc/hostname">]>\n<puzzle/>',
            ":1: the file declares an entity",
        ),
        (WEBPBN.replace("grid", "triddler"), ":5: a puzzle of type 'triddler'"),
        (WEBPBN.replace("webpbn.com", "&eacute;"), ":4:9: undefined entity &eacute;"),
        (WEBPBN[:-30], "expected well-formed XML"),
        (WEBPBN.replace('"columns"', '"rows"'), ':5: 2 <clues type="rows">; expected one <clues type="colu'),
        (WEBPBN.replace("1<", "x<", 1), ":7: count 'x'; expected a number of cells"),
        (WEBPBN.replace('r="black"', 'r="red"'), ":5: unknown colour 'red'; expected a declared one"),
        (WEBPBN.replace('r="black"', 'r="white"'), ":8: a block in 'the default colour', which is the backg"),
        (WEBPBN.replace("<count", '<count color="red"', 1), ":7: a block in 'red', which is the background"),
        (WEBPBN.replace("000000", "black"), ":6: colour 'black'; expected RRGGBB, such as ff0000"),
        (WEBPBN.replace("</puzzle>", "<solution><image>|X.</image></solution></puzzle>"), ":9: row '|X.' of"),
        (WEBPBN.replace("</puzzle>", "<solution><image>|XY|</image></solution></puzzle>"), ":9: 'Y' in the"),
        (
            WEBPBN.replace("</puzzle>", "<solution><image>|X|\n|X.|</image></solution></puzzle>"),
            ":9: a solution",
        ),
        ("<puzzle>" + "<a>" * 100_000, "too much for one puzzle; expected at most 131072 elements, 100 deep"),
        ("<puzzleset></puzzleset>", ": no puzzle in the file; expected at least one in the format webpbn"),
    ],
    "web-page": [
        ("<html><a href='https://webpbn.com/'>play</a>", "from https://webpbn.com/export.cgi"),
        ("<html><table><tr><td>1</table>", "a table with clues around a grid, or a saved page"),
        ("<html>" + " " * (1 << 19), ": the page is too large to look at its tables"),
        ("<html>" + " " * (3 << 20), ": the page is too large; expected at most"),
        *(
            (f"<html>\n<script>var d={array};", ":2: var d hides no puzzle; expected what pages of")
            for array in ("[[1,2,3,4]]", "[[1,2,3,4],[1,2,3,0]]", "[[1,2],[3]]", "[[[1]]]")
        ),
    ],
    "csv": [
        *(
            (text, ": no clues around a grid; expected column clues above")
            for text in (",a,b\n0,1,2\n", "1,2\n", ",,\n")
        ),
        (",,0\n,0,\n0,,\n", ": the table can be divided in several ways"),
    ],
    "json": [
        ("[]", ": no puzzle in the file"),
        ("3", ": no clues of rows and columns; expected the keys"),
        (json.dumps([OBJECT, 3]), ": [1]: no clues of rows and columns"),
        ('{"rows": [[1]]}', ":1: no clues of columns; expected the keys"),
        (js(rows=[[[1, ["red"]]], []]), ':1: rows[0][0]: [1, ["red"]] is no block'),
        (js(palette={}), ":1: palette has no colours; expected a name"),
        (js(palette=[{"name": 3}]), ':1: palette[0]: {"name": 3} is no colour; expected'),
        (js(goal=["#.#", 3]), ":1: goal[1]: 3 is no row of cells"),
        ('{\n "rows": [[1],,\n', ":2:15: Expecting value; expected valid JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"rows": [[' + "9" * 5000 + "]]}", "a number is too long"),
        (js(rows=[[1, 2], []]), "#1: row 1: the clue 1 2 needs 4 cells"),
        (js(rows=[[1], []]), "#1: the rows have 1 black cells and the columns 2"),
        (js(rows=[[10**30], []]), "#1: row 1: the clue"),
        (
            json.dumps({"rowHints": [[]] * 5000, "cols": []}),
            ":1: rowHints: 5000 clues; expected at most 4096",
        ),
    ],
    "puzzlekit": [
        (puzzlekit(name="Akari"), ": puzzles of the kind 'Akari'; expected Nonogram"),
        (puzzlekit(problem="3 3\n1\n"), ": '7': 2 clues; expected 3 of columns and 3 of rows"),
        (puzzlekit(problem="1\n1\n"), ": '7': the problem starts with '1'; expected the numbers of rows"),
        (puzzlekit(problem=None), ": '7': no text \"problem\"; expected the size and the clues"),
        (puzzlekit(solution="2 3\nx - x\n- -"), ": '7': the solution is no grid of the puzzle; expected 2"),
        (puzzlekit(problem="2 3\n1\n0\n1\n1 a\n\n"), ": '7': 'a' is no block length"),
        ("{}", ': no object "data"; expected'),
    ],
    "text": [
        (".##\n#.\n", ":2: 2 cells; expected 3, as in the line above"),
        (".##\n#?.\n", ":2:2: '?' is no cell; expected a full solution"),
        ("◢◼ \n◼ ◼\n", ":1:1: '◢' is no cell; expected a full solution of whole cells"),
        (". #\n#..\n", ":1:2: ' ' is no cell"),
        ("\n\n", ": no puzzle in the file"),
        ("#" + "." * 5000, ":1: a grid of 1x5001; expected at most 4096x4096"),
    ],
}


@pytest.mark.parametrize(
    ("format", "content", "message"), [(name, *case) for name, cases in FAULTY.items() for case in cases]
)
def test_a_faulty_file_names_the_place_and_what_was_expected(
    read: Read, format: str, content: str, message: str
) -> None:
    with pytest.raises(NonocspError) as error:
        read(content, name="cat", format=format)
    assert message in str(error.value)
    assert f"cat{message}" in str(error.value) or not message.startswith((":", "#"))


LAZY = {
    "tournament": ("", "$1\n1\n1\n", "$5000\nbroken\n"),
    "picross": ("", PICROSS, "broken\n"),
    "jsonl": ("", f"{json.dumps(OBJECT)}\n", "broken\n"),
    "webpbn": (
        "<puzzleset>\n",
        WEBPBN[WEBPBN.index("<puzzle ") : WEBPBN.index("</puzzleset>")],
        "<puzzle><broken",
    ),
}


@pytest.mark.parametrize("format", LAZY)
def test_a_set_is_read_lazily(tmp_path: Path, format: str) -> None:
    head, puzzle, end = LAZY[format]
    (tmp_path / "set").write_text(head + puzzle * 500 + end)
    assert len(list(islice(load_all(tmp_path / "set", format=format), 450))) == 450


TAKEN = {
    "keen": {
        Sureness.STRONG: ["1 1\n1\n1\n1\n\n2\n1 1\n0\n1\n"],
        Sureness.NO: ["5 5\n1\n", "one\n\ntwo\n"],
        Sureness.WEAK: ["1\n" * 9000, "101\n010\n\n111\n000\n", "1\n\n2\n", "1 1 1\n\n3\n"],
    },
    "game-id": {
        Sureness.STRONG: ["15x15#1234567890\n"],
        Sureness.NO: ["10x10:a3b2c1\n", "10x10: see page 4\n", "2x2:1/1/1\n", "16x9#\nand more\n"],
    },
    "csv": {Sureness.NO: [",a,b\n0,1,2\n1,3,4\n", ",0,1\n0,5,6\n1,7,8\n", "name,size\ncat,3\n", "1,2,3\n"]},
    "json": {
        Sureness.CERTAIN: [json.dumps(OBJECT)],
        Sureness.STRONG: ['{"cols": ["1"], "row_hints": [1]}', '{"ver": [[1]], "hor": [[1]]}'],
        Sureness.WEAK: [
            '{"name": "package", "version": "1.0", "column": "a"}',
            '{"rows": 8, "cols": 9, "frames": []}',
            puzzlekit(),
        ],
    },
    "web-page": {Sureness.NO: ["<puzzle>", "text", '<?xml version="1.0"?>\n<FreeNono>']},
    "puzzlekit": {Sureness.NO: [puzzlekit(name="Akari")], Sureness.CERTAIN: [puzzlekit()]},
    "pynogram": {
        Sureness.NO: ['[clues]\nrows = """\n1"""', "text"],
        Sureness.WEAK: ["[clues]\nrows = 1\n"],
        Sureness.CERTAIN: ["[clues]\nrows = 1\n" + "# more\n" * 3000],
    },
    "latex": {
        Sureness.STRONG: ["\\documentclass{a}\\usepackage{logicpuzzle}"],
        Sureness.NO: ["\\documentclass{a}"],
    },
}


@pytest.mark.parametrize("format", TAKEN)
def test_evidence_is_as_strong_as_the_text(format: str) -> None:
    (known,) = (known for known in formats() if known.name == format)
    for sureness, texts in TAKEN[format].items():
        for text in texts:
            assert known.sniff(text.encode()[: 1 << 13]).sureness is sureness, text[:60]
