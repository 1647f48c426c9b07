"""Measure with executor ``dask``: on the workers of a cluster, which may be many machines.

A worker measures nothing before it has said which nonocsp, Python and backends it has. Runs travel in batches
of about a second, each to one worker that the driver chooses. The runs of a lost batch are sent again one by
one, each to a worker that does nothing else: so a run that brings down its worker is found, and no other run
is blamed for it.
"""

from __future__ import annotations

import time
import uuid
import warnings
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from nonocsp.backends.base import Answer, Outcome, Termination
from nonocsp.model import BackendError, UsageError, WorkerWarning, unknown, verify
from nonocsp.run import cluster_worker as on_worker
from nonocsp.run.cluster import AHEAD, JOIN_S, connected
from nonocsp.run.conditions import conditions
from nonocsp.run.jobs import Job, Measurement, Readiness
from nonocsp.run.provenance import Offer, forget_code, offer

if TYPE_CHECKING:
    from distributed import Future

INNER = ("fork", "warm", "benchexec")
"""The executors that may measure on a worker."""
TRIES = 3
"""How many workers a run may bring down."""
TARGET_S, MAX_RUNS, BATCHES_PER_S = 1.0, 1000, 100
"""How long a batch takes, how many runs it has at most, and how many batches the scheduler can deal with."""
ANSWER_S, LOOK_S = 60.0, 0.5
"""How long to wait for what workers offer; how often to ask which workers there are."""
_WEIGHT = 0.05
"""Of the last run in the mean time of its backend."""
_UNKNOWN = "has not answered yet"


class _Batch(NamedTuple):
    """Runs that travel together, and how long they probably take."""

    jobs: list[Job]
    expected_s: float


@dataclass(slots=True, eq=False)
class _Worker:
    """A worker, its offers, why it may not measure a backend (empty: it may), and its tasks."""

    address: str
    threads: int
    offers: dict[str, Offer] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    tasks: dict[Future[Any], _Batch | Sequence[str]] = field(default_factory=dict)  # or what it was asked

    @property
    def batches(self) -> list[_Batch]:
        return [task for task in self.tasks.values() if isinstance(task, _Batch)]

    def problem(self, backend: str) -> str:
        """Return why it may not measure a backend; empty if it may."""
        return self.problems.get(backend, _UNKNOWN)

    def note(self, problems: dict[str, str]) -> None:
        """Take note of problems by backend, and warn of each."""
        self.problems |= problems
        for problem in sorted({*problems.values()} - {""}):
            backends = ", ".join(backend for backend in problems if problems[backend] == problem)
            message = f"worker {self.address} gets no runs of {backends}: {problem}"
            warnings.warn(message, WorkerWarning, stacklevel=2)

    def is_hungry(self, target_s: float) -> bool:
        """Return whether it should have another batch; in advance too, unless one is long."""
        batches = self.batches
        longest_s = max((batch.expected_s for batch in batches), default=0.0)
        most = (AHEAD if longest_s <= 2 * target_s else 1) * self.threads
        return len(batches) < most and longest_s < inf


