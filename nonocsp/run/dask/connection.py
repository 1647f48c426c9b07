"""Connect to a cluster, or start one on this machine; for campaigns and for the census.

Whoever controls the scheduler runs code here and on the workers: dask unpickles what it receives. With an
address ``tls://…``, dask takes certificates from its own configuration (``DASK_DISTRIBUTED__COMM__TLS__…``).
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import os
import signal
import time
from collections.abc import Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from nonocsp.extras import require
from nonocsp.model import UsageError

if TYPE_CHECKING:
    from distributed import Client

Result = TypeVar("Result")

AHEAD = 2
"""Tasks for each thread of a cluster that are with it at a time: one runs, the next is there."""
JOIN_S = 30.0
"""How long to wait for a first worker."""
_COUNT_S = 1.0
_SAFE_PATH = "PYTHONSAFEPATH"
_PRELOAD = "nonocsp.run.dask.worker"
"""Its `dask_setup` has workers that are started here leave Ctrl-C to this process."""
_TALKATIVE = ("distributed.client", "distributed.core", "distributed.comm")
"""Loggers of dask that print tracebacks when a cluster ends; errors say it in a line."""
_QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.scheduler.work-stealing": False,
    "distributed.scheduler.active-memory-manager.start": False,
}
"""Switches off what dask does up to a hundred times a second in each process. It took half of the CPU time of
workers with trivial runs."""


@dataclass(slots=True)
class Cluster:
    """A cluster that has workers, and the client that talks to it.

    Parameters
    ----------
    is_open
        Whether workers may join that were not started here.
    """

    client: Client
    address: str
    is_open: bool
    _capacity: int = 0
    _counted: float = float("-inf")

    def capacity(self) -> int:
        """Return how many tasks keep the workers busy, at least 1; workers come and go."""
        if time.monotonic() - self._counted > _COUNT_S:
            self._capacity = max(1, AHEAD * sum(self.client.nthreads().values()))
            self._counted = time.monotonic()
        return self._capacity

    def start(self, work: Coroutine[Any, Any, Result]) -> concurrent.futures.Future[Result]:
        """Run a coroutine in the event loop of the client."""
        loop: Any = self.client.loop
        return asyncio.run_coroutine_threadsafe(work, loop.asyncio_loop)


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
    import dask.config
    from distributed import Client, LocalCluster

    is_open = address is not None
    with ExitStack() as stack:
        stack.enter_context(_silence())
        if address is None:
            before = stack.enter_context(_safe_path())
            stack.enter_context(dask.config.set(_QUIET))
            with _interrupts_later():
                started = LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    processes=True,
                    env={_SAFE_PATH: before},
                    memory_limit=None,
                    dashboard_address="127.0.0.1:0",
                    scheduler_kwargs={"dashboard": False},
                    silence_logs="CRITICAL",
                    preload=_PRELOAD,
                )
            address = str(stack.enter_context(started).scheduler_address)
        try:
            client = stack.enter_context(Client(address, set_as_default=False, timeout=JOIN_S))
            client.wait_for_workers(1, timeout=JOIN_S)
        except (OSError, TypeError, ValueError, MemoryError) as error:
            # TypeError: TLS without a certificate; MemoryError: another server's greeting, taken for a length
            start = f"dask scheduler; then: dask worker {address} --nthreads 1"
            raise UsageError(f"no cluster with workers at {address} ({error}); start: {start}") from None
        yield Cluster(client, address, is_open)


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


@contextmanager
def _silence() -> Iterator[None]:
    """Have dask's client log no errors: what matters is raised."""
    loggers = [logging.getLogger(name) for name in _TALKATIVE]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


@contextmanager
def _interrupts_later() -> Iterator[None]:
    """Block Ctrl-C for processes that start in this context; this one takes it when the context ends."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
