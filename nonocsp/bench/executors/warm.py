"""Runs jobs in warm worker processes of this machine, so that a solve of 1 ms costs about 1 ms.

Limits are enforced from here, by killing: a backend is asked to stop at its wall limit, and killed `GRACE_S`
later if it did not; CPU time and resident memory of the worker and all its children are looked at every
`POLL_S`. A worker that was killed or died is replaced. Limits are watched while the iterator is advanced.
"""

from __future__ import annotations

import math
import selectors
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from types import TracebackType
from typing import NamedTuple, Self

from nonocsp.backends.base import Answer, Limits, Outcome, Termination
from nonocsp.bench.executors.base import Conditions, Job, Measurement
from nonocsp.bench.executors.conditions import conditions
from nonocsp.bench.executors.guard import Guard
from nonocsp.bench.executors.limits import cut_off_if_late
from nonocsp.bench.executors.process import WorkerProcess
from nonocsp.bench.executors.wire import decode_reply, encode_job
from nonocsp.bench.executors.worker import ENDED, STARTED
from nonocsp.environment import usable_cores

GRACE_S = 0.25
POLL_S = 0.05
SETUP_S = 60.0
"""The most a worker may take to start and build its puzzle, and to write its reply."""


class WarmExecutor:
    """Measures up to `jobs` jobs at a time, each in its own worker process.

    Parameters
    ----------
    jobs
        At least 1. With more than the machine has cores, measurements are marked as not reliable.
    """

    name = "warm"

    def __init__(self, jobs: int = 1, *, pin: bool = False) -> None:
        del pin
        self._jobs = jobs
        self._reliable = jobs <= usable_cores()
        self._idle: list[WorkerProcess] = []
        self._attempts: list[_Attempt] = []
        self._selector = selectors.DefaultSelector()
        self._guard = Guard()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._abandon()
        while self._idle:
            self._discard(self._idle.pop())
        self._selector.close()
        self._guard.close()

    def run(self, jobs: Iterable[Job | None]) -> Iterator[tuple[Job, Measurement]]:
        """Measure jobs and yield each as it ends; `jobs` is read only as fast as they are run.

        None in place of a job means that there is none for now: the next is asked for when one has ended.
        """
        queue = _Queue(jobs)
        self._fill(queue)
        try:
            while self._attempts:
                yield from self._ended(queue)
        finally:
            self._abandon()  # the caller wants no more

    def _ended(self, queue: _Queue) -> Iterator[tuple[Job, Measurement]]:
        """Wait for something to happen; yield the jobs that ended and start others in their place."""
        self._selector.select(POLL_S)
        for attempt in [*self._attempts]:
            if (seen := attempt.look()) is not None:
                self._release(attempt, seen.peak_rss_bytes)
                self._fill(queue)  # before the caller deals with this one: the worker need not wait
                outcome = cut_off_if_late(seen.outcome, attempt.job.request.limits)
                yield (
                    attempt.job,
                    Measurement(outcome, seen.peak_rss_bytes, self.name, self._reliable, attempt.conditions),
                )

    def _fill(self, queue: _Queue) -> None:
        """Start jobs until all workers are busy or none is left."""
        while len(self._attempts) < self._jobs and (prepared := queue.pop()) is not None:
            job, line = prepared
            worker = self._worker()
            worker.send(line)
            self._attempts.append(_Attempt(job, worker))
        queue.prepare()

    def _worker(self) -> WorkerProcess:
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive:
                return worker
            self._discard(worker)
        worker = WorkerProcess(self._guard)
        self._selector.register(worker, selectors.EVENT_READ)
        return worker

    def _release(self, attempt: _Attempt, peak_rss_bytes: int | None) -> None:
        """Keep the worker, unless it is gone or holds memory that the next job would be blamed for."""
        self._attempts.remove(attempt)
        limit = attempt.job.request.limits.memory
        most = math.inf if limit is None else limit / 2
        was_big = peak_rss_bytes is None or peak_rss_bytes > most  # looking costs more than a small run
        if not attempt.worker.is_alive or (was_big and attempt.worker.usage().rss_bytes > most):
            self._discard(attempt.worker)
        else:
            self._idle.append(attempt.worker)

    def _abandon(self) -> None:
        """End what still runs."""
        while self._attempts:
            self._discard(self._attempts.pop().worker)

    def _discard(self, worker: WorkerProcess) -> None:
        self._selector.unregister(worker)
        worker.kill()
        worker.close()


