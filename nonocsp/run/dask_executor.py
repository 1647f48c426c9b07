"""Measure with executor ``dask``: on the workers of a cluster, which may be many machines.

A worker measures nothing before it has said which nonocsp, Python and backends it has. Runs travel in batches
of about a second, each to one worker that the driver chooses. The runs of a lost batch are sent again one by
one, each to a worker that does nothing else: so a run that brings down its worker is found, and no other run
is blamed for it.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import time
import uuid
import warnings
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Self

from nonocsp.backends.base import Answer, Outcome, Termination
from nonocsp.model import BackendError, UsageError, WorkerWarning, unknown
from nonocsp.run import cluster_worker as on_worker
from nonocsp.run.cluster import AHEAD, JOIN_S, connected
from nonocsp.run.conditions import conditions
from nonocsp.run.jobs import NO_ACCESS, Access, Job, Measurement, Readiness
from nonocsp.run.provenance import Offer, Provenance, forget_code, offer

if TYPE_CHECKING:
    from distributed import Future

Question = concurrent.futures.Future[dict[str, Offer]]
INNER = ("fork", "warm", "benchexec")
"""The executors that may measure on a worker."""
TRIES = 3
"""How many workers a run may bring down."""
TARGET_S, MAX_RUNS, BATCHES_PER_S = 1.0, 1000, 100
"""How long a batch takes, how many runs it has at most, and how many batches the scheduler can deal with."""
GRACE_S, ANSWER_S = 10.0, 120.0
"""How long to wait for what workers offer, once each backend has a worker, and before."""
LOOK_S = 0.5
"""How often to ask which workers there are."""
_MEMORY = 0.995
"""Factor by which each later run shrinks a run's weight in its backend's mean time."""


@dataclass(slots=True, eq=False)
class _Batch:
    """Runs that travel together, how long they probably take, and how many workers were lost with them."""

    jobs: list[Job]
    expected_s: float = 0.0
    losses: int = 0


@dataclass(slots=True, eq=False)
class _Worker:
    """A worker, what it measures with, why it may not measure a backend (empty: it may), and its batches."""

    address: str
    threads: int = 1
    provenances: dict[str, Provenance | None] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    batches: dict[Future[bytes], _Batch] = field(default_factory=dict)

    def problem(self, backend: str) -> str:
        """Return why it may not measure a backend; empty if it may."""
        return self.problems.get(backend, "has not answered yet")

    def refuse(self, problems: dict[str, str]) -> None:
        """Note problems by backend, and warn of new ones."""
        for problem in sorted({*problems.values()} - {*self.problems.values(), ""}):
            backends = ", ".join(backend for backend in problems if problems[backend] == problem)
            message = f"worker {self.address} gets no runs of {backends}: {problem}"
            warnings.warn(message, WorkerWarning, stacklevel=2)
        self.problems |= problems

    def is_hungry(self, target_s: float) -> bool:
        """Return whether it should have another batch; in advance too, unless they are long."""
        held = self.batches.values()
        is_quick = all(batch.expected_s <= 2 * target_s for batch in held)
        free = len(held) < (AHEAD if is_quick else 1) * self.threads
        return free and not any(batch.losses for batch in held)


class DaskExecutor:
    """Measures jobs on a cluster.

    Parameters
    ----------
    jobs
        Workers to start on this machine, each for one run at a time; without meaning if there is an address.
    pin, cores, access
        As for the executors that measure on the workers.
    address
        Of a cluster's scheduler, such as ``tcp://node1:8786``; None to start workers on this machine.
    inner
        The executor that measures on the workers: one of `INNER`.

    Raises
    ------
    UsageError
        If `distributed` is not installed, or there is no cluster with workers at the address.
    """

    def __init__(
        self,
        jobs: int = 1,
        *,
        pin: bool = False,
        cores: int = 1,
        access: Access = NO_ACCESS,
        address: str | None = None,
        inner: str = INNER[0],
    ) -> None:
        if jobs < 1:
            raise UsageError(f"{jobs} jobs; there must be at least one")
        if inner not in INNER:
            raise unknown("executor of a cluster's workers", inner, INNER)
        self.name = "dask" if inner == INNER[0] else f"dask:{inner}"
        forget_code()
        self._campaign = on_worker.Campaign(uuid.uuid4().hex, inner, pin, cores, access)
        self._stack = ExitStack()
        self._client = self._stack.enter_context(connected(address, jobs))
        from distributed import as_completed

        self._done = as_completed(loop=self._client.loop, with_results=True, raise_errors=False)
        self._where = self._client.scheduler_info()["address"]
        self._may_grow = address is not None
        self._own: dict[str, Offer] = {}
        self._workers: dict[str, _Worker] = {}
        self._questions: dict[Question, _Worker] = {}
        self._replies: deque[tuple[Future[bytes], Any]] = deque()
        self._suspects: deque[_Batch] = deque()
        self._waiting: deque[Job] = deque()
        self._spent: dict[str, tuple[float, float]] = {}  # seconds and number of recent runs
        self._target_s = TARGET_S
        self._looked = self._asked = float("-inf")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def readiness(self, backends: Collection[str]) -> dict[str, Readiness]:
        """Return for each backend what would measure it, or why no worker can."""
        self._want(backends)
        self._look()
        while not self._have_answered(backends):
            self._hear(LOOK_S)
            self._look()
        return {backend: self._readiness(backend) for backend in backends}

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Measurement]]:
        """Measure jobs and yield each as it ends; take only as many as keep the workers busy.

        Raises
        ------
        BackendError
            If no worker can run a job, the cluster is gone, or a worker sends nonsense.
        """
        source, moved = iter(jobs), time.monotonic()
        try:
            while True:
                if time.monotonic() - self._looked > LOOK_S:
                    self._look()
                self._send(source)
                yield from self._given_up()
                if any(worker.batches for worker in self._workers.values()):
                    moved = time.monotonic()
                elif (job := self._suspects[0].jobs[0] if self._suspects else self._first(source)) is None:
                    return
                elif not any(worker.problem(job.backend) == "" for worker in self._workers.values()):
                    self._check_hope(job.backend, moved)
                self._hear(LOOK_S)
                while self._replies:
                    yield from self._take(*self._replies.popleft())
                    self._send(source)
        finally:
            for worker in self._workers.values():
                self._client.cancel([*worker.batches])
                worker.batches.clear()
            for queue in (self._suspects, self._waiting, self._replies):
                queue.clear()

    def _want(self, backends: Collection[str]) -> None:
        """Have all workers asked for backends that they were not asked for before."""
        if new := {backend: offer(backend) for backend in backends if backend not in self._own}:
            self._own |= new
            for worker in self._workers.values():
                self._ask(worker)

    def _look(self) -> None:
        """Find out which workers there are; ask new ones what they offer, send again what lost ones had."""
        try:
            if self._client.status != "running":  # or dask would try to connect again for half a minute
                raise ConnectionError("connection lost")
            found = self._client.nthreads()
        except (OSError, TimeoutError) as error:
            raise self._gone(error) from None
        for address in self._workers.keys() - found.keys():
            self._drop(self._workers[address])
        for address, threads in found.items():
            if address not in self._workers:
                self._workers[address] = _Worker(address)
                self._ask(self._workers[address])
            self._workers[address].threads = max(1, threads)
        self._target_s = max(TARGET_S, sum(found.values()) / BATCHES_PER_S)
        self._looked = time.monotonic()

    def _drop(self, worker: _Worker) -> None:
        """Forget a worker, and send its runs again; if it is still there, the next look finds it anew."""
        del self._workers[worker.address]
        self._client.cancel([*worker.batches])
        self._questions = {question: one for question, one in self._questions.items() if one is not worker}
        for batch in worker.batches.values():
            self._lose(batch)

    def _gone(self, error: BaseException) -> BackendError:
        return BackendError(f"the cluster at {self._where} is gone ({error}); the runs so far are kept")

    def _ask(self, worker: _Worker) -> None:
        """Ask a worker what it offers, by itself: one that does not answer holds up no other."""
        if self._own:
            loop: Any = self._client.loop
            answer = self._offers(worker.address, [*self._own])
            question = asyncio.run_coroutine_threadsafe(answer, loop.asyncio_loop)
            self._questions[question], self._asked = worker, time.monotonic()
            question.add_done_callback(self._wake)

    async def _offers(self, address: str, backends: list[str]) -> dict[str, Offer]:
        # not a task: a worker without nonocsp would die of it
        answer = self._client.run(on_worker.offers, backends, self._campaign, workers=[address])
        return on_worker.decode_offers((await asyncio.wait_for(answer, ANSWER_S))[address])

    def _wake(self, _question: object) -> None:
        with self._done.thread_condition:
            self._done.thread_condition.notify()

    def _hear(self, seconds: float) -> None:
        """Wait until something comes back, but not for long; keep the replies, take note of answers."""
        with self._done.thread_condition:
            if not self._done.has_ready() and not any(question.done() for question in self._questions):
                self._done.thread_condition.wait(seconds)
        for question in [question for question in self._questions if question.done()]:
            if worker := self._questions.pop(question, None):
                self._take_answer(worker, question)
        self._replies.extend(self._done.next_batch(block=False))

    def _take_answer(self, worker: _Worker, question: Question) -> None:
        """Take note of what a worker offers."""
        try:
            found = question.result()
            worker.provenances |= {backend: there.provenance for backend, there in found.items()}
            worker.refuse({backend: self._own[backend].difference(there) for backend, there in found.items()})
        except OSError:  # a time-out too
            self._drop(worker)
        except Exception as error:
            worker.refuse(dict.fromkeys(self._own, f"no answer ({_described(error)})"))

    def _have_answered(self, backends: Collection[str]) -> bool:
        """Return whether all workers have said what they offer, or take too long."""
        waited_s = time.monotonic() - self._asked
        if not self._questions or waited_s > ANSWER_S:
            return True
        return waited_s > GRACE_S and not any(self._readiness(backend).problem for backend in backends)

    def _readiness(self, backend: str) -> Readiness:
        problems = {worker.address: worker.problem(backend) for worker in self._workers.values()}
        found = [self._workers[address].provenances[backend] for address in problems if not problems[address]]
        if found:
            return Readiness(tuple(provenance for provenance in found if provenance))
        reasons = [f"{address}: {problem}" for address, problem in problems.items()]
        more = [f"and {len(reasons) - 4} more"] if len(reasons) > 4 else []
        told = "; ".join([*reasons[:4], *more]) or "there is no worker"
        problem = f"no worker of {self._where} can run {backend} as this machine does ({told})"
        return Readiness((), f"{problem}; workers need the packages of this machine")

    def _check_hope(self, backend: str, since: float) -> None:
        """Raise BackendError unless a worker for a backend may still come; lost ones of ours do."""
        is_here = self._workers and not self._may_grow
        if self._have_answered([backend]) and (is_here or time.monotonic() - since > JOIN_S):
            raise BackendError(self._readiness(backend).problem)

    def _first(self, source: Iterator[Job]) -> Job | None:
        """Return the next job, and leave it there; have the workers asked for its backend."""
        if not self._waiting:
            self._waiting.extend(islice(source, 1))
        if not self._waiting:
            return None
        self._want([self._waiting[0].backend])
        return self._waiting[0]

    def _send(self, source: Iterator[Job]) -> None:
        """Give workers batches while they are hungry, in turns, so that all have some before one has much."""
        hungry = [*self._workers.values()]
        while hungry := [worker for worker in hungry if worker.is_hungry(self._target_s)]:
            for worker in [*hungry]:
                if batch := self._suspect(worker) or self._next_batch(worker, source):
                    worker.batches[self._submit(worker, batch)] = batch
                else:
                    hungry.remove(worker)

    def _submit(self, worker: _Worker, batch: _Batch) -> Future[bytes]:
        """Send a batch to a worker; if it ends with an error, dask tries it once more there."""
        args = on_worker.encode_batch(batch.jobs), self._campaign, 2 * self._target_s
        key, own = f"nonocsp-{uuid.uuid4().hex}", [worker.address]
        future = self._client.submit(
            on_worker.measure, *args, key=key, pure=False, workers=own, allow_other_workers=False, retries=1
        )
        self._done.add(future)
        return future

    def _suspect(self, worker: _Worker) -> _Batch | None:
        """Return a run whose worker was lost, for a worker that does nothing else."""
        for batch in self._suspects if not worker.batches else ():
            if not worker.problem(batch.jobs[0].backend):
                self._suspects.remove(batch)
                return batch
        return None

    def _next_batch(self, worker: _Worker, source: Iterator[Job]) -> _Batch | None:
        """Return the next runs that a worker may measure, as many as take `target_s`, at least one."""
        batch = _Batch([])
        while len(batch.jobs) < MAX_RUNS and (job := self._first(source)) and not worker.problem(job.backend):
            seconds, runs = self._spent.get(job.backend, (TARGET_S, 1.0))  # one not known yet travels alone
            if batch.jobs and batch.expected_s + seconds / runs > self._target_s:
                break
            batch.jobs.append(self._waiting.popleft())
            batch.expected_s += seconds / runs
        return batch if batch.jobs else None

    def _take(self, future: Future[bytes], reply: Any) -> Iterator[tuple[Job, Measurement]]:
        """Yield the measurements of a batch that has ended; if it brought none, others get its runs."""
        from distributed import CancelledError, KilledWorker

        worker = next((one for one in self._workers.values() if future in one.batches), None)
        if worker is None:  # it was lost, and its runs go out again
            return
        batch, measured = worker.batches.pop(future), []
        error = reply[1] if isinstance(reply, tuple) else reply
        if isinstance(error, CancelledError):
            raise self._gone(error)
        if isinstance(error, KilledWorker):
            self._lose(batch)
        elif isinstance(error, BaseException):
            backends = (job.backend for job in batch.jobs)
            worker.refuse(dict.fromkeys(backends, f"it failed ({_described(error)})"))
            if batch.losses:
                self._suspects.append(batch)
            else:
                self._waiting.extendleft(reversed(batch.jobs))
        else:
            try:
                measured = on_worker.decode_reply(reply, batch.jobs, self.name)
            except ValueError as wrong:
                told = f"worker {worker.address} sent an invalid reply ({wrong}); restart it"
                raise BackendError(told) from None
            self._waiting.extendleft(reversed(batch.jobs[len(measured) :]))  # the worker returned early
        for job, (found, spent_s) in zip(batch.jobs, measured, strict=False):
            seconds, runs = self._spent.get(job.backend, (0.0, 0.0))
            self._spent[job.backend] = _MEMORY * seconds + spent_s, _MEMORY * runs + 1.0
            yield job, found

    def _lose(self, batch: _Batch) -> None:
        """Send the runs of a lost batch again, each alone."""
        self._suspects.extend(_Batch([job], TARGET_S, batch.losses + 1) for job in batch.jobs)

    def _given_up(self) -> Iterator[tuple[Job, Measurement]]:
        """Yield the runs that have brought down enough workers."""
        for batch in [batch for batch in self._suspects if batch.losses >= TRIES]:
            self._suspects.remove(batch)
            message = f"given up: {TRIES} workers that tried this run were lost"
            outcome = Outcome(Answer.UNKNOWN, Termination.KILLED, message=message)
            found = conditions(None)
            yield batch.jobs[0], Measurement(outcome, None, self.name, reliable=False, conditions=found)


def _described(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
