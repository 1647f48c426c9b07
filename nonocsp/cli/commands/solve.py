"""``nonocsp solve``: one backend on the puzzles of some files."""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path
from typing import Annotated, Literal

import typer

from nonocsp.backends import DEFAULT
from nonocsp.cli.shared.exit_codes import ExitCode
from nonocsp.cli.shared.manual import epilog
from nonocsp.cli.shared.options import (
    OUTPUT,
    AsJson,
    Bound,
    Files,
    Jobs,
    Memory,
    Patterns,
    Seed,
    Spec,
    WallLimit,
    grouped,
)
from nonocsp.cli.shared.puzzles import Choice

EXITS = {
    ExitCode.FINE: "exactly one solution; with --task solve or count: a solution",
    ExitCode.NEGATIVE: "no solution, or several; or the backend got stuck or crashed",
    ExitCode.LIMIT: "a limit was hit",
}
EPILOG = epilog(
    "nonocsp solve cat.non",
    "nonocsp solve --backend sat:solver=cadical195 --limit 10s --json set.txt",
    "nonocsp solve --jobs 2 --json puzzles/ set.tar.xz > results.jsonl",
    "nonocsp solve --index 3 --output cat.svg set.txt.gz",
    "nonocsp solve --task count cat.non",
    exits=EXITS,
    see=("backends", "check", "difficulty"),
)


_Task = Annotated[
    Literal["solve", "decide", "count"],
    typer.Option(
        "--task",
        "-t",
        help="Find one solution; decide whether there is none, one or several; count all, or up to --bound.",
    ),
]
_Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Save the grids: .txt, .json, .svg or .png.",
        rich_help_panel=OUTPUT,
    ),
]


@grouped
def solve(
    files: Files,
    *,
    backend: Spec = DEFAULT,
    task: _Task = "decide",
    bound: Bound = None,
    seed: Seed = 0,
    limit: WallLimit = None,
    memory: Memory = None,
    jobs: Jobs = 1,
    choice: Choice,
    output: _Output = None,
    patterns: Patterns = False,
    as_json: AsJson = False,
) -> None:
    """Solve puzzles and say whether the solution is unique.

    Prints each grid with its clues, the answer, how the run ended, the time and statistics. Every grid is
    verified against the clues.
    """
    from nonocsp.backends.base import Limits, Request, Task
    from nonocsp.backends.registry import label, portable
    from nonocsp.cli.shared.exit_codes import ExitCode, of_outcome
    from nonocsp.cli.shared.puzzles import resumable
    from nonocsp.cli.shared.running import solved
    from nonocsp.cli.views.solve import Result, print_json, print_text
    from nonocsp.model import UsageError

    if patterns and (output is None or output.suffix.lower() not in (".svg", ".png")):
        raise UsageError("--patterns is for pictures; give --output a .svg or .png file")
    spec, shown = portable(backend), label(backend)
    request = Request(Task(task), Limits(wall=limit, memory=memory), seed, bound)
    code = ExitCode.FINE
    sources = choice.puzzles(files, seed)
    with ExitStack() as stack:
        pairs = stack.enter_context(closing(solved(sources, spec, request, jobs)))
        done = stack.enter_context(resumable(choice))
        save = None
        if output:
            from nonocsp.cli.shared.saving import saving
            from nonocsp.cli.views.solve import result_encoders

            encoders = result_encoders(has_patterns=patterns)
            save = stack.enter_context(saving(output, files, encoders))
        for source, outcome in pairs:
            result = Result(source, shown, request.task, outcome)
            if save:
                save(result)
            if as_json:
                print_json(result)
            else:
                print_text(result, with_grids=save is None)
            code = max(code, of_outcome(result.outcome, request.task))
            done(source.name, source.index)
    raise typer.Exit(code)
