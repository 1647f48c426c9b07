"""Measure with executors ``fork`` and ``warm``: in processes of this machine, under enforced limits.

Each slot has a server process, which has the backends loaded and forks the runs (`nonocsp.runner.server`). A
slot runs one job at a time, and `nonocsp.runner.attempt` enforces its limits while the caller iterates. A
server that died, or had to be killed, is replaced.

``fork`` starts a process for each run: no run sees what another has left, for some 10 ms a run. ``warm``
keeps a process for many runs, so that a solve of 1 ms costs little more than that; what a backend leaves
behind (caches, freed memory) is there for the next run, and one that crashes or is killed costs a new
process.
"""

from __future__ import annotations

import selectors
import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import ClassVar, Self

from nonocsp.model import UsageError
from nonocsp.runner.attempt import Attempt
from nonocsp.runner.guard import Guard
from nonocsp.runner.jobs import Job, Measurement, Readiness, encode_job
from nonocsp.runner.limits import cut_off_if_late
from nonocsp.runner.machine.bystanders import PINNED_SLACK, SLACK, Bystanders, own_cpu_s
from nonocsp.runner.machine.cores import physical_cores, siblings, usable_threads
from nonocsp.runner.machine.locks import reserve
from nonocsp.runner.provenance import provenance
from nonocsp.runner.slot import ServerSlot, Slot


class LocalExecutor:
    """Measures up to `jobs` jobs at a time.

    Parameters
    ----------
    jobs
        At least 1. If they need more cores than there are, measurements are marked as not reliable.
    pin
        Whether each run is confined to cores of its own, which are locked until the executor is left.
    cores
        How many cores each run may use.
    """

    name: ClassVar[str]
    is_lasting: ClassVar[bool] = False
    """Whether one process runs many jobs."""

    def __init__(self, jobs: int = 1, *, pin: bool = False, cores: int = 1) -> None:
        if jobs < 1:
            raise UsageError(f"{jobs} jobs; there must be at least one")
        self._reservation = reserve(jobs, cores) if pin else None
        self._free: list[tuple[int, ...] | None] = [None] * jobs
        self._has_cores = jobs * cores <= physical_cores()
        if self._reservation:
            self._free = [*self._reservation.slots]
            self._has_cores = not self._reservation.problem
        self._idle: list[Slot] = []
        self._attempts: list[_Watched] = []
        self._selector = selectors.DefaultSelector()
        self._guard = Guard()
        self._bystanders = Bystanders()
        if not pin:
            spare = physical_cores() - jobs * cores + SLACK
            self._bystanders.watch(None, usable_threads(), spare, self._own_cpu_s)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._abandon()
        while self._idle:
            self._discard(self._idle.pop())
        self._selector.close()
        self._guard.close()
        if self._reservation:
            self._reservation.release()

    def readiness(self, backends: Collection[str]) -> dict[str, Readiness]:
        """Return what will measure each backend: the packages of this process."""
        return {backend: Readiness((provenance(backend),)) for backend in backends}

    def run(self, jobs: Iterable[Job | None]) -> Iterator[tuple[Job, Measurement]]:
        """Measure jobs and yield each as it ends; read `jobs` only as fast as they run.

        None in place of a job means that there is none for now: the next is asked for when one has ended.
        """
        queue = _Queue(jobs)
        self._fill(queue)
        try:
            while self._attempts:
                yield from self._ended(queue)
        finally:
            self._abandon()  # the caller wants no more

    def _ended(self, queue: _Queue) -> Iterator[tuple[Job, Measurement]]:
        """Wait for something to happen; yield the jobs that ended and start others in their place."""
        next_look = min(watched.attempt.next_look for watched in self._attempts)
        self._selector.select(max(0.0, next_look - time.perf_counter()))
        disturbed = self._bystanders.look()
        for watched in [*self._attempts]:
            attempt = watched.attempt
            watched.is_disturbed |= attempt.slot.cores in disturbed
            if (result := attempt.look()) is None:
                continue
            self._attempts.remove(watched)
            if attempt.slot.is_alive:
                self._idle.append(attempt.slot)
            else:
                self._discard(attempt.slot)
            self._fill(queue)  # before the caller deals with this one: the slot need not wait
            yield (
                attempt.job,
                Measurement(
                    outcome=cut_off_if_late(result.outcome, attempt.job.request.limits),
                    peak_rss_bytes=result.peak_rss_bytes,
                    executor=self.name,
                    reliable=self._has_cores and not watched.is_disturbed,
                    conditions=attempt.conditions,
                    claimed_wall_s=result.outcome.wall_s,
                    claimed_cpu_s=result.outcome.cpu_s,
                    provenance=provenance(attempt.job.backend),
                ),
            )

    def _fill(self, queue: _Queue) -> None:
        """Start jobs until all slots are busy or none is left."""
        while (self._idle or self._free) and (prepared := queue.pop()) is not None:
            job, line = prepared
            while self._idle and not self._idle[-1].is_alive:
                self._discard(self._idle.pop())
            if self._idle:
                slot = self._idle.pop()
            else:
                slot = self._new_slot(self._free.pop())
                self._selector.register(slot, selectors.EVENT_READ)
                if slot.cores is not None:
                    threads = siblings(slot.cores)
                    self._bystanders.watch(slot.cores, threads, PINNED_SLACK, slot.total_cpu_s)
            slot.send(line)
            self._attempts.append(_Watched(Attempt(job, slot), slot.cores in self._bystanders.disturbed))
        queue.prepare()

    def _new_slot(self, cores: tuple[int, ...] | None) -> Slot:
        """Return a slot whose runs are confined to some cores, or may use any."""
        return ServerSlot(self._guard, cores=cores, is_lasting=self.is_lasting)

    def _abandon(self) -> None:
        while self._attempts:
            self._discard(self._attempts.pop().attempt.slot)

    def _discard(self, slot: Slot) -> None:
        self._selector.unregister(slot)
        slot.kill()
        slot.close()
        self._free.append(slot.cores)

    def _own_cpu_s(self) -> float:
        """Return the CPU seconds of this process and of all that it started."""
        slots = [*self._idle, *(watched.attempt.slot for watched in self._attempts)]
        return own_cpu_s() + sum(slot.cpu_s() for slot in slots)


class ForkExecutor(LocalExecutor):
    """Measures each job in a process of its own."""

    name: ClassVar[str] = "fork"


class WarmExecutor(LocalExecutor):
    """Measures jobs in processes that run many of them, one after the other."""

    name: ClassVar[str] = "warm"
    is_lasting: ClassVar[bool] = True


@dataclass(slots=True, eq=False)
class _Watched:
    """An attempt, and whether others disturbed it."""

    attempt: Attempt
    is_disturbed: bool


class _Queue:
    """The jobs to come; the next is encoded ahead, so that a free slot need not wait for that."""

    def __init__(self, jobs: Iterable[Job | None]) -> None:
        self._jobs = iter(jobs)
        self._next: tuple[Job, bytes] | None = None

    def prepare(self) -> None:
        """Have the next job ready."""
        if self._next is None and (job := next(self._jobs, None)) is not None:
            self._next = job, encode_job(job)

    def pop(self) -> tuple[Job, bytes] | None:
        """Return the next job and its line, or None if there is none."""
        self.prepare()
        taken, self._next = self._next, None
        return taken
