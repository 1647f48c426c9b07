"""Print a census, an estimate, a sample, or a forecast; draw the histogram of difficulties."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import typer
from rich import box
from rich.table import Table

from nonocsp.cli.shared.console import clock, print_table
from nonocsp.grading.census.counts import Census, plot_histogram
from nonocsp.grading.census.estimate import Extrapolation
from nonocsp.grading.census.forecast import Forecast
from nonocsp.grading.census.sample import Sample

_DAY_S = 24 * 3600


def print_found(found: Census | Extrapolation | Sample) -> None:
    """Print the counts and the histogram."""
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
    _print_table(heads, rows)


def plot_found(path: Path, found: Census | Extrapolation | Sample) -> None:
    """Draw the histogram.

    Parameters
    ----------
    path
        The file to write: .svg, .png or .pdf.
    found
        The difficulties to draw.
    """
    images = f"{_grouped(found.difficulties.images)} images"
    which = f"all {images}" if isinstance(found, Census) else f"{images} at random"
    title = f"Difficulty of {found.rows}x{found.columns}: {which}"
    plot_histogram(path, found.difficulties.histogram, title)


def print_forecasts(forecasts: Sequence[Forecast], jobs: int) -> None:
    """Print how much of a census is left, and how long that takes.

    Parameters
    ----------
    forecasts
        One for each tally of the same census.
    jobs
        Cores that work on it.
    """
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
    _print_table(heads, rows)
    for forecast in forecasts:
        if forecast.is_lower_bound:
            measured = "x".join(map(str, forecast.measured))
            typer.echo(f"{forecast.tally}: measured on {measured}; with more rows an image takes longer")


def _print_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows of numbers, aligned to the right."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for head in heads:
        table.add_column(head, justify="right")
    for row in rows:
        table.add_row(*row)
    print_table(table)


def _grouped(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def _confidence(found: Extrapolation | Sample) -> str:
    return f"ranges have a confidence of {100 * found.confidence:g}%"


def _percent(share: float) -> str:
    """Return a share in per cent, to three digits or, if it is large, two places."""
    return f"{100 * share:.2f}" if share >= 0.01 else f"{100 * share:.3g}"
