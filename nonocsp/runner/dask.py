"""Measure with executor ``dask``: runs on a `dask.distributed` cluster, which may be many machines.

It needs the extra ``cluster``. Every task is one run, measured by executor ``fork`` on its worker. If a
worker is lost, its task goes to another. Jobs go out and measurements come back as JSON; a worker needs the
same nonocsp installed. The figures are those of ``fork``; sending costs some milliseconds, outside the
measured time.
"""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from types import TracebackType
from typing import TYPE_CHECKING, ClassVar, Self

from nonocsp.backends.base import Answer, Outcome, Termination
from nonocsp.extras import require
from nonocsp.model import BackendError, UsageError
from nonocsp.runner.jobs import (
    Job,
    Measurement,
    decode_job,
    decode_measurement,
    encode_job,
    encode_measurement,
)
from nonocsp.runner.local import ForkExecutor
from nonocsp.runner.machine.conditions import conditions

if TYPE_CHECKING:
    from distributed import Client, Future

AHEAD = 2
"""Tasks for each thread of a cluster that are with it at a time: one runs, the next is there."""
JOIN_S = 30.0
"""How long to wait for a first worker."""
_COUNT_S = 1.0
_SAFE_PATH = "PYTHONSAFEPATH"
_mine = threading.local()


@dataclass(slots=True)
class Cluster:
    """A cluster that has workers, and the client that talks to it."""

    client: Client
    address: str
    _capacity: int = 0
    _counted: float = float("-inf")

    def capacity(self) -> int:
        """Return how many tasks keep the workers busy, at least 1; workers come and go."""
        if time.monotonic() - self._counted > _COUNT_S:
            self._capacity = max(1, AHEAD * sum(self.client.nthreads().values()))
            self._counted = time.monotonic()
        return self._capacity


@contextmanager
def connected(address: str | None, workers: int) -> Iterator[Cluster]:
    """Connect to a cluster, or start one that ends with the context.

    Parameters
    ----------
    address
        Of its scheduler, such as ``tcp://node1:8786``; None to start workers on this machine.
    workers
        How many workers to start here, each for one task at a time.

    Raises
    ------
    UsageError
        If `distributed` is not installed, or there is no cluster with workers at the address.
    """
    require("cluster")
    from distributed import Client, LocalCluster

    with ExitStack() as stack:
        if address is None:
            before = stack.enter_context(_safe_path())
            started = LocalCluster(
                env={_SAFE_PATH: before},
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                memory_limit=None,
                dashboard_address=":0",
                silence_logs="CRITICAL",
            )
            address = str(stack.enter_context(started).scheduler_address)
        try:
            client = stack.enter_context(Client(address, set_as_default=False, timeout=JOIN_S))
            client.wait_for_workers(1, timeout=JOIN_S)
        except (OSError, ValueError) as error:
            start = f"dask scheduler; then: dask worker {address} --nthreads 1"
            raise UsageError(f"no cluster with workers at {address} ({error}); start: {start}") from None
        yield Cluster(client, address)


@contextmanager
def _safe_path() -> Iterator[str]:
    """Have Python processes that others start in this context leave the current folder off their path.

    Yields
    ------
    str
        What the environment variable was before, for what those processes start in turn.
    """
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield before or ""
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before


def measure(line: bytes) -> bytes:
    """Run a job on a worker with executor ``fork``; take and return JSON.

    Each thread of a worker keeps its executor, so that its server is loaded once. When the worker ends,
    guards end the servers.
    """
    if not hasattr(_mine, "executor"):
        _mine.executor = ForkExecutor()
    executor: ForkExecutor = _mine.executor
    ((job, measurement),) = executor.run([decode_job(line)])
    return encode_measurement(measurement, job.puzzle)


class DaskExecutor:
    """Measures jobs on a cluster.

    Parameters
    ----------
    jobs
        Workers to start on this machine, each for one run at a time; without meaning if there is an address.
    address
        Of a cluster's scheduler, such as ``tcp://node1:8786``; None to start workers on this machine.

    Raises
    ------
    UsageError
        If `distributed` is not installed, or there is no cluster with workers at the address.
    """

    name: ClassVar[str] = "dask"

    def __init__(
        self,
        jobs: int = 1,
        *,
        pin: bool = False,
        cores: int = 1,  # noqa: ARG002  (the workers' machines count)
        address: str | None = None,
    ) -> None:
        if jobs < 1:
            raise UsageError(f"{jobs} jobs; there must be at least one")
        if pin:
            raise UsageError("executor dask does not pin; start its workers with taskset instead")
        self._stack = ExitStack()
        self._cluster = self._stack.enter_context(connected(address, jobs))
        self._client = self._cluster.client

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stack.close()

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Measurement]]:
        """Measure jobs and yield each as it ends; take only as many as keep the workers busy."""
        from distributed import as_completed

        waiting, done = iter(jobs), as_completed(loop=self._client.loop)
        queue: dict[Future[bytes], Job] = {}
        try:
            while True:
                for job in islice(waiting, max(0, self._cluster.capacity() - len(queue))):
                    key = f"nonocsp-{uuid.uuid4().hex}"
                    future = self._client.submit(measure, encode_job(job), key=key, pure=False)
                    queue[future] = job
                    done.add(future)
                if not queue:
                    return
                future = next(done)
                job = queue.pop(future)
                yield job, self._measurement(future, job)
        finally:
            self._client.cancel([*queue])

    def _measurement(self, future: Future[bytes], job: Job) -> Measurement:
        """Return the measurement of a task that has ended.

        Raises
        ------
        BackendError
            If the cluster is gone, or its workers fail.
        """
        from distributed import KilledWorker

        if future.status == "finished":
            return decode_measurement(future.result(), job.puzzle.palette, self.name)
        if future.status == "cancelled":
            raise BackendError(f"the cluster at {self._cluster.address} is gone; the runs so far are kept")
        error = future.exception()
        if isinstance(error, KilledWorker):
            message = "given up: all workers that tried this run were lost"
            outcome = Outcome(Answer.UNKNOWN, Termination.KILLED, message=message)
            return Measurement(outcome, None, self.name, reliable=False, conditions=conditions(None))
        raise BackendError(f"a worker of {self._cluster.address} failed; does it have this nonocsp? {error}")
