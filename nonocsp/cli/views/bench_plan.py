"""What ``nonocsp bench --dry-run`` shows: the runs, how many are done, and how long the rest takes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from nonocsp.bench.config import CampaignConfig
from nonocsp.bench.estimate import AROUND_S, END_S, Times, at_most
from nonocsp.bench.planning import PlannedRun, plan
from nonocsp.bench.shards import Shard
from nonocsp.bench.store import FILE, read_campaign
from nonocsp.cli.shared.console import print_rows, printable

if TYPE_CHECKING:
    from nonocsp.bench.rows import RunRow

_LISTED = 16
"""The most origins of puzzles that are listed."""


def print_plan(campaign: CampaignConfig, shard: Shard, folder: Path, *, as_json: bool) -> None:
    """Print the runs of a shard of a campaign, how many are done, and an estimate of the time left.

    Parameters
    ----------
    campaign, shard
        What would be run.
    folder
        Where results of earlier runs are, if any.
    as_json
        Print a record for each run instead.
    """
    runs = shard.select(plan(campaign))
    rows = read_campaign(folder).rows if (folder / FILE).is_file() else []
    done = {row["run"] for row in rows}
    times = Times(rows)
    if as_json:
        for run in runs:
            print(json.dumps(_record(run, run.id in done, times)))
        return
    for absence in campaign.absences:
        typer.echo(printable(f"warning: {absence}"), err=True)
    typer.echo(_product(campaign, shard, runs))
    _print_puzzles(runs)
    _print_backends(runs, done, times, campaign.jobs)
    _print_times([run for run in runs if run.id not in done], rows, folder, campaign)


def _product(campaign: CampaignConfig, shard: Shard, runs: Sequence[PlannedRun]) -> str:
    """Return the numbers whose product is the number of runs."""
    counts = {
        "puzzles": len({(run.source.name, run.source.index) for run in runs}),
        "backends": len({run.backend for run in runs}),
        "seeds": len({run.request.seed for run in runs}),
        "repeats": len({run.repeat for run in runs}),
    }
    factors = [
        f"{n} {what if n > 1 else what[:-1]}" for what, n in counts.items() if n > 1 or what[0] in "pb"
    ]
    suffix = f", {shard}" if str(shard) else ""
    return f"{campaign.name}{suffix}: {' x '.join(factors)} = {len(runs)} runs"


def _print_puzzles(runs: Sequence[PlannedRun]) -> None:
    """Print the files of the puzzles, with the number of each size."""
    puzzles = {(run.source.name, run.source.index): run.source for run in runs}.values()
    origins = Counter((source.name.partition("#")[0], source.puzzle.shape) for source in puzzles)
    for (origin, (rows, columns)), count in [*origins.items()][:_LISTED]:
        typer.echo(f"  {count} of {rows}x{columns} from {origin}")
    if len(origins) > _LISTED:
        typer.echo(f"  and {sum([*origins.values()][_LISTED:])} more")


def _print_backends(runs: Sequence[PlannedRun], done: set[str], times: Times, jobs: int) -> None:
    """Print for each backend its runs, and how long the missing ones take."""
    by_backend: dict[str, list[PlannedRun]] = {}
    for run in runs:
        by_backend.setdefault(run.backend, []).append(run)
    table = []
    for backend, own in by_backend.items():
        missing = [run for run in own if run.id not in done]
        estimate = times.estimate(missing, jobs)
        figures = (len(own), len(own) - len(missing))
        table.append(
            [backend, *map(str, figures), _duration(estimate.likely_s), _duration(estimate.at_most_s)]
        )
    print_rows(("backend", "runs", "done", "likely", "at most"), table)


def _print_times(
    missing: Sequence[PlannedRun], rows: Sequence[RunRow], folder: Path, campaign: CampaignConfig
) -> None:
    """Print how long everything takes, and what the estimate is based on."""
    estimate = Times(rows).estimate(missing, campaign.jobs)
    typer.echo(f"{len(missing)} runs to do, {campaign.jobs} at a time, executor {campaign.executor}")
    if estimate.at_most_s is None:
        typer.echo("at most: unknown without a wall limit")
    else:
        rule = f"{campaign.limits.wall:g} s per run, {END_S:g} s to end it, {AROUND_S:g} s of overhead"
        typer.echo(f"at most {_duration(estimate.at_most_s)} (h:mm:ss): {rule}")
    if rows:
        typer.echo(
            f"likely {_duration(estimate.likely_s)}, from the mean times of {len(rows)} runs in {folder}"
        )
    else:
        typer.echo(f"probably less; no earlier runs in {folder} to estimate from")


def _duration(seconds: float | None) -> str:
    return "–" if seconds is None else str(timedelta(seconds=round(seconds)))


def _record(run: PlannedRun, is_done: bool, times: Times) -> dict[str, Any]:
    rows, columns = run.source.puzzle.shape
    return {
        "run": run.id,
        "puzzle": run.source.name,
        "index": run.source.index,
        "rows": rows,
        "columns": columns,
        "backend": run.backend,
        "task": str(run.request.task),
        "seed": run.request.seed,
        "repeat": run.repeat,
        "limits": asdict(run.request.limits),
        "done": is_done,
        "likely_s": times.likely(run),
        "at_most_s": at_most(run),
    }
