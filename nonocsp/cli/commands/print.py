"""``nonocsp print``: sheets of puzzles to solve on paper."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.console import printable, title_of
from nonocsp.cli.shared.endings import ExitCode
from nonocsp.cli.shared.manual import command, command_line
from nonocsp.cli.shared.puzzles import Choice
from nonocsp.cli.shared.saving import refuse_inputs, save_sheets, whole

app = command_line()


@command(
    app,
    "nonocsp print cat.non",
    "nonocsp print --per-page 6 --solutions --output book.pdf set.json",
    "nonocsp print --book --title 'Owls and others' --output book.pdf puzzles/",
    "nonocsp print --index 3 --paper letter --output cat.svg set.txt.gz",
    fine="written",
    negative="not written: a puzzle has several solutions, or none",
    see="repair, difficulty, generate",
    name="print",
)
@opt.grouped
def print_puzzles(
    files: opt.Files,
    *,
    output: Annotated[Path, opt.output("File to write: .pdf; or .svg or .png, one per page.")] = Path(
        "sheet.pdf"
    ),
    per_page: Annotated[
        int, opt.option("Puzzles per page; in a book, the most.", "--per-page", metavar="N", min=1, max=24)
    ] = 4,
    solutions: Annotated[bool, opt.option("Add pages with the solutions.", "--solutions")] = False,
    book: Annotated[
        bool, opt.option("Make a book: cover, contents, puzzles from easy to hard, solutions.", "--book")
    ] = False,
    paper: Annotated[Literal["a4", "letter"], opt.option("Size of the sheets.", "--paper")] = "a4",
    patterns: opt.Patterns = False,
    title: opt.Title = "",
    no_grade: Annotated[bool, opt.option("Leave out how hard puzzles are.", "--no-grade")] = False,
    anyway: Annotated[
        bool, opt.option("Also print puzzles that have several solutions, or none.", "--anyway")
    ] = False,
    seed: opt.Seed = 0,
    choice: Choice,
) -> None:
    """Make sheets to solve on paper.

    A page holds several puzzles. Each is printed with its size and how hard it is. A solution that is
    not in the file is computed. --book adds a cover and contents, and orders the puzzles by their level. A
    puzzle with several solutions cannot be solved by thought alone; unless --anyway is given, nothing is
    written then.
    """
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
            exercise(source.puzzle, title_of(source), is_graded=is_graded, is_solved=is_solved)
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