class DaskExecutor:
    """Measures jobs by executor `inner` on a scheduler's cluster, or on `jobs` workers that it starts."""

    def __init__(
        self, jobs: int = 1, *, address: str | None = None, inner: str = INNER[0], **options: Any
    ) -> None:
        if jobs < 1:
            raise UsageError(f"{jobs} jobs; there must be at least one")
        if inner not in INNER:
            raise unknown("executor of a cluster's workers", inner, INNER)
        self.name = "dask" if inner == INNER[0] else f"dask:{inner}"
        forget_code()
        self._campaign = on_worker.Campaign(uuid.uuid4().hex, inner, options)
        self._stack = ExitStack()
        self._client = self._stack.enter_context(connected(address, jobs))
        from distributed import as_completed

        self._done = as_completed(loop=self._client.loop, with_results=True, raise_errors=False)
        self._where = self._client.scheduler_info()["address"]
        self._own: dict[str, Offer] = {}
        self._workers: dict[str, _Worker] = {}
        self._waiting: deque[Job] = deque()
        self._losses: Counter[int] = Counter()  # workers lost with a job, by its identity
        self._mean_s: dict[str, float] = {}
        self._target_s, self._looked = TARGET_S, -inf

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def readiness(self, backends: Collection[str]) -> dict[str, Readiness]:
        """Return for each backend what would measure it, or why no worker can."""
        self._want(backends)
        self._look()
        end = time.monotonic() + ANSWER_S
        while time.monotonic() < end and any(worker.tasks for worker in self._workers.values()):
            self._heard()
            self._look()
        return {backend: self._readiness(backend) for backend in backends}

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Measurement]]:
        """Measure jobs and yield each as it ends; take only as many as keep the workers busy."""
        source, moved = iter(jobs), time.monotonic()
        try:
            while True:
                if time.monotonic() - self._looked > LOOK_S:
                    self._look()
                while (job := self._first(source)) and self._losses[id(job)] >= TRIES:
                    message = f"given up: {TRIES} workers that tried this run were lost"
                    outcome = Outcome(Answer.UNKNOWN, Termination.KILLED, message=message)
                    found = Measurement(outcome, None, self.name, False, conditions(None))
                    yield self._waiting.popleft(), found
                self._send(source)
                if any(worker.batches for worker in self._workers.values()):
                    moved = time.monotonic()
                elif job is None:
                    return
                elif time.monotonic() - moved > JOIN_S and (problem := self._readiness(job.backend).problem):
                    raise BackendError(problem)
                if heard := self._heard():
                    yield from self._take(*heard)
        finally:
            for worker in self._workers.values():
                self._client.cancel([*worker.tasks])
                worker.tasks.clear()
            self._waiting.clear()
            self._losses.clear()

    def _want(self, backends: Collection[str]) -> None:
        """Have the next look ask all workers for new backends."""
        if new := {backend: offer(backend) for backend in backends if backend not in self._own}:
            self._own |= new
            self._looked = -inf

    def _look(self) -> None:
        """Find out which workers there are; ask new ones what they offer, send again what lost ones had."""
        try:
            if self._client.status != "running":
                raise ConnectionError("connection lost")  # dask would try to connect again for half a minute
            found = self._client.nthreads()
        except (OSError, TimeoutError) as error:
            message = f"the cluster at {self._where} is gone ({error}); the runs so far are kept"
            raise BackendError(message) from None
        for address in self._workers.keys() - found.keys():
            lost = self._workers.pop(address)
            self._client.cancel([*lost.tasks])
            for batch in lost.batches:
                self._lose(batch)
        for address, threads in found.items():
            worker = self._workers.setdefault(address, _Worker(address, max(1, threads)))
            if new := [backend for backend in self._own if backend not in worker.problems]:
                self._ask(worker, new)
        self._target_s = max(TARGET_S, sum(found.values()) / BATCHES_PER_S)
        self._looked = time.monotonic()

    def _ask(self, worker: _Worker, backends: Sequence[str]) -> None:
        """Ask a worker what it offers, by itself: one that does not answer holds up no other."""

        def ask(backends: Sequence[str]) -> Any:  # local, so that its code is sent: nonocsp may be missing
            from nonocsp.run.cluster_worker import offers

            return offers(backends)

        worker.problems |= dict.fromkeys(backends, _UNKNOWN)
        self._submit(worker, backends, ask, backends)

    def _submit(self, worker: _Worker, what: _Batch | Sequence[str], task: Any, *arguments: object) -> None:
        """Send a task to a worker; if it ends with an error, dask tries it once more there."""
        future = self._client.submit(task, *arguments, pure=False, workers=[worker.address], retries=1)
        self._done.add(future)
        worker.tasks[future] = what

    def _heard(self) -> tuple[_Worker, _Batch, Any] | None:
        """Wait a little for a task to end; take an answer, or return a batch with its reply."""
        with self._done.thread_condition:
            if not self._done.has_ready() and not self._done.thread_condition.wait(LOOK_S):
                return None
        future, found = next(self._done)
        reply = found[1] if isinstance(found, tuple) else found  # of an error, its type comes first
        for worker in self._workers.values():
            if isinstance(task := worker.tasks.pop(future, None), _Batch):
                return worker, task, reply
            if task:
                self._take_answer(worker, task, reply)
        return None

    def _take_answer(self, worker: _Worker, backends: Sequence[str], answer: Any) -> None:
        try:
            if isinstance(answer, BaseException):
                raise answer
            there = {backend: Offer.of(answer[backend]) for backend in backends}
            worker.offers |= there
            worker.note({backend: self._own[backend].difference(found) for backend, found in there.items()})
        except Exception as error:
            worker.note(dict.fromkeys(backends, f"no answer ({error!r})"))

    def _readiness(self, backend: str) -> Readiness:
        able = [worker for worker in self._workers.values() if not worker.problem(backend)]
        if found := [worker.offers[backend].provenance for worker in able]:
            return Readiness(tuple(provenance for provenance in found if provenance))
        told = [f"{worker.address}: {worker.problem(backend)}" for worker in self._workers.values()][:4]
        why = f"can run {backend} as this machine does ({'; '.join(told) or 'none'})"
        return Readiness((), f"no worker of {self._where} {why}; workers need the packages of this machine")

    def _first(self, source: Iterator[Job]) -> Job | None:
        """Return the next job, and leave it there; have the workers asked for its backend."""
        if not self._waiting:
            self._waiting.extend(islice(source, 1))
            self._want([job.backend for job in self._waiting])
        return self._waiting[0] if self._waiting else None

    def _send(self, source: Iterator[Job]) -> None:
        """Give workers batches while they are hungry, in turns, so that all have some before one has much."""
        hungry = [worker for worker in self._workers.values() if worker.is_hungry(self._target_s)]
        for worker in hungry * AHEAD * max((worker.threads for worker in hungry), default=0):
            if worker.is_hungry(self._target_s) and (batch := self._next_batch(worker, source)):
                encoded = on_worker.encode_batch(batch.jobs)
                self._submit(worker, batch, on_worker.measure, encoded, self._campaign, 2 * self._target_s)

    def _next_batch(self, worker: _Worker, source: Iterator[Job]) -> _Batch | None:
        """Return the next runs that a worker may measure, as many as take `target_s`, at least one."""
        jobs: list[Job] = []
        expected_s = 0.0
        while len(jobs) < MAX_RUNS and (job := self._first(source)) and not worker.problem(job.backend):
            run_s = self._mean_s.get(job.backend, TARGET_S)  # one not known yet travels alone
            if lost := self._losses[id(job)] > 0:
                run_s = inf  # so its worker does nothing else
            if (lost and worker.batches) or (jobs and expected_s + run_s > self._target_s):
                break
            jobs.append(self._waiting.popleft())
            expected_s += run_s
        return _Batch(jobs, expected_s) if jobs else None

    def _take(self, worker: _Worker, batch: _Batch, reply: Any) -> Iterator[tuple[Job, Measurement]]:
        """Yield the measurements of a batch that has ended; the runs without one go out again."""
        from distributed import KilledWorker

        if isinstance(reply, BaseException):
            self._look()  # the reason may be that the cluster is gone
            if isinstance(reply, KilledWorker):
                self._lose(batch)
                return
            worker.note(dict.fromkeys((job.backend for job in batch.jobs), f"it failed ({reply!r})"))
            reply = []
        self._waiting.extendleft(reversed(batch.jobs[len(reply) :]))
        for job, (found, spent_s) in zip(batch.jobs, reply, strict=False):
            if not all(verify(job.puzzle, grid) for grid in found.outcome.solutions):
                raise BackendError(f"worker {worker.address} sent a wrong grid; restart it")
            mean_s = self._mean_s.get(job.backend, spent_s)
            self._mean_s[job.backend] = mean_s + _WEIGHT * (spent_s - mean_s)
            yield job, replace(found, executor=self.name)

    def _lose(self, batch: _Batch) -> None:
        """Send the runs of a lost batch again, each alone."""
        self._losses.update(map(id, batch.jobs))
        self._waiting.extendleft(reversed(batch.jobs))
