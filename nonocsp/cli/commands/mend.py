"""``nonocsp mend``: which clue of a puzzle is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.console import print_grid, printable
from nonocsp.cli.shared.endings import ExitCode, usage_error
from nonocsp.cli.shared.manual import command, command_line
from nonocsp.cli.shared.puzzles import Choice

if TYPE_CHECKING:
    from nonocsp.making.mend import Mends
    from nonocsp.model import ClueDraft, Puzzle

app = command_line()


@command(
    app,
    "nonocsp mend cat.non",
    "nonocsp mend --limit 10s --json cat.non",
    "nonocsp mend --output mended.non cat.non",
    fine="unique already, or a change was found",
    negative="no single change gives exactly one solution",
    limit="time was up before a change was found",
    see="solve, check, repair",
)
@opt.grouped
def mend(
    files: opt.Files,
    *,
    limit: Annotated[
        float | None, opt.duration("Time limit of each puzzle.  [default: 2s]", "--limit", "-l")
    ] = None,
    choice: Choice,
    output: Annotated[Path | None, opt.output("Save the puzzle with the likeliest change.")] = None,
    as_json: opt.AsJson = False,
) -> None:
    """Find which clue of a puzzle is wrong, and what it should be.

    Tries every single change that undoes a typing error: another number, two neighbouring numbers swapped, a
    number too many or missing, a wrong colour, two clues exchanged, rows and columns mixed up. Lists those
    that leave exactly one solution, the likeliest first, and lines that contradict each other. Clues may be
    too long for their lines, and the sums of rows and columns may differ.
    """
    from nonocsp.cli.shared.saving import check_folder, refuse_inputs
    from nonocsp.formats import save
    from nonocsp.making.mend import LIMIT
    from nonocsp.making.mend import mend as mended

    if output:
        refuse_inputs(output, files, "--output")
        check_folder(output)
    code, saved = ExitCode.FINE, False
    for name, index, clues in _clues(choice, files):
        found = mended(clues, limit=limit or LIMIT)
        if as_json:
            print(json.dumps({"puzzle": name, "index": index, **found.record()}), flush=True)
        else:
            _print_text(name, found)
        if output and found.found:
            if saved:
                raise usage_error(f"{output} holds one puzzle; choose one with --index")
            save(found.found[0].puzzle, output)
            saved = True
        code = max(code, _exit_code(found))
    raise typer.Exit(code)


def _clues(choice: Choice, files: list[str]) -> Iterator[tuple[str, int, Puzzle | ClueDraft]]:
    """Yield name, place and clues of each puzzle, also of those that are none; with these, a file ends."""
    from nonocsp.model import PuzzleError

    for file in files:
        index, broken = 0, list[PuzzleError]()
        try:
            for source in choice.puzzles([file], kept=broken):
                index = source.index
                yield source.name, index, source.puzzle
        except PuzzleError as error:
            if error.draft is None:
                raise
            broken.append(error)
        for place, wrong in enumerate(broken, index + 1):
            yield wrong.file, place, wrong.draft


def _exit_code(found: Mends) -> ExitCode:
    from nonocsp.backends.base import Answer

    if found.found or found.answer is Answer.UNIQUE:
        return ExitCode.FINE
    return ExitCode.NEGATIVE if found.is_complete else ExitCode.LIMIT


def _print_text(name: str, found: Mends) -> None:
    """Print the finding, the lines that contradict each other, and the grid of the likeliest change."""
    print(f"{printable(name)}: {len(found.draft.rows)}x{len(found.draft.columns)}")
    print(printable(str(found)))
    if found.contradiction:
        print(found.contradiction_text())
    if found.found:
        puzzle = found.found[0].puzzle
        assert puzzle.goal
        print()
        print_grid(puzzle, puzzle.goal)
    print()
