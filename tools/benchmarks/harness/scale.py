"""Say what campaigns of 10^4 to 10^8 runs cost on a cluster of 1000 workers, and what holds them up.

First it measures the costs of this machine in CPU seconds: planning, sending and storing a run in the driver,
a batch in dask's scheduler and client, a run on a worker, a row in a merge and in a start with nothing to do.
Then it simulates campaigns with these costs: run times that differ by orders of magnitude, and workers that
are lost. ``shards`` is the number of drivers, each with its share of the runs and of the workers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

import psutil
import pytest
from rich.console import Console
from rich.table import Table

from nonocsp.bench import Shard, load_config, plan, run_campaign
from nonocsp.bench.merging import merge
from nonocsp.run import create
from nonocsp.run.dask.batches import decode_results, encode_batch, encode_results
from nonocsp.run.dask.connection import connected
from nonocsp.run.jobs import Job, Measurement, Readiness
from nonocsp.run.provenance import provenance
from tools.benchmarks.harness.simulation import Costs, Load, Simulated, simulate

RUNS = 4000
"""Runs of the campaign that is measured."""
REPEATS = 20
"""Of each puzzle, in that campaign: large ones have few puzzles for their runs."""
TASKS = 300
WORKERS = 1000
LOADS = {"quick, median 1 ms": Load(0.001), "slow, median 100 ms": Load(0.1)}
CAMPAIGNS = (
    *((exponent, 1) for exponent in range(4, 9)),
    *((8, shards) for shards in (10, 100, 1000)),
)
MOST_BATCHES = 2e6
_CONFIG = """\
name: measured
puzzles: [{{random: {{rows: 10, columns: 10, count: {count}, seed: 1}}}}]
backends: [settle]
repeats: {repeats}
limits: {{wall: 10}}
"""


def main() -> None:
    """Print the costs and the simulated campaigns."""
    costs = measure()
    table = Table("cost", "µs", title="Costs of this machine, CPU time")
    for name, seconds in (
        ("driver: plan a run", costs.plan_s),
        ("driver: send it", costs.send_s),
        ("driver: take its measurement, store its row", costs.row_s),
        ("scheduler and client: a batch", costs.batch_s),
        ("worker: a run, with its server", costs.run_s),
        ("merge: a row", costs.merge_s),
        ("start with nothing to do: a row", costs.resume_s),
    ):
        table.add_row(name, f"{1e6 * seconds:.0f}")
    Console().print(table)
    for name, load in LOADS.items():
        heading = f"{name}, {load.losses_per_hour:g} losses an hour, {WORKERS} workers"
        columns = ("runs", "shards", "plan", "run", "merge", "workers busy", "driver busy", "limit")
        table = Table(*columns, title=heading)
        for exponent, shards in CAMPAIGNS:
            runs = 10**exponent // shards
            if runs * load.median_s * 7.4 > MOST_BATCHES:
                continue
            found = simulate(costs, load, runs, WORKERS // shards)
            merge_s = 10**exponent * costs.merge_s if shards > 1 else 0.0
            planned = _clock(runs * costs.plan_s)
            table.add_row(f"10^{exponent}", str(shards), planned, *_cells(found, WORKERS // shards, merge_s))
        Console().print(table)


def _cells(found: Simulated, workers: int, merge_s: float) -> list[str]:
    busy = {
        "workers": found.worker_s / workers / found.wall_s,
        "driver": found.driver_s / found.wall_s,
        "scheduler": found.scheduler_s / found.wall_s,
    }
    limit = max(busy, key=lambda part: busy[part])
    shares = [f"{100 * busy[part]:.0f} %" for part in ("workers", "driver")]
    return [_clock(found.wall_s), _clock(merge_s) if merge_s else "", *shares, limit]


def _clock(seconds: float) -> str:
    """Return a time in its largest unit."""
    for unit, size in (("days", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s"


def measure() -> Costs:
    """Measure the costs on this machine, in CPU seconds."""
    with TemporaryDirectory(prefix="nonocsp-scale-") as name:
        folder = Path(name)
        (folder / "measured.yaml").write_text(_CONFIG.format(count=RUNS // REPEATS, repeats=REPEATS))
        config = load_config(folder / "measured.yaml")
        with create("warm", 1) as warm:
            keeper = _Keeper(warm)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("nonocsp.bench.campaign.create", lambda *_, **__: keeper)
                run_campaign(config, folder / "warm-up")  # the measurements, and all imports
                worker_s = keeper.cpu_s / RUNS
                keeper.known = {job.puzzle.canonical_hash: found for job, found in keeper.seen}
                plan_s = _cpu_s(lambda: sum(1 for _ in Shard().ids(plan(config)))) / RUNS
                all_s = _cpu_s(lambda: run_campaign(config, folder / "all")) / RUNS
                resume_s = _cpu_s(lambda: run_campaign(config, folder / "all")) / RUNS
                shards = [folder / "1", folder / "2"]
                for number, shard in enumerate(shards, 1):
                    run_campaign(config, shard, shard=Shard(number, 2))
            merge_s = _cpu_s(lambda: merge(shards, folder / "merged")) / RUNS
        results = [(job, found, 0.001) for job, found in keeper.seen]
        jobs, reply = [job for job, _ in keeper.seen], encode_results(results)
        send_s = _cpu_s(lambda: encode_batch(jobs)) / RUNS
        take_s = _cpu_s(lambda: decode_results(reply, jobs, "dask")) / RUNS
    return Costs(
        plan_s=plan_s,
        send_s=send_s,
        row_s=all_s - plan_s + take_s,
        batch_s=_batch_s(len(encode_batch(jobs[:100]))),
        run_s=worker_s,
        merge_s=merge_s,
        resume_s=resume_s,
    )


class _Keeper:
    """An executor that keeps what another one measures, and then gives it back at once."""

    name = "dask"

    def __init__(self, inner: Any) -> None:
        self.inner, self.cpu_s = inner, 0.0
        self.seen: list[tuple[Job, Measurement]] = []
        self.known: dict[str, Measurement] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Keep the other executor."""

    def readiness(self, backends: Collection[str]) -> dict[str, Readiness]:
        """Return that every backend can be measured."""
        return {backend: Readiness((provenance(backend),)) for backend in backends}

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Measurement]]:
        """Give back what is known, or measure."""
        if self.known:
            yield from ((job, self.known[job.puzzle.canonical_hash]) for job in jobs)
            return
        before = _all_cpu_s()
        self.seen = [*self.inner.run(jobs)]
        self.cpu_s = _all_cpu_s() - before - sum(found.outcome.cpu_s for _, found in self.seen)
        yield from self.seen


def _batch_s(size: int) -> float:
    """Return the CPU seconds of client and scheduler for a batch, both ways."""
    with connected(None, 1) as cluster:
        batch = b"x" * size
        cluster.client.submit(len, batch, pure=False).result()
        before = time.process_time()
        for _ in range(TASKS):
            cluster.client.submit(bytes.upper, batch, pure=False).result()
        return (time.process_time() - before) / TASKS


def _cpu_s(action: Callable[[], object]) -> float:
    before = time.process_time()
    action()
    return time.process_time() - before


def _all_cpu_s() -> float:
    """Return the CPU seconds of this process and of what it has started."""
    return time.process_time() + sum(
        sum(process.cpu_times()[:2]) for process in psutil.Process().children(recursive=True)
    )
