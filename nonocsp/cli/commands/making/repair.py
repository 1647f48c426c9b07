"""``nonocsp repair``: the fewest cells whose change makes a picture the only solution."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from nonocsp.cli.shared.exit_codes import ExitCode
from nonocsp.cli.shared.manual import epilog
from nonocsp.cli.shared.options import (
    OUTPUT,
    AsJson,
    Files,
    JobsOnCores,
    Seed,
    TotalTime,
    grouped,
)
from nonocsp.cli.shared.puzzles import Choice

EPILOG = epilog(
    "nonocsp repair cat.png",
    "nonocsp repair --class simple --best 10 cat.non",
    "nonocsp repair --max-changes 2 --output repaired.svg cat.png",
    "nonocsp repair --output repaired.non --index 3 set.txt",
    exits={
        ExitCode.FINE: "unique already, or a repair was found",
        ExitCode.NEGATIVE: "no solution at all, or no repair with so few changes",
        ExitCode.LIMIT: "time was up before a repair was found",
    },
    see=("solve", "generate", "difficulty"),
)
_TIME = 20.0

_Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Save the best repair: .svg or .png shows before and after, other suffixes hold the puzzle.",
        rich_help_panel=OUTPUT,
    ),
]


@grouped
def repair(
    files: Files,
    *,
    class_: Annotated[
        Literal["unique", "simple"],
        typer.Option("--class", help="What must suffice to solve it: any method, or line solving."),
    ] = "unique",
    max_changes: Annotated[
        int, typer.Option("--max-changes", metavar="N", min=1, max=8, help="Change at most N cells.")
    ] = 8,
    best: Annotated[int, typer.Option(metavar="N", min=1, help="Show the N best repairs.")] = 5,
    time: TotalTime = None,
    jobs: JobsOnCores = None,
    seed: Seed = 0,
    choice: Choice,
    output: _Output = None,
    as_json: AsJson = False,
) -> None:
    """Find the fewest changes that make a puzzle unique.

    A puzzle file or a picture of one pixel a cell. Shows which cells are ambiguous, then the best repairs:
    those that change the fewest cells, and of these the ones that are hardest to see. Each repaired puzzle is
    proved to have one solution. The time limit of a puzzle is 20 s unless --time sets another one.
    """
    from nonocsp.cli.shared.puzzles import resumable
    from nonocsp.cli.shared.saving import check_folder, refuse_inputs
    from nonocsp.cli.views.repair import exit_code, print_json, print_text, save_repair
    from nonocsp.making.repair import repair as repaired
    from nonocsp.model import UsageError

    if output:
        refuse_inputs(output, files, "--output")
        check_folder(output)
    code, saved = ExitCode.FINE, False
    with resumable(choice) as done:
        for source in choice.puzzles(files, seed):
            if output and saved:
                raise UsageError(f"{output} holds one repair; choose one puzzle with --index")
            found = repaired(
                source.puzzle,
                class_=class_,
                max_changes=max_changes,
                best=best,
                time=time or _TIME,
                jobs=jobs,
            )
            (print_json if as_json else print_text)(source, found, max_changes)
            if output and found.found:
                save_repair(found, output)
                saved = True
            code = max(code, exit_code(found))
            done(source.name, source.index)
    raise typer.Exit(code)
