"""Hand out the runs of a campaign to the workers of a cluster, in batches, and collect their measurements.

Each batch goes to one worker that is known to have the same nonocsp and the same backends as this process.
The driver chooses it, not dask's scheduler: a worker that joins late takes nothing before it was asked.

Workers die. The runs of a lost batch are sent again, each alone and to a worker that does nothing else. So a
run that brings down its worker is found, and no other run is blamed for it.
"""

from __future__ import annotations

import time
import uuid
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import count
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Self

from nonocsp.backends.base import Answer, Outcome, Termination
from nonocsp.model import BackendError, UsageError, unknown
from nonocsp.runner.dask import worker as on_worker
from nonocsp.runner.dask.batches import (
    MAX_RUNS,
    TARGET_S,
    Batch,
    Pace,
    decode_results,
    encode_batch,
    target_s,
)
from nonocsp.runner.dask.connection import AHEAD, JOIN_S, connected
from nonocsp.runner.jobs import Job, Measurement, Readiness
from nonocsp.runner.machine.conditions import conditions
from nonocsp.runner.provenance import Offer, offer

if TYPE_CHECKING:
    from distributed import Client, Future

INNER = ("fork", "warm", "cgroup")
"""The executors that may measure on a worker."""
TRIES = 3
"""How many workers a run may bring down."""
_REFRESH_S = 0.5
"""How often to ask which workers there are."""
_WAITING = 2 * MAX_RUNS
"""How many runs may wait for a worker that has their backend while others are sent."""


@dataclass(slots=True, eq=False)
class _Worker:
    """A worker of the cluster, what it offers, and the batches that are with it."""

    address: str
    threads: int
    offers: dict[str, Offer] = field(default_factory=dict)
    ready: set[str] = field(default_factory=set)
    batches: dict[Future[bytes], Batch] = field(default_factory=dict)

    def is_hungry(self, target_s: float) -> bool:
        """Return whether it should have another batch; in advance too, unless they are long."""
        held = [*self.batches.values()]
        if any(batch.losses for batch in held):
            return False
        is_quick = all(batch.expected_s <= 2 * target_s for batch in held)
        return len(held) < (AHEAD * self.threads if is_quick else self.threads)


