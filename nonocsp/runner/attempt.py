"""One job in a server: what is heard of it, and the limits that are enforced from outside, by killing.

A backend is asked to stop at its wall limit, and killed `GRACE_S` later if it did not. CPU time and resident
memory are looked at every `POLL_S`, and more often the nearer the memory is to its limit: as if it grew by
`FASTEST` bytes a second. A run is over when nothing of it is left.
"""

from __future__ import annotations

import signal
import time
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple

from nonocsp.backends.base import Answer, Limits, Outcome, Termination
from nonocsp.runner.conditions import conditions
from nonocsp.runner.jobs import Conditions, Job
from nonocsp.runner.process import how_it_ended, signal_name
from nonocsp.runner.server import ENDED, GONE, LIMIT, STARTED
from nonocsp.runner.slot import Slot
from nonocsp.runner.wire import decode_reply

GRACE_S = 0.25
POLL_S = 0.05
SETUP_S = 60.0
"""The most that may pass until a run starts, and from its end to its reply."""
SETUP_BYTES = 1 << 30
"""The most memory beyond the limit that may be in use until a run starts."""
DEATH_S = 2.0
"""How long a server has to say that a run is gone which was killed."""
FASTEST = 4 << 30
COST = 10
"""A look at a process tree is followed by a pause of so many times as long."""

_FROM_OUTSIDE = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)


class _Phase(Enum):
    SETUP = auto()
    """The server starts, imports the backend, builds the puzzle and forks."""
    RUNNING = auto()
    """The backend works; limits apply."""
    REPLYING = auto()
    """The reply is written."""
    LEAVING = auto()
    """What came of the run is known; its process ends."""


class Seen(NamedTuple):
    """How an attempt ended."""

    outcome: Outcome
    peak_rss_bytes: int | None


