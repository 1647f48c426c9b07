"""Measure batches of runs on a worker of a cluster, and say what is installed there.

Batches and measurements travel as pickles: driver and workers trust each other, as dask does.
"""

from __future__ import annotations

import pickle
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from itertools import chain, takewhile
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from nonocsp.model import UsageError
from nonocsp.run import create, provenance
from nonocsp.run.jobs import Job, Measurement
from nonocsp.run.local import LocalExecutor

if TYPE_CHECKING:
    from distributed import Worker

IDLE_S = 10.0
"""How long executors wait for another batch before they end."""


class Campaign(NamedTuple):
    """Which driver asks, by a unique text, and the executor that it wants, with options."""

    driver: str
    executor: str
    options: dict[str, Any]


def offers(backends: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return what this worker offers for each backend, in values that other versions can read."""
    provenance.forget()
    if provenance.code("settle") != _LOADED:
        raise UsageError("nonocsp has changed since this worker started; restart the worker")
    return {backend: asdict(provenance.offer(backend)) for backend in backends}


_LOADED = provenance.code("settle")


def encode_batch(jobs: Sequence[Job]) -> bytes:
    """Return the jobs without goals; a puzzle that several of them share is there once."""
    clues = {id(job.puzzle): job.puzzle.clues_only() for job in jobs}
    return pickle.dumps([replace(job, puzzle=clues[id(job.puzzle)]) for job in jobs])


def measure(batch: bytes, campaign: Campaign, stop_s: float) -> list[tuple[Measurement, float]]:
    """Return a measurement for each job of a batch that starts within `stop_s` seconds, and what it took."""
    from distributed import get_worker

    worker = get_worker()
    task = worker.state.tasks[worker.get_current_task()]
    began = before = time.monotonic()
    (first, *others) = pickle.loads(batch)
    in_time = takewhile(lambda _: time.monotonic() - began <= stop_s, others)
    measured = []
    with _executor(campaign) as executor:
        for _, found in executor.run(chain([first], in_time), lambda: task.state != "cancelled"):
            now = time.monotonic()
            measured.append((found, now - before))
            before = now
        if task.state == "cancelled":
            raise InterruptedError("the driver is gone")  # ends the executor
    return measured


_idle: dict[int, tuple[Campaign, LocalExecutor, threading.Timer]] = {}
"""What the threads keep between batches, and what ends it. Who takes an executor out may use it or end it."""


@contextmanager
def _executor(campaign: Campaign) -> Iterator[LocalExecutor]:
    """Lend this thread's executor for a campaign; one of another campaign, or one that fails, ends."""
    thread = threading.get_ident()
    kept, executor, timer = _idle.pop(thread, (None, None, None))
    if timer:
        timer.cancel()
    if executor and kept != campaign:
        executor.__exit__()
        executor = None
    executor = executor or cast("LocalExecutor", create(campaign.executor, 1, **campaign.options))
    try:
        yield executor
    except BaseException:
        executor.__exit__()
        raise
    timer = threading.Timer(IDLE_S, _end, [thread])
    timer.daemon = True
    _idle[thread] = campaign, executor, timer
    timer.start()


def _end(thread: int) -> None:
    if kept := _idle.pop(thread, None):
        kept[1].__exit__()


def dask_setup(_worker: Worker) -> None:
    """Leave Ctrl-C in the terminal to the driver; dask calls this in workers that the driver started."""
    signal.signal(signal.SIGINT, lambda *_: None)  # not SIG_IGN, which runs would inherit
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
