"""Fuzz targets for puzzles: every format by name, recognised files, archives, and partial grids."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from functools import partial
from warnings import catch_warnings, simplefilter

from nonocsp.formats import Format, formats, load_all
from nonocsp.formats.codecs.data.json_files import decode, encode
from nonocsp.formats.grids import load_grid
from nonocsp.model import FormatWarning, Grid, Palette, Puzzle, mismatches
from tools.fuzzing.base import SEPARATOR, Target, as_files, as_stdin, with_checksums

_MOST_CELLS = 1 << 16
"""Most cells of a puzzle that is written and read again; larger ones are legal but cost time."""

_WORDS = {
    "json": '"rows": "columns": "cols": "rowHints": "clues": "nonograms": "image": "solution": "goal": '
    '"palette": "name": "rgb": "char": null [[ ]] 1e9',
    "webpbn": '<puzzleset> <puzzle <clues type="rows"> <line> <count> </count> <color <solution <image> '
    '<!DOCTYPE <!ENTITY <![CDATA[ &#0; defaultcolor=" <?xml encoding="utf-16"',
    "tournament": "$1 $2",
    "non": "width height rows columns goal title color #ff0000 ====== license &quot;",
    "nin": "4096",
    "mk": "# 4096",
    "dzn": "rows cols row_rules col_rules array2d( [| |] /* */ .. maxlen X= Y= -1 %",
    "picross": "GRID ROWS COLUMNS [ 0 ]",
    "pynogram": "[clues] [colors] rows columns (red) black white ' ; =",
    "game-id": "3x2: / . # , Pattern",
    "olsak": "#d #t : :rows 0: 1:* #ff0000 red a/b",
    "cwd": "4096 0",
    "keen": "& # * 0",
    "bosch": "number_of_rows: number_of_columns: row_1 column_1 number_of_clusters: size(s):",
    "gnonograms": "[Description] [Dimensions] [Row clues] [Column clues] [Solution] [Working grid] 1 2 0",
    "asp": "row(0, col(0, row_hint(1, col_hint( row_cnt( #const w h = ). %* *% #show",
    "dzn-states": "row_states row_num_states row_start_where col_states array2d( 1..2 row_max",
    "nonogrid": "[clues] [colors] defs rows columns = \"\"\" ''' (red) W B",
    "typed": "Rows: Columns: R1: C2 = [[ ]] { } ( ) --- ; / | , . - A b 2x3 size title: #. \u2588",
    "puzz-link": "https://puzz.link/p?nonogram/ 2/1/ g -10 +100 . z",
    "pzprv3": "pzprv3/nonogram/ c1 . # + -2 / 2 3",
    "pattern-save": "SAVEFILE:41: GAME :7:Pattern PARAMS DESC :9: 3x2 1//1/ . NSTATES",
    "puzzlekit": '"data": "problem": "solution": "name": \\n x -',
    "csv": ", ; \" 0 # '",
    "freenono": "<FreeNono> <Nonogram <line> </line> width= height= _ x <!ENTITY &#0;",
    "latex": "\\begin{nonogram} \\end{nonogram} \\nonogramV{ \\nonogramH{ \\nonogramrow{ rows= columns= }",
    "web-page": "<html> <table> <tr> <td> </td> </table> <br> [[ ]] , <title> &#0; <!--",
    "text": "# . ?",
    "png": "IHDR IDAT IEND PLTE tRNS gAMA zTXt iTXt acTL fcTL",
    "xlsx": '<row r=" </row> <c r=" </c> <v> </v> t="s" t="str" t="inlineStr" <is> <t> s="1" XFD1048576 '
    "<sst> <si> <sheet <definedName <mergeCell <dimension <Relationship <!DOCTYPE <!ENTITY &#0; %%",
}
"""Between blanks, by format; other pictures have none."""

_LONGEST_BINARY = 1 << 14

_OFFICE = "http://schemas.openxmlformats.org"
_RELATIONS = f"{_OFFICE}/officeDocument/2006/relationships"
_PARTS = {
    "xl/worksheets/1.xml": "<worksheet/>",
    "xl/sharedStrings.xml": "<sst/>",
    "xl/styles.xml": "<styleSheet/>",
    "xl/workbook.xml": f'<workbook xmlns="{_OFFICE}/spreadsheetml/2006/main" xmlns:r="{_RELATIONS}"><sheets>'
    '<sheet name="1" sheetId="1" r:id="sheet"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_OFFICE}/package/2006/relationships">'
    f'<Relationship Type="{_RELATIONS}/worksheet" Target="worksheets/1.xml" Id="sheet"/></Relationships>',
    "[Content_Types].xml": f'<Types xmlns="{_OFFICE}/package/2006/content-types">'
    + "".join(
        f'<Override PartName="/xl/{part}.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        f'spreadsheetml.{kind}+xml"/>'
        for part, kind in (
            ("workbook", "sheet.main"),
            ("sharedStrings", "sharedStrings"),
            ("styles", "styles"),
        )
    )
    + "</Types>",
}
"""The parts of a workbook by name, with what they hold if an input does not say."""


def targets() -> Iterator[Target]:
    """Yield one target for each reader; formats that share theirs are one."""
    known: set[str] = set()
    for format in formats():
        if repr(format.read) not in known:
            known.add(repr(format.read))
            yield _target(format)
    yield Target("recognised", partial(_puzzles, None), _check, words=("GRID", "$1", "<puzzle", "[clues]"))
    yield Target("archive", _archive, _check, _LONGEST_BINARY, ("ustar", "PK", "a.nin", "30 path=a.nin"))
    yield Target("grid", _grid, words=('"grid":', '"partial":', '"solutions":', "#", ".", "?"))


def _target(format: Format) -> Target:
    name, words = format.name, tuple(_WORDS.get(format.name, "").split())
    if name == "xlsx":
        return Target(name, _workbook, _check, _LONGEST_BINARY, words)
    if name == "png":
        return Target(name, lambda data: _puzzles(name, with_checksums(data)), _check, _LONGEST_BINARY, words)
    return Target(name, partial(_puzzles, name), _check, 4096 if words else _LONGEST_BINARY, words)


def _puzzles(format: str | None, data: bytes) -> list[Puzzle]:
    with as_stdin(data) as stdin, catch_warnings():
        simplefilter("ignore", FormatWarning)
        return list(load_all(stdin, format=format))


def _workbook(data: bytes) -> list[Puzzle]:
    """Read a workbook, whole or as its parts: changed at random, an archive has few that can be unpacked."""
    return _puzzles("xlsx", data if data.startswith(b"PK") else workbook(*data.split(SEPARATOR)))


def workbook(*parts: bytes) -> bytes:
    """Return a workbook of a sheet, shared strings, styles, a directory of sheets, and so on (`_PARTS`)."""
    given = dict(zip(_PARTS, parts, strict=False))
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in _PARTS.items():
            archive.writestr(name, given.get(name, content))
    return stream.getvalue()


def _archive(data: bytes) -> list[Puzzle]:
    with as_files(data, "set") as folder:
        return list(load_all(folder / "set"))


def _check(puzzles: list[Puzzle]) -> None:
    """Assert that puzzles are the same after writing and reading them again, and goals solve them."""
    for puzzle in puzzles:
        rows, columns = puzzle.shape
        if rows * columns <= _MOST_CELLS:
            assert decode(json.loads(json.dumps(encode(puzzle)))) == puzzle
            assert puzzle.goal is None or not mismatches(puzzle, puzzle.goal)


_ASKED = Puzzle.from_grid(
    Grid.from_strings(["#.a", "aa?".replace("?", "#"), "..."], Palette.of(2)), palette=Palette.of(2)
)


def _grid(data: bytes) -> None:
    with as_stdin(data) as stdin:
        grid = load_grid(stdin, _ASKED)
    assert grid.shape == _ASKED.shape
    grid.strings(_ASKED.palette)
