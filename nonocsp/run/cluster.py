"""Connect to a `dask.distributed` cluster, or start one on this machine; for campaigns and for the census.

Whoever controls the scheduler runs code here and on the workers: dask unpickles what it receives. With an
address ``tls://…``, dask takes certificates from its own configuration (``DASK_DISTRIBUTED__COMM__TLS__…``).
"""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from nonocsp.extras import require
from nonocsp.model import UsageError

if TYPE_CHECKING:
    from distributed import Client

AHEAD = 2
"""Tasks for each thread of a cluster that are with it at a time: one runs, the next is there."""
JOIN_S = 30.0
"""How long to wait for a first worker."""
_QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.scheduler.work-stealing": False,
}
"""Switches off timers of dask, which took half of the CPU time of workers with trivial runs."""
_TALKATIVE = ("distributed.client", "distributed.core", "distributed.comm")
"""Loggers of dask that print tracebacks when a cluster ends; errors say it in a line."""


@contextmanager
def connected(address: str | None, jobs: int) -> Iterator[Client]:
    """Connect to the cluster at an address, or to `jobs` workers that start and end here."""
    require("cluster")
    from distributed import Client

    with ExitStack() as stack:
        for logger in map(logging.getLogger, _TALKATIVE):
            stack.callback(logger.setLevel, logger.level)
            logger.setLevel(logging.CRITICAL)
        where = address or stack.enter_context(_started_here(jobs))
        try:
            client = stack.enter_context(Client(where, set_as_default=False, timeout=JOIN_S))
            client.wait_for_workers(1, timeout=JOIN_S)
        except (OSError, TypeError, ValueError, MemoryError) as error:
            # TypeError: TLS without a certificate; MemoryError: another server's greeting, taken for a length
            start = f"dask scheduler; then: dask worker {where} --nthreads 1"
            raise UsageError(f"no cluster with workers at {where} ({error}); start: {start}") from None
        yield client


@contextmanager
def _started_here(jobs: int) -> Iterator[str]:
    """Start workers that import nothing from the current folder and ignore Ctrl-C; provide the address."""
    import dask.config
    from distributed import LocalCluster

    before = os.environ.get("PYTHONSAFEPATH", "")
    os.environ["PYTHONSAFEPATH"] = "1"
    masked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with dask.config.set(_QUIET):
            started = LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,
                env={"PYTHONSAFEPATH": before},  # for what the workers start in turn
                memory_limit=None,
                dashboard_address="127.0.0.1:0",
                scheduler_kwargs={"dashboard": False},
                silence_logs="CRITICAL",
                preload="nonocsp.run.cluster_worker",  # its `dask_setup` ignores Ctrl-C
            )
            signal.pthread_sigmask(signal.SIG_SETMASK, masked)
            with started:
                yield str(started.scheduler_address)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, masked)
        os.environ["PYTHONSAFEPATH"] = before