class DaskExecutor:
    """Measures jobs on a cluster.

    Parameters
    ----------
    jobs
        Workers to start on this machine, each for one run at a time; without meaning if there is an address.
    pin
        Whether each thread of a worker locks cores of its machine, and confines its runs to them.
    cores
        How many cores each run may use.
    address
        Of a cluster's scheduler, such as ``tcp://node1:8786``; None to start workers on this machine.
    inner
        The executor that measures on the workers: one of `INNER`.

    Raises
    ------
    UsageError
        If `distributed` is not installed, or there is no cluster with workers at the address.
    """

    base_name: ClassVar[str] = "dask"

    def __init__(
        self,
        jobs: int = 1,
        *,
        pin: bool = False,
        cores: int = 1,
        address: str | None = None,
        inner: str = INNER[0],
    ) -> None:
        if jobs < 1:
            raise UsageError(f"{jobs} jobs; there must be at least one")
        if inner not in INNER:
            raise unknown("executor of a cluster's workers", inner, INNER)
        self.name = self.base_name if inner == INNER[0] else f"{self.base_name}:{inner}"
        self._inner, self._pin, self._cores = inner, pin, cores
        self._stack = ExitStack()
        self._cluster = self._stack.enter_context(connected(address, jobs))
        self._client: Client = self._cluster.client
        self._backends: dict[str, Offer] = {}
        self._workers: dict[str, _Worker] = {}
        self._pace = Pace()
        self._target_s = TARGET_S
        self._done: SimpleQueue[Future[bytes]] = SimpleQueue()
        self._holders: dict[Future[bytes], _Worker] = {}
        self._again: deque[Batch] = deque()
        self._killed: deque[Job] = deque()
        self._waiting: deque[Job] = deque()
        self._refreshed = float("-inf")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stack.close()

    def readiness(self, backends: Collection[str]) -> dict[str, Readiness]:
        """Return for each backend what would measure it, or why no worker can."""
        if new := [backend for backend in backends if backend not in self._backends]:
            self._backends |= {backend: offer(backend) for backend in new}
            for worker in self._workers.values():  # ask again, for all of them
                worker.offers.clear()
        self._refresh(at_once=True)
        return {backend: self._readiness(backend) for backend in backends}

    def _readiness(self, backend: str) -> Readiness:
        workers = [*self._workers.values()]
        found = [worker.offers[backend].provenance for worker in workers if backend in worker.ready]
        if found:
            return Readiness(tuple(provenance for provenance in found if provenance))
        own = self._backends[backend]
        reasons = [
            f"{worker.address}: {own.difference(worker.offers[backend])}"
            for worker in workers
            if backend in worker.offers
        ]
        all_of_them = "; ".join(reasons[:4]) or "there is no worker"
        more = f"; and {len(reasons) - 4} more" if len(reasons) > 4 else ""
        problem = f"no worker of {self._cluster.address} can run {backend} as this machine does"
        return Readiness((), f"{problem} ({all_of_them}{more}); install the same packages there")

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Measurement]]:
        """Measure jobs and yield each as it ends; take only as many as keep the workers busy.

        Raises
        ------
        BackendError
            If no worker can run a job, the cluster is gone, or its workers fail.
        """
        source = iter(jobs)
        try:
            while True:
                self._refresh()
                is_over = self._send(source, [*self._workers.values()])
                yield from self._given_up()
                if not self._holders:
                    if is_over and not self._waiting and not self._again:
                        return
                    self._await_workers()
                    continue
                until = self._refreshed + _REFRESH_S
                while self._holders and (left := until - time.monotonic()) > 0:
                    try:
                        future = self._done.get(timeout=left)
                    except Empty:
                        break
                    if worker := self._holders.pop(future, None):  # else it was lost, and goes out again
                        yield from self._finish(worker, worker.batches.pop(future), future, source)
        finally:
            self._client.cancel([*self._holders])
            for worker in self._workers.values():
                worker.batches.clear()
            self._holders.clear()
            for queue in (self._again, self._waiting, self._killed):
                queue.clear()

    def _given_up(self) -> Iterator[tuple[Job, Measurement]]:
        """Yield the runs that have brought down enough workers."""
        while self._killed:
            job = self._killed.popleft()
            message = "given up: all workers that tried this run were lost"
            outcome = Outcome(Answer.UNKNOWN, Termination.KILLED, message=message)
            found = conditions(None)
            yield job, Measurement(outcome, None, self.name, reliable=False, conditions=found)

    def _send(self, source: Iterator[Job], workers: Iterable[_Worker]) -> bool:
        """Give each of some workers batches while it is hungry; return whether the source has ended."""
        hungry = [worker for worker in workers if worker.ready and worker.is_hungry(self._target_s)]
        while hungry:
            fed = []
            for worker in hungry:  # in turns, so that all have something before one has much
                if batch := self._suspect(worker) or self._next_batch(worker, source):
                    self._submit(worker, batch)
                    fed.append(worker)
            hungry = [worker for worker in fed if worker.is_hungry(self._target_s)]
        if not self._waiting and (job := self._next_job(source)):
            self._waiting.append(job)
        return not self._waiting

    def _next_job(self, source: Iterator[Job]) -> Job | None:
        """Return the next job; its backend has been asked for on all workers."""
        if self._waiting:
            return self._waiting.popleft()
        job = next(source, None)
        if job is not None and job.backend not in self._backends:
            self.readiness([job.backend])
        return job

    def _suspect(self, worker: _Worker) -> Batch | None:
        """Return a run whose worker was lost, for a worker that does nothing else."""
        if worker.batches:
            return None
        for batch in self._again:
            if batch.jobs[0].backend in worker.ready:
                self._again.remove(batch)
                return batch
        return None

    def _next_batch(self, worker: _Worker, source: Iterator[Job]) -> Batch | None:
        """Return the next runs that a worker can take, `target_s` long; leave the others waiting."""
        batch = Batch([], 0.0)
        passed: list[Job] = []
        while len(batch.jobs) < MAX_RUNS and len(passed) < _WAITING:
            if (job := self._next_job(source)) is None:
                break
            if job.backend not in worker.ready:
                passed.append(job)
                continue
            expected_s = self._pace.expected_s(job.backend)
            if batch.jobs and batch.expected_s + expected_s > self._target_s:
                passed.append(job)
                break
            batch.jobs.append(job)
            batch.expected_s += expected_s
        self._waiting.extendleft(reversed(passed))
        return batch if batch.jobs else None

    def _submit(self, worker: _Worker, batch: Batch) -> None:
        future = self._client.submit(
            on_worker.measure,
            encode_batch(batch.jobs),
            self._inner,
            self._pin,
            self._cores,
            2 * self._target_s,
            key=f"nonocsp-{uuid.uuid4().hex}",
            pure=False,
            workers=[worker.address],
            allow_other_workers=False,
        )
        worker.batches[future] = batch
        self._holders[future] = worker
        future.add_done_callback(self._done.put)

    def _finish(
        self, worker: _Worker, batch: Batch, future: Future[bytes], source: Iterator[Job]
    ) -> Iterator[tuple[Job, Measurement]]:
        """Yield what came of a batch that has ended; send its worker the next one first."""
        reply = self._reply(worker, future)
        if isinstance(reply, Exception):
            self._take_failure(worker, batch, reply)
            return
        if reply is None:
            self._waiting.extendleft(reversed(batch.jobs))
            return
        try:
            measured, seconds = decode_results(reply, batch.jobs, self.name)
        except ValueError as error:
            raise BackendError(
                f"worker {worker.address} of {self._cluster.address} sent an invalid reply "
                f"({error}); restart it"
            ) from None
        for (job, _), spent in zip(measured, seconds, strict=True):
            self._pace.learn(job.backend, spent)
        self._waiting.extendleft(reversed(batch.jobs[len(measured) :]))  # the worker returned early
        self._send(source, [worker])
        yield from measured

    def _reply(self, worker: _Worker, future: Future[bytes]) -> bytes | Exception | None:
        """Return the reply that a worker holds or why there is none; None if it was lost with the worker.

        Then dask would have that worker compute the reply anew, so it is of no use to wait for the future.
        """
        for patience_s in count(1):  # without a timeout, dask never stops waiting for a lost worker
            if future.status == "error":
                failure: Exception = future.exception()
                return failure
            try:
                return future.result(timeout=patience_s)
            except TimeoutError:
                if worker.address not in self._ask(self._client.nthreads):
                    self._client.cancel([future])
                    return None
            except Exception as error:  # the batch failed while we waited, or the cluster is gone
                return error
        return None

    def _take_failure(self, worker: _Worker, batch: Batch, error: Exception) -> None:
        """Deal with a batch that brought no measurements."""
        from distributed import CancelledError, KilledWorker

        if isinstance(error, CancelledError):
            raise BackendError(f"the cluster at {self._cluster.address} is gone; the runs so far are kept")
        if not isinstance(error, KilledWorker):
            raise BackendError(
                f"worker {worker.address} of {self._cluster.address} failed: {type(error).__name__}: {error}"
            )
        self._lose(batch)

    def _lose(self, batch: Batch) -> None:
        """Send the runs of a lost batch again, each alone, or give up the one that brings workers down."""
        losses = batch.losses + 1
        if len(batch.jobs) == 1 and losses >= TRIES:
            self._killed.extend(batch.jobs)
        else:
            self._again.extend(Batch([job], TARGET_S, losses) for job in batch.jobs)

    def _refresh(self, *, at_once: bool = False) -> None:
        """Take note of workers that came or went; ask those that came what they have."""
        if not at_once and time.monotonic() - self._refreshed < _REFRESH_S:
            return
        found = self._ask(self._client.nthreads)
        for address in [*self._workers.keys() - found.keys()]:
            lost = self._workers.pop(address)
            self._client.cancel([*lost.batches])
            for future, batch in lost.batches.items():
                del self._holders[future]
                self._lose(batch)
        for address, threads in found.items():
            self._workers.setdefault(address, _Worker(address, max(1, threads))).threads = max(1, threads)
        self._target_s = target_s(sum(found.values()))
        self._shake_hands()
        self._refreshed = time.monotonic()

    def _shake_hands(self) -> None:
        """Ask the workers that have not been asked what they offer."""
        backends = [*self._backends]
        new = [one.address for one in self._workers.values() if one.offers.keys() != self._backends.keys()]
        if not new or not backends:
            return
        replies = self._ask(
            self._client.run, on_worker.offers, backends, self._inner, workers=new, on_error="return"
        )
        for address, reply in replies.items():
            worker = self._workers[address]
            if isinstance(reply, OSError):  # it is gone, or will be asked again
                continue
            try:
                if isinstance(reply, BaseException):
                    raise ValueError(f"{type(reply).__name__}: {reply}")
                worker.offers = dict(zip(backends, on_worker.decode_offers(reply), strict=True))
            except ValueError as error:
                worker.offers = {name: Offer(None, "", "", f"no answer ({error})") for name in backends}
            worker.ready = {
                name for name, there in worker.offers.items() if not self._backends[name].difference(there)
            }

    def _await_workers(self) -> None:
        """Wait for a worker that can run what waits; there is none to wait for if all were started here.

        Raises
        ------
        BackendError
            If none comes in time.
        """
        deadline = time.monotonic() + JOIN_S
        wanted = {job.backend for job in self._waiting} | {batch.jobs[0].backend for batch in self._again}
        while not any(wanted & worker.ready for worker in self._workers.values()):
            have_answered = self._workers and all(wanted <= {*each.offers} for each in self._workers.values())
            if time.monotonic() > deadline or (have_answered and not self._cluster.is_open):
                problems = [self._readiness(backend).problem for backend in sorted(wanted)]
                raise BackendError("; ".join(filter(None, problems)))
            time.sleep(_REFRESH_S)
            self._refresh()

    def _ask(self, question: Any, *arguments: Any, **options: Any) -> Any:
        """Ask the scheduler something."""
        try:
            return question(*arguments, **options)
        except (OSError, TimeoutError) as error:  # CommClosedError is an OSError
            gone = f"the cluster at {self._cluster.address} is gone ({error}); the runs so far are kept"
            raise BackendError(gone) from None
