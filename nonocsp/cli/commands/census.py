"""``nonocsp census``: all images of a size, or random ones, by difficulty."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nonocsp.cli.shared.exit_codes import ExitCode
from nonocsp.cli.shared.manual import epilog
from nonocsp.cli.shared.options import OUTPUT, AsJson, Columns, DryRun, JobsOnCores, Plot, Rows, SeedOfSome

if TYPE_CHECKING:
    from rich.progress import TaskID

    from nonocsp.grading.census.counts import Census
    from nonocsp.grading.census.estimate import Extrapolation
    from nonocsp.grading.census.sample import Sample
    from nonocsp.grading.census.tallies import Tally

EPILOG = epilog(
    "nonocsp census --rows 5 --columns 5 --unique",
    "nonocsp census --rows 6 --columns 6 --plot difficulty-6x6.svg",
    "nonocsp census --rows 7 --columns 7 --dry-run",
    "nonocsp census --rows 7 --columns 7 --estimate 500 --seed 1",
    "nonocsp census --rows 25 --columns 25 --sample 10000 --seed 1",
    "nonocsp census --rows 6 --columns 7 --cluster tcp://head:8786",
    exits={
        ExitCode.FINE: "all images are counted",
    },
    see=("difficulty", "dataset hardest"),
)

LOCAL = "local"
"""Instead of an address: a cluster on this machine."""

_Unique = Annotated[
    bool, typer.Option("--unique", help="Also count the clue sets with exactly one solution.")
]
_Sample = Annotated[
    int | None,
    typer.Option(
        "--sample", metavar="N", min=1, help="Grade N random images instead of all; works for any size."
    ),
]
_Estimate = Annotated[
    int | None,
    typer.Option(
        "--estimate",
        metavar="N",
        min=2,
        help="Estimate the counts from N times a million random images; repeat with more to go on.",
    ),
]
_Confidence = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE",
        min=0.5,
        max=0.999999,
        help="Confidence of the intervals of --sample and --estimate.  [default: 0.95]",
    ),
]
_Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS|local", help="Count on a dask cluster: the address of its scheduler, or local."
    ),
]
_Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FOLDER",
        help="Folder of the counts.  [default: results/census/SIZE]",
        rich_help_panel=OUTPUT,
    ),
]

_SAMPLE_ALONE = "--sample does not go with --estimate, --unique, --dry-run or --output"
_ESTIMATE_ALONE = "--estimate does not go with --unique or --dry-run"
_NOTHING_RANDOM = "--seed and --confidence need --sample or --estimate: a census has nothing random"
_JOBS_HERE = "--jobs does not go with an address: the cluster's own workers count"
_NOTHING_TO_PLOT = "--plot does not go with --dry-run, which counts nothing"


def census(
    *,
    rows: Rows,
    columns: Columns,
    unique: _Unique = False,
    sample: _Sample = None,
    estimate: _Estimate = None,
    seed: SeedOfSome = None,
    confidence: _Confidence = None,
    jobs: JobsOnCores = None,
    cluster: _Cluster = None,
    output: _Output = None,
    dry_run: DryRun = False,
    plot: Plot = None,
    as_json: AsJson = False,
) -> None:
    """Grade all images of a size, or some of them at random.

    Counts the simple images by difficulty, which is the number of sweeps of line solving, rows first. Counts
    are saved as they arise; after an interruption, repeat the command to resume.
    """
    for wrong, why in (
        (sample is not None and (estimate or unique or dry_run or output), _SAMPLE_ALONE),
        (estimate is not None and (unique or dry_run), _ESTIMATE_ALONE),
        (not (sample or estimate) and (seed is not None or confidence is not None), _NOTHING_RANDOM),
        (jobs and cluster not in (None, LOCAL), _JOBS_HERE),
        (dry_run and plot, _NOTHING_TO_PLOT),
    ):
        if wrong:
            raise typer.BadParameter(why)
    if plot:
        from nonocsp.cli.shared.saving import check_folder
        from nonocsp.render.plot import check_plot

        check_plot(plot)
        check_folder(plot)
    from nonocsp.cli.views.census import plot_found, print_found
    from nonocsp.run.cores import usable_cores

    folder = output or Path("results") / "census" / f"{rows}x{columns}"
    jobs = jobs or usable_cores()
    if dry_run:
        from nonocsp.grading.census.tallies import solutions, sweeps

        graded = sweeps(rows, columns)
        _forecast([graded, solutions(rows, columns)] if unique else [graded], folder, jobs, as_json)
        return
    from nonocsp.grading.census import pools
    from nonocsp.grading.census.estimate import estimate_census
    from nonocsp.grading.census.sample import CONFIDENCE, take_sample
    from nonocsp.grading.census.taking import take_census

    address = None if cluster == LOCAL else cluster
    found: Census | Extrapolation | Sample
    with pools.cluster(address, jobs) if cluster is not None else pools.threads(jobs) as pool:
        try:
            with _bars() as advance:
                if sample:
                    found = take_sample(
                        rows,
                        columns,
                        sample,
                        pool,
                        seed=seed or 0,
                        confidence=confidence or CONFIDENCE,
                        on_graded=lambda graded: advance("sample", graded, sample),
                    )
                elif estimate:
                    found = estimate_census(
                        rows,
                        columns,
                        estimate,
                        folder,
                        pool,
                        seed=seed or 0,
                        confidence=confidence or CONFIDENCE,
                        on_graded=lambda graded: advance("estimate", graded, estimate),
                    )
                else:
                    found = take_census(
                        rows,
                        columns,
                        folder,
                        pool,
                        unique=unique,
                        on_progress=lambda now: advance(now.tally, now.counted, now.images),
                    )
        except KeyboardInterrupt:
            kept = f"what was counted is in {folder}; resume with the same command"
            typer.echo("nothing was saved; a smaller --sample ends sooner" if sample else kept, err=True)
            raise
    if as_json:
        print(json.dumps(found.record()))
    else:
        print_found(found)
    if plot:
        plot_found(plot, found)


def _forecast(tallies: Sequence[Tally[Any]], folder: Path, jobs: int, as_json: bool) -> None:
    """Print how long the rest of a census takes."""
    from nonocsp.cli.views.census import print_forecasts
    from nonocsp.grading.census.forecast import forecast

    forecasts = [forecast(tally, folder) for tally in tallies]
    if as_json:
        print(*(json.dumps(forecast.record()) for forecast in forecasts), sep="\n")
    else:
        print_forecasts(forecasts, jobs)


@contextmanager
def _bars() -> Iterator[Callable[[str, int, int], None]]:
    """Yield a function that moves a progress bar: name, how many are done, how many there are.

    Where standard error is not a terminal, nothing is shown.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, disable=not console.is_terminal, transient=True, speed_estimate_period=60.0
    ) as progress:
        tasks: dict[str, TaskID] = {}

        def advance(name: str, done: int, total: int) -> None:
            if name not in tasks:
                tasks[name] = progress.add_task(name, total=total, completed=done)
            progress.update(tasks[name], completed=done)

        yield advance
