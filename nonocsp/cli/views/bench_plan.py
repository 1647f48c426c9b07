"""Print the plan of ``nonocsp bench --dry-run``: the runs, how many are done, and the time the rest takes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from nonocsp.bench.config import CampaignConfig
from nonocsp.bench.estimate import AROUND_S, END_S, Times, at_most
from nonocsp.bench.planning import PlannedRun, plan
from nonocsp.bench.shards import Shard
from nonocsp.bench.store import FILE, read_campaign
from nonocsp.cli.shared.console import clock, print_rows, printable

if TYPE_CHECKING:
    from nonocsp.bench.rows import RunRow

_LISTED = 16
"""The most origins of puzzles that are listed."""


def print_plan(campaign: CampaignConfig, shard: Shard, folder: Path, *, as_json: bool) -> None:
    """Print the runs of a shard of a campaign, how many are done, and an estimate of the time left.

    Parameters
    ----------
    campaign, shard
        The runs to plan.
    folder
        The folder of results, which may hold earlier runs or not exist.
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
    puzzles = {(run.source.name, run.source.index): run.source for run in runs}
    counts = {
        "puzzle": len(puzzles),
        "backend": len({run.backend for run in runs}),
        "seed": len({run.request.seed for run in runs}),
        "repeat": len({run.repeat for run in runs}),
    }
    factors = [
        f"{count} {what}{'s' * (count > 1)}"
        for what, count in counts.items()
        if count > 1 or what in ("puzzle", "backend")
    ]
    suffix = f", {shard}" if str(shard) else ""
    typer.echo(f"{campaign.name}{suffix}: {' x '.join(factors)} = {len(runs)} runs")
    origins = Counter((source.name.partition("#")[0], source.puzzle.shape) for source in puzzles.values())
    for (origin, shape), count in [*origins.items()][:_LISTED]:
        typer.echo(f"  {count} of {'x'.join(map(str, shape))} from {origin}")
    if len(origins) > _LISTED:
        typer.echo(f"  and {sum([*origins.values()][_LISTED:])} more")
    _print_times(campaign, runs, rows, folder)


def _print_times(
    campaign: CampaignConfig, runs: Sequence[PlannedRun], rows: Sequence[RunRow], folder: Path
) -> None:
    """Print how long the runs take that have no row yet: those of each backend, and all together."""
    times, done = Times(rows), {row["run"] for row in rows}
    by_backend: dict[str, list[PlannedRun]] = {}
    for run in runs:
        by_backend.setdefault(run.backend, []).append(run)
    table = []
    for backend, own in by_backend.items():
        missing = [run for run in own if run.id not in done]
        estimate = times.estimate(missing, campaign.jobs)
        counts = (str(len(own)), str(len(own) - len(missing)))
        table.append([backend, *counts, clock(estimate.likely_s), clock(estimate.at_most_s)])
    print_rows(("backend", "runs", "done", "likely", "at most"), table)

    missing = [run for run in runs if run.id not in done]
    estimate = times.estimate(missing, campaign.jobs)
    typer.echo(f"{len(missing)} runs to do, {campaign.jobs} at a time, executor {campaign.executor}")
    if estimate.at_most_s is None:
        typer.echo("at most: unknown without a wall limit")
    else:
        rule = f"{campaign.limits.wall:g} s per run, {END_S:g} s to end it, {AROUND_S:g} s of overhead"
        typer.echo(f"at most {clock(estimate.at_most_s)} (h:mm:ss): {rule}")
    if rows:
        typer.echo(f"likely {clock(estimate.likely_s)}, from the mean times of {len(rows)} runs in {folder}")
    else:
        typer.echo(f"probably less; no earlier runs in {folder} to estimate from")


def _record(run: PlannedRun, is_done: bool, times: Times) -> dict[str, Any]:
    rows, columns = run.source.puzzle.shape
    return {
        "run": run.id,
        "puzzle": run.source.name,
        "index": run.source.index,
        "rows": rows,
        "columns": columns,
        "backend": run.backend,
        **({"spec": run.spec} if run.spec != run.backend else {}),
        "task": str(run.request.task),
        "seed": run.request.seed,
        "repeat": run.repeat,
        "limits": asdict(run.request.limits),
        "done": is_done,
        "likely_s": times.likely(run),
        "at_most_s": at_most(run),
    }
