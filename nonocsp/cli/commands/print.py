"""``nonocsp print``: sheets of puzzles to solve on paper."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from nonocsp.cli.shared.console import printable
from nonocsp.cli.shared.exit_codes import ExitCode
from nonocsp.cli.shared.manual import epilog
from nonocsp.cli.shared.options import OUTPUT, Files, InputFormat, PuzzleSize, Selection

if TYPE_CHECKING:
    from nonocsp.render.sheet import Sheets

EPILOG = epilog(
    "nonocsp print cat.non",
    "nonocsp print --per-page 6 --solutions --output book.pdf set.json",
    "nonocsp print --index 3 --paper letter --output cat.svg set.txt.gz",
    exits={
        ExitCode.FINE: "written",
    },
    see=("difficulty", "generate", "convert"),
)

FINE_CELL = 2.5
"""Cells with a shorter side, in millimetres, are hard to fill in."""

PerPage = Annotated[int, typer.Option("--per-page", metavar="N", min=1, max=24, help="Puzzles per page.")]
Solutions = Annotated[bool, typer.Option("--solutions", help="Add pages with the solutions.")]
PaperSize = Annotated[Literal["a4", "letter"], typer.Option("--paper", help="Size of the sheets.")]
_Output = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="File to write: .pdf; or .svg or .png, one per page.",
        rich_help_panel=OUTPUT,
    ),
]
_Title = Annotated[str, typer.Option("--title", metavar="TEXT", help="Text at the foot of every page.")]
_Plain = Annotated[bool, typer.Option("--no-grade", help="Leave out how hard puzzles are.")]


_Monochrome = Annotated[
    bool, typer.Option("--monochrome", help="Print characters instead of colours, for a black printer.")
]


def print_puzzles(
    files: Files,
    *,
    output: _Output = Path("sheet.pdf"),
    per_page: PerPage = 4,
    solutions: Solutions = False,
    paper: PaperSize = "a4",
    monochrome: _Monochrome = False,
    title: _Title = "",
    no_grade: _Plain = False,
    index: Selection = None,
    input_format: InputFormat = None,
    size: PuzzleSize = None,
) -> None:
    """Make sheets to solve on paper.

    A page holds several puzzles. Each is printed with its size and how hard it is. A solution that is
    not in the file is computed.
    """
    from nonocsp.cli.shared.puzzles import named_puzzles
    from nonocsp.cli.shared.saving import refuse_inputs, whole
    from nonocsp.grading.exercise import exercise
    from nonocsp.render.sheet import Paper, check_suffix, sheets

    check_suffix(output)
    refuse_inputs(output, files, "--output")
    sources = named_puzzles(files, selected=index, format=input_format, size=size)
    with whole(output):
        exercises = [
            exercise(source.puzzle, Path(source.name).name, is_graded=not no_grade, is_solved=solutions)
            for source in sources
        ]
    unsolved = [one.heading for one in exercises if solutions and one.solution is None]
    if unsolved:
        typer.echo(printable(f"warning: no solution found: {', '.join(unsolved)}"), err=True)
    made = sheets(
        exercises,
        paper=Paper(paper),
        per_page=per_page,
        with_solutions=solutions,
        is_monochrome=monochrome,
        title=title,
    )
    write(made, output, title=title)


def write(sheets: Sheets, output: Path, *, title: str = "") -> None:
    """Write sheets; say on standard error where they are, and warn of cells that are too small.

    Parameters
    ----------
    sheets
        The pages.
    output
        File to write; of several pages as pictures, each gets a number.
    title
        In the metadata of a PDF.
    """
    from nonocsp.render.sheet import write_sheets

    if sheets.smallest_cell < FINE_CELL:
        advice = "; a lower --per-page makes them larger" if sheets.on_page > 1 else ""
        typer.echo(f"warning: the smallest cells are {sheets.smallest_cell:.2g} mm wide{advice}", err=True)
    paths = write_sheets(sheets, output, title=title)
    pages = f"{len(sheets.pages)} page{'s' * (len(sheets.pages) != 1)}"
    typer.echo(f"{paths[0]}{f' to {paths[-1].name}' if len(paths) > 1 else ''}: {pages}", err=True)
