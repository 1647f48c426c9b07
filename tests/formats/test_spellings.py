"""What programs and people write in different ways is the same puzzle, whatever the file is called."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from nonocsp.model import Clue, FormatError, Grid, Puzzle
from tests.formats.samples import (
    ASP,
    BOSCH,
    COLUMNS,
    CWD,
    FREENONO,
    GAME_ID,
    GNONOGRAMS,
    KEEN,
    LATEX,
    MK,
    NIN,
    NON,
    NONOGRID,
    OBJECT,
    OLSAK,
    PADDED,
    PAGE,
    PATTERN_SAVE,
    PICROSS,
    PYNOGRAM,
    ROWS,
    STATES,
    TABLE,
    WEBPBN,
    WIDE,
    WORDS,
    puzzlekit,
)

Read = Callable[..., list[Puzzle]]

_HEAD, *_LINES = BOSCH.replace("clusters", "tiles").replace("size(s)", "width(s)").split("\n\n")
SPELLINGS: dict[str, list[str]] = {
    "nin": [
        NIN,
        "3 2\n1 1\n\n1\n\n1\n",
        "\ufeff3 2 \r\n1 1\t\r\n\r\n1\r\n\r\n1",
        "# a comment\n\n3 2\n1 1\n[]\n% another\n1\n0 # no cell\n1\n\n\n",
        "3 2\n#\n1 1\n0\n1\n0\n1\nwhat follows is ignored\n",
    ],
    "mk": [
        MK,
        "2 3\n1,1\n\n\n\n# columns\n1\n\n1\n\n\n",
        "\ufeff2 3 \r\n1 1 \r\n0\r\n#\r\n1\r\n0\r\n1",
        "# a comment\n\n2 3\n1  1\n[]\n  #\n1\n0\n1\n",
    ],
    "cwd": [CWD, "2\n3\n1 1\n\n\n1\n\n1", " 2 \r\n3\r\n1 1\r\n\r\n\r\n1\r\n\r\n1\r\n\r\n\r\n"],
    "keen": [
        KEEN,
        f"# a comment\n{KEEN}\n",
        "* of pbnsol\n1 1\n0\n&\n1\n0\n1\n",
        "1 1 0\n0\n\n1 0\n0\n1 0\n",
    ],
    "non": [
        NON,
        "width 3\nheight 2\n\nrows\n1,1\n\n\ncolumns\n1\n\n1\n\n\n",
        "width 3\nheight 2\nrows\n\n1,1\n0\n\ncolumns\n\n1\n\n0\n\n1\n",
        "columns\n1\n0\n1\nheight 2\nrows\n1 1\n[]\nwidth 3\n",
        "rows 2\ncolumns 3\nrows\n1, 1\n0\ncolumns\n1\n0\n1\n",
        "\ufeffwidth 3\r\nheight 2 \r\nrows\r\n1,1 \r\n\r\ncolumns\r\n1\r\n\r\n1",
        "# comment\n% comment\nrating 5\nwidth\t3\nheight 2\nrows\n1,1\n0\nnothing known\ncolumns\n1\n0\n1\n",
    ],
    "picross": [
        PICROSS,
        f"# made by hand\n\n{PICROSS}# the next one\n#\n",
        "\ufeff" + PICROSS.replace("\n", " \r\n").replace("[ ]", "[ 0 ]"),
        PICROSS.replace("[ 1 1 ]", "\t[1 1]").replace("[ ]\n", "[]\n\n# inside\n"),
        "GRID\nCOLUMNS\n[ 1 ]\n[ ]\n[ 1 ]\nROWS\n[ 1 1 ]\n[ ]\n",
    ],
    "game-id": [GAME_ID, f"\n# from a forum\nPattern {GAME_ID}", "pattern: 3x2:1//1/1.1/#123456\r\n"],
    "olsak": [OLSAK, OLSAK.replace("\n", "\r\n"), OLSAK.partition(": end")[0], f"#c is a comment\n{OLSAK}"],
    "bosch": [BOSCH, "\n\n".join([_HEAD, *reversed(_LINES)])],
    "dzn": [
        PADDED,
        PADDED.rstrip(";"),
        "cols = 3;\ncol_rules = array2d(1..cols, 1..1, [1, 0, 1,]);\nrow_rules = [| 1, 1,\n | 0, 0 |];\n",
        "row_rules = array2d(1..2, 1..3, [0,1,1,0,0,0]);\ncol_rules = array2d(1..3, 1..2, [1,0,0,0,1,0]);\n",
        "% a comment; rows = 5\nrow_rules = /* two\nlines */ array2d({1, 2}, 0..1, flat); flat = [1,1,0,0];\n"
        'col_rules = array2d(COLUMNS, -1..-1, [1,0,1]); COLUMNS = 4..6; title = "a ; \\" b"; scale = 1.5e3;',
    ],
    "dzn-dfa": [
        WORDS,
        "\ufeffX = 3;\r\nY = 2;\r\nrows = \t[|1, 0, 1\r\n\t|-1, -1, -1\r\n\t|];\r\ncols = [|1|0|1|];\r\n",
        "Y = 2; rows = array2d(1..Y, 1..3, [1,0,1,0,-1,-1]); cols = array2d(1..3, 1..1, [1,0,1]);",
    ],
    "dzn-states": [STATES],
    "asp": [
        ASP,
        "row_cnt(2). col_cnt(3). row(0,5,black,1). row(0,7,black,1). col(0,9,black,1). col(2,9,black,1).\n",
    ],
    "pynogram": [
        PYNOGRAM,
        "[clues]\nrows = 1 1, 0\ncolumns = 1, 0, 1",
        "[clues]\nrows: '1 1', '',\ncolumns: 1,, \"1\"\n",
        "\ufeff# a comment\n; another\n\n" + PYNOGRAM.replace("\n", " \r\n"),
        PYNOGRAM.replace("    1\n", "\t1 # the first\n\n\n").replace("0\n", "0 ; empty = [\n# out\n"),
        "[clues]\n  COLUMNS =\n    1,\n    0,\n    1,\n  ROWS =\n    1 1,\n    0,\n[notes]\nby = me\n",
    ],
    "nonogrid": [NONOGRID, NONOGRID.replace("\n", "\r\n"), f"# comment\n{NONOGRID}"],
    "latex": [LATEX],
    "csv": [TABLE.replace(",", "\t"), ',1,0,1\n"1,1",,,\n0,,,\n', "\t1\t0\t1\n1 1\n0\n"],
    "web-page": [PAGE],
    "webpbn": [
        WEBPBN,
        WEBPBN.replace(' defaultcolor="black"', ""),
        WEBPBN.replace("<line/>", "<line><count>0</count></line>").replace("\n", "\r\n"),
        WEBPBN.replace("<count>", '<count color="black">').replace('defaultcolor="black"', ""),
        "\ufeff" + WEBPBN.replace("FFFFFF", "fff").replace("000000", "#000"),
    ],
    "json": [
        json.dumps(OBJECT),
        "\ufeff \n" + json.dumps(OBJECT, indent=2).replace("\n", "\r\n"),
        json.dumps([OBJECT]),
        json.dumps({**OBJECT, "difficulty": 3, "goal": None}),
        json.dumps({"goal": ["#.#", "..."]}),
    ],
    "json-hints": [
        json.dumps({"rows": ROWS, "cols": COLUMNS}, indent=1),
        json.dumps({"cols": [[1], [0], "1"], "rows": ["1 1", 0], "rowCount": 2}),
        json.dumps({"width": 3, "height": 2, "rowHints": ROWS, "columnHints": COLUMNS}),
        json.dumps({"rows": 2, "cols": 3, "row_clues": ROWS, "col_clues": COLUMNS}),
        json.dumps({"rowsDef": ["1,1", ""], "colsDef": [1, [], 1]}),
        json.dumps({"nonograms": [{"rowHints": ROWS, "colHints": COLUMNS}]}),
    ],
    "puzz-link": [
        "https://puzz.link/p?nonogram/3/2/1g111h",
        "\nhttp://pzv.jp/p.html?nonogram_edit/3/2/1g111h/\r\n",
        "# a comment\npzprxs.vercel.app/p?nonogram/3/2/-01g1+0011gg\n",
    ],
    "pzprv3": [
        "pzprv3/nonogram/2/3/. . 1 . 1 /1 1 . . . /. . . . . /",
        "pzprv3\r\nnonogram\r\n2\r\n3\r\n. . c1 . 1 \r\n1 1 . . . \r\n. . . . . \r\nhistory:{}\r\n",
    ],
    "pattern-save": [PATTERN_SAVE, PATTERN_SAVE.replace("CPARAMS", "MOVE   ")],
    "puzzlekit": [puzzlekit(), puzzlekit(solution="")],
    "gnonograms": [
        GNONOGRAMS,
        GNONOGRAMS.replace("[Solution grid]", "[Solution]"),
        GNONOGRAMS.replace("[Solution grid]", "[Working grid]") + "[State]\nSOLVING\n[Locked]\nfalse\n",
        GNONOGRAMS.partition("[Row clues]")[0] + "[Solution grid]\n2 1 2\n1 1 1\n",
    ],
    "freenono": [FREENONO],
    "text": [
        "#.#\n...\n",
        "X.X\r\n...",
        "\ufeff@-@\n---\n\n\n",
        "█_█\n___\n",
        "101\n000\n",
    ],
}


@pytest.mark.parametrize(
    ("format", "content"), [(name, content) for name, all_ in SPELLINGS.items() for content in all_]
)
def test_one_puzzle_in_many_spellings_whatever_the_suffix(read: Read, format: str, content: str) -> None:
    for name in ("cat", "cat.mk"):
        (puzzle,) = read(content, name=name)
        assert (puzzle.rows, puzzle.columns) == (WIDE.rows, WIDE.columns)
    (puzzle,) = read(content, name="cat", format=format)
    assert (puzzle.rows, puzzle.columns) == (WIDE.rows, WIDE.columns)
    assert [colour.rgb for colour in puzzle.palette.colours] == ["#ffffff", "#000000"]


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        (
            'title "Caf&eacute; &amp; &quot;Bar&quot;"\nby Ann\ncopyright "&copy; Ann"\ncatalogue "#3"\n'
            + NON,
            ('Café & "Bar"', "Ann", "© Ann", "#3"),
        ),
        (f"copyright me\nlicense CC0-1.0\n{NON}", ("", "", "CC0-1.0", "")),
        (GNONOGRAMS, ("A stair", "Ada", "CC BY-SA", "")),
        (FREENONO, ("Cross & more", "Ada", "", "")),
        (LATEX, ("Stair", "", "", "")),
        (PICROSS.replace("GRID", "GRID Corner  piece"), ("Corner  piece", "", "", "")),
        (puzzlekit(), ("7", "", "", "S")),
        (
            WEBPBN.replace("<color", "<title>A &lt;b&gt;</title><id>#3</id><color", 1),
            ("A <b>", "", "", "webpbn.com #3"),
        ),
        (json.dumps({"name": "A", "rowHints": ROWS, "colHints": COLUMNS}), ("A", "", "", "")),
    ],
)
def test_texts_are_read(read: Read, content: str, texts: tuple[str, ...]) -> None:
    (puzzle,) = read(content)
    assert (puzzle.title, puzzle.author, puzzle.licence, puzzle.source) == texts


HINTS: dict[str, Any] = {"rowHints": ROWS, "colHints": COLUMNS}


@pytest.mark.parametrize(
    "content",
    [
        GNONOGRAMS,
        FREENONO,
        puzzlekit(),
        f'{NON}goal "101000"\n',
        TABLE.replace("1,1,,,", "1,1,#,,#"),
        TABLE.replace("1,1,,,", "1,1,x,.,x"),
        LATEX.replace("\\end{n", "\\nonogramrow{2}{1/1, 3/1}\\end{n"),
        WEBPBN.replace("</puzzle>", "<solution><image>|X.X|\n|[.][.]\\.|</image></solution></puzzle>"),
        *(
            json.dumps({**HINTS, "solution": solution})
            for solution in ([[1, 0, 1], [0, 0, 0]], [[True, False, True], [False] * 3], ["# #", "   "])
        ),
        json.dumps({"image": ["# #", "   "]}),
    ],
)
def test_a_solution_is_the_goal(read: Read, content: str) -> None:
    (puzzle,) = read(content, name="cat", format="json" if content.startswith('{"image') else None)
    assert puzzle.goal == Grid.from_strings(["#.#", "..."])
    assert (puzzle.rows, puzzle.columns) == (WIDE.rows, WIDE.columns)


@pytest.mark.parametrize(
    "content",
    [
        GNONOGRAMS.replace("2 1 2", "0 1 2"),
        json.dumps({**HINTS, "grid": [[-1, 0, 1], [0, 0, 0]]}),
        WEBPBN.replace("</puzzle>", "<solution><image>|X?X|\n|...|</image></solution></puzzle>"),
        WEBPBN.replace("</puzzle>", "<solution><image>|X[.X]X|\n|...|</image></solution></puzzle>"),
        WEBPBN.replace("</puzzle>", '<solution type="saved"><image>|.X|</image></solution></puzzle>'),
    ],
)
@pytest.mark.filterwarnings("ignore::nonocsp.FormatWarning")
def test_a_game_that_somebody_began_is_no_goal(read: Read, content: str) -> None:
    (puzzle,) = read(content)
    assert (puzzle.goal, puzzle.rows) == (None, WIDE.rows)


FLAG = Puzzle.from_clues([[(1, 1), (2, 2)], [(3, 1)]], [[(2, 1)], [(1, 2), (1, 1)], [(1, 2), (1, 1)]])
ASP_FLAG = "row_cnt(2). col_cnt(3). row(0,0,black,1). row(0,1,R,2). row(1,0,black,3). col(0,0,black,2). "
ASP_FLAG += "".join(f"col({i},0,R,1). col({i},1,black,1). " for i in (1, 2))
OLSAK_FLAG = "flag\n#d\n   0:   white   back\n   1:*  black\n   m:%  #0000FF  sea\n"
OLSAK_FLAG += ": rows\n1 2m\n3\n: columns\n2\n1m 1\n1m 1\n:"
NONOGRID_FLAG = "[colors]\ndefs = [\n    'b = (blue) *',\n    \"W = (ffc) _\",\n]\n[clues]\n"
NONOGRID_FLAG += "columns = '''\n2\n1b 1\n1b 1'''\nrows = '''1 2b\n3\n'''\n"
PYNOGRAM_FLAG = "[colors]\nr = (red) %\n[clues]\nrows = 1 2r, 3\ncolumns =\n    2\n    1r 1\n    1r 1\n"
COLOURS = "color 1 #000000\ncolor s #0000ff\n"
WEBPBN_FLAG = """<puzzle backgroundcolor="sea">
<color name="sea" char="s">123456</color><color name="black">000</color><color name="red" char="r">F00</color>
<clues type="columns"><line><count>2</count></line><line><count color="red">1</count><count>1</count></line>
<line><count color="red">1</count><count>1</count></line></clues>
<clues type="rows"><line><count>1</count><count color="red">2</count></line>
<line><count>3</count></line></clues></puzzle>"""


@pytest.mark.parametrize(
    ("content", "colours"),
    [
        (ASP_FLAG.replace("R", "red"), ["white #ffffff", "black #000000", "red #d7191c"]),
        (ASP_FLAG.replace("R", '"dark red"'), ["white #ffffff", "black #000000", "dark red"]),
        (OLSAK_FLAG, ["white #ffffff .", "black #000000 *", "sea #0000ff %"]),
        (OLSAK_FLAG.replace("white  ", "#000020"), ["back #000020", "black #000000", "sea #0000ff"]),
        (OLSAK_FLAG.replace("#0000FF  sea", "PeachPuff4"), ["white #ffffff", "black #000000", "PeachPuff4"]),
        (NONOGRID_FLAG, [" #ffffcc", "black #000000 #", "b #0000ff *"]),
        (PYNOGRAM_FLAG, ["white #ffffff", "black #000000 #", "r #ff0000 %"]),
        (PYNOGRAM_FLAG.replace("r =", "R =").replace("2r", "2R"), ["white", "black", "r #ff0000"]),
        (PYNOGRAM_FLAG.replace("(red)", "(0af)"), ["white", "black", "r #00aaff"]),
        (PYNOGRAM_FLAG.replace("(red) %", "(1, 2,255)"), ["white", "black", "r #0102ff"]),
        (
            PYNOGRAM_FLAG.replace("r =", "black = (00f) o\nwhite = (ffc) _\nr ="),
            ["white #ffffcc _", "black #0000ff o", "r #ff0000 %"],
        ),
        (
            f"{COLOURS}width 3\nheight 2\nrows\n1,2s\n3\ncolumns\n2\n1s,1\n1s 1\n",
            ["white", "black", " #0000ff"],
        ),
        (
            "width 3\nheight 2\nrows\n1 blue 2\n3\ncolumns\n2\n1blue 1\nblue 1 black 1\n",
            ["white", "black", "blue"],
        ),
        (
            "color background 000020 .\ncolor yellow FFFF00 #\ncolor red FF0000 0\nwidth 3\nheight 2\nrows\n"
            "yellow: 1, red: 2\nyellow 3\ncolumns\nyellow 2\nred: 1 yellow 1\n1red 1yellow\n",
            ["black #000020 .", "yellow #ffff00 #", "red #ff0000 0"],
        ),
        (
            WEBPBN_FLAG.replace("<puzzle ", '<puzzle defaultcolor="black" '),
            ["sea #123456 s", "black", "red #ff0000 r"],
        ),
        ("#bb\n###\n", ["white #ffffff .", "black #000000 #", "blue"]),
    ],
)
def test_colours_are_read_with_what_the_file_says_of_them(
    read: Read, content: str, colours: list[str]
) -> None:
    (puzzle,) = read(content, name="cat", **({"format": "text"} if content[0] == "#" else {}))
    shown = [f"{colour.name} {colour.rgb} {colour.char}" for colour in puzzle.palette.colours]
    for found, said in zip(shown, colours, strict=len(colours) > 1):
        assert found.startswith(said) or said in found
    if len(colours) > 1:
        assert puzzle.canonical_hash == FLAG.canonical_hash


def test_a_colour_word_applies_to_all_lengths_after_it_and_bare_lengths_are_black(read: Read) -> None:
    (puzzle,) = read("width 6\nheight 1\nrows\n1 red 1 1 blue 1\ncolumns\n1\nred 1\n0\nred 1\nblue 1\n\n")
    names = [puzzle.palette[block.colour].name for block in puzzle.rows[0]]
    assert names == ["black", "red", "red", "blue"]


def test_a_blank_puzzle_on_black_has_a_visible_colour(read: Read) -> None:
    blank = "".join(f'<clues type="{axis}"><line/></clues>' for axis in ("rows", "columns"))
    (puzzle,) = read(f'<puzzle backgroundcolor="black">{blank}</puzzle>')
    assert [colour.rgb for colour in puzzle.palette.colours] == ["#000000", "#ffffff"]


SQUARE = Puzzle.from_clues([[1], [2], []], [[2], [1], []], title="7")
PLUS = Puzzle.from_clues([[1], [3], [1]], [[1], [3], [1]], title="1")
DOT = Puzzle.from_clues([[1]], [[1]])


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("\n\n\ufeff$1  \r\n 1\t\r\n3\r\n1\r\n1\r\n3 \r\n1"[2:], [PLUS]),
        ("$7\n2\n1\n\n1\n2\n", [SQUARE]),
        ("$7\n2\n1\n0\n1\n2\n[]\n\n", [SQUARE]),
        ("$7\n2\n1\n\n1\n2\n\n$1\n1\n3\n1\n1\n3\n1\n\n\n", [SQUARE, PLUS]),
        ("2x2:1//1/\n\n1x1:1/1\n", [Puzzle.from_clues([[1], []], [[1], []]), DOT]),
        (f"{json.dumps(OBJECT)}\n{json.dumps(OBJECT)}\n\n", [WIDE, WIDE]),
        (PICROSS + PICROSS, [WIDE, WIDE]),
        (f"{NON}====\n{NON}====\n", [WIDE, WIDE]),
        ("2 1\n1\n1\n", [Puzzle.from_clues([[1]], [[1], []])]),
        ("1 2\n1\n#\n1\n", [Puzzle.from_clues([[1]], [[1], []])]),
        ("1\n2\n1\n\n1\n\n", [Puzzle.from_clues([[1]], [[1], []])]),
        ("2 1\n\n\n\n", [Puzzle.from_clues([[]], [[], []])]),
        ("2 3\n1\n\n1\n1 1\n0\n", [WIDE.transposed()]),
    ],
)
def test_sets_and_empty_lines_at_the_end_are_read(read: Read, content: str, expected: list[Puzzle]) -> None:
    assert read(content) == expected


def test_a_given_size_of_a_tournament_set_is_rows_by_columns(read: Read) -> None:
    (puzzle,) = read("$1\n2\n1\n2\n1 1\n3\n", size=(2, 3))
    assert puzzle.columns == (Clue.of(2), Clue.of(1), Clue.of(2))
    assert puzzle.rows == (Clue.of(1, 1), Clue.of(3))


def test_the_names_of_the_tables_say_how_zeros_and_ones_are_read(read: Read) -> None:
    step = Puzzle.from_clues([[2, 1], [1]], [[1], [2], [], [1]])
    assert read("row_rules = [|2,1|1,0|]; col_rules = [|1|2|0|1|];") == [step]
    assert read("rows = [|1,1,0,1|-1,1,-1,-1|]; cols = [|1,-1|1,1|0,-1|1,-1|];") == [step]


def test_text_grids_are_separated_by_empty_lines_and_a_zero_among_dots_is_a_colour(read: Read) -> None:
    assert [puzzle.shape for puzzle in read(".#\n##\n\n\n#..\n")] == [(2, 2), (1, 3)]
    assert len(read(".0\n#.\n")[0].palette) == 3
    (trimmed,) = read(" ##\n#\n")
    assert trimmed.goal == Grid.from_strings([".##", "#.."])


CIPHER = "[[1,1,1,9],[2,0,0,9],[2,0,0,9],[1,0,0,9],[1,2,3,4],[10,20,40,1],[1,0,0,9],[0,0,0,0],[1,2,1,1]]"


def test_a_page_of_nonograms_org_hides_the_solution(read: Read) -> None:
    (puzzle,) = read(f"<html><title>A cat</title>\n<script>var d={CIPHER};</script></html>")
    assert puzzle.goal == Grid.from_strings(["##", ".."])
    assert (puzzle.title, puzzle.palette[1].rgb) == ("A cat", "#081324")


@pytest.mark.parametrize(("old", "new"), [("[1,2,1,1]", "[1,3,1,1]"), ("[10,", "[1,"), (",[1,2,1,1]", "")])
def test_numbers_that_hide_no_puzzle_are_refused(read: Read, old: str, new: str) -> None:
    with pytest.raises(FormatError, match="var d hides no puzzle"):
        read(f"<html><script>var d={CIPHER.replace(old, new)};</script>")


def test_a_title_is_the_same_whether_or_not_a_file_is_read_line_by_line(read: Read) -> None:
    text = "title one\x0bby two\x1cby three\nwidth 2\nheight 2\n\nrows\n1\n1\n\ncolumns\n1\n1\n"
    (plain,), (by_line,) = read(text, "a.non"), read(text.replace("1\n1\n\n", "1 \n1\n\n"), "a.non")
    assert (plain.title, plain.author) == (by_line.title, by_line.author) == ("one\x0bby two\x1cby three", "")