class _Queue:
    """The jobs to come; the next is encoded ahead, so that a free worker need not wait for that."""

    def __init__(self, jobs: Iterable[Job | None]) -> None:
        self._jobs = iter(jobs)
        self._next: tuple[Job, bytes] | None = None

    def prepare(self) -> None:
        """Have the next job ready."""
        if self._next is None and (job := next(self._jobs, None)) is not None:
            self._next = job, encode_job(job)

    def pop(self) -> tuple[Job, bytes] | None:
        """Return the next job and its line, or None if there is none."""
        self.prepare()
        taken, self._next = self._next, None
        return taken


class _Phase(Enum):
    SETUP = auto()
    """The worker starts, imports the backend and builds the puzzle."""
    RUNNING = auto()
    """The backend works; limits apply."""
    REPLYING = auto()
    """The worker writes its reply."""


class _Seen(NamedTuple):
    """How an attempt ended."""

    outcome: Outcome
    peak_rss_bytes: int | None


@dataclass(slots=True, eq=False)
class _Attempt:
    """A job in a worker."""

    job: Job
    worker: WorkerProcess
    phase: _Phase = _Phase.SETUP
    since: float = field(default_factory=time.perf_counter)
    polled: float = 0.0
    cpu_before: float = 0.0
    cpu_s: float = 0.0
    peak_rss_bytes: int = 0
    conditions: Conditions = field(default_factory=lambda: conditions(core=None))

    def look(self) -> _Seen | None:
        """Return how the attempt ended, or None while it goes on."""
        try:
            for line in self.worker.lines():
                if (seen := self._hear(line)) is not None:
                    return seen
        except EOFError:
            return self._lost(Termination.CRASHED, self.worker.ended_how())
        return self._look_at_limits()

    def _hear(self, line: bytes) -> _Seen | None:
        if line.startswith(STARTED):
            self._enter(_Phase.RUNNING)
            self.conditions = conditions(core=None)
            self.cpu_before = float(line.removeprefix(STARTED))
        elif line == ENDED:
            self._enter(_Phase.REPLYING)
        else:
            outcome, peak = decode_reply(line, self.job.puzzle.palette)
            return _Seen(outcome, peak and max(peak, self.peak_rss_bytes))
        return None

    def _enter(self, phase: _Phase) -> None:
        self.phase, self.since = phase, time.perf_counter()

    def _look_at_limits(self) -> _Seen | None:
        now, limits = time.perf_counter(), self.job.request.limits
        elapsed = now - self.since
        if self.phase is not _Phase.RUNNING:
            doing = "starting" if self.phase is _Phase.SETUP else "writing its reply"
            message = f"the worker process was still {doing} after {SETUP_S:g} s"
            return self._lost(Termination.CRASHED, message) if elapsed > SETUP_S else None
        if limits.wall is not None and elapsed > limits.wall + GRACE_S:
            return self._lost(Termination.WALL, f"killed: the wall limit of {limits.wall:g} s was reached")
        return self._poll(now, limits) if now - self.polled > POLL_S else None

    def _poll(self, now: float, limits: Limits) -> _Seen | None:
        """Look at what the process tree uses."""
        usage = self.worker.usage()
        self.polled, self.cpu_s = now, usage.cpu_s - self.cpu_before
        self.peak_rss_bytes = max(self.peak_rss_bytes, usage.rss_bytes)
        if limits.memory is not None and usage.rss_bytes > limits.memory:
            message = f"killed: the memory limit of {limits.memory / 2**20:.0f} MiB was reached"
            return self._lost(Termination.MEMORY, message)
        if limits.cpu is not None and self.cpu_s > limits.cpu:
            return self._lost(Termination.CPU, f"killed: the CPU limit of {limits.cpu:g} s was reached")
        return None

    def _lost(self, termination: Termination, message: str) -> _Seen:
        """End a worker that cannot report any more, and say what is known."""
        wall = 0.0 if self.phase is _Phase.SETUP else time.perf_counter() - self.since
        self.worker.kill()
        outcome = Outcome(Answer.UNKNOWN, termination, wall_s=wall, cpu_s=self.cpu_s, message=message)
        return _Seen(outcome, self.peak_rss_bytes or None)
