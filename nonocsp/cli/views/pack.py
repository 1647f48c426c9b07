"""``nonocsp generate --pack``: a graded set of puzzles in a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from nonocsp.cli.shared.console import printable
from nonocsp.cli.shared.exit_codes import ExitCode
from nonocsp.cli.shared.saving import whole
from nonocsp.cli.views.generate import FOLDER_FORMAT
from nonocsp.formats import format_to_write
from nonocsp.model import UsageError

if TYPE_CHECKING:
    from nonocsp.formats import Format
    from nonocsp.making.init import PictureOptions
    from nonocsp.making.packs.pack import Pack, Subject

COUNT = 30
_FOR_ALL = {"picture", "pack", "count", "seed", "jobs", "output", "output_format", "as_json"}
_FOR_PICTURES = {"threshold", "black", "colours", "palette"}


def make_pack_of(ctx: typer.Context) -> None:
    """Make the pack that the options of the command describe, and write it."""
    from nonocsp.making.packs.files import check_pack_folder, index, write_pack
    from nonocsp.making.packs.pack import make_pack

    given = ctx.params
    _refuse_what_does_nothing(ctx)
    if given["output"] in (None, "-"):
        raise UsageError("a pack is a folder; name a new one with --output")
    folder = Path(given["output"])
    check_pack_folder(folder)
    format = format_to_write("pack.json", given["output_format"] or FOLDER_FORMAT)
    count = given["count"] if _is_given(ctx, "count") else COUNT
    with whole(folder):
        pack = make_pack(_subjects(given, format), count=count, seed=given["seed"], jobs=given["jobs"])
        files = write_pack(pack, folder, format)
    if given["as_json"]:
        for record in index(pack, files)["puzzles"]:
            print(json.dumps(record))
    _tell(pack, folder, count)
    raise typer.Exit(ExitCode.FINE if len(pack.puzzles) == count else ExitCode.NEGATIVE)


def _refuse_what_does_nothing(ctx: typer.Context) -> None:
    """Raise UsageError for an option that a pack has no use for."""
    useful = _FOR_ALL | (_FOR_PICTURES if ctx.params["picture"] else set())
    for parameter in ctx.command.params:
        name = parameter.name or ""
        if name not in useful and _is_given(ctx, name):
            what = "a pack of our own drawings" if name in _FOR_PICTURES else "--pack"
            raise UsageError(f"{parameter.opts[0]} does not go with {what}")


def _is_given(ctx: typer.Context, name: str) -> bool:
    source = ctx.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _subjects(given: dict[str, Any], format: Format) -> list[Subject]:
    from nonocsp.making.packs.pack import folder_subjects, motif_subjects

    if given["picture"] is None:
        return motif_subjects(in_colour=format.holds_colours)
    if (given["colours"] > 1 or given["palette"]) and not format.holds_colours:
        raise UsageError(f"{format.name} has no colours; leave out --colours and --palette, or --to")
    return folder_subjects(Path(given["picture"]), _options(given))


def _options(given: dict[str, Any]) -> PictureOptions:
    from nonocsp.making.colours import parse_palette
    from nonocsp.making.init import PictureOptions

    return PictureOptions(
        threshold=given["threshold"],
        black=given["black"],
        colours=given["colours"],
        palette=parse_palette(given["palette"].split(",")) if given["palette"] else None,
    )


def _tell(pack: Pack, folder: Path, count: int) -> None:
    """Say on standard error what the pack is, and what was left out of it."""
    for reason in pack.skipped.values():
        typer.echo(printable(f"warning: left out: {reason}"), err=True)
    if len(pack.puzzles) < count:
        typer.echo(f"warning: the pictures give {len(pack.puzzles)} of {count} puzzles", err=True)
    easiest, hardest = pack.puzzles[0].difficulty, pack.puzzles[-1].difficulty
    made = f"{len(pack.puzzles)} puzzle{'s' * (len(pack.puzzles) != 1)}"
    typer.echo(f"{folder / 'index.html'}: {made}, difficulty {easiest} to {hardest}", err=True)
