"""Measure with executors ``fork`` and ``warm``: in processes of this machine, under enforced limits.

    driver --- fork server --- template (one for each slot and backend) --- run

The driver sends jobs to templates (`nonocsp.run.template`), which run and measure them, and checks every grid
that comes back. A template that died is replaced, and its job gets a second try.
"""

from __future__ import annotations

import os
import pickle
import socket
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from typing import ClassVar, Protocol, Self

import msgspec

from nonocsp.backends.base import Answer, Outcome, Termination
from nonocsp.model import UsageError
from nonocsp.run.conditions import Bystanders, conditions, has_escaped, is_delayed
from nonocsp.run.cores import physical_cores
from nonocsp.run.fork_server import ForkServer
from nonocsp.run.jobs import Job, Measurement, Readiness, encode_job
from nonocsp.run.limits import cut_off_if_late, killed_or_crashed
from nonocsp.run.locks import reserve
from nonocsp.run.processes import tree_cpu_s
from nonocsp.run.provenance import Provenance, forget_code, provenance
from nonocsp.run.reply import Reply, checked_reply
from nonocsp.run.run_process import Seen
from nonocsp.run.template import SETUP_S

TEMPLATES = 16
"""How many templates a slot keeps; the one that was not used for longest ends first."""
_LOOK_S = 1.0
"""How often others on the machine are looked at while runs go on."""


class LocalExecutor:
    """Measures up to `jobs` jobs at a time, each on as many `cores`.

    If they need more cores than there are, measurements are marked as not reliable. With `pin`, each run is
    confined to cores of its own, which are locked until the executor is left. `server` starts templates.
    """

    name: ClassVar[str]
    keeps_templates: ClassVar[bool] = True

    def __init__(
        self, jobs: int = 1, *, pin: bool = False, cores: int = 1, server: Server | None = None
    ) -> None:
        if jobs < 1:
            raise UsageError(f"{jobs} jobs; there must be at least one")
        self._reservation = reserve(jobs, cores) if pin else None
        forget_code()  # rows say which code ran: that of now
        self._server = server or ForkServer()
        self._broken: dict[str, str] = {}  # backends that cannot be loaded, and why
        self._bystanders = Bystanders()
        if self._reservation:
            self._has_cores = not self._reservation.problem
            self._slots = [_Slot(threads) for threads in self._reservation.slots]
            for slot, threads in zip(self._slots, self._reservation.slots, strict=True):
                self._bystanders.watch_pinned(threads, slot.cpu_s)
        else:
            self._has_cores = jobs * cores <= physical_cores()
            self._slots = [_Slot(None) for _ in range(jobs)]
            self._bystanders.watch_all(jobs * cores, self._server.cpu_s)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for slot in self._slots:
            for template in slot.templates.values():
                template.connection.close()  # it ends its run, then itself
        self._server.close()
        if self._reservation:
            self._reservation.release()

    def readiness(self, backends: Collection[str]) -> dict[str, Readiness]:
        """Return what will measure each backend: the packages of this process."""
        return {backend: Readiness((provenance(backend),)) for backend in backends}

    def run(
        self, jobs: Iterable[Job | None], is_wanted: Callable[[], bool] = lambda: True
    ) -> Iterator[tuple[Job, Measurement]]:
        """Measure jobs and yield each as it ends; read `jobs` only as fast as they run.

        None in place of a job means that there is none for now: the next is asked for when one has ended.
        Within a second after `is_wanted` returns False, runs that go on end, and nothing more is yielded.
        """
        waiting = iter(jobs)
        self._bystanders.begin()
        try:
            while is_wanted():
                yield from self._fill(waiting)
                if not (busy := [slot for slot in self._slots if slot.job]):
                    return
                pause = max(0.0, min(slot.deadline for slot in busy) - time.perf_counter())
                wait([slot.template.connection for slot in busy], min(pause, _LOOK_S))
                disturbed = self._bystanders.look()
                for slot in busy:
                    slot.is_disturbed |= slot.cores in disturbed
                    if slot.job and (measurement := self._hear(slot, slot.job)):
                        job, slot.job = slot.job, None
                        if not self.keeps_templates and job.backend in slot.templates:
                            self._end(slot, job.backend)
                        yield from self._fill(waiting)  # first: the slot need not wait for the caller
                        yield job, measurement
        finally:
            for slot in self._slots:
                if slot.job:  # the caller wants no more
                    self._end(slot, slot.job.backend)
                    slot.job = None

    def _fill(self, waiting: Iterator[Job | None]) -> Iterator[tuple[Job, Measurement]]:
        """Start jobs until all slots are busy or there are none; yield those of backends that cannot load."""
        for slot in self._slots:
            while slot.job is None and (job := next(waiting, None)) is not None:
                if job.backend not in self._broken:
                    self._start(slot, job)
                else:
                    yield job, self._crashed(slot, job, self._broken[job.backend])

    def _start(self, slot: _Slot, job: Job, *, is_first: bool = True) -> None:
        known = slot.templates.get(job.backend)
        if known and known.provenance != provenance(job.backend):
            self._end(slot, job.backend)  # its code has changed since
        template = slot.templates.pop(job.backend, None)
        if template is None:
            if len(slot.templates) == TEMPLATES:
                self._end(slot, next(iter(slot.templates)))
            pid, end = self._server.start(job.backend, self.name, slot.cores)
            template = _Template(pid, Connection(end.detach()), provenance(job.backend))
        slot.templates[job.backend] = template
        slot.job, slot.is_first = job, is_first
        slot.is_disturbed = slot.cores in self._bystanders.disturbed
        limits = job.request.limits
        wall_s = float("inf") if limits.wall is None else limits.wall
        slot.deadline = time.perf_counter() + wall_s + 5 * SETUP_S
        with suppress(
            OSError
        ):  # it has died, which the next look finds out; or it still loads, and reads later
            template.connection.send_bytes(pickle.dumps((limits, encode_job(job))))

    def _hear(self, slot: _Slot, job: Job) -> Measurement | None:
        """Return the measurement of the slot's job, if there is one."""
        template = slot.template
        try:
            if template.connection.poll():
                said = template.connection.recv_bytes()
                if template.is_ready:
                    seen, found = msgspec.json.decode(said, type=Seen), template.connection.recv_bytes()
                    return self._measured(slot, job, seen, found)
                if not said:
                    template.is_ready = True
                    return None
                why = said.decode(errors="replace")
                self._broken[job.backend] = f"the backend cannot be loaded: {why}"
                self._end(slot, job.backend)
                return self._crashed(slot, job, self._broken[job.backend])
            if time.perf_counter() < slot.deadline:
                return None
            is_silent = True
        except (EOFError, OSError, ValueError):  # it has ended, or says what no template says
            is_silent = False
        status = self._end(slot, job.backend)
        forget_code()  # the next one loads the files of its own time
        if slot.is_first:
            self._start(slot, job, is_first=False)
            return None
        loader = "the process that has loaded the backend"
        how = killed_or_crashed(loader, os.waitstatus_to_exitcode(status), ", twice")
        if is_silent:
            how = Termination.CRASHED, f"{loader} said nothing, twice"
        if not template.is_ready:
            self._broken[job.backend] = how[1]
        return self._measured(slot, job, Seen(*how), b"")

    def _end(self, slot: _Slot, backend: str) -> int:
        """End a template, and all that it has started; return its exit status."""
        template = slot.templates.pop(backend)
        template.connection.close()
        return self._server.end(template.pid)

    def _crashed(self, slot: _Slot, job: Job, message: str) -> Measurement:
        return self._measured(slot, job, Seen(Termination.CRASHED, message), b"")

    def _measured(self, slot: _Slot, job: Job, seen: Seen, found: bytes) -> Measurement:
        """Return the measurement of a run: what it says itself is checked."""
        if seen.termination is not None:
            reply = Reply(Outcome(Answer.UNKNOWN, seen.termination, message=seen.message), None, None)
        else:
            reply = checked_reply(found, job)
        outcome = replace(reply.outcome, wall_s=seen.wall_s, cpu_s=seen.cpu_s)
        template = slot.templates.get(job.backend)
        was_alone = not (
            slot.is_disturbed
            or is_delayed(seen.waited_s, seen.wall_s, seen.cpu_s)
            or has_escaped(slot.cores, seen.wall_s, seen.cpu_s)
        )
        return Measurement(
            outcome=cut_off_if_late(outcome, job.request.limits),
            peak_rss_bytes=seen.peak_bytes,
            executor=self.name,
            reliable=self._has_cores and was_alone,
            conditions=conditions(slot.cores, started=seen.started),
            claimed_wall_s=reply.claimed_wall_s,
            claimed_cpu_s=reply.claimed_cpu_s,
            left=tuple(seen.left),
            provenance=template.provenance if template else provenance(job.backend),
        )


