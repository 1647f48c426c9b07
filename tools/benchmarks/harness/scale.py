"""Measure what a run of a campaign on a cluster costs beyond the backend's time, in CPU seconds.

Planning, sending and storing a run in the driver, a batch in dask's scheduler and client, a run on a worker,
a row in a merge and in a start with nothing to do.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
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
from nonocsp.run.cluster import connected
from nonocsp.run.cluster_worker import encode_batch
from nonocsp.run.jobs import Job, Measurement, Readiness
from nonocsp.run.provenance import provenance

RUNS = 4000
"""Runs of the campaign that is measured."""
REPEATS = 20
"""Of each puzzle, in that campaign: large ones have few puzzles for their runs."""
TASKS = 300
_CONFIG = """\
name: measured
puzzles: [{{random: {{rows: 10, columns: 10, count: {count}, seed: 1}}}}]
backends: [settle]
repeats: {repeats}
limits: {{wall: 10}}
"""


def main() -> None:
    """Print the costs."""
    costs = measure()
    table = Table("cost", "µs", title="Costs of this machine, CPU time")
    for name, seconds in (
        ("driver: plan a run", costs.plan_s),
        ("driver: send it", costs.send_s),
        ("driver: take its measurement, store its row", costs.row_s),
        ("scheduler and client: a batch", costs.batch_s),
        ("worker: a run, all processes", costs.run_s),
        ("merge: a row", costs.merge_s),
        ("start with nothing to do: a row", costs.resume_s),
    ):
        table.add_row(name, f"{1e6 * seconds:.0f}")
    Console().print(table)


@dataclass(frozen=True, slots=True)
class Costs:
    """CPU seconds that a campaign costs beyond what backends work.

    Parameters
    ----------
    plan_s, send_s, row_s
        The driver, for each run: to plan it; to send it; to take its measurement and store its row.
    batch_s
        The scheduler, for each batch, both ways.
    run_s
        The worker, for each run.
    merge_s, resume_s
        For each row: to merge shards, and to start a campaign that is complete.
    """

    plan_s: float
    send_s: float
    row_s: float
    batch_s: float
    run_s: float
    merge_s: float
    resume_s: float


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
        jobs, reply = [job for job, _ in keeper.seen], pickle.dumps([found for _, found in keeper.seen])
        send_s = _cpu_s(lambda: encode_batch(jobs)) / RUNS
        take_s = _cpu_s(lambda: pickle.loads(reply)) / RUNS
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
    with connected(None, 1) as client:
        batch = b"x" * size
        client.submit(len, batch, pure=False).result()
        before = time.process_time()
        for _ in range(TASKS):
            client.submit(bytes.upper, batch, pure=False).result()
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
