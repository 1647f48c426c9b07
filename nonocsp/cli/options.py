"""Options that several commands share, so that they read and mean the same everywhere."""

from __future__ import annotations

from typing import Annotated

import typer

from nonocsp.cli import values


def complete_backend(incomplete: str) -> list[str]:
    """Return the backends whose name starts so, for shell completion."""
    from nonocsp.backends.installed import registered

    return [name for name in registered() if name.startswith(incomplete)]


def complete_format(incomplete: str) -> list[str]:
    """Return the file formats whose name starts so, for shell completion."""
    from nonocsp.formats import formats

    return [known.name for known in formats() if known.name.startswith(incomplete)]


Files = Annotated[
    list[str], typer.Argument(metavar="FILE", help="Puzzles in any format; - is the standard input.")
]

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")]

InputFormat = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="FORMAT",
        autocompletion=complete_format,
        help="Format that is read, if it is not recognised.",
    ),
]

PuzzleSize = Annotated[
    values.Size | None,
    typer.Option(
        metavar="ROWSxCOLUMNS",
        parser=values.grid_size,
        help="Of the puzzles of a tournament file, if they are not square.",
    ),
]

WallLimit = Annotated[
    float | None,
    typer.Option(
        "--limit", "-l", metavar="TIME", parser=values.seconds, help="Wall time for each puzzle, such as 10s."
    ),
]

Bound = Annotated[int, typer.Option(metavar="N", min=1, help="The most solutions that task count looks for.")]

Memory = Annotated[
    int | None,
    typer.Option(metavar="SIZE", parser=values.byte_count, help="Memory for each puzzle, such as 2GiB."),
]

Selection = Annotated[
    range | None,
    typer.Option(metavar="N|A-B", parser=values.selection, help="Which puzzles of a file; the first is 1."),
]
