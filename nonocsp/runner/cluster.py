"""Connections to clusters of `dask.distributed`, which may be many machines. Needs the extra ``cluster``."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nonocsp.extras import require
from nonocsp.model import UsageError

if TYPE_CHECKING:
    from distributed import Client

AHEAD = 2
"""Tasks for each thread of a cluster that are with it at a time: one runs, the next is there."""
JOIN_S = 30.0
"""How long to wait for a first worker."""
_COUNT_S = 1.0


@dataclass(slots=True)
class Cluster:
    """A cluster that has workers, and who talks to it."""

    client: Client
    address: str
    _capacity: int = 0
    _counted: float = float("-inf")

    def capacity(self) -> int:
        """Return how many tasks keep the workers busy, at least 1; they come and go."""
        if time.monotonic() - self._counted > _COUNT_S:
            self._capacity = max(1, AHEAD * sum(self.client.nthreads().values()))
            self._counted = time.monotonic()
        return self._capacity


@contextmanager
def connected(address: str | None, workers: int) -> Iterator[Cluster]:
    """Connect to a cluster, or start one that lasts as long.

    Parameters
    ----------
    address
        Of its scheduler, such as ``tcp://node1:8786``; None to start workers on this machine.
    workers
        How many, then, each for one task at a time.

    Raises
    ------
    UsageError
        If `distributed` is not installed, or there is no cluster with workers at the address.
    """
    require("cluster")
    from distributed import Client

    with ExitStack() as stack:
        address = address or _started(workers, stack)
        try:
            client = stack.enter_context(Client(address, set_as_default=False, timeout=JOIN_S))
            client.wait_for_workers(1, timeout=JOIN_S)
        except (OSError, ValueError) as error:
            start = f"dask scheduler; then: dask worker {address} --nthreads 1"
            raise UsageError(f"no cluster with workers at {address} ({error}); start: {start}") from None
        yield Cluster(client, address)


def _started(workers: int, stack: ExitStack) -> str:
    """Start workers on this machine; return the address of their scheduler."""
    from distributed import LocalCluster

    cluster = LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        memory_limit=None,
        dashboard_address=":0",
        silence_logs="CRITICAL",
    )
    return str(stack.enter_context(cluster).scheduler_address)
