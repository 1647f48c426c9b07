"""``nonocsp dataset``: make puzzles by a rule and a seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from nonocsp.cli.shared.exit_codes import ExitCode
from nonocsp.cli.shared.manual import Command, epilog
from nonocsp.cli.shared.options import (
    OUTPUT,
    Columns,
    Count,
    Density,
    OutputFormat,
    Rows,
    Seed,
    SeedOfSome,
    TotalTime,
)

if TYPE_CHECKING:
    from nonocsp.grading.hardest_search import Hardest

app = typer.Typer(name="dataset", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def _dataset() -> None:
    """Make puzzles by a rule and a seed."""


_Output = Annotated[
    str,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="File to write; - is the standard output.",
        rich_help_panel=OUTPUT,
    ),
]

EPILOG = epilog(
    "nonocsp dataset tcga --seed 2026 --output tcga.txt.gz",
    "nonocsp dataset tcga --seed 7 --count 20 --rows 10 --columns 15",
    exits={
        ExitCode.FINE: "written",
    },
    see=("dataset random", "bench"),
)


@app.command(cls=Command, epilog=EPILOG)
def tcga(
    *,
    seed: Seed,
    count: Count = 1000,
    rows: Rows = 25,
    columns: Columns = 25,
    output: _Output = "-",
    output_format: OutputFormat = "tournament",
) -> None:
    """Make a tournament set by the rule of the TCGA organisers.

    The puzzles are random; the first is 50 % black, the last 35 %. The density falls in equal steps, so a
    set of another --count has other puzzles.
    """
    from nonocsp.cli.shared.saving import whole
    from nonocsp.datasets.tcga import tournament_set
    from nonocsp.formats import save

    made = tournament_set(seed, count=count, rows=rows, columns=columns)
    with whole(output):
        save(made, output, format=output_format)


RANDOM_EPILOG = epilog(
    "nonocsp dataset random --seed 1 --rows 30 --columns 30 --output random.jsonl",
    "nonocsp dataset random --seed 1 --colours 3 --density 0.7 --count 10",
    exits={
        ExitCode.FINE: "written",
    },
    see=("dataset tcga", "difficulty"),
)


@app.command(cls=Command, epilog=RANDOM_EPILOG)
def random(
    *,
    seed: Seed,
    count: Count = 100,
    rows: Rows = 25,
    columns: Columns = 25,
    density: Density = 0.5,
    colours: Annotated[
        int, typer.Option(metavar="N", min=1, max=63, help="Number of foreground colours.")
    ] = 1,
    output: _Output = "-",
    output_format: OutputFormat = "jsonl",
) -> None:
    """Make puzzles of random images.

    All cells are independent. A larger --count continues a smaller one. A campaign makes such sets itself;
    see the key random of its config.
    """
    from nonocsp.cli.shared.saving import whole
    from nonocsp.datasets.random_images import random_set
    from nonocsp.formats import save

    made = random_set(seed, count=count, rows=rows, columns=columns, density=density, colours=colours)
    with whole(output):
        save(made, output, format=output_format)


HARDEST_EPILOG = epilog(
    "nonocsp dataset hardest --rows 18 --columns 18",
    "nonocsp dataset hardest --rows 6 --columns 6 --search --time 60s",
    exits={
        ExitCode.FINE: "written",
        ExitCode.LIMIT: "time was up before a simple puzzle was found",
    },
    see=("difficulty", "census"),
)
_TIME = 60.0


@app.command(cls=Command, epilog=HARDEST_EPILOG)
def hardest(
    *,
    rows: Rows,
    columns: Columns,
    search: Annotated[
        bool, typer.Option("--search", help="Search for a hard puzzle instead; works for any size.")
    ] = False,
    family: Annotated[
        Literal["theorem-4.5", "zigzags", "snakes"] | None,
        typer.Option(help="The construction; by default the one with most sweeps."),
    ] = None,
    time: TotalTime = None,
    seed: SeedOfSome = None,
    output: _Output = "-",
    output_format: OutputFormat = "non",
) -> None:
    """Make a simple puzzle that takes as many sweeps as possible.

    Uses the construction that takes most sweeps: theorem 4.5 of Batenburg, Henstra, Kosters & Palenstijn,
    about half as many sweeps as cells; the zigzags, about two thirds; or the snakes of 6 to 8 rows, nearly
    one for each cell. The puzzle is solved to prove it. With --search, improves random images and the
    construction until the time is up or Ctrl-C, and gives the best.
    """
    from nonocsp.formats import save

    if search and family:
        raise typer.BadParameter("--family names a construction, and --search looks for others; give one")
    if not search:
        if time is not None or seed is not None:
            raise typer.BadParameter("--time and --seed need --search")
        from nonocsp.grading.hardest_family import Family
        from nonocsp.grading.hardest_family import hardest as made

        puzzle = made(rows, columns, Family(family) if family else None)
        save(puzzle, output, format=output_format)
        typer.echo(f"{puzzle.title}, by {puzzle.source}", err=True)
        return
    from nonocsp.grading.hardest_search import search_hardest

    wall = time or _TIME
    found = search_hardest(rows, columns, seed=seed or 0, wall=wall)
    best = next(found)
    with _search_progress(wall) as show:
        try:
            for best in found:
                show(best)
        except KeyboardInterrupt:
            typer.echo("interrupted: this is the best so far", err=True)
    if not best.sweeps:
        typer.echo(
            f"{rows}x{columns}: no simple puzzle was found in time; give it more with --time", err=True
        )
        raise typer.Exit(ExitCode.LIMIT)
    save(best.puzzle(), output, format=output_format)
    typer.echo(f"{rows}x{columns}: {best.sweeps} sweeps, the most among {best.trials:,} images", err=True)


@contextmanager
def _search_progress(time_s: float) -> Iterator[Callable[[Hardest], None]]:
    """Show how far a search is, where standard error is a terminal."""
    import time

    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console, started = Console(stderr=True), time.perf_counter()
    columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task("", total=time_s)

        def show(best: Hardest) -> None:
            description = f"{best.sweeps} sweeps, {best.trials:,} images"
            progress.update(task, completed=time.perf_counter() - started, description=description)

        yield show
