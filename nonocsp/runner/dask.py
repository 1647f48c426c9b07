"""Executor ``dask``: runs on the workers of a `dask.distributed` cluster, which may be many machines.

Every task is one run, measured by executor ``fork`` on its worker. A task whose worker is lost goes to
another. Jobs go out and measurements come back as JSON; a worker needs the same nonocsp installed. What is
measured is what ``fork`` measures; sending it costs some milliseconds, outside the clock.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from types import TracebackType
from typing import TYPE_CHECKING, ClassVar, Self

from nonocsp.backends.base import Answer, Outcome, Termination
from nonocsp.model import BackendError, UsageError
from nonocsp.runner.cluster import connected
from nonocsp.runner.conditions import conditions
from nonocsp.runner.jobs import Job, Measurement
from nonocsp.runner.remote import measure
from nonocsp.runner.wire import decode_measurement, encode_job

if TYPE_CHECKING:
    from distributed import Future


class DaskExecutor:
    """Measures jobs on a cluster.

    Parameters
    ----------
    jobs
        Workers to start on this machine, each for one run at a time. A cluster that is there already has as
        many as it has.
    address
        Of a cluster's scheduler, such as ``tcp://node1:8786``; without it workers are started here.

    Raises
    ------
    UsageError
        If `distributed` is not installed, or there is no cluster with workers at the address.
    """

    name: ClassVar[str] = "dask"

    def __init__(self, jobs: int = 1, *, pin: bool = False, address: str | None = None) -> None:
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
        """Measure jobs and yield each as it ends; only so many are taken as keep the workers busy."""
        from distributed import as_completed

        waiting, done = iter(jobs), as_completed(loop=self._client.loop)
        queue: dict[Future[bytes], Job] = {}
        try:
            while True:
                for job in self._more(waiting, len(queue)):
                    future = self._submit(job)
                    queue[future] = job
                    done.add(future)
                if not queue:
                    return
                future = next(done)
                job = queue.pop(future)
                yield job, self._measurement(future, job)
        finally:
            self._client.cancel([*queue])

    def _more(self, jobs: Iterator[Job], sent: int) -> Iterator[Job]:
        """Yield jobs until the cluster has enough of them."""
        yield from islice(jobs, max(0, self._cluster.capacity() - sent))

    def _submit(self, job: Job) -> Future[bytes]:
        return self._client.submit(measure, encode_job(job), key=f"nonocsp-{uuid.uuid4().hex}", pure=False)

    def _measurement(self, future: Future[bytes], job: Job) -> Measurement:
        """Return what came of a task.

        Raises
        ------
        BackendError
            If the cluster is gone, or its workers cannot do this.
        """
        from distributed import KilledWorker

        if future.status == "finished":
            return decode_measurement(future.result(), job.puzzle.palette, self.name)
        if future.status == "cancelled":
            raise BackendError(f"the cluster at {self._cluster.address} is gone; what was measured is kept")
        error = future.exception()
        if isinstance(error, KilledWorker):
            message = "given up: every worker that had this run was lost"
            outcome = Outcome(Answer.UNKNOWN, Termination.KILLED, message=message)
            return Measurement(outcome, None, self.name, reliable=False, conditions=conditions(None))
        raise BackendError(f"a worker of {self._cluster.address} failed; is the same nonocsp there? {error}")
