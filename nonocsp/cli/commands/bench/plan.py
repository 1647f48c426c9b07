"""Print the plan of ``nonocsp bench --dry-run``: the runs, how many are done, and the time the rest takes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import typer

from nonocsp.bench.campaign import counting
from nonocsp.bench.config import CampaignConfig
from nonocsp.bench.estimate import AROUND_S, END_S, Times, Total, at_most
from nonocsp.bench.planning import Plan, PlannedRun, Shard
from nonocsp.bench.sessions import read_info
from nonocsp.bench.store import NO_ROW, holds_rows, read_campaign
from nonocsp.bench.table import table_of
from nonocsp.cli.shared.console import clock, counted, print_rows, printable

_AT_ONCE = 2000
"""Runs that are looked up at a time."""
_LISTED = 16
"""The most origins of puzzles that are listed one by one, and the most sizes if there are more."""


def print_plan(
    campaign: CampaignConfig, shard: Shard, folder: Path, *, keep_old: bool, as_json: bool
) -> None:
    """Print the runs of a shard of a campaign, how many are done, and an estimate of the time left."""
    planned = Plan(campaign)
    stored = None
    if holds_rows(folder):
        stored = read_campaign(folder, counting(planned, read_info(folder), keep_old=keep_old))
    times = Times(stored.table if stored else table_of(()))

    def runs() -> Iterator[tuple[PlannedRun, bool]]:
        """Yield the planned runs, each with whether it is done."""
        stream = shard.select(planned)
        while batch := [*islice(stream, _AT_ONCE)]:
            found = stored.rows.numbers([run.id for run in batch]) if stored else [NO_ROW] * len(batch)
            yield from ((run, number != NO_ROW) for run, number in zip(batch, found, strict=True))

    if as_json:
        for run, is_done in runs():
            print(json.dumps(_record(run, bool(is_done), times)))
        return
    tally = _Tally(times)
    for run, is_done in runs():
        tally.add(run, is_done=is_done)
    for warning in (*campaign.absences, *(stored.faults if stored else ())):
        typer.echo(printable(f"warning: {warning}"), err=True)
    _print_counts(campaign, shard, tally)
    _print_times(campaign, tally, folder, len(stored.rows) if stored else 0)


@dataclass
class _Tally:
    times: Times
    runs: int = 0
    puzzles: set[int] = field(default_factory=set)
    origins: Counter[tuple[str, tuple[int, int]]] = field(default_factory=Counter)
    seeds: set[int] = field(default_factory=set)
    repeats: set[int] = field(default_factory=set)
    planned: Counter[str] = field(default_factory=Counter)
    missing: dict[str, Total] = field(default_factory=dict)

    def add(self, run: PlannedRun, *, is_done: bool) -> None:
        self.runs += 1
        if (identity := hash((run.source.name, run.source.index))) not in self.puzzles:
            self.puzzles.add(identity)
            self.origins[run.source.name.partition("#")[0], run.source.puzzle.shape] += 1
        self.seeds.add(run.request.seed)
        self.repeats.add(run.repeat)
        self.planned[run.backend] += 1
        total = self.missing.setdefault(run.backend, Total(self.times))
        if not is_done:
            total.add(run)


def _print_counts(campaign: CampaignConfig, shard: Shard, tally: _Tally) -> None:
    """Print what the plan multiplies, and where its puzzles come from."""
    factors = [counted(len(tally.puzzles), "puzzle"), counted(len(tally.planned), "backend")]
    factors += [counted(len(tally.seeds), "seed")] * (len(tally.seeds) > 1)
    factors += [counted(len(tally.repeats), "repeat")] * (len(tally.repeats) > 1)
    suffix = f", {shard}" if str(shard) else ""
    typer.echo(f"{campaign.name}{suffix}: {' x '.join(factors)} = {tally.runs} runs")
    groups = {(origin, shape): [origin] for origin, shape in tally.origins}
    if len(groups) > _LISTED:
        groups = {}
        for origin, shape in tally.origins:
            groups.setdefault(("", shape), []).append(origin)
    for (_, shape), origins in [*groups.items()][:_LISTED]:
        count = sum(tally.origins[origin, shape] for origin in origins)
        ends = origins[0] if len(origins) == 1 else f"{len(origins)} origins, {origins[0]} … {origins[-1]}"
        typer.echo(f"  {count} of {'x'.join(map(str, shape))} from {printable(ends)}")
    if len(groups) > _LISTED:
        left = {shape for _, shape in [*groups][_LISTED:]}
        others = sum(number for (_, shape), number in tally.origins.items() if shape in left)
        typer.echo(f"  and {others} of other sizes")


def _print_times(campaign: CampaignConfig, tally: _Tally, folder: Path, earlier: int) -> None:
    """Print how long the missing runs take: those of each backend, and all together."""
    table = []
    for backend, total in tally.missing.items():
        planned = tally.planned[backend]
        counts = (str(planned), str(planned - total.runs))
        table.append([backend, *counts, *map(clock, total.of_jobs(campaign.jobs))])
    print_rows(("backend", "runs", "done", "likely", "at most"), table)

    whole = sum(tally.missing.values(), Total(tally.times))
    likely_s, at_most_s = whole.of_jobs(campaign.jobs)
    typer.echo(f"{whole.runs} runs to do, {campaign.jobs} at a time, executor {campaign.executor}")
    if at_most_s is None:
        typer.echo("at most: unknown without a wall limit")
    elif whole.runs:
        rule = f"{campaign.limits.wall:g} s per run, {END_S:g} s to end it, {AROUND_S:g} s of overhead"
        typer.echo(f"at most {clock(at_most_s)} (h:mm:ss): {rule}")
    if earlier:
        typer.echo(f"likely {clock(likely_s)}, from the mean times of {earlier} runs in {folder}")
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
