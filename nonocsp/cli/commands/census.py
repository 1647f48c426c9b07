"""``nonocsp census``: all images of a size, or random ones, by difficulty."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nonocsp.cli.shared import options as opt
from nonocsp.cli.shared.console import clock, print_rows, progress_bars
from nonocsp.cli.shared.manual import command, command_line

if TYPE_CHECKING:
    from nonocsp.grading.census.counts import Census
    from nonocsp.grading.census.forecast import Forecast
    from nonocsp.grading.census.replicates import Extrapolation
    from nonocsp.grading.census.sample import ImageSample
    from nonocsp.grading.census.taking import TallyProgress
    from nonocsp.grading.census.tallies import Tally


LOCAL = "local"
"""Instead of an address: a cluster on this machine."""
_DAY_S = 24 * 3600
_SAMPLE_ALONE = "--sample does not go with --estimate, --unique, --dry-run or --output"
_ESTIMATE_ALONE = "--estimate does not go with --unique or --dry-run"
_NOTHING_RANDOM = "--seed and --confidence need --sample or --estimate: a census has nothing random"
_JOBS_HERE = "--jobs does not go with an address: the cluster's own workers count"
_NOTHING_TO_PLOT = "--plot does not go with --dry-run, which counts nothing"

app = command_line()


@command(
    app,
    "nonocsp census --rows 5 --columns 5 --unique",
    "nonocsp census --rows 6 --columns 6 --plot difficulty-6x6.svg",
    "nonocsp census --rows 7 --columns 7 --dry-run",
    "nonocsp census --rows 7 --columns 7 --estimate 500 --seed 1",
    "nonocsp census --rows 25 --columns 25 --sample 10000 --seed 1",
    "nonocsp census --rows 6 --columns 7 --cluster tcp://head:8786",
    fine="all images are counted",
    see="difficulty, dataset hardest",
)
def census(
    *,
    rows: opt.Rows,
    columns: opt.Columns,
    unique: Annotated[
        bool, opt.option("Also count the clue sets with exactly one solution.", "--unique")
    ] = False,
    sample: Annotated[
        int | None,
        opt.number("Grade N random images instead of all; works for any size.", "--sample", least=1),
    ] = None,
    estimate: Annotated[
        int | None,
        opt.number(
            "Estimate the counts from N times a million random images; repeat with more to go on.",
            "--estimate",
            least=2,
        ),
    ] = None,
    seed: opt.SeedOfSome = None,
    confidence: Annotated[
        float | None,
        opt.option(
            "Confidence of the intervals of --sample and --estimate.  [default: 0.95]",
            metavar="SHARE",
            min=0.5,
            max=0.999999,
        ),
    ] = None,
    jobs: opt.JobsOnCores = None,
    cluster: Annotated[
        str | None,
        opt.option(
            "Count on a dask cluster: the address of its scheduler, or local.", metavar="ADDRESS|local"
        ),
    ] = None,
    output: Annotated[
        Path | None, opt.output("Folder of the counts.  [default: results/census/SIZE]", "FOLDER")
    ] = None,
    dry_run: opt.DryRun = False,
    plot: opt.Plot = None,
    as_json: opt.AsJson = False,
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
    from nonocsp.run.cores import usable_cores

    folder = output or opt.RESULTS / "census" / f"{rows}x{columns}"
    jobs = jobs or usable_cores()
    if dry_run:
        from nonocsp.grading.census.tallies import solutions, sweeps

        graded = sweeps(rows, columns)
        _forecast([graded, solutions(rows, columns)] if unique else [graded], folder, jobs, as_json)
        return
    from nonocsp.grading.census import pools
    from nonocsp.grading.census.replicates import estimate_census
    from nonocsp.grading.census.sample import CONFIDENCE, take_sample
    from nonocsp.grading.census.taking import take_census

    address = None if cluster == LOCAL else cluster
    found: Census | Extrapolation | ImageSample
    with pools.cluster(address, jobs) if cluster is not None else pools.threads(jobs) as pool:
        try:
            with progress_bars() as move:
                if wanted := sample or estimate:
                    chance: dict[str, Any] = {
                        "seed": seed or 0,
                        "confidence": confidence or CONFIDENCE,
                        "on_graded": lambda graded: move("", graded, wanted, "random images"),
                    }
                    if sample:
                        found = take_sample(rows, columns, wanted, pool, **chance)
                    else:
                        found = estimate_census(rows, columns, wanted, folder, pool, **chance)
                else:

                    def on_progress(now: TallyProgress) -> None:
                        move(now.tally, now.counted, now.images, now.tally)

                    found = take_census(rows, columns, folder, pool, unique=unique, on_progress=on_progress)
        except KeyboardInterrupt:
            kept = f"what was counted is in {folder}; resume with the same command"
            typer.echo("nothing was saved; a smaller --sample ends sooner" if sample else kept, err=True)
            raise
    if as_json:
        print(json.dumps(found.record()))
    else:
        _print_found(found)
    if plot:
        _plot(plot, found)


def _forecast(tallies: Sequence[Tally[Any]], folder: Path, jobs: int, as_json: bool) -> None:
    """Print how much of a census is left for each tally, and how long that takes."""
    from nonocsp.grading.census.forecast import forecast

    forecasts = [forecast(tally, folder) for tally in tallies]
    if as_json:
        print(*(json.dumps(forecast.record()) for forecast in forecasts), sep="\n")
    else:
        _print_forecasts(forecasts, jobs)


def _print_found(found: Census | Extrapolation | ImageSample) -> None:
    from nonocsp.grading.census.counts import Census
    from nonocsp.grading.census.replicates import Extrapolation

    counts = found.difficulties
    size, images = f"{found.rows}x{found.columns}", _grouped(counts.images)
    bars = enumerate(counts.histogram, start=1)
    if isinstance(found, Census):
        typer.echo(f"{size}: {images} images")
        average = "" if counts.mean is None else f"mean difficulty {counts.mean:.2f}, "
        share = f"{_grouped(counts.simple)} ({_percent(counts.simple / counts.images)} %)"
        typer.echo(f"simple: {share}, {average}highest {len(counts.histogram)}")
        if solved := found.solutions:
            typer.echo(f"descriptions: {_grouped(solved.descriptions)}, unique: {_grouped(solved.unique)}")
            typer.echo(f"most solutions of one description: {_grouped(solved.most)}")
        heads = ["difficulty", "images", "% of all"]
        rows = [[str(sweeps), _grouped(n), _percent(n / counts.images)] for sweeps, n in bars]
    elif isinstance(found, Extrapolation):
        replicates = f"{len(found.replicates)} replicates"
        sampled = f"{_grouped(found.images)} images, estimated from {images} in {replicates}"
        typer.echo(f"{size}: {sampled}, seed {found.seed}; {_confidence(found)}")
        value, low, high = found.simple()
        total = f"{_grouped(round(value))} ({_grouped(round(low))} to {_grouped(round(high))})"
        typer.echo(f"simple: {total}")
        low, value, high = (100 * images / found.images for images in (low, value, high))
        typer.echo(f"share: {value:.5f} % ({low:.5f} to {high:.5f})")
        if mean := found.mean():
            typer.echo(f"mean difficulty: {mean.value:.5f} ({mean.low:.5f} to {mean.high:.5f})")
        heads = ["difficulty", "images", "from", "to"]
        estimates = enumerate(found.histogram(), start=1)
        rows = [[str(sweeps), *(_grouped(round(n)) for n in estimate)] for sweeps, estimate in estimates]
    else:
        sampled = f"{images} random images, seed {found.seed}"
        typer.echo(f"{size}: {sampled}; {_confidence(found)}")
        simple = found.share(counts.simple)
        typer.echo(f"simple: {_percent(simple.value)} % ({_percent(simple.low)} to {_percent(simple.high)})")
        if mean := found.mean():
            typer.echo(f"mean difficulty: {mean.value:.2f} ({mean.low:.2f} to {mean.high:.2f})")
        heads = ["difficulty", "images", "% of all", "from", "to"]
        rows = [[str(sweeps), _grouped(n), *map(_percent, found.share(n))] for sweeps, n in bars if n]
    print_rows(heads, rows, texts=0)


def _plot(path: Path, found: Census | Extrapolation | ImageSample) -> None:
    from nonocsp.grading.census.counts import Census, plot_histogram

    images = f"{_grouped(found.difficulties.images)} images"
    which = f"all {images}" if isinstance(found, Census) else f"{images} at random"
    title = f"Difficulty of {found.rows}x{found.columns}: {which}"
    plot_histogram(path, found.difficulties.histogram, title)


def _print_forecasts(forecasts: Sequence[Forecast], jobs: int) -> None:
    first = forecasts[0]
    typer.echo(f"{first.rows}x{first.columns}: {_grouped(first.images)} images")
    names = ("", "shards", "counted", "images left", "images/s", "on one core", f"on {jobs} cores")
    columns = []
    for forecast in forecasts:
        counts = (forecast.shards, forecast.counted, forecast.images_left, round(forecast.rate, -5))
        sign = "> " if forecast.is_lower_bound else ""
        times = [
            f"{seconds / _DAY_S:.1f} days" if seconds > _DAY_S else clock(seconds)
            for seconds in (forecast.cpu_s, forecast.cpu_s / jobs)
        ]
        columns.append([forecast.tally, *map(_grouped, map(int, counts)), *(sign + text for text in times)])
    heads, *rows = zip(names, *columns, strict=True)
    print_rows(heads, rows, texts=0)
    for forecast in forecasts:
        if forecast.is_lower_bound:
            measured = "x".join(map(str, forecast.measured))
            typer.echo(f"{forecast.tally}: measured on {measured}; with more rows an image takes longer")


def _grouped(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def _confidence(found: Extrapolation | ImageSample) -> str:
    return f"ranges have a confidence of {100 * found.confidence:g}%"


def _percent(share: float) -> str:
    """Return a share in per cent, to three digits or, if it is large, two places."""
    return f"{100 * share:.2f}" if share >= 0.01 else f"{100 * share:.3g}"
