"""``nonocsp generate --pack``: a graded set of puzzles in a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import typer

from nonocsp.cli.shared.console import printable
from nonocsp.cli.shared.exit_codes import ExitCode
from nonocsp.cli.shared.saving import whole
from nonocsp.cli.views.generate import FOLDER_FORMAT
from nonocsp.formats import format_to_write
from nonocsp.model import UsageError

if TYPE_CHECKING:
    from nonocsp.cli.commands.making.generate import Destination, Look, Wanted

COUNT = 30
_FOR_ALL = {"picture", "pack", "count", "seed", "jobs", "output", "output_format", "as_json"}
_FOR_PICTURES = {"threshold", "black", "colours", "palette", "fill_empty"}


def generate_pack(
    ctx: typer.Context, folder: str | None, wanted: Wanted, look: Look, destination: Destination
) -> NoReturn:
    """Make the pack that the options of the command describe, write it, and end the command.

    Parameters
    ----------
    ctx
        Of the command; says which options were given.
    folder
        The pictures; None for the built-in drawings.
    wanted, look, destination
        The options.

    Raises
    ------
    UsageError
        If an option has no use in a pack, or the pack cannot be written.
    """
    from nonocsp.making.packs.files import check_pack_folder, index, write_pack
    from nonocsp.making.packs.pack import folder_subjects, make_pack, motif_subjects

    useful = _FOR_ALL | (_FOR_PICTURES if folder else set())
    for parameter in ctx.command.params:
        name = parameter.name or ""
        if name not in useful and _is_given(ctx, name):
            what = "a pack of our own drawings" if name in _FOR_PICTURES else "--pack"
            raise UsageError(f"{parameter.opts[0]} does not go with {what}")
    if destination.output in (None, "-"):
        raise UsageError("a pack is a folder; name a new one with --output")
    output = Path(destination.output)
    check_pack_folder(output)
    format = format_to_write("pack.json", destination.output_format or FOLDER_FORMAT)
    if ((look.colours or 0) > 1 or look.palette) and not format.holds_colours:
        raise UsageError(f"{format.name} has no colours; leave out --colours and --palette, or --to")
    count = wanted.count if _is_given(ctx, "count") else COUNT
    with whole(output):
        if folder is None:
            subjects = motif_subjects(in_colour=format.holds_colours)
        else:
            subjects = folder_subjects(Path(folder), look.options())
        pack = make_pack(subjects, count=count, seed=wanted.seed, jobs=wanted.jobs)
        files = write_pack(pack, output, format)
    if destination.as_json:
        for record in index(pack, files)["puzzles"]:
            print(json.dumps(record))
    for reason in pack.skipped.values():
        typer.echo(printable(f"warning: left out: {reason}"), err=True)
    total = len(pack.puzzles)
    if total < count:
        typer.echo(f"warning: the pictures give {total} of {count} puzzles", err=True)
    easiest, hardest = pack.puzzles[0].difficulty, pack.puzzles[-1].difficulty
    made = f"{total} puzzle{'s' * (total != 1)}, difficulty {easiest} to {hardest}"
    typer.echo(f"{output / 'index.html'}: {made}", err=True)
    raise typer.Exit(ExitCode.FINE if total == count else ExitCode.NEGATIVE)


def _is_given(ctx: typer.Context, name: str) -> bool:
    source = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
