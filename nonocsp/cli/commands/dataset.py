"""``nonocsp dataset``: make puzzles by a rule and a seed."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.console import progress_bars
from nonocsp.cli.shared.endings import ExitCode
from nonocsp.cli.shared.manual import command, command_line
from nonocsp.cli.shared.saving import whole

if TYPE_CHECKING:
    from nonocsp.model import Puzzle

app = command_line("dataset")


@app.callback()
def _dataset() -> None:
    """Make puzzles by a rule and a seed."""


_Output = Annotated[str, opt.output("File to write; - is the standard output.")]


@command(
    app,
    "nonocsp dataset tcga --seed 2026 --output tcga.txt.gz",
    "nonocsp dataset tcga --seed 7 --count 20 --rows 10 --columns 15",
    fine="written",
    see="dataset random, bench",
)
def tcga(
    *,
    seed: opt.SeedOfSet,
    count: opt.Count = 1000,
    rows: opt.Rows = 25,
    columns: opt.Columns = 25,
    output: _Output = "-",
    output_format: opt.OutputFormat = None,
) -> None:
    """Make a tournament set by the rule of the TCGA organisers.

    The puzzles are random; the first is 50 % black, the last 35 %. The density falls in equal steps, so a
    set of another --count has other puzzles.
    """
    from nonocsp.datasets import tournament_set

    made = tournament_set(seed, count=count, rows=rows, columns=columns)
    _save(made, output, output_format, "tournament")


@command(
    app,
    "nonocsp dataset random --seed 1 --rows 30 --columns 30 --output random.jsonl",
    "nonocsp dataset random --seed 1 --colours 3 --density 0.7 --count 10",
    fine="written",
    see="dataset tcga, difficulty",
)
def random(
    *,
    seed: opt.SeedOfSet,
    count: opt.Count = 100,
    rows: opt.Rows = 25,
    columns: opt.Columns = 25,
    density: opt.Density = 0.5,
    colours: Annotated[int, opt.option("Number of foreground colours.", metavar="N", min=1, max=63)] = 1,
    output: _Output = "-",
    output_format: opt.OutputFormat = None,
) -> None:
    """Make puzzles of random images.

    All cells are independent. A larger --count continues a smaller one. A campaign makes such sets itself;
    see the key random of its config.
    """
    from nonocsp.datasets import random_set

    made = random_set(seed, count=count, rows=rows, columns=columns, density=density, colours=colours)
    _save(made, output, output_format, "jsonl")


_TIME = 60.0


@command(
    app,
    "nonocsp dataset hardest --rows 18 --columns 18",
    "nonocsp dataset hardest --rows 6 --columns 6 --search --time 60s",
    fine="written",
    limit="time was up before a simple puzzle was found",
    see="difficulty, census",
)
def hardest(
    *,
    rows: opt.Rows,
    columns: opt.Columns,
    search: Annotated[
        bool, opt.option("Search for a hard puzzle instead; works for any size.", "--search")
    ] = False,
    family: Annotated[
        Literal["theorem-4.5", "zigzags", "snakes"] | None,
        opt.option("The construction; by default the one with most sweeps."),
    ] = None,
    limit: opt.TotalTime = None,
    seed: opt.SeedOfSome = None,
    output: _Output = "-",
    output_format: opt.OutputFormat = None,
) -> None:
    """Make a simple puzzle that takes as many sweeps as possible.

    Uses the construction that takes most sweeps: theorem 4.5 of Batenburg, Henstra, Kosters & Palenstijn,
    about half as many sweeps as cells; the zigzags, about two thirds; or the snakes of 6 to 8 rows, nearly
    one for each cell. The puzzle is solved to prove it. With --search, improves random images and the
    construction until the time is up or Ctrl-C, and gives the best.
    """
    if search and family:
        raise typer.BadParameter("--family names a construction, and --search looks for others; give one")
    if not search:
        if limit is not None or seed is not None:
            raise typer.BadParameter("--time and --seed need --search")
        from nonocsp.grading.hardest_family import Family
        from nonocsp.grading.hardest_family import hardest as made

        puzzle = made(rows, columns, Family(family) if family else None)
        _save(puzzle, output, output_format, "non")
        typer.echo(f"{puzzle.title}, by {puzzle.source}", err=True)
        return
    from nonocsp.grading.hardest_search import search_hardest

    wall = limit or _TIME
    found = search_hardest(rows, columns, seed=seed or 0, wall=wall)
    best = next(found)
    started = time.perf_counter()
    with progress_bars() as move:
        try:
            for best in found:
                text = f"{best.sweeps} sweeps, {best.trials:,} images"
                move("", time.perf_counter() - started, wall, text)
        except KeyboardInterrupt:
            typer.echo("interrupted: this is the best so far", err=True)
    if not best.sweeps:
        typer.echo(
            f"{rows}x{columns}: no simple puzzle was found in time; give it more with --time", err=True
        )
        raise typer.Exit(ExitCode.LIMIT)
    _save(best.puzzle(), output, output_format, "non")
    typer.echo(f"{rows}x{columns}: {best.sweeps} sweeps, the most among {best.trials:,} images", err=True)


@command(
    app,
    "nonocsp dataset pack --family dominoes --to xcsp3 --output dominoes",
    "nonocsp dataset pack --family transition --to dimacs --seed 7 -o set",
    fine="written",
    limit="puzzles are left out, because a limit left their verdict unproved",
    see="export, decode",
)
def pack(
    *,
    family: Annotated[Literal["dominoes", "transition"], opt.option("Puzzles to take.", "--family")],
    language: opt.Language,
    count: Annotated[int, opt.number("Number of sizes, each larger than the one before.", least=1)] = 16,
    encoding: opt.Encoding = "order",
    seed: opt.SeedOfSome = None,
    limit: opt.WallLimit = None,
    jobs: opt.Jobs = 1,
    output: Annotated[Path, opt.output("Folder to write, new or empty.", "FOLDER")],
) -> None:
    """Make a set of instances for a solver competition.

    The puzzles are those of n dominoes, with exactly one solution, or random images at the density where they
    are hardest. Two independent backends prove each verdict, within 60 s unless --limit sets another limit.
    Beside the instances are a table of verdicts, a README for organisers, and maps for nonocsp decode.
    """
    from nonocsp.bench.agreement import Finding
    from nonocsp.bench.competition import PROVERS, make_set

    if seed is not None and family == "dominoes":
        raise typer.BadParameter("--seed needs --family transition; dominoes are not random")
    left_out, limit = 0, limit or _TIME
    made = make_set(
        output, family, language, count=count, seed=seed or 0, encoding=encoding, limit=limit, jobs=jobs
    )
    for checked in made:
        is_proved = checked.finding is Finding.AGREED
        left_out += not is_proved
        answer = checked.outcomes[PROVERS[0]].answer if is_proved else "not decided, left out"
        times = ", ".join(f"{spec} {found.wall_s:.2f} s" for spec, found in checked.outcomes.items())
        typer.echo(f"{checked.source.name}: {answer} ({times})", err=True)
    if left_out:
        raise typer.Exit(ExitCode.LIMIT)


def _save(made: Puzzle | Iterable[Puzzle], output: str, format: str | None, default: str) -> None:
    """Write puzzles in the format that is asked for, or else the one of the suffix, or else the default."""
    from nonocsp.formats import format_to_write, save
    from nonocsp.model import UsageError

    if format is None:
        try:
            format = default if output == "-" else format_to_write(output).name
        except UsageError:  # as .txt, which many formats use
            format = default
    with whole(output):
        save(made, output, format=format)
