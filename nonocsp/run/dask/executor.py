"""Hand out the runs of a campaign to the workers of a cluster, in batches, and collect their measurements.

Each batch goes to one worker that is known to have the same nonocsp and the same backends as this process
(`nonocsp.run.dask.roster`). The driver chooses it, not dask's scheduler: a worker that joins late takes
nothing before it was asked.

Workers die or fall silent. The runs of a lost batch are sent again, each alone and to a worker that does
nothing else. So a run that brings down its worker is found, and no other run is blamed for it. Replies are
fetched in the event loop of dask's client, each by itself: no worker holds up another.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import time
import uuid
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Self

from nonocsp.backends.base import Answer, Outcome, Termination
from nonocsp.model import BackendError, UsageError, unknown
from nonocsp.run.conditions import conditions
from nonocsp.run.dask import worker as on_worker
from nonocsp.run.dask.batches import (
    MAX_RUNS,
    TARGET_S,
    Batch,
    Pace,
    decode_results,
    encode_batch,
    target_s,
)
from nonocsp.run.dask.connection import JOIN_S, connected
from nonocsp.run.dask.roster import Roster, Worker
from nonocsp.run.jobs import NO_ACCESS, Access, Job, Measurement, Readiness

if TYPE_CHECKING:
    from distributed import Client, Future

INNER = ("fork", "warm", "benchexec")
"""The executors that may measure on a worker."""
TRIES = 3
"""How many workers a run may bring down."""
_REFRESH_S = 0.5
"""How often to ask which workers there are."""
_WAITING = 2 * MAX_RUNS
"""How many runs may wait for a worker that has their backend while others are sent."""
_POLL_S = 0.05
_REPLY_S = 60.0
"""How long it may take to fetch a reply."""


class _Lost(Exception):
    """The reply to a batch was lost with its worker, or cannot be fetched from it."""


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
    access
        What runs in containers may use on a worker.
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
        access: Access = NO_ACCESS,
        address: str | None = None,
        inner: str = INNER[0],
    ) -> None:
        if jobs < 1:
            raise UsageError(f"{jobs} jobs; there must be at least one")
        if inner not in INNER:
            raise unknown("executor of a cluster's workers", inner, INNER)
        self.name = self.base_name if inner == INNER[0] else f"{self.base_name}:{inner}"
        self._kind = inner, pin, cores, access
        self._stack = ExitStack()
        self._cluster = self._stack.enter_context(connected(address, jobs))
        self._client: Client = self._cluster.client
        self._roster = Roster(self._cluster, self._kind)
        self._pace = Pace()
        self._target_s = TARGET_S
        self._done: SimpleQueue[tuple[Future[bytes], concurrent.futures.Future[bytes]]] = SimpleQueue()
        self._holders: dict[Future[bytes], Worker] = {}
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
        self._roster.want(backends)
        self._refresh()
        while not self._roster.is_settled(backends):
            time.sleep(_POLL_S)
            self._refresh()
        return {backend: self._roster.readiness(backend) for backend in backends}

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
                if time.monotonic() - self._refreshed > _REFRESH_S:
                    self._refresh()
                is_over = self._send(source, [*self._roster.workers.values()])
                yield from self._given_up()
                if not self._holders:
                    if is_over and not self._waiting and not self._again:
                        return
                    self._await_workers()
                    continue
                until = self._refreshed + _REFRESH_S
                while self._holders and (left := until - time.monotonic()) > 0:
                    try:
                        future, reply = self._done.get(timeout=left)
                    except Empty:
                        break
                    if worker := self._holders.pop(future, None):  # else it was lost, and goes out again
                        yield from self._finish(worker, worker.batches.pop(future), reply, source)
        finally:
            self._client.cancel([*self._holders])  # the workers abandon them
            for worker in self._roster.workers.values():
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

    def _send(self, source: Iterator[Job], workers: Iterable[Worker]) -> bool:
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
        if job is not None and job.backend not in self._roster.backends:
            self.readiness([job.backend])
        return job

    def _suspect(self, worker: Worker) -> Batch | None:
        """Return a run whose worker was lost, for a worker that does nothing else."""
        if worker.batches:
            return None
        for batch in self._again:
            if batch.jobs[0].backend in worker.ready:
                self._again.remove(batch)
                return batch
        return None

    def _next_batch(self, worker: Worker, source: Iterator[Job]) -> Batch | None:
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

    def _submit(self, worker: Worker, batch: Batch) -> None:
        future = self._client.submit(
            on_worker.measure,
            encode_batch(batch.jobs),
            self._kind,
            2 * self._target_s,
            key=f"nonocsp-{uuid.uuid4().hex}",
            pure=False,
            workers=[worker.address],
            allow_other_workers=False,
        )
        worker.batches[future] = batch
        self._holders[future] = worker
        future.add_done_callback(self._fetch)

    def _fetch(self, future: Future[bytes]) -> None:
        """Have the reply to a batch fetched, now that it has ended."""
        reply = self._cluster.start(self._reply(future))
        reply.add_done_callback(lambda reply: self._done.put((future, reply)))

    async def _reply(self, future: Future[bytes]) -> bytes:
        """Return the reply that a worker holds, or raise the exception that it ended with.

        `Client.gather` would wait for the workers of all replies that it fetches at a time, and have a lost
        worker compute its reply anew.
        """
        if future.status != "finished":
            failed: bytes = await future
            return failed
        scheduler: Any = self._client.scheduler
        try:
            found = await asyncio.wait_for(scheduler.gather(keys=[future.key]), _REPLY_S)
            reply: bytes = found["data"][future.key]
        except (OSError, KeyError) as error:  # a TimeoutError is an OSError
            raise _Lost from error
        return reply

    def _finish(
        self, worker: Worker, batch: Batch, reply: concurrent.futures.Future[bytes], source: Iterator[Job]
    ) -> Iterator[tuple[Job, Measurement]]:
        """Yield what came of a batch that has ended; send its worker the next one first."""
        if error := reply.exception():
            self._take_failure(worker, batch, error)
            return
        try:
            measured, seconds = decode_results(reply.result(), batch.jobs, self.name)
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

    def _take_failure(self, worker: Worker, batch: Batch, error: BaseException) -> None:
        """Deal with a batch that brought no measurements: others get its runs."""
        from distributed import CancelledError, KilledWorker

        if isinstance(error, (CancelledError, asyncio.CancelledError)):
            raise BackendError(f"the cluster at {self._cluster.address} is gone; the runs so far are kept")
        if isinstance(error, KilledWorker):
            self._lose(batch)
            return
        if isinstance(error, _Lost):
            self._roster.ask_again(worker)
        else:
            failure = f"failed: {type(error).__name__}: {error}"
            self._roster.exclude(worker, {job.backend for job in batch.jobs}, failure)
        if batch.losses:
            self._again.append(batch)
        else:
            self._waiting.extendleft(reversed(batch.jobs))

    def _lose(self, batch: Batch) -> None:
        """Send the runs of a lost batch again, each alone, or give up the one that brings workers down."""
        losses = batch.losses + 1
        if len(batch.jobs) == 1 and losses >= TRIES:
            self._killed.extend(batch.jobs)
        else:
            self._again.extend(Batch([job], TARGET_S, losses) for job in batch.jobs)

    def _refresh(self) -> None:
        """Take note of workers that came, left, answered or fell silent; send again what they had."""
        for worker in self._roster.refresh():
            self._client.cancel([*worker.batches])
            for future, batch in worker.batches.items():
                del self._holders[future]
                self._lose(batch)
            worker.batches.clear()
        self._target_s = target_s(sum(worker.threads for worker in self._roster.workers.values()))
        self._refreshed = time.monotonic()

    def _await_workers(self) -> None:
        """Wait for a worker that can run what waits; there is none to wait for if all were started here.

        Raises
        ------
        BackendError
            If none comes in time.
        """
        deadline = time.monotonic() + JOIN_S
        wanted = {job.backend for job in self._waiting} | {batch.jobs[0].backend for batch in self._again}
        while not self._roster.is_ready(wanted):
            have_answered = self._roster.workers and self._roster.is_settled(wanted)
            if time.monotonic() > deadline or (have_answered and not self._cluster.is_open):
                problems = [self._roster.readiness(backend).problem for backend in sorted(wanted)]
                raise BackendError("; ".join(filter(None, problems)))
            time.sleep(_REFRESH_S)
            self._refresh()
