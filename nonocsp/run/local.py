"""Measure with executors ``fork`` and ``warm``: in processes of this machine, under enforced limits.

Each slot has a server process, which measures one run at a time (`nonocsp.run.worker.server`). What comes
back is checked here, where no backend ever ran. A server that died, or had to be killed, is replaced, and the
job at hand gets a second try.

``fork`` starts a process for each run, for some 10 ms. ``warm`` keeps a process for many runs of a backend,
so that a solve of 1 ms costs little more than that; what a backend leaves behind (caches, freed memory) is
there for its next run, and one that crashes or is killed costs a new process. A forked run finds only what
its backend means to keep: memory that it shares with the process that forks its runs, or threads there.

Rows say which code ran. It is read when an executor starts, and before a server takes the place of another.
A server that has loaded other code of a backend is replaced.
"""

from __future__ import annotations

import selectors
import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType
from typing import ClassVar, Self

from nonocsp.backends.base import Answer, Outcome, Termination
from nonocsp.model import BackendError, UsageError
from nonocsp.processes.guard import Guard
from nonocsp.run.jobs import Job, Measurement, Readiness, encode_job
from nonocsp.run.limits import cut_off_if_late
from nonocsp.run.machine.bystanders import (
    PINNED_SLACK,
    SLACK,
    Bystanders,
    has_escaped,
    is_delayed,
    own_cpu_s,
)
from nonocsp.run.machine.conditions import conditions
from nonocsp.run.machine.cores import physical_cores, siblings, usable_threads
from nonocsp.run.machine.locks import reserve
from nonocsp.run.process import Verdict, killed_or_crashed
from nonocsp.run.provenance import Provenance, forget_code, provenance
from nonocsp.run.slot import NotStarted, Slot, SlotResult
from nonocsp.run.worker.reply import Reply
from nonocsp.run.worker.server import FORK, WARM
from nonocsp.run.worker.usage import tree_cpu_s

