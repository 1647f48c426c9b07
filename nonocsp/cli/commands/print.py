"""``nonocsp print``: sheets of puzzles to solve on paper."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from nonocsp.cli.shared.console import printable
from nonocsp.cli.shared.exit_codes import ExitCode
from nonocsp.cli.shared.manual import epilog
from nonocsp.cli.shared.options import (
    OUTPUT,
    Files,
    Patterns,
    Seed,
    Title,
    grouped,
)
from nonocsp.cli.shared.puzzles import Choice

EPILOG = epilog(
    "nonocsp print cat.non",
    "nonocsp print --per-page 6 --solutions --output book.pdf set.json",
    "nonocsp print --book --title 'Owls and others' --output book.pdf puzzles/",
    "nonocsp print --index 3 --paper letter --output cat.svg set.txt.gz",
    exits={
        ExitCode.FINE: "written",
        ExitCode.NEGATIVE: "not written: a puzzle has several solutions, or none",
    },
    see=("repair", "difficulty", "generate"),
)

PerPage = Annotated[
    int,
    typer.Option("--per-page", metavar="N", min=1, max=24, help="Puzzles per page; in a book, the most."),
]
Solutions = Annotated[bool, typer.Option("--solutions", help="Add pages with the solutions.")]
_Book = Annotated[
    bool,
    typer.Option("--book", help="Make a book: cover, contents, puzzles from easy to hard, solutions."),
]
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
_Anyway = Annotated[
    bool, typer.Option("--anyway", help="Also print puzzles that have several solutions, or none.")
]
_Plain = Annotated[bool, typer.Option("--no-grade", help="Leave out how hard puzzles are.")]


@grouped
def print_puzzles(
    files: Files,
    *,
    output: _Output = Path("sheet.pdf"),
    per_page: PerPage = 4,
    solutions: Solutions = False,
    book: _Book = False,
    paper: PaperSize = "a4",
    patterns: Patterns = False,
    title: Title = "",
    no_grade: _Plain = False,
    anyway: _Anyway = False,
    seed: Seed = 0,
    choice: Choice,
) -> None:
    """Make sheets to solve on paper.

    A page holds several puzzles. Each is printed with its size and how hard it is. A solution that is
    not in the file is computed. --book adds a cover and contents, and orders the puzzles by their level. A
    puzzle with several solutions cannot be solved by thought alone; unless --anyway is given, nothing is
    written then.
    """
    from nonocsp.cli.shared.saving import refuse_inputs, save_sheets, whole
    from nonocsp.grading.exercise import easiest_first, exercise
    from nonocsp.render.book import book as bound
    from nonocsp.render.paper import Paper
    from nonocsp.render.sheet import check_suffix, sheets

    check_suffix(output)
    refuse_inputs(output, files, "--output")
    sources = choice.puzzles(files, seed)
    with whole(output):
        is_solved, is_graded = solutions or book, not no_grade
        exercises = [
            exercise(source.puzzle, Path(source.name).name, is_graded=is_graded, is_solved=is_solved)
            for source in sources
        ]
    faulty = [one for one in exercises if one.fault]
    for one in faulty:
        typer.echo(printable(f"{one.heading}: {one.fault}"), err=True)
    if faulty and not anyway:
        typer.echo(
            "not written; nonocsp repair finds what to change, --anyway prints them as they are", err=True
        )
        raise typer.Exit(ExitCode.NEGATIVE)
    unsolved = [one.heading for one in exercises if is_solved and one.solution is None]
    if unsolved:
        typer.echo(printable(f"warning: no solution found: {', '.join(unsolved)}"), err=True)
    size = Paper(paper)
    if book:
        exercises = easiest_first(exercises)
        made = bound(exercises, paper=size, per_page=per_page, has_patterns=patterns, title=title)
    else:
        made = sheets(
            exercises,
            paper=size,
            per_page=per_page,
            with_solutions=solutions,
            has_patterns=patterns,
            title=title,
        )
    save_sheets(made, output, title=title)
