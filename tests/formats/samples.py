"""The puzzle `WIDE` as a file of every text format: what tests spell in other ways, spoil and cut."""

from __future__ import annotations

import json

from nonocsp.model import Puzzle

ROWS, COLUMNS = [[1, 1], []], [[1], [], [1]]
WIDE = Puzzle.from_clues(ROWS, COLUMNS)
"""Two rows and three columns, so that an exchange of the two is an error."""

NIN = "3 2\n1 1\n0\n1\n0\n1\n"
MK = "2 3\n1 1\n0\n#\n1\n0\n1\n"
CWD = "2\n3\n1 1\n0\n\n1\n0\n1\n"
KEEN = "1 1\n0\n\n1\n0\n1\n"
NON = "width 3\nheight 2\nrows\n1,1\n0\ncolumns\n1\n0\n1\n"
PICROSS = "GRID\nROWS\n[ 1 1 ]\n[ ]\nCOLUMNS\n[ 1 ]\n[ ]\n[ 1 ]\n"
GAME_ID = "3x2:1//1/1.1/\n"
OLSAK = "any text\n\n:rows--\n1 1\n\n:columns\n 1\n\n1\n: end\nmore text 3 4\n"
BOSCH = """number_of_rows: 2
number_of_columns: 3

row_1
number_of_clusters: 2
size(s): 1 1

row_2
number_of_clusters: 0
size(s):

column_1
number_of_clusters: 1
size(s): 1

column_2
number_of_clusters: 0
size(s):

column_3
number_of_clusters: 1
size(s): 1
"""
GNONOGRAMS = """[Description]
A stair
Ada

4
[License]
CC BY-SA
[Dimensions]
2
3
[Row clues]
1, 1
0
[Column clues]
1
0
1
[Solution grid]
2 1 2
1 1 1
"""
PADDED = "rows = 2; cols = 3; row_rules = [|1,1|0,0|]; col_rules = [|1|0|1|];"
WORDS = "X = 3; Y = 2; maxlen = 3; rows = [|1,0,1|0,-1,-1|]; cols = [|1,-1,-1|0,-1,-1|-1,-1,1|];"
STATES = """% as Kjellerstrand's program writes them
row_max = 2;
row_states = array2d(1..row_total_states, 1..2, [
% pattern 1,1
1,2, 3,0, 3,4, 4,0,
% pattern 0
1,0,
]);
row_total_states = 5;
row_num_states = [4,1];
row_start_where = [1,5];
col_max = 3;
col_states = array2d(1..4, 1..2, [1,2, 2,0, 1,2, 2,0]);
col_num_states = [2,0,2];
col_start_where = [1,3,3];
"""
ASP = """%%% an instance
#const w = 3.  % columns
#const h = 2.
row_hint(1, 2, 1). row_hint(1, 1, 1).
%* nothing
in row 2 *%
col_hint(1,1,1).
col_hint(3,1,1).
"""
PYNOGRAM = "[clues]\ncolumns =\n    1\n    0\n    1\nrows =\n    1 1\n    0\n"
NONOGRID = (
    '[clues]\ncolumns = """\n    1, 0   # two clues\n\n    1  ; one\n"""\nrows = """\'1 1\'\n    0"""\n'
)
LATEX = r"""\documentclass{article}
\begin{document} % 50\% of \begin{nonogram} in a comment
\begin{nonogram}[rows=2, columns=3, title={Stair}, fontsize=huge]
  \nonogramV{{0}, {1, 1}}
  \nonogramH{{1}, 0,
             {1}}
\end{nonogram}
"""
TABLE = ",,1,0,1\n1,1,,,\n,0,,,\n"
PAGE = "<!DOCTYPE html><title>A &amp; B</title><table><tr><td>menu</table><table><tr><th><td>1<td>0<td>1"
PAGE += "<tr><td>1<br>1<td><td><td><tr><td>0<td></td><td></td><td></td></tr></table>"
WEBPBN = """<?xml version="1.0"?>
<!DOCTYPE pbn SYSTEM "https://webpbn.invalid/pbn-0.3.dtd">
<puzzleset>
<source>webpbn.com</source>
<puzzle type="grid" defaultcolor="black">
<color name="white" char=".">FFFFFF</color><color name="black" char="X">000000</color>
<clues type="columns"><line><count>1</count></line><line/><line><count>1</count></line></clues>
<clues type="rows"><line><count>1</count><count>1</count></line><line/></clues>
</puzzle>
</puzzleset>
"""
FREENONO = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<FreeNono>
<Nonograms>
<Nonogram desc="" difficulty="0" height="2" id="" name="Cross &amp; more" author="Ada" width="3">
<line> x _ x </line>
<line> _ _ _ </line>
</Nonogram>
</Nonograms>
</FreeNono>
"""
PATTERN_SAVE = """SAVEFILE:41:Simon Tatham's Portable Puzzle Collection
VERSION :1:1
GAME    :7:Pattern
PARAMS  :3:3x2
CPARAMS :3:3x2
DESC    :9:1//1/1.1/
NSTATES :1:2
STATEPOS:1:1
MOVE    :8:F0,0,1,1
"""
OBJECT = {"rows": ROWS, "columns": COLUMNS}
PUZZLEKIT = {"7": {"problem": "2 3\n1\n0\n1\n1 1\n\n", "solution": "2 3\nx - x\n- - -", "source": "S"}}


def puzzlekit(name: str = "Nonogram", **entry: object) -> str:
    return json.dumps({"name": name, "count": 1, "data": {"7": PUZZLEKIT["7"] | entry}})
