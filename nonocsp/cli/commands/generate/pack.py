"""``nonocsp generate --pack``: a graded set of puzzles in a folder, or as a book."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from nonocsp.cli.commands.generate.output import FOLDER_FORMAT
from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.console import clock, counted, printable
from nonocsp.cli.shared.endings import ExitCode
from nonocsp.cli.shared.saving import check_folder, save_proofs, save_sheets, whole
from nonocsp.formats import format_to_write
from nonocsp.model import UsageError

if TYPE_CHECKING:
    from nonocsp.cli.commands.generate.options import Destination, Look, Wanted
    from nonocsp.formats import Format

COUNT = 30
SECONDS_PER_PUZZLE = 0.5
"""About what a puzzle takes on four cores."""
_FOR_ALL = {
    "picture",
    "pack",
    "count",
    "seed",
    "jobs",
    "output",
    "output_format",
    "as_json",
    "title",
    "proof",
}
_FOR_PICTURES = {"threshold", "black", "colours", "palette", "fill_empty"}


def generate_pack(
    ctx: typer.Context, folder: str | None, wanted: Wanted, look: Look, destination: Destination
) -> NoReturn:
    """Make the pack that the options of the command describe, write it, and end the command."""
    from nonocsp.making.pack import folder_subjects, index, make_pack, motif_subjects, pack_book, write_pack

    _check_options(ctx, folder)
    output, format = _target(look, destination)
    count = wanted.count if opt.is_given(ctx, "count") else COUNT
    if folder is None:
        subjects = motif_subjects(in_colour=format is None or format.holds_colours)
        pictures = f"{len(subjects)} built-in drawings"
    else:
        subjects = folder_subjects(Path(folder), look.options())
        pictures = f"{counted(len(subjects), 'file')} in {folder}"
    _announce(count, pictures, str(destination.output))
    with whole(output):
        pack = make_pack(subjects, count=count, seed=wanted.seed, jobs=wanted.jobs)
        files = write_pack(pack, output, format) if format else ()
    if destination.as_json:
        for record in index(pack, files)["puzzles"]:
            print(json.dumps(record))
    save_proofs((packed.puzzle for packed in pack.puzzles), destination.proof)
    for reason in pack.skipped.values():
        typer.echo(printable(f"warning: left out: {reason}"), err=True)
    total = len(pack.puzzles)
    if total < count:
        typer.echo(f"warning: the pictures give {total} of {count} puzzles", err=True)
    if format:
        easiest, hardest = pack.puzzles[0].level, pack.puzzles[-1].level
        made = f"{counted(total, 'puzzle')}, {easiest} to {hardest}"
        typer.echo(f"{output / 'index.html'}: {made}", err=True)
    else:
        save_sheets(pack_book(pack, title=destination.title), output, title=destination.title)
    raise typer.Exit(ExitCode.FINE if total == count else ExitCode.NEGATIVE)


def _check_options(ctx: typer.Context, folder: str | None) -> None:
    """Raise UsageError if an option has no use in a pack."""
    useful = _FOR_ALL | (_FOR_PICTURES if folder else set())
    for parameter in ctx.command.params:
        name = parameter.name or ""
        if name not in useful and opt.is_given(ctx, name):
            what = "a pack of our own drawings" if name in _FOR_PICTURES else "--pack"
            raise UsageError(f"{parameter.opts[0]} does not go with {what}")


def _target(look: Look, destination: Destination) -> tuple[Path, Format | None]:
    """Return where to write a pack, and the format of its puzzle files; None for a book."""
    from nonocsp.making.pack import check_pack_folder

    if destination.output in (None, "-"):
        raise UsageError("a pack is a folder or a book; name a new folder/ or a .pdf with --output")
    output = Path(destination.output)
    if output.suffix.lower() == ".pdf" and not output.is_dir():
        check_folder(output)
        if destination.output_format:
            raise UsageError(f"--to is for puzzle files; {output} is a book")
        return output, None
    check_pack_folder(output)
    if destination.title:
        raise UsageError("--title is for a book; name a .pdf with --output")
    format = format_to_write("pack.json", destination.output_format or FOLDER_FORMAT)
    if ((look.colours or 0) > 1 or look.palette) and not format.holds_colours:
        raise UsageError(f"{format.name} has no colours; leave out --colours and --palette, or --to")
    return output, format


def _announce(count: int, pictures: str, output: str) -> None:
    """Say on standard error what will be made, of what, how long it takes and where it goes."""
    from nonocsp.making.pack import LARGEST, SMALLEST

    sizes = f"{SMALLEST} to {LARGEST} cells on the longer side"
    length = f"about {clock(count * SECONDS_PER_PUZZLE)}"
    what = f"making {counted(count, 'puzzle')} from {pictures}: {sizes}, {length}, to {output}"
    typer.echo(printable(what), err=True)
