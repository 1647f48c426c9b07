"""``nonocsp explain``: how a person solves puzzles, step by step."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nonocsp.cli.shared import values
from nonocsp.cli.shared.exit_codes import ExitCode
from nonocsp.cli.shared.manual import epilog
from nonocsp.cli.shared.options import (
    OUTPUT,
    AsJson,
    Files,
    Seed,
    Summary,
    grouped,
)
from nonocsp.cli.shared.puzzles import Choice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nonocsp.formats import NamedPuzzle

EPILOG = epilog(
    "nonocsp explain cat.non",
    "nonocsp explain --hint mine.txt cat.non",
    "nonocsp explain --output cat.html cat.non",
    "nonocsp explain --output cat.gif --pace 500ms cat.non",
    "nonocsp explain --summary --json *.non",
    exits={
        ExitCode.FINE: "explained to the end",
        ExitCode.NEGATIVE: "the techniques are not enough, or the grid of --hint is wrong",
    },
    see=("difficulty", "solve"),
)

_Hint = Annotated[
    str | None,
    typer.Option(
        metavar="GRID",
        help="Print only the next step from this half-filled grid: one character per cell, ? if open.",
    ),
]
_Solution = Annotated[bool, typer.Option("--solution", help="Also compare GRID with the only solution.")]
_Probes = Annotated[
    bool, typer.Option("--probes/--no-probes", help="Use what-if steps where line solving is stuck.")
]
_Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Save the explanation: .html, .gif, .svg, .txt or .json.",
        rich_help_panel=OUTPUT,
    ),
]
_PACE = 1.0
_Pace = Annotated[
    float | None,
    typer.Option(
        metavar="TIME",
        parser=values.duration,
        help="Time per step in an animation.  [default: 1s]",
        rich_help_panel=OUTPUT,
    ),
]


@grouped
def explain(
    files: Files,
    *,
    hint: _Hint = None,
    solution: _Solution = False,
    summary: Summary = False,
    probes: _Probes = True,
    output: _Output = None,
    pace: _Pace = None,
    seed: Seed = 0,
    choice: Choice,
    as_json: AsJson = False,
) -> None:
    """Explain how a person solves a puzzle, step by step.

    Each step names a line, the cells that follow, and the reason. It uses the easiest technique that finds
    anything; its grade runs from 1 (count in a line) to 5 (what if?).
    """
    from nonocsp.cli.shared.puzzles import resumable
    from nonocsp.cli.views.explain import ENCODERS, Explained, print_json, print_text
    from nonocsp.grading.explain import Verdict
    from nonocsp.grading.explain import explain as explained
    from nonocsp.model import UsageError

    sources = choice.puzzles(files, seed)
    if hint is not None:
        if summary or output:
            raise UsageError("--hint prints the next step only; leave out --summary and --output")
        raise typer.Exit(_give_hint(sources, hint, by_solution=solution, as_json=as_json))
    if solution:
        raise UsageError("--solution needs --hint: it compares that grid with the solution")
    code = ExitCode.FINE
    with ExitStack() as stack:
        done = stack.enter_context(resumable(choice))
        save = None
        if output:
            from nonocsp.cli.shared.saving import saving

            save = stack.enter_context(saving(output, files, ENCODERS))
        for source in sources:
            found = Explained(source, explained(source.puzzle, probes=probes), pace or _PACE)
            if save:
                save(found)
            (print_json if as_json else print_text)(found, with_steps=not (summary or save))
            if found.explanation.verdict is not Verdict.SOLVED:
                code = ExitCode.NEGATIVE
            done(source.name, source.index)
    raise typer.Exit(code)


def _give_hint(sources: Iterator[NamedPuzzle], grid: str, *, by_solution: bool, as_json: bool) -> ExitCode:
    """Print the next step from a grid, or what is wrong in it."""
    from nonocsp.cli.views.explain import print_hint
    from nonocsp.formats.grids import load_grid
    from nonocsp.grading.explain import hint
    from nonocsp.model import UsageError

    source = next(sources)
    if next(sources, None):
        raise UsageError("--hint takes one puzzle; name one file, and choose one of its puzzles with --index")
    found = hint(source.puzzle, load_grid(grid, source.puzzle), by_solution=by_solution)
    print_hint(source, found, as_json=as_json)
    if found.clash:
        typer.echo("if the puzzle has one solution, --solution names the wrong cells", err=True)
    helps = found.is_sound and (found.steps or found.grid.is_full)
    return ExitCode.FINE if helps else ExitCode.NEGATIVE
