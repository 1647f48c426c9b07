"""``nonocsp fetch``: a puzzle from a site of the web."""

from __future__ import annotations

from typing import Annotated

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.completion import complete_site
from nonocsp.cli.shared.console import print_grid, printable
from nonocsp.cli.shared.endings import ExitCode, usage_error
from nonocsp.cli.shared.manual import command, command_line

app = command_line()


@command(
    app,
    "nonocsp fetch webpbn:21718",
    "nonocsp fetch --output parrot.json nonograms2:8778",
    "nonocsp fetch --to non --output - webpbn:21718 | nonocsp solve -",
    fine="fetched, or found in the cache",
    limit="the site did not answer in time",
    see="convert, solve",
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
        bool, opt.option("Send no request; take the puzzle from the cache.", "--cache-only")
    ] = False,
    refresh: Annotated[bool, opt.option("Send a request even if it is there.", "--refresh")] = False,
    limit: Annotated[
        float | None, opt.duration("Time limit of the request.  [default: 30s]", "--limit", "-l")
    ] = None,
    output: Annotated[
        str | None,
        opt.output("Puzzle file to write; - is the standard output. Without it, the puzzle is shown."),
    ] = None,
    output_format: opt.OutputFormat = None,
) -> None:
    """Fetch a puzzle from webpbn.com or nonograms.org.

    Sends one request, which names nonocsp, and keeps the answer in ~/.cache/nonocsp. The puzzles belong to
    their authors and the sites: solve them, and ask before you publish them.
    """
    from nonocsp.formats import format_to_write, save
    from nonocsp.formats.sites import WALL_S, FetchTimeout
    from nonocsp.formats.sites import fetch as fetched
    from nonocsp.model import Grid

    if cache_only and refresh:
        raise usage_error("--cache-only sends no request and --refresh always one; leave out one of them")
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
