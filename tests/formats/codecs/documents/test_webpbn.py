"""webpbn XML: default colours, odd characters, partial solutions, and input that is not to be trusted."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from nonocsp.formats import load_all
from nonocsp.model import Clue, FormatError, Grid, Puzzle

Read = Callable[..., list[Puzzle]]

HEADER = '<?xml version="1.0"?>\n<!DOCTYPE pbn SYSTEM "https://webpbn.invalid/pbn-0.3.dtd">\n'
COLUMNS = '<clues type="columns"><line><count>1</count></line><line/></clues>\n'
ROWS = '<clues type="rows"><line><count>1</count></line></clues>\n'
COLOURS = '<color name="white" char=".">FFFFFF</color><color name="black" char="X">000000</color>\n'


def document(body: str, attributes: str = 'type="grid" defaultcolor="black"') -> str:
    """Return a file with one puzzle."""
    puzzle = f"<puzzle {attributes}>\n{body}</puzzle>"
    return f"{HEADER}<puzzleset>\n<source>webpbn.com</source>\n{puzzle}\n</puzzleset>\n"


@pytest.mark.parametrize(
    "content",
    [
        document(COLOURS + COLUMNS + ROWS),
        document(COLOURS + ROWS + COLUMNS),
        document(COLUMNS + ROWS),
        document(COLUMNS + ROWS, attributes='type="grid"'),
        document(COLUMNS + ROWS, attributes=""),
        document((COLOURS + COLUMNS + ROWS).replace("<line/>", "<line></line>")),
        document((COLOURS + COLUMNS + ROWS).replace("<line/>", "<line><count>0</count></line>")),
        document(
            (COLOURS + COLUMNS + ROWS).replace("<count>", '<count color="black">'), 'defaultcolor="white"'
        ),
        document(COLOURS + COLUMNS + ROWS).replace("\n", "\r\n"),
        "\ufeff" + document(COLOURS + COLUMNS + ROWS),
        document(COLOURS.replace("FFFFFF", "fff").replace("000000", "#000") + COLUMNS + ROWS),
    ],
    ids=[
        "plain",
        "rows first",
        "no colours",
        "no default",
        "bare",
        "<line>",
        "0",
        "each named",
        "CRLF",
        "BOM",
        "rgb",
    ],
)
def test_one_puzzle_in_many_spellings(read: Read, content: str) -> None:
    (puzzle,) = read(content)
    assert (puzzle.rows, puzzle.columns) == ((Clue.of(1),), (Clue.of(1), Clue()))
    assert [colour.rgb for colour in puzzle.palette.colours] == ["#ffffff", "#000000"]
    assert puzzle.source == "webpbn.com"


def test_counts_without_a_colour_take_the_default(read: Read) -> None:
    colours = COLOURS + '<color name="red" char="r">FF0000</color>'
    clues = COLUMNS.replace("<line/>", '<line><count color="black">1</count></line>')
    rows = '<clues type="rows"><line><count>1</count><count color="black">1</count></line></clues>'
    (puzzle,) = read(document(colours + clues + rows, 'defaultcolor="red"'))
    assert [puzzle.palette[block.colour].name for block in puzzle.rows[0]] == ["red", "black"]


def test_the_background_may_have_another_name(read: Read) -> None:
    colours = '<color name="ink" char="i">00F</color><color name="sea" char="s">123456</color>'
    (puzzle,) = read(document(colours + COLUMNS + ROWS, 'backgroundcolor="sea"'))
    assert [colour.name for colour in puzzle.palette.colours] == ["sea", "ink"]


def test_a_blank_puzzle_on_black_has_a_visible_colour(read: Read) -> None:
    blank = "".join(f'<clues type="{axis}"><line/></clues>' for axis in ("rows", "columns"))
    (puzzle,) = read(document(blank, 'backgroundcolor="black"'))
    assert [colour.rgb for colour in puzzle.palette.colours] == ["#000000", "#ffffff"]


def test_title_author_licence_and_source_are_kept(read: Read) -> None:
    texts = "<title>A &lt;b&gt;</title><author>Ann</author><copyright>CC0</copyright>"
    texts += "<source>me</source><id>#3</id>"
    (puzzle,) = read(document(texts + COLUMNS + ROWS))
    assert (puzzle.title, puzzle.author, puzzle.licence, puzzle.source) == ("A <b>", "Ann", "CC0", "me #3")


@pytest.mark.parametrize("char", [" ", "?", "", "|", "[", "\\", "XX", "é"])
def test_a_solution_may_use_any_character_for_background(read: Read, char: str) -> None:
    colours = COLOURS.replace('"."', f'"{char}"')
    cell = {"?": ".", "": ".", "XX": ".", "[": "\\[", "\\": "\\\\"}.get(char, char)
    goal = f'<solution type="goal"><image>\n|X{cell}|\n</image></solution>'
    if cell != ".":
        (puzzle,) = read(document(colours + COLUMNS + ROWS + goal))
        assert puzzle.goal == Grid.from_cells([[1, 0]])
    (puzzle,) = read(document(colours + COLUMNS + ROWS))
    assert len(set(puzzle.palette.chars) - {"?"}) == 2


@pytest.mark.parametrize(
    ("image", "known"), [("|X.|", True), ("|X?|", False), ("|X[.X]|", False), ("|[X]\\.|", True)]
)
def test_a_solution_with_unknown_cells_is_not_a_goal(read: Read, image: str, known: bool) -> None:
    solution = f'<solution type="goal"><image>\n{image}\n</image></solution>\n'
    (puzzle,) = read(document(COLOURS + COLUMNS + ROWS + solution))
    assert (puzzle.goal is not None) == known


def test_a_saved_attempt_is_not_the_goal(read: Read) -> None:
    saved = '<solution type="saved"><image>|.X|</image></solution>'
    assert read(document(COLOURS + COLUMNS + ROWS + saved))[0].goal is None


def test_missing_clues_are_derived_from_the_goal(read: Read) -> None:
    (puzzle,) = read(document(COLOURS + "<solution><image>\n|X.|\n|XX|\n</image></solution>"))
    assert puzzle.columns == (Clue.of(2), Clue.of(1))


def test_a_set_is_read_lazily(tmp_path: Path) -> None:
    path = tmp_path / "set.xml"
    puzzle = f"<puzzle>\n<title>T</title>\n{COLUMNS}{ROWS}</puzzle>\n"
    path.write_text(f"<puzzleset>\n{puzzle * 50}<puzzle><broken")
    assert len(list(islice(load_all(path), 50))) == 50


BOMB = '<!DOCTYPE p [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n<puzzleset><puzzle>&b;</puzzle></puzzleset>'
STEAL = (
    '<!DOCTYPE p [<!ENTITY a SYSTEM "file:///etc/hostname">]>\n<puzzleset><puzzle>&a;</puzzle></puzzleset>'
)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (BOMB, ":1: the file declares an entity"),
        (STEAL, ":1: the file declares an entity"),
        (document(COLUMNS + ROWS, 'type="triddler"'), ":5: a puzzle of type 'triddler'"),
        (document("<title>&eacute;</title>"), ":6:8: undefined entity &eacute;"),
        (document(COLUMNS + ROWS)[:-30], "expected well-formed XML"),
        (document(COLUMNS), '0 <clues type="rows">; expected one <clues type="columns"> and one'),
        (document(COLUMNS + COLUMNS + ROWS), '2 <clues type="columns">'),
        (document(COLUMNS + ROWS.replace("1<", "x<")), ":7: count 'x'; expected a number of cells"),
        (document(COLUMNS + ROWS, 'defaultcolor="red"'), ":5: unknown colour 'red'; expected a declared one"),
        (
            document(COLUMNS + ROWS, 'defaultcolor="white"'),
            ":7: a block in 'the default colour', which is the back",
        ),
        (document(COLOURS + COLUMNS + ROWS.replace("<count", '<count color="red"')), ":8: a block in 'red'"),
        (
            document(COLOURS.replace("000000", "black") + COLUMNS + ROWS),
            ":6: colour 'black'; expected RRGGBB",
        ),
        (
            document(COLUMNS + ROWS + "<solution><image>\n|X.\n</image></solution>"),
            ":9: row '|X.' of the solution",
        ),
        (
            document(COLUMNS + ROWS + "<solution><image>\n|XY|\n</image></solution>"),
            ":9: 'Y' in the solution",
        ),
        (
            document(COLUMNS + ROWS + "<solution><image>|X|\n|X.|</image></solution>"),
            ":8: a solution of uneven rows",
        ),
        ("<page><puzzle></page>", ":1:17: mismatched tag; expected well-formed XML"),
        ("<puzzleset></puzzleset>", "no puzzle in the file"),
        ("<puzzle>" + "<a>" * 100_000, "too much for one puzzle; expected at most 131072 elements, 100 deep"),
    ],
)
def test_a_faulty_file_names_the_line_and_what_was_expected(read: Read, content: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(content, name="cat.xml")
    assert "cat.xml:" in str(error.value)
    assert message in str(error.value)
