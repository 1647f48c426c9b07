"""``nonocsp play``: a page on which anyone can play puzzles."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from nonocsp.cli.shared.console import printable
from nonocsp.cli.shared.exit_codes import ExitCode
from nonocsp.cli.shared.manual import epilog
from nonocsp.cli.shared.options import OUTPUT, Files, Seed, Title, grouped
from nonocsp.cli.shared.puzzles import Choice

if TYPE_CHECKING:
    from nonocsp.formats import NamedPuzzle
    from nonocsp.render.play import Playable

EPILOG = epilog(
    "nonocsp play cat.non",
    "nonocsp play --steps --language de --output katze.html cat.non",
    "nonocsp play --title 'Owls and others' --output owls.html puzzles/",
    "nonocsp play --output - --index 3 set.txt > third.html",
    exits={ExitCode.FINE: "written, even if a puzzle has several solutions or none"},
    see=("print", "explain", "convert"),
)

_Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="File to write; - is the standard output.  [default: the name of the first FILE, with .html]",
        rich_help_panel=OUTPUT,
    ),
]
_Steps = Annotated[
    bool,
    typer.Option(
        "--steps/--no-steps",
        help="Add the explanation, for hints. It gives the solution away to whoever reads the file.",
    ),
]
_Language = Annotated[
    Literal["en", "de"] | None,
    typer.Option("--language", help="Language of the page.  [default: that of the reader's browser]"),
]


@grouped
def play(
    files: Files,
    *,
    steps: _Steps = False,
    language: _Language = None,
    output: _Output = None,
    title: Title = "",
    seed: Seed = 0,
    choice: Choice,
) -> None:
    """Write a page on which anyone can play puzzles.

    The page is one file that works offline in any browser: mail it, or put it on a web server. It contains
    the clues and no solution; every grid that fits the clues counts as solved. Several puzzles become a list
    to choose from.
    """
    from nonocsp.cli.shared.saving import refuse_inputs, whole
    from nonocsp.formats.target import open_target
    from nonocsp.render.play import play_page

    sources = list(choice.puzzles(files, seed))
    target = output or _default(sources)
    if target != "-":
        refuse_inputs(Path(target), files, "--output")
    with whole(target):
        playables = [_playable(source, with_steps=steps) for source in sources]
        page = play_page(playables, title=title, language=language or "").encode()
        with open_target(target) as stream:
            stream.write(page)
    count = f"{len(playables)} puzzle{'s' * (len(playables) != 1)}"
    typer.echo(f"{printable(target)}: {count}, {len(page) / 1000:.0f} kB", err=True)


def _default(sources: list[NamedPuzzle]) -> str:
    """Return ``cat.html`` for ``folder/cat.non#2``."""
    name = re.split(r"[#.]", Path(sources[0].name).name)[0] if sources else ""
    return f"{name.strip('-') or 'puzzle'}.html"


def _playable(source: NamedPuzzle, *, with_steps: bool) -> Playable:
    """Return a puzzle for the page; warn if it has not one solution.

    Parameters
    ----------
    source
        The puzzle.
    with_steps
        Whether to add its explanation.
    """
    from nonocsp.grading.exercise import exercise
    from nonocsp.grading.explain import explain
    from nonocsp.render.play import Playable

    found = exercise(source.puzzle, Path(source.name).name, is_solved=False)
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
