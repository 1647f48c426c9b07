"""``nonocsp ladder``: what each method derives from a small puzzle, and what it cannot."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.console import facts, heading, print_rows
from nonocsp.cli.shared.manual import command, command_line
from nonocsp.cli.shared.puzzles import Choice

if TYPE_CHECKING:
    from nonocsp.formats import NamedPuzzle

app = command_line()


@command(
    app,
    "nonocsp ladder cat.non",
    "nonocsp ladder --output ladder.html cat.non",
    "nonocsp ladder --json cat.non",
    fine="all methods shown",
    see="explain, difficulty, solve",
)
@opt.grouped
def ladder(
    files: opt.Files,
    *,
    output: Annotated[Path | None, opt.output("Save a page to play the steps: .html.")] = None,
    seed: opt.Seed = 0,
    choice: Choice,
    as_json: opt.AsJson = False,
) -> None:
    """Show what each method derives from a small puzzle, step by step.

    The ladder: line solving in four ways, 2-SAT, probing, unit propagation on clauses, and a search that
    learns clauses. Each rung shows what it derives, and what it cannot. At most 15 rows and 15 columns.
    """
    from nonocsp.grading.ladder import ladder as climbed
    from nonocsp.grading.ladder.telling import records, to_html
    from nonocsp.model import PuzzleError

    with ExitStack() as stack:
        save = None
        if output:
            from nonocsp.cli.shared.saving import saving

            encode = {".html": lambda found: to_html(found).encode()}
            save = stack.enter_context(saving(output, files, encode))
        for source in choice.puzzles(files, seed):
            try:
                found = climbed(source.puzzle)
            except PuzzleError as error:
                raise PuzzleError(f"{source.name}: {error}") from None
            if save:
                save(found)
            if as_json:
                for record in records(found):
                    print(json.dumps({"puzzle": source.name, "index": source.index, **record}), flush=True)
            else:
                _print(source, records(found))


def _print(source: NamedPuzzle, rungs: list[dict[str, Any]]) -> None:
    """Print the rungs as a table; then what each derives that none before it does, and what it cannot."""
    print(heading(source), end="\n\n", flush=True)
    rows = [
        (
            rung["name"],
            f"{rung['known']} of {rung['cells']}",
            str(len(rung["steps"])),
            rung["search"],
            f"{1000 * rung['wall_s']:.2f} ms",
        )
        for rung in rungs
    ]
    print_rows(("method", "cells", "steps", "its backend's search", "time"), rows, texts=1)
    for rung in rungs:
        print(f"\n{rung['name']}\n{facts({key: rung[key] for key in ('derives', 'cannot')}, width=8)}")
    print(flush=True)
