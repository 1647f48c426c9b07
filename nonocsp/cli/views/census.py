"""What ``nonocsp census`` shows: a census or a sample, how long one will take, and the plot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta
from pathlib import Path

import typer
from rich import box
from rich.table import Table

from nonocsp.cli.shared.console import print_table
from nonocsp.grading.census.counts import Census, Difficulties
from nonocsp.grading.census.forecast import Forecast
from nonocsp.grading.census.plot import plot_histogram
from nonocsp.grading.census.sample import CONFIDENCE, Sample

_DAY_S = 24 * 3600


def print_found(found: Census | Sample) -> None:
    """Print what was counted, and the histogram."""
    if isinstance(found, Census):
        _print_census(found)
    else:
        _print_sample(found)


def plot_found(path: Path, found: Census | Sample) -> None:
    """Draw the histogram."""
    images = f"{_grouped(found.difficulties.images)} images"
    which = f"all {images}" if isinstance(found, Census) else f"{images} at random"
    title = f"Difficulty of {found.rows}x{found.columns}: {which}"
    plot_histogram(path, found.difficulties.histogram, title)


def print_forecasts(forecasts: Sequence[Forecast], jobs: int) -> None:
    """Print what is left of a census, and how long it takes so many threads or workers."""
    first = forecasts[0]
    typer.echo(f"{first.rows}x{first.columns}: {_grouped(first.images)} images")
    names = ("", "shards", "counted", "images left", "images/s", "on one core", f"on {jobs} cores")
    columns = (_forecast_column(forecast, jobs) for forecast in forecasts)
    heads, *rows = zip(names, *columns, strict=True)
    _print_table(heads, rows)
    for forecast in forecasts:
        if forecast.is_lower_bound:
            measured = "x".join(map(str, forecast.measured))
            typer.echo(f"{forecast.tally}: measured on {measured}; with more rows an image takes longer")


def _forecast_column(forecast: Forecast, jobs: int) -> tuple[str, ...]:
    numbers = (forecast.shards, forecast.counted, forecast.images_left, round(forecast.rate, -5))
    sign = "> " if forecast.is_lower_bound else ""
    times = (forecast.cpu_s, forecast.cpu_s / jobs)
    return forecast.tally, *map(_grouped, map(int, numbers)), *(sign + _duration(time) for time in times)


def _print_census(census: Census) -> None:
    found, solved = census.difficulties, census.solutions
    typer.echo(f"{census.rows}x{census.columns}: {_grouped(found.images)} images")
    share = f"{_percent(found.simple / found.images)} %"
    typer.echo(f"simple: {_grouped(found.simple)} ({share}), {_summary(found)}")
    if solved:
        typer.echo(f"descriptions: {_grouped(solved.descriptions)}, unique: {_grouped(solved.unique)}")
        typer.echo(f"most solutions of one description: {_grouped(solved.most)}")
    rows = (
        (str(sweeps), _grouped(images), _percent(images / found.images))
        for sweeps, images in enumerate(found.histogram, start=1)
    )
    _print_table(("difficulty", "images", "% of all"), rows)


def _summary(found: Difficulties) -> str:
    mean = "" if found.mean is None else f"mean difficulty {found.mean:.2f}, "
    return f"{mean}highest {len(found.histogram)}"


def _print_sample(sample: Sample) -> None:
    found, mean = sample.difficulties, sample.mean()
    size, images = f"{sample.rows}x{sample.columns}", _grouped(found.images)
    typer.echo(
        f"{size}: {images} random images, seed {sample.seed}; ranges have a confidence of {CONFIDENCE:.0%}"
    )
    share = sample.share(found.simple)
    typer.echo(f"simple: {_percent(share.value)} % ({_percent(share.low)} to {_percent(share.high)})")
    if mean:
        typer.echo(f"mean difficulty: {mean.value:.2f} ({mean.low:.2f} to {mean.high:.2f})")
    rows = (
        (str(sweeps), _grouped(images), *map(_percent, sample.share(images)))
        for sweeps, images in enumerate(found.histogram, start=1)
        if images
    )
    _print_table(("difficulty", "images", "% of all", "from", "to"), rows)


def _print_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows of numbers, aligned to the right."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for head in heads:
        table.add_column(head, justify="right")
    for row in rows:
        table.add_row(*row)
    print_table(table)


def _duration(seconds: float) -> str:
    return f"{seconds / _DAY_S:.1f} days" if seconds > _DAY_S else str(timedelta(seconds=round(seconds)))


def _grouped(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def _percent(share: float) -> str:
    """Return a share in per cent, to three digits or, if it is large, two places."""
    return f"{100 * share:.2f}" if share >= 0.01 else f"{100 * share:.3g}"
