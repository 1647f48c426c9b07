"""``nonocsp convert``: puzzles from one file format into another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nonocsp.cli.shared.exit_codes import ExitCode
from nonocsp.cli.shared.manual import epilog
from nonocsp.cli.shared.options import OutputFormat, Seed, grouped
from nonocsp.cli.shared.puzzles import Choice

if TYPE_CHECKING:
    from nonocsp.model import Puzzle

EPILOG = epilog(
    "nonocsp convert cat.non cat.json",
    "nonocsp convert drawing.png drawing.non",
    "nonocsp convert --sample 100 --seed 1 puzzles.zip some.jsonl",
    "nonocsp convert --lossy --to tournament set.json - | gzip > set.txt.gz",
    exits={
        ExitCode.FINE: "written",
    },
    see=("generate", "print"),
)


def _list_formats(wanted: bool) -> None:
    if wanted:
        from nonocsp.formats import formats

        for known in formats():
            mode = "read and write" if known.can_write else "read"
            typer.echo(f"{known.name:<12} {mode:<15} {' '.join(known.suffixes)}\n{'':<12} {known.summary}")
        raise typer.Exit


@grouped
def convert(
    source: Annotated[
        str, typer.Argument(metavar="IN", help="File, folder or archive to read; - is the standard input.")
    ],
    target: Annotated[str, typer.Argument(metavar="OUT", help="File to write; - is the standard output.")],
    *,
    choice: Choice,
    seed: Seed = 0,
    output_format: OutputFormat = None,
    lossy: Annotated[
        bool, typer.Option("--lossy", help="Write what the format has a place for, and say what is lost.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", "-f", help="Replace OUT if it exists.")] = False,
    _formats: Annotated[
        bool,
        typer.Option("--formats", callback=_list_formats, is_eager=True, help="List the formats and exit."),
    ] = False,
) -> None:
    """Convert puzzles from one format to another.

    What is written is read back and compared first. The clues are always kept. If the format has no place for
    a text, the goal or the colours, it is an error unless --lossy allows the loss. Files that end in .gz are
    compressed. A picture becomes the puzzle whose solution it is.
    """
    from nonocsp.cli.shared.saving import whole
    from nonocsp.formats import format_to_write, save
    from nonocsp.model import UsageError

    if target != "-" and Path(target).exists() and not force:
        raise UsageError(f"{target} exists; --force replaces it")
    counted = _Counted(named.puzzle for named in choice.puzzles([source], seed))
    with whole(target):
        lost = save(counted, target, format=output_format, lossy=lossy)
    if lost:
        name = format_to_write(target, output_format).name
        place = "standard output" if target == "-" else target
        typer.echo(f"note: {place} lacks what {name} has no place for: {', '.join(lost)}", err=True)
    if target != "-":
        typer.echo(f"{target}: {counted.count} puzzle{'s' * (counted.count != 1)}", err=True)


class _Counted:
    """Count puzzles as they pass, so that a large set is not held in memory."""

    def __init__(self, puzzles: Iterable[Puzzle]) -> None:
        self._puzzles = puzzles
        self.count = 0

    def __iter__(self) -> Iterator[Puzzle]:
        for puzzle in self._puzzles:
            self.count += 1
            yield puzzle