SILENCE_S = 30.0
"""How long a server may say nothing while it has a job; it says something every second."""


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
    mode: ClassVar[str]
    """That of the servers."""

    def __init__(self, jobs: int = 1, *, pin: bool = False, cores: int = 1) -> None:
        if jobs < 1:
            raise UsageError(f"{jobs} jobs; there must be at least one")
        self._reservation = reserve(jobs, cores) if pin else None
        self._free: list[tuple[int, ...] | None] = [None] * jobs
        self._has_cores = jobs * cores <= physical_cores()
        if self._reservation:
            self._free = [*self._reservation.slots]
            self._has_cores = not self._reservation.problem
        forget_code()
        self._idle: list[Slot] = []
        self._loaded: dict[Slot, dict[str, Provenance]] = {}
        self._attempts: list[_Attempt] = []
        self._postponed: list[tuple[Job, bytes]] = []
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
        if self._reservation:
            self._reservation.release()
        self._guard.close()

    def readiness(self, backends: Collection[str]) -> dict[str, Readiness]:
        """Return what will measure each backend: the packages of this process."""
        return {backend: Readiness((provenance(backend),)) for backend in backends}

    def run(self, jobs: Iterable[Job | None]) -> Iterator[tuple[Job, Measurement]]:
        """Measure jobs and yield each as it ends; read `jobs` only as fast as they run.

        None in place of a job means that there is none for now: the next is asked for when one has ended.
        """
        queue = _Queue(jobs)
        self._bystanders.begin()
        self._fill(queue)
        try:
            while self._attempts:
                yield from self._ended(queue)
        finally:
            self._abandon()  # the caller wants no more

    def _ended(self, queue: _Queue) -> Iterator[tuple[Job, Measurement]]:
        """Wait for something to happen; yield the jobs that ended and start others in their place."""
        deadline = min(attempt.deadline for attempt in self._attempts)
        ready = {key.fd for key, _ in self._selector.select(max(0.0, deadline - time.perf_counter()))}
        for attempt in self._attempts:
            if attempt.slot.input.fileno() in ready:
                self._flush(attempt.slot)
        disturbed, now = self._bystanders.look(), time.perf_counter()
        for attempt in [*self._attempts]:
            attempt.is_disturbed |= attempt.slot.cores in disturbed
            if attempt.slot.fileno() not in ready and now < attempt.deadline:
                continue
            try:
                result = attempt.look()
            except NotStarted as error:
                self._attempts.remove(attempt)
                self._discard(attempt.slot)
                self._postpone(attempt.job, attempt.line, error)
                continue
            if result is None:
                continue
            self._attempts.remove(attempt)
            if isinstance(result, Verdict):
                self._discard(attempt.slot)  # its server has ended
            else:
                self._idle.append(attempt.slot)
            if isinstance(result, Verdict) and attempt.is_first:
                self._start(attempt.job, attempt.line, is_first=False)
                continue
            self._fill(queue)  # before the caller deals with this one: the slot need not wait
            yield attempt.job, self._measurement(attempt, result)

    def _measurement(self, attempt: _Attempt, result: SlotResult | Verdict) -> Measurement:
        if isinstance(result, Verdict):
            outcome = Outcome(Answer.UNKNOWN, result.termination, message=result.message)
            result = SlotResult(Reply(outcome, None, None), None, None, ())
        reply, limits = result.reply, attempt.job.request.limits
        wall_s, cpu_s = reply.outcome.wall_s, reply.outcome.cpu_s
        was_alone = not (
            attempt.is_disturbed
            or is_delayed(result.waited_s, wall_s, cpu_s)
            or has_escaped(attempt.slot.cores, wall_s, cpu_s)
        )
        return Measurement(
            outcome=cut_off_if_late(reply.outcome, limits),
            peak_rss_bytes=result.peak_bytes,
            executor=self.name,
            reliable=self._has_cores and was_alone,
            conditions=conditions(
                attempt.slot.cores, is_isolated=attempt.slot.is_isolated, started=result.started
            ),
            claimed_wall_s=reply.claimed_wall_s,
            claimed_cpu_s=reply.claimed_cpu_s,
            left=result.left,
            provenance=attempt.provenance,
        )

    def _fill(self, queue: _Queue) -> None:
        """Start jobs until all slots are busy or none is left."""
        postponed, self._postponed = self._postponed, []
        for job, line in postponed:
            self._start(job, line, is_first=True)
        while not self._postponed and (self._idle or self._free) and (prepared := queue.pop()) is not None:
            self._start(*prepared, is_first=True)
        queue.prepare()

    def _postpone(self, job: Job, line: bytes, error: NotStarted) -> None:
        """Have a job wait until another has ended, because no server could be started for it.

        Parameters
        ----------
        job, line
            The job.
        error
            Why there is none.

        Raises
        ------
        BackendError
            If no other job is there that could end.
        """
        if not self._attempts:
            raise BackendError(str(error)) from None
        self._postponed.append((job, line))

    def _start(self, job: Job, line: bytes, *, is_first: bool) -> None:
        """Start a job in a free slot."""
        while self._idle and not self._can_run(self._idle[-1], job.backend):
            self._discard(self._idle.pop())
        if self._idle:
            slot = self._idle.pop()
        else:
            now = provenance(job.backend)
            cores = self._free.pop()
            try:
                slot = Slot(self._guard, cores=cores, mode=self.mode)
            except NotStarted as error:
                self._free.append(cores)
                self._postpone(job, line, error)
                return
            self._selector.register(slot, selectors.EVENT_READ)
            if slot.cores is not None:
                used_s = partial(tree_cpu_s, slot.pid)
                self._bystanders.watch(slot.cores, siblings(slot.cores), PINNED_SLACK, used_s)
            self._loaded[slot] = {job.backend: now}
        slot.send(job, line)
        self._flush(slot)
        is_disturbed = slot.cores in self._bystanders.disturbed
        loaded = self._loaded[slot][job.backend]
        self._attempts.append(_Attempt(job, line, slot, loaded, is_disturbed, is_first))

    def _can_run(self, slot: Slot, backend: str) -> bool:
        """Return whether a slot works, and has loaded no code of a backend but that of now."""
        now = provenance(backend)
        return slot.is_alive and self._loaded[slot].setdefault(backend, now) == now

    def _abandon(self) -> None:
        self._postponed.clear()
        while self._attempts:
            self._discard(self._attempts.pop().slot)

    def _flush(self, slot: Slot) -> None:
        """Send more of a slot's job; if there is a rest, have the selector say when the server takes more."""
        slot.flush()
        if slot.is_flushed == (slot.input in self._selector.get_map()):
            if slot.is_flushed:
                self._selector.unregister(slot.input)
            else:
                self._selector.register(slot.input, selectors.EVENT_WRITE)

    def _discard(self, slot: Slot) -> None:
        self._selector.unregister(slot)
        if slot.input in self._selector.get_map():
            self._selector.unregister(slot.input)
        slot.kill()
        slot.close()
        self._free.append(slot.cores)
        del self._loaded[slot]
        forget_code()  # the next server loads the files of its own time

    def _own_cpu_s(self) -> float:
        """Return the CPU seconds of this process and of all that it started."""
        slots = [*self._idle, *(attempt.slot for attempt in self._attempts)]
        return own_cpu_s() + sum(tree_cpu_s(slot.pid) for slot in slots)


class ForkExecutor(LocalExecutor):
    """Measures each job in a process of its own."""

    name: ClassVar[str] = "fork"
    mode: ClassVar[str] = FORK


class WarmExecutor(LocalExecutor):
    """Measures jobs in processes that run many of them, one after the other."""

    name: ClassVar[str] = "warm"
    mode: ClassVar[str] = WARM


@dataclass(slots=True, eq=False)
class _Attempt:
    """A job in a slot, and whether others disturbed it."""

    job: Job
    line: bytes
    slot: Slot
    provenance: Provenance
    is_disturbed: bool
    is_first: bool
    deadline: float = field(default_factory=lambda: time.perf_counter() + SILENCE_S)

    def look(self) -> SlotResult | Verdict | None:
        """Return what came of the job, or of its server; None while it goes on."""
        before = self.slot.heard
        try:
            result = self.slot.hear()
        except EOFError:
            return killed_or_crashed("the worker process", self.slot.end())
        now = time.perf_counter()
        if self.slot.heard != before:
            self.deadline = now + SILENCE_S
        elif result is None and now > self.deadline:
            self.slot.kill()
            return Verdict(Termination.CRASHED, f"the worker process said nothing for {SILENCE_S:g} s")
        return result


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
