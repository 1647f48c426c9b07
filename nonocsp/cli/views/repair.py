"""Print what is ambiguous in a puzzle and how to repair it, and save the best repair."""

from __future__ import annotations

import json
from pathlib import Path

import typer

from nonocsp.backends.base import Answer
from nonocsp.cli.shared.console import print_grid, print_rows
from nonocsp.cli.shared.exit_codes import ExitCode
from nonocsp.cli.views.solve import heading
from nonocsp.formats import NamedPuzzle, save
from nonocsp.making.repair import Repair, Repairs
from nonocsp.model import Palette


def exit_code(found: Repairs) -> ExitCode:
    """Return the exit code for one puzzle."""
    if found.is_fine or found.found:
        return ExitCode.FINE
    over = found.is_over or found.answer is Answer.UNKNOWN
    return ExitCode.LIMIT if over else ExitCode.NEGATIVE


def print_text(source: NamedPuzzle, found: Repairs, max_changes: int) -> None:
    """Print the ambiguous cells and a table of the repairs.

    Parameters
    ----------
    source
        The puzzle as it was read.
    found
        What is wrong with it, and what would repair it.
    max_changes
        The most cells that were changed.
    """
    print(heading(source))
    match found.answer:
        case Answer.UNSAT:
            print("no grid has these clues; repair needs the picture that they are meant to show\n")
            return
        case Answer.UNKNOWN:
            print("the time was up before it was known whether there are several solutions\n")
            return
    if found.is_fine:
        print("one solution already: nothing to repair\n")
        return
    if found.answer is Answer.MULTIPLE:
        count = int(found.ambiguous.sum())
        atleast = "" if found.is_all_ambiguous else "at least "
        print(f"several solutions: {atleast}{count} cells are ambiguous, here ?\n")
        print_grid(source.puzzle, found.with_ambiguous())
        print()
    else:
        print("one solution, but line solving does not find it")
    if not found.found:
        print(_nothing(found, max_changes), end="\n\n")
        return
    palette = found.puzzle.palette
    rows = [
        [str(number), _told(one, palette), f"{one.visibility:.2f}", one.class_, str(one.sweeps)]
        for number, one in enumerate(found.found, 1)
    ]
    print_rows(("", "change", "visibility", "class", "sweeps"), rows)
    print()


def _nothing(found: Repairs, max_changes: int) -> str:
    """Return what to say if there is no repair."""
    proved = "; no single cell suffices, all were tried" if found.at_least > 1 else ""
    if found.is_over:
        return f"the time was up before a repair was found{proved}; a longer --time goes on"
    cells = "one cell" if max_changes == 1 else f"up to {max_changes} cells"
    return f"no repair found that changes {cells}{proved}"


def _told(one: Repair, palette: Palette) -> str:
    """Return the changes as text, such as ``row 3, column 5: white to black``."""
    return "; ".join(change.text(palette) for change in one.changes)


def print_json(source: NamedPuzzle, found: Repairs, max_changes: int) -> None:
    """Print the JSON record.

    Parameters
    ----------
    source, found, max_changes
        As for `print_text`.
    """
    about = {"puzzle": source.name, "index": source.index, "max_changes": max_changes}
    print(json.dumps(about | found.record()), flush=True)


def save_repair(found: Repairs, output: Path) -> None:
    """Save the best repair: as a picture of before and after, or as a puzzle.

    Parameters
    ----------
    found
        At least one repair.
    output
        The file.
    """
    from nonocsp.formats.target import open_target

    best = found.found[0]
    suffix = output.suffix.lower()
    if suffix not in (".svg", ".png"):
        save(best.puzzle, output)
    else:
        from nonocsp.render import png, svg
        from nonocsp.render.drawing import draw, side_by_side

        before = draw(found.puzzle, found.puzzle.goal, marked=found.ambiguous)
        drawing = side_by_side(before, draw(best.puzzle, best.puzzle.goal, marked=best.changed))
        with open_target(output) as stream:
            stream.write(svg.document(drawing).encode() if suffix == ".svg" else png.file(drawing))
    typer.echo(f"{output}: the first repair", err=True)
