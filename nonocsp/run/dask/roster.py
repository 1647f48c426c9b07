"""Know the workers of a cluster: which there are, what each offers, and which cannot be reached.

A worker measures nothing before it has said which nonocsp, Python and backends it has. Each is asked by
itself, in the event loop of dask's client: one that does not answer holds up no other, and is asked again
later. So is a worker that falls silent, but not one that answers and cannot measure.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import time
import uuid
import warnings
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from nonocsp.model import BackendError, WorkerWarning
from nonocsp.run.dask import worker as on_worker
from nonocsp.run.dask.batches import Batch
from nonocsp.run.dask.connection import AHEAD, Cluster
from nonocsp.run.dask.worker import Kind
from nonocsp.run.jobs import Readiness
from nonocsp.run.provenance import Offer, offer

if TYPE_CHECKING:
    from distributed import Future

ANSWER_S = 120.0
"""How long a worker may take to say what it offers; it tries plug-ins and asks programs their version."""
GRACE_S = 10.0
"""How long to wait for the answers of others before runs start, once each backend has a worker."""
SILENT_S = 60.0
"""How long a worker may send no heartbeat before its runs go to others."""
_AGAIN_S = 10.0
"""How long to leave a worker alone that could not be reached."""
_LOOK_S = 5.0
"""How often to look at the heartbeats."""
_ASKED = 50
"""How many workers to ask at a time; each takes a connection to the scheduler."""
_LISTED = 4
"""How many workers to name that cannot run a backend."""
_NEVER = float("inf")


@dataclass(slots=True, eq=False)
class Worker:
    """A worker of the cluster, what it offers, and the batches that are with it.

    Parameters
    ----------
    ready
        The backends that it may measure.
    asked
        Its answer to come, if it was asked what it offers.
    ask_at, awaited_since
        When to ask it next, and since when its answer is awaited.
    is_left_out
        Whether it could not be reached when it was last tried.
    heartbeat, heard
        Its last heartbeat, by the scheduler's clock, and when that was seen here first.
    """

    address: str
    threads: int
    offers: dict[str, Offer] = field(default_factory=dict)
    ready: set[str] = field(default_factory=set)
    batches: dict[Future[bytes], Batch] = field(default_factory=dict)
    asked: concurrent.futures.Future[dict[str, Offer]] | None = None
    ask_at: float = 0.0
    awaited_since: float = field(default_factory=time.monotonic)
    is_left_out: bool = False
    heartbeat: float = 0.0
    heard: float = field(default_factory=time.monotonic)

    def is_hungry(self, target_s: float) -> bool:
        """Return whether it should have another batch; in advance too, unless they are long."""
        held = [*self.batches.values()]
        if any(batch.losses for batch in held):
            return False
        is_quick = all(batch.expected_s <= 2 * target_s for batch in held)
        return len(held) < (AHEAD * self.threads if is_quick else self.threads)


class Roster:
    """The workers of a cluster.

    Parameters
    ----------
    cluster
        Where they are.
    kind
        What measures on them.

    Attributes
    ----------
    backends
        What this process offers: a worker may measure a backend if it offers the same.
    workers
        By address.
    """

    def __init__(self, cluster: Cluster, kind: Kind) -> None:
        self.backends: dict[str, Offer] = {}
        self.workers: dict[str, Worker] = {}
        self._cluster, self._client, self._kind = cluster, cluster.client, kind
        self._session = uuid.uuid4().hex
        self._looked = time.monotonic()

    def want(self, backends: Collection[str]) -> None:
        """Have all workers asked for backends, if they were not asked for them before."""
        if new := [backend for backend in backends if backend not in self.backends]:
            self.backends |= {backend: offer(backend) for backend in new}
            for worker in self.workers.values():
                worker.ask_at, worker.awaited_since = 0.0, time.monotonic()

    def is_settled(self, backends: Collection[str]) -> bool:
        """Return whether every worker has said what it offers, or cannot be reached, or takes too long."""
        all_ready = all(self.is_ready([backend]) for backend in backends)
        since = time.monotonic() - (GRACE_S if all_ready else ANSWER_S)
        return all(
            worker.is_left_out or worker.ask_at == _NEVER or worker.awaited_since < since
            for worker in self.workers.values()
        )

    def is_ready(self, backends: Collection[str]) -> bool:
        """Return whether some worker may measure one of some backends."""
        return any(not worker.ready.isdisjoint(backends) for worker in self.workers.values())

    def readiness(self, backend: str) -> Readiness:
        """Return what would measure a backend, or why no worker can."""
        workers = [*self.workers.values()]
        found = [worker.offers[backend].provenance for worker in workers if backend in worker.ready]
        if found:
            return Readiness(tuple(provenance for provenance in found if provenance))
        own, unknown = self.backends[backend], Offer(None, "", "", "has not answered yet")
        reasons = [
            f"{worker.address}: {own.difference(worker.offers.get(backend, unknown))}" for worker in workers
        ]
        shown = "; ".join(reasons[:_LISTED]) or "there is no worker"
        more = f"; and {len(reasons) - _LISTED} more" if len(reasons) > _LISTED else ""
        problem = f"no worker of {self._cluster.address} can run {backend} as this machine does"
        return Readiness((), f"{problem} ({shown}{more}); workers need the packages of this machine")

    def refresh(self) -> list[Worker]:
        """Take note of workers that came, left, answered or fell silent; return those whose batches are lost.

        Raises
        ------
        BackendError
            If the scheduler does not answer.
        """
        found = self._ask(self._client.nthreads)
        lost = [self.workers.pop(address) for address in [*self.workers.keys() - found.keys()]]
        for address, threads in found.items():
            self.workers.setdefault(address, Worker(address, 1)).threads = max(1, threads)
        if time.monotonic() - self._looked > _LOOK_S:
            lost += self._fallen_silent()
        for worker in self.workers.values():
            if worker.asked and worker.asked.done():
                self._take_answer(worker, worker.asked)
        self._ask_workers()
        return lost

    def ask_again(self, worker: Worker) -> None:
        """Give a worker nothing until it has said again what it offers."""
        worker.ready.clear()
        worker.ask_at = 0.0

    def exclude(self, worker: Worker, backends: Collection[str], problem: str) -> None:
        """Give a worker no more runs of some backends, and warn.

        Parameters
        ----------
        worker
            Which one.
        backends
            Specs.
        problem
            What is wrong with it: a verb and what follows.
        """
        worker.offers |= {name: Offer(None, "", "", problem) for name in backends}
        worker.ready.difference_update(backends)
        who = f"worker {worker.address} of {self._cluster.address}"
        warnings.warn(f"{who} {problem}; others get its runs", WorkerWarning, stacklevel=2)

    def _leave_out(self, worker: Worker, problem: str) -> None:
        """Give a worker that cannot be reached nothing until it answers."""
        if not worker.is_left_out:
            self.exclude(worker, self.backends, problem)
        worker.is_left_out, worker.ask_at = True, time.monotonic() + _AGAIN_S

    def _fallen_silent(self) -> list[Worker]:
        """Look at the heartbeats; leave out the workers without one for `SILENT_S`, and return them."""
        known = self._ask(partial(self._client.scheduler_info, n_workers=-1))["workers"]
        now = self._looked = time.monotonic()
        for worker in self.workers.values():
            heartbeat = known.get(worker.address, {}).get("last_seen", worker.heartbeat)
            if heartbeat != worker.heartbeat:
                worker.heartbeat, worker.heard = heartbeat, now
        silent = [
            worker
            for worker in self.workers.values()
            if now - worker.heard > SILENT_S and not worker.is_left_out
        ]
        for worker in silent:
            self._leave_out(worker, f"has sent no heartbeat for {SILENT_S:g} s")
        return silent

    def _ask_workers(self) -> None:
        """Ask workers that have not said what they offer, `_ASKED` at a time."""
        if not self.backends:
            return
        now, workers = time.monotonic(), self.workers.values()
        due = (worker for worker in workers if not worker.asked and worker.ask_at <= now)
        free = _ASKED - sum(worker.asked is not None for worker in workers)
        for worker in islice(due, free):
            worker.asked = self._cluster.start(self._offers_of(worker.address, [*self.backends]))

    async def _offers_of(self, address: str, backends: list[str]) -> dict[str, Offer]:
        question = self._client.run(on_worker.offers, backends, self._kind, self._session, workers=[address])
        replies = await asyncio.wait_for(question, ANSWER_S)
        return dict(zip(backends, on_worker.decode_offers(replies[address]), strict=True))

    def _take_answer(self, worker: Worker, asked: concurrent.futures.Future[dict[str, Offer]]) -> None:
        """Take note of what a worker says that it offers."""
        worker.asked = None
        try:
            worker.offers = asked.result()
        except OSError as error:
            self._leave_out(worker, f"cannot be reached ({error or type(error).__name__})")
            return
        except Exception as error:
            answer = f"no answer ({type(error).__name__}: {error})"
            worker.offers = {name: Offer(None, "", "", answer) for name in self.backends}
        worker.is_left_out = False
        worker.ask_at = _NEVER if worker.offers.keys() == self.backends.keys() else 0.0
        worker.ready = {
            name for name, there in worker.offers.items() if not self.backends[name].difference(there)
        }

    def _ask(self, question: Callable[[], Any]) -> Any:
        """Ask the scheduler something."""
        try:
            if self._client.status != "running":  # or dask would try to connect again for half a minute
                raise ConnectionError("connection lost")
            return question()
        except (OSError, TimeoutError) as error:  # CommClosedError is an OSError
            gone = f"the cluster at {self._cluster.address} is gone ({error}); the runs so far are kept"
            raise BackendError(gone) from None
