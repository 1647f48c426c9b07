"""Nonograms of the LaTeX package logicpuzzle."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from nonocsp.model import FormatError, Grid, Puzzle

Read = Callable[..., list[Puzzle]]
Write = Callable[..., bytes]

STAIR = Puzzle.from_clues([[1, 2], [3], []], [[2], [1], [2], [1]], title="Stair")
STAIR_TEXT = r"""\documentclass{article}
\usepackage{logicpuzzle}
\begin{document} % 50\% of \begin{nonogram} in a comment
\begin{nonogram}[rows=3, columns=4, title={Stair}, fontsize=huge]
  \nonogramV{{0}, 3, {2, 1}}
  \nonogramH{{2}, {1},
             {2}, {1}}
\end{nonogram}
\end{document}
"""


def test_rows_stand_from_the_bottom_and_clues_from_the_grid_outwards(read: Read, write: Write) -> None:
    assert read(STAIR_TEXT, name="a.tex") == [STAIR]
    written = write([STAIR, STAIR], "latex")
    assert b"\\nonogramV{{0}, {3}, {2, 1}}\n" in written
    assert read(written) == [STAIR, STAIR]


def test_a_solution_is_the_goal(read: Read) -> None:
    text = STAIR_TEXT.replace(
        "\\end{nonogram}", "\\nonogramrow{3}{1/1, 3/2}\\nonogramrow{2}{1/3}\n\\end{nonogram}"
    )
    assert read(text)[0].goal == Grid.from_strings(["#.##", "###.", "...."])


def test_a_title_loses_what_latex_would_take_for_commands(read: Read, write: Write) -> None:
    puzzle = Puzzle.from_clues([[1]], [[1]], title="50% [\\input{x}]")
    assert read(write(puzzle, "latex"))[0].title == "50    input x"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\\end{nonogram}", "", ":4: \\begin{nonogram} is not closed; expected \\end{nonogram}"),
        ("\\nonogramV", "\\nonogramX", ":4: no \\nonogramV; expected \\nonogramV, the clues of rows"),
        ("rows=3", "rows=4", ":4: 3 clues in \\nonogramV; expected 4, as rows=4 says"),
        ("{2, 1}", "{2, a}", ":5: '{2, a}' is no clue; expected clues such as {1, 2}, {3}"),
        ("\\nonogramH", "\\nonogramV", ":6: \\nonogramV a second time; expected one for each"),
        ("{0}, 3", "{0}}}, 3", ":4: 1 clues in \\nonogramV; expected 3"),
        ("\\nonogramH{", "\\nonogramH[", ":6: no braces behind the command; expected { and as many }"),
        (
            "\\end{n",
            "\\nonogramrow{4}{1/1}\\end{n",
            ":4: row 4 of the solution: '1/1'; expected COLUMN/LENGTH",
        ),
        ("\\end{n", "\\nonogramrow{x}{1/1}\\end{n", ":8: row 'x'; expected a row from 1 to 4096"),
    ],
)
def test_a_faulty_document_names_the_line(read: Read, old: str, new: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(STAIR_TEXT.replace(old, new), name="a.tex")
    assert f"a.tex{message}" in str(error.value)