@dataclass(slots=True, eq=False)
class Attempt:
    """A job in a slot, from the moment that it is sent."""

    job: Job
    slot: Slot
    conditions: Conditions = field(init=False)
    verdict: tuple[Termination, str] | None = None
    reply: Outcome | None = None
    phase: _Phase = _Phase.SETUP
    since: float = field(default_factory=time.perf_counter)
    next_look: float = 0.0
    wall_s: float = 0.0
    cpu_s: float = 0.0
    cpu_before: float = 0.0
    shared_bytes: int = 0
    peak_rss_bytes: int | None = None

    def __post_init__(self) -> None:
        self.conditions = conditions(self.slot.core)

    def look(self) -> Seen | None:
        """Return how the attempt ended, or None while it goes on."""
        try:
            is_over = any(map(self._hear, self.slot.lines()))
        except EOFError:
            is_over = True
            self._judge_exit("the worker process", self.slot.exit_code())
        now = time.perf_counter()
        if not is_over and now >= self.next_look:
            self.next_look = now + POLL_S
            self._look_at_limits(now - self.since)
        return self._seen() if is_over else None

    def _hear(self, line: bytes) -> bool:
        """Take note of what was said; return whether the attempt is over."""
        word, _, figures = line.partition(b" ")
        if word == STARTED:
            self._start(*figures.split())
        elif word == ENDED:
            self._enter(_Phase.REPLYING)
        elif word == LIMIT:
            self._judge_limit(Termination(figures.decode()))
        elif word == GONE:
            self._end(*figures.split())
            return True
        elif line and self.phase in (_Phase.RUNNING, _Phase.REPLYING):
            return self._hear_reply(line)
        return False

    def _start(self, cpu_before: bytes, shared_bytes: bytes) -> None:
        self._enter(_Phase.RUNNING)
        self._plan_next_look(rss_bytes=0, cost_s=0.0)
        self.cpu_before, self.shared_bytes = float(cpu_before), int(shared_bytes)
        self.conditions = conditions(self.slot.core)

    def _hear_reply(self, line: bytes) -> bool:
        try:
            outcome, peak, is_last = decode_reply(line, self.job.puzzle.palette)
        except ValueError:
            self._stop(Termination.CRASHED, "what the run's process replied cannot be read")
            return False
        self.reply = outcome
        self.peak_rss_bytes = None if peak is None else max(peak, self.peak_rss_bytes or 0)
        self._enter(_Phase.LEAVING)
        return not is_last

    def _end(self, code: bytes, cpu_s: bytes, *peak: bytes) -> None:
        """Hear that nothing of the run is left."""
        if peak:
            self.peak_rss_bytes = int(*peak)
        if self.phase is not _Phase.SETUP:
            self.cpu_s = float(cpu_s) - self.cpu_before
        self._judge_exit("the run's process", int(code))

    def _judge_exit(self, what: str, code: int | None) -> None:
        """Note how the run ended that ended with its process."""
        if code is not None and -code in _FROM_OUTSIDE:
            why = ", perhaps by the system for want of memory" if -code == signal.SIGKILL else ""
            self._judge(Termination.KILLED, f"killed from outside with {signal_name(-code)}{why}")
        else:
            before = " before the run started" if self.phase is _Phase.SETUP else ""
            self._judge(Termination.CRASHED, f"{what} {how_it_ended(code)}{before}")

    def _enter(self, phase: _Phase) -> None:
        self.phase, self.since = phase, time.perf_counter()
        self.next_look = self.since + POLL_S

    def _look_at_limits(self, elapsed: float) -> None:
        limits = self.job.request.limits
        match self.phase:
            case _Phase.SETUP:
                self._look_at_setup(elapsed, limits)
            case _Phase.RUNNING if limits.wall is not None and elapsed >= limits.wall + GRACE_S:
                self._stop_at(Termination.WALL)
            case _Phase.RUNNING:
                self._look_at_usage(limits)
            case _Phase.REPLYING if elapsed > SETUP_S:
                self._stop(Termination.CRASHED, f"the run's process did not reply for {SETUP_S:g} s")
            case _Phase.LEAVING:
                self._hurry(elapsed)

    def _look_at_setup(self, elapsed: float, limits: Limits) -> None:
        """End a server that does not come to the run."""
        if elapsed > SETUP_S:
            self._judge(Termination.CRASHED, f"the worker process was still starting after {SETUP_S:g} s")
            self.slot.kill()
        elif limits.memory is not None and self.slot.size() > limits.memory + SETUP_BYTES:
            self._judge(Termination.MEMORY, "killed: too much memory was in use before the run started")
            self.slot.kill()

    def _look_at_usage(self, limits: Limits) -> None:
        """Look at what the processes of the run use."""
        began = time.perf_counter()
        usage = self.slot.usage(self.shared_bytes)
        self._plan_next_look(usage.rss_bytes, time.perf_counter() - began)
        self.cpu_s = usage.cpu_s - self.cpu_before
        self.peak_rss_bytes = max(self.peak_rss_bytes or 0, usage.rss_bytes)
        if limits.memory is not None and usage.rss_bytes > limits.memory:
            self._stop_at(Termination.MEMORY)
        elif limits.cpu is not None and self.cpu_s > limits.cpu:
            self._stop_at(Termination.CPU)

    def _plan_next_look(self, rss_bytes: int, cost_s: float) -> None:
        """Come back before the memory can have reached its limit, unless that would be too much looking."""
        limits, now = self.job.request.limits, time.perf_counter()
        pause = POLL_S if limits.memory is None else min(POLL_S, (limits.memory - rss_bytes) / FASTEST)
        self.next_look = now + max(pause, COST * cost_s)
        if limits.wall is not None:
            self.next_look = min(self.next_look, self.since + limits.wall + GRACE_S)

    def _hurry(self, elapsed: float) -> None:
        """End what is left of a run, and a server that does not say that nothing is left."""
        if elapsed > DEATH_S:
            self.slot.kill()
        else:
            self.slot.kill_run()

    def _stop_at(self, limit: Termination) -> None:
        """End the run at a limit."""
        self._judge_limit(limit)
        self._leave()

    def _stop(self, termination: Termination, message: str) -> None:
        """End the run."""
        self._judge(termination, message)
        self._leave()

    def _leave(self) -> None:
        self._enter(_Phase.LEAVING)
        self.slot.kill_run()

    def _judge_limit(self, limit: Termination) -> None:
        """Note that a limit ended the run."""
        limits = self.job.request.limits
        size = {
            Termination.WALL: f"wall limit of {limits.wall or 0:g} s",
            Termination.CPU: f"CPU limit of {limits.cpu or 0:g} s",
            Termination.MEMORY: f"memory limit of {(limits.memory or 0) / 2**20:.0f} MiB",
        }[limit]
        self._judge(limit, f"killed: the {size} was reached")

    def _judge(self, termination: Termination, message: str) -> None:
        """Note how the run ended, if that is not known yet."""
        if self.verdict is None and self.reply is None:
            if self.phase in (_Phase.RUNNING, _Phase.REPLYING):
                self.wall_s = time.perf_counter() - self.since
            self.verdict = termination, message

    def _seen(self) -> Seen:
        if self.reply:
            return Seen(self.reply, self.peak_rss_bytes)
        assert self.verdict is not None
        termination, message = self.verdict
        outcome = Outcome(
            Answer.UNKNOWN, termination, wall_s=self.wall_s, cpu_s=max(0.0, self.cpu_s), message=message
        )
        return Seen(outcome, self.peak_rss_bytes)
