"""``nonocsp solve``: one backend on the puzzles of some files."""

from __future__ import annotations

from contextlib import ExitStack, closing
from pathlib import Path
from typing import Annotated, Literal

import typer

from nonocsp.backends import DEFAULT
from nonocsp.cli import values
from nonocsp.cli.options import (
    AsJson,
    Bound,
    Files,
    InputFormat,
    Memory,
    PuzzleSize,
    Selection,
    WallLimit,
    complete_backend,
)

EXAMPLES = values.examples(
    "nonocsp solve cat.non",
    "nonocsp solve --backend sat:solver=cadical195 --limit 10s --json set.txt",
    "nonocsp solve --jobs 2 --json set.txt.gz > results.jsonl",
    "nonocsp solve --index 3 --output cat.svg set.txt.gz",
)


_Backend = Annotated[
    str,
    typer.Option(
        "--backend",
        "-b",
        metavar="SPEC",
        autocompletion=complete_backend,
        help="Name, or name:key=value,key=value; see nonocsp backends.",
    ),
]
_Task = Annotated[
    Literal["solve", "decide", "count"],
    typer.Option("--task", "-t", help="One solution; none, one or several; all up to the bound."),
]
_Seed = Annotated[int, typer.Option(metavar="N", min=0, help="For backends that make random choices.")]
_Jobs = Annotated[
    int, typer.Option("--jobs", "-j", metavar="N", min=1, help="Puzzles at a time, each on a core.")
]
_Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Save the grids as .txt, .json, .svg or .png."),
]


def solve(
    files: Files,
    *,
    backend: _Backend = DEFAULT,
    task: _Task = "decide",
    bound: Bound = 1000,
    seed: _Seed = 0,
    limit: WallLimit = None,
    memory: Memory = None,
    jobs: _Jobs = 1,
    index: Selection = None,
    output: _Output = None,
    input_format: InputFormat = None,
    size: PuzzleSize = None,
    as_json: AsJson = False,
) -> None:
    """Solve puzzles and say whether the solution is unique.

    Prints each grid with its clues, the answer, how the run ended, time and statistics. Every grid is
    verified against the clues, whatever the backend says.
    """
    from nonocsp.backends.base import Limits, Request, Task
    from nonocsp.cli.exit_codes import ExitCode, of_outcome
    from nonocsp.cli.puzzles import named_puzzles
    from nonocsp.cli.running import solved
    from nonocsp.cli.solve_result import Result, print_json, print_text

    request = Request(Task(task), Limits(wall=limit, memory=memory), seed, bound)
    code = ExitCode.FINE
    sources = named_puzzles(files, selected=index, format=input_format, size=size)
    with ExitStack() as stack:
        pairs = stack.enter_context(closing(solved(sources, backend, request, jobs)))
        save = None
        if output:
            from nonocsp.cli.saving import RESULT_ENCODERS, saving

            save = stack.enter_context(saving(output, files, RESULT_ENCODERS))
        for source, outcome in pairs:
            result = Result(source, backend, request.task, outcome)
            if save:
                save(result)
            if as_json:
                print_json(result)
            else:
                print_text(result, with_grids=save is None)
            code = max(code, of_outcome(result.outcome, request.task))
    raise typer.Exit(code)
