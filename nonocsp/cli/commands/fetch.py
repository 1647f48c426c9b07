"""``nonocsp fetch``: a puzzle from a site of the web."""

from __future__ import annotations

from typing import Annotated

import typer

from nonocsp.cli.shared import values
from nonocsp.cli.shared.completion import complete_site
from nonocsp.cli.shared.exit_codes import ExitCode
from nonocsp.cli.shared.manual import epilog
from nonocsp.cli.shared.options import LIMITS, OUTPUT, OutputFormat

EPILOG = epilog(
    "nonocsp fetch webpbn:21718",
    "nonocsp fetch --output parrot.json nonograms2:8778",
    "nonocsp fetch --to non --output - webpbn:21718 | nonocsp solve -",
    exits={
        ExitCode.FINE: "fetched, or found in the cache",
        ExitCode.LIMIT: "the site did not answer in time",
    },
    see=("convert", "solve"),
)


def fetch(
    puzzle: Annotated[
        str,
        typer.Argument(
            metavar="SITE:NUMBER",
            autocompletion=complete_site,
            help="Such as webpbn:21718, nonograms:4462, or nonograms2:8778 for colours; or its address.",
        ),
    ],
    *,
    cache_only: Annotated[
        bool, typer.Option("--cache-only", help="Send no request; take the puzzle from the cache.")
    ] = False,
    refresh: Annotated[bool, typer.Option("--refresh", help="Send a request even if it is there.")] = False,
    limit: Annotated[
        float | None,
        typer.Option(
            "--limit",
            "-l",
            metavar="TIME",
            parser=values.duration,
            help="Time limit of the request.  [default: 30s]",
            rich_help_panel=LIMITS,
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Puzzle file to write; - is the standard output. Without it, the puzzle is shown.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    output_format: OutputFormat = None,
) -> None:
    """Fetch a puzzle from webpbn.com or nonograms.org.

    Sends one request, which names nonocsp, and keeps the answer in ~/.cache/nonocsp. The puzzles belong to
    their authors and the sites: solve them, and ask before you publish them.
    """
    from nonocsp.cli.shared.console import print_grid, printable
    from nonocsp.formats import format_to_write, save
    from nonocsp.formats.sites import WALL_S, FetchTimeout
    from nonocsp.formats.sites import fetch as fetched
    from nonocsp.model import Grid, UsageError

    if cache_only and refresh:
        raise UsageError("--cache-only sends no request and --refresh always one; leave out one of them")
    if output:
        format_to_write(output, output_format)  # fails now, not after the request
    try:
        found = fetched(puzzle, wall=limit or WALL_S, cache_only=cache_only, refresh=refresh)
    except FetchTimeout as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(ExitCode.LIMIT) from None
    if output:
        save(found.puzzle, output, format=output_format)
    else:
        rows, columns = found.puzzle.shape
        author = f"by {found.puzzle.author}" if found.puzzle.author else ""
        texts = filter(None, (f"{puzzle}: {rows}x{columns}", found.puzzle.title, author))
        print(printable(", ".join(texts)))
        print_grid(found.puzzle, Grid.unknown(rows, columns, found.puzzle.palette))
    origin = "fetched" if found.is_new else f"from the cache {found.path}; --refresh fetches it again"
    typer.echo(f"{puzzle}: {origin}; {found.site.terms}", err=True)
