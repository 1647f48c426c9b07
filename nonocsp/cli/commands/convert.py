"""``nonocsp convert``: puzzles from one file format into another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.console import counted
from nonocsp.cli.shared.endings import usage_error
from nonocsp.cli.shared.manual import command, command_line
from nonocsp.cli.shared.puzzles import Choice

if TYPE_CHECKING:
    from nonocsp.model import Puzzle


def _list_formats(wanted: bool) -> None:
    if wanted:
        from nonocsp.formats import formats

        for known in formats():
            mode = "read and write" if known.can_write else "read"
            typer.echo(f"{known.name:<12} {mode:<15} {' '.join(known.suffixes)}\n{'':<12} {known.summary}")
        raise typer.Exit


app = command_line()


@command(
    app,
    "nonocsp convert cat.non cat.json",
    "nonocsp convert drawing.png drawing.non",
    "nonocsp convert --sample 100 --seed 1 puzzles.zip some.jsonl",
    "nonocsp convert --lossy --to tournament set.json - | gzip > set.txt.gz",
    fine="written",
    see="generate, print",
)
@opt.grouped
def convert(
    source: Annotated[
        str, typer.Argument(metavar="IN", help="File, folder or archive to read; - is the standard input.")
    ],
    target: Annotated[str, typer.Argument(metavar="OUT", help="File to write; - is the standard output.")],
    *,
    choice: Choice,
    seed: opt.Seed = 0,
    output_format: opt.OutputFormat = None,
    lossy: Annotated[
        bool, opt.option("Write what the format has a place for, and say what is lost.", "--lossy")
    ] = False,
    force: Annotated[bool, opt.option("Replace OUT if it exists.", "--force", "-f")] = False,
    _formats: Annotated[
        bool, opt.option("List the formats and exit.", "--formats", callback=_list_formats, is_eager=True)
    ] = False,
) -> None:
    """Convert puzzles from one format to another.

    What is written is read back and compared first. The clues are always kept. If the format has no place for
    a text, the goal or the colours, it is an error unless --lossy allows the loss. Files that end in .gz are
    compressed. A picture becomes the puzzle whose solution it is.
    """
    from nonocsp.cli.shared.saving import whole
    from nonocsp.exporting import LANGUAGES
    from nonocsp.formats import format_to_write, save

    if output_format in LANGUAGES:
        raise usage_error(
            f"{output_format} is the language of a solver, not a format of puzzles: "
            f"nonocsp export {source} --to {output_format} --output {target} writes it"
        )
    if target != "-" and Path(target).exists() and not force:
        raise usage_error(f"{target} exists; --force replaces it")
    count = 0

    def passing() -> Iterator[Puzzle]:
        """Count the puzzles on their way, so that a large set is not held in memory."""
        nonlocal count
        for named in choice.puzzles([source], seed):
            count += 1
            yield named.puzzle

    with whole(target):
        lost = save(passing(), target, format=output_format, lossy=lossy)
    if lost:
        name = format_to_write(target, output_format).name
        place = "standard output" if target == "-" else target
        typer.echo(f"note: {place} lacks what {name} has no place for: {', '.join(lost)}", err=True)
    if target != "-":
        typer.echo(f"{target}: {counted(count, 'puzzle')}", err=True)