class ForkExecutor(LocalExecutor):
    """Measures each job in a process of its own."""

    name: ClassVar[str] = "fork"


class WarmExecutor(LocalExecutor):
    """Measures jobs in processes that run many of them, one after the other."""

    name: ClassVar[str] = "warm"


class Server(Protocol):
    """What starts templates: a fork server, or one that makes containers."""

    def start(self, spec: str, mode: str, cores: Sequence[int] | None) -> tuple[int, socket.socket]:
        """Start a template; return a process that it ends with, and the socket to it."""

    def end(self, pid: int) -> int:
        """End a template, and all that it has started; return its exit status."""

    def cpu_s(self) -> float:
        """Return the CPU seconds of all that measures."""

    def close(self) -> None:
        """End everything."""


@dataclass(slots=True)
class _Template:
    pid: int
    connection: Connection
    provenance: Provenance
    is_ready: bool = False


@dataclass(slots=True)
class _Slot:
    """Room for one run at a time, and the templates that wait there, the last used last."""

    cores: tuple[int, ...] | None
    templates: dict[str, _Template] = field(default_factory=dict)
    job: Job | None = None
    deadline: float = 0.0
    is_first: bool = True
    is_disturbed: bool = False

    @property
    def template(self) -> _Template:
        """The one that has the job."""
        assert self.job is not None
        return self.templates[self.job.backend]

    def cpu_s(self) -> float:
        """Return the CPU seconds of all that measures here."""
        return sum(tree_cpu_s(template.pid) for template in self.templates.values())
