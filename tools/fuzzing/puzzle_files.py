"""Fuzz targets for puzzles: every format by name, recognised files, archives, and partial grids."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from warnings import catch_warnings, simplefilter

from nonocsp.formats import Format, formats, load_all
from nonocsp.formats.codecs.data.project_json import decode, encode
from nonocsp.formats.grids import load_grid
from nonocsp.model import FormatWarning, Grid, Palette, Puzzle, mismatches
from tools.fuzzing.base import Target, as_files, as_stdin

_MOST_CELLS = 1 << 16
"""Most cells of a puzzle that is written and read again; larger ones are legal but cost time."""

_WORDS = {
    "json": '"rows": "columns": "goal": "palette": "name": "rgb": "char": [[ ]] 1e9',
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
    "json-hints": '"rows": "cols": "rowHints": "clues": "nonograms": "image": "solution": null [[ ]] 1e9',
    "puzzlekit": '"data": "problem": "solution": "name": \\n x -',
    "csv": ", ; \" 0 # '",
    "freenono": "<FreeNono> <Nonogram <line> </line> width= height= _ x <!ENTITY &#0;",
    "latex": "\\begin{nonogram} \\end{nonogram} \\nonogramV{ \\nonogramH{ \\nonogramrow{ rows= columns= }",
    "web-page": "<html> <table> <tr> <td> </td> </table> <br> [[ ]] , <title> &#0; <!--",
    "text": "# . ?",
}
"""Between blanks, by format; pictures have none."""

_LONGEST_PICTURE = 1 << 14


def targets() -> Iterator[Target]:
    """Yield one target for each reader; formats that share theirs are one."""
    known: set[str] = set()
    for format in formats():
        if repr(format.read) not in known:
            known.add(repr(format.read))
            yield _target(format)
    yield Target("recognised", partial(_puzzles, None), _check, words=("GRID", "$1", "<puzzle", "[clues]"))
    yield Target("archive", _archive, _check, _LONGEST_PICTURE, ("ustar", "PK", "a.nin", "30 path=a.nin"))
    yield Target("grid", _grid, words=('"grid":', '"partial":', '"solutions":', "#", ".", "?"))


def _target(format: Format) -> Target:
    name, words = format.name, tuple(_WORDS.get(format.name, "").split())
    longest = 4096 if words else _LONGEST_PICTURE
    return Target(name, partial(_puzzles, name), _check, longest, words)


def _puzzles(format: str | None, data: bytes) -> list[Puzzle]:
    with as_stdin(data) as stdin, catch_warnings():
        simplefilter("ignore", FormatWarning)
        return list(load_all(stdin, format=format))


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
