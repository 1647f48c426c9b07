"""``nonocsp play``: a page on which anyone can play puzzles."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.console import counted, printable, title_of
from nonocsp.cli.shared.manual import command, command_line
from nonocsp.cli.shared.puzzles import Choice
from nonocsp.cli.shared.saving import refuse_inputs, whole

if TYPE_CHECKING:
    from nonocsp.formats import NamedPuzzle
    from nonocsp.render.play import Playable

app = command_line()


@command(
    app,
    "nonocsp play cat.non",
    "nonocsp play --steps --language de --output katze.html cat.non",
    "nonocsp play --title 'Owls and others' --output owls.html puzzles/",
    "nonocsp play --output - --index 3 set.txt > third.html",
    fine="written, even if a puzzle has several solutions or none",
    see="print, explain, convert",
)
@opt.grouped
def play(
    files: opt.Files,
    *,
    steps: Annotated[
        bool,
        opt.option(
            "Add the explanation, for hints. It gives the solution away to whoever reads the file.",
            "--steps/--no-steps",
        ),
    ] = False,
    language: Annotated[
        Literal["en", "de"] | None,
        opt.option("Language of the page.  [default: English with --steps, else the reader's]", "--language"),
    ] = None,
    output: Annotated[
        str | None,
        opt.output(
            "File to write; - is the standard output.  [default: the name of the first FILE, with .html]"
        ),
    ] = None,
    title: opt.Title = "",
    seed: opt.Seed = 0,
    choice: Choice,
) -> None:
    """Write a page on which anyone can play puzzles.

    The page is one file that works offline in any browser: mail it, or put it on a web server. It contains
    the clues and no solution; every grid that fits the clues counts as solved. Several puzzles become a list
    to choose from.
    """
    from nonocsp.formats.target import open_target
    from nonocsp.render.play import play_page

    sources = list(choice.puzzles(files, seed))
    target = output or _default(files)
    if target != "-":
        refuse_inputs(Path(target), files, "--output")
    with whole(target):
        playables = [_playable(source, with_steps=steps) for source in sources]
        page = play_page(playables, title=title, language=language or "").encode()
        with open_target(target) as stream:
            stream.write(page)
    count = counted(len(playables), "puzzle")
    typer.echo(f"{printable(target)}: {count}, {len(page) / 1000:.0f} kB", err=True)


def _default(files: list[str]) -> str:
    """Return ``cat.html`` for ``folder/cat.non#2``, and ``folder.html`` for all of its puzzles."""
    name = re.split(r"[#.]", Path(files[0]).name)[0]
    return f"{name.strip('-') or 'puzzle'}.html"


def _playable(source: NamedPuzzle, *, with_steps: bool) -> Playable:
    """Return a puzzle for the page; warn if it has not one solution."""
    from nonocsp.grading.exercise import exercise
    from nonocsp.grading.explain import explain
    from nonocsp.render.play import Playable

    found = exercise(source.puzzle, title_of(source), is_solved=False)
    if found.fault:
        typer.echo(printable(f"warning: {found.heading}: {found.fault}"), err=True)
    steps = None
    if with_steps:
        explanation = explain(source.puzzle)
        steps = [step.record(source.puzzle.palette) for step in explanation.steps]
        if not explanation.end.is_full and not found.fault:
            message = f"warning: {found.heading}: the hints end before the puzzle is solved"
            typer.echo(printable(message), err=True)
    return Playable(replace(source.puzzle, title=found.heading), found.level, steps)
