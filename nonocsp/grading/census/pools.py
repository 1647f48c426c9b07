"""Pools count the shards of a census: in threads of this process, or on a dask cluster.

Both are executors of `concurrent.futures`, driven by the same few lines. Threads are enough here, because the
core counts without the interpreter's lock; if the process is killed they are gone, and the ledger stays. On a
cluster the scheduler and the workers need the same version of nonocsp.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from nonocsp.engine import StopFlag
from nonocsp.model import NonocspError, UsageError
from nonocsp.run.cluster import AHEAD, connected

Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class CensusPool:
    """An executor with the number of tasks that keeps it busy."""

    executor: Executor  # runs the tasks
    capacity: Callable[[], int]  # returns the number of tasks to submit at a time
    stop: StopFlag | None = None  # flag that ends a running task; None if the executor has none

    def run(
        self, work: Callable[[Task, StopFlag | None], Result], tasks: Iterable[Task]
    ) -> Generator[tuple[Task, Result], None, None]:
        """Yield tasks with their results as they end."""
        waiting = iter(tasks)
        running: dict[Future[Result], Task] = {}
        try:
            while True:
                for task in islice(waiting, max(0, self.capacity() - len(running))):
                    running[self.executor.submit(work, task, self.stop)] = task
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(future), future.result()
        finally:
            for future in running:
                future.cancel()


@contextmanager
def threads(jobs: int) -> Iterator[CensusPool]:
    """Provide a pool of `jobs` threads; leaving it ends their work, done or not."""
    stop = StopFlag()
    with ThreadPoolExecutor(jobs) as executor:
        try:
            yield CensusPool(executor, lambda: jobs, stop)
        finally:
            stop.set()


@contextmanager
def cluster(address: str | None, workers: int) -> Iterator[CensusPool]:
    """Provide a dask cluster as a pool."""
    with connected(address, workers) as client:
        from distributed import KilledWorker

        def capacity() -> int:
            threads: dict[str, int] = client.nthreads()
            return max(1, AHEAD * sum(threads.values()))

        _check_versions(client)
        where = client.scheduler_info()["address"]
        try:
            yield CensusPool(client.get_executor(pure=False), capacity)
        except KilledWorker as error:
            raise NonocspError(f"workers of the cluster at {where} keep dying: {error}") from None
        except CancelledError:
            raise NonocspError(f"the cluster at {where} is gone; what was counted is kept") from None


def _check_versions(client: Any) -> None:
    """Raise UsageError unless the scheduler and every worker have this version of nonocsp."""

    def installed() -> str:  # local, so that its code is sent and not its name
        from importlib import metadata

        try:
            return f"nonocsp {metadata.version('nonocsp')}"
        except metadata.PackageNotFoundError:
            return "no nonocsp"

    for address, found in [("scheduler", client.run_on_scheduler(installed)), *client.run(installed).items()]:
        if found != installed():
            raise UsageError(f"the cluster's {address} has {found}; install {installed()} there")
