"""Follow one job in a slot: what its process reports, the limits that end it, and the outcome.

A run is over when none of its processes is left. Whatever ends it first decides the outcome: its reply, a
limit (`nonocsp.runner.limits`), or the end of its process.
"""

from __future__ import annotations

import signal
import time
from enum import Enum, auto
from typing import NamedTuple

from nonocsp.backends.base import Answer, Outcome, Termination
from nonocsp.runner.jobs import Conditions, Job, decode_reply
from nonocsp.runner.limits import POLL_S, LimitWatch, kill_message
from nonocsp.runner.machine.conditions import conditions
from nonocsp.runner.process import how_it_ended, signal_name
from nonocsp.runner.server import ENDED, GONE, LIMIT, STARTED
from nonocsp.runner.slot import Slot

SETUP_S = 60.0
"""The longest time until a run starts, and from its end to its reply."""
SETUP_BYTES = 1 << 30
"""The most memory beyond the limit that may be in use until a run starts."""
DEATH_S = 2.0
"""How long a server may take to report the end of a run that was killed."""

_FROM_OUTSIDE = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)


class _Phase(Enum):
    SETUP = auto()
    """The server starts, imports the backend, builds the puzzle and forks."""
    RUNNING = auto()
    """The backend works; limits apply."""
    REPLYING = auto()
    """The reply is written."""
    LEAVING = auto()
    """The outcome is known; the run's processes end."""


class AttemptResult(NamedTuple):
    """How an attempt ended."""

    outcome: Outcome
    peak_rss_bytes: int | None


class _Verdict(NamedTuple):
    """Why a run ended that did not reply, and how long it had run."""

    termination: Termination
    message: str
    wall_s: float


class Attempt:
    """A job in a slot, from the moment that it is sent.

    Attributes
    ----------
    conditions
        What the machine was like when the run started.
    next_look
        When to look again if the slot says nothing, in seconds of `time.perf_counter`.
    """

    def __init__(self, job: Job, slot: Slot) -> None:
        self.job = job
        self.slot = slot
        self.conditions: Conditions = conditions(slot.cores, is_isolated=slot.is_isolated)
        self.next_look = 0.0
        self._phase = _Phase.SETUP
        self._since = time.perf_counter()
        self._watch = LimitWatch(slot, job.request.limits)
        self._reply: Outcome | None = None
        self._verdict: _Verdict | None = None

    def look(self) -> AttemptResult | None:
        """Return how the attempt ended, or None while it goes on."""
        try:
            is_over = any(map(self._hear, self.slot.lines()))
        except EOFError:
            is_over = True
            self._judge_exit("the worker process", self.slot.exit_code())
        now = time.perf_counter()
        if not is_over and now >= self.next_look:
            self.next_look = now + POLL_S
            self._enforce_limits(now - self._since)
        if not is_over:
            return None
        if self._reply:
            return AttemptResult(self._reply, self._watch.peak_rss_bytes)
        assert self._verdict is not None
        termination, message, wall_s = self._verdict
        cpu_s = max(0.0, self._watch.cpu_s)
        outcome = Outcome(Answer.UNKNOWN, termination, wall_s=wall_s, cpu_s=cpu_s, message=message)
        return AttemptResult(outcome, self._watch.peak_rss_bytes)

    def _hear(self, line: bytes) -> bool:
        """Take note of a line from the slot; return whether the attempt is over."""
        word, _, figures = line.partition(b" ")
        if word == STARTED:
            cpu_before, shared_bytes = figures.split()
            self._enter(_Phase.RUNNING)
            self._watch.start(float(cpu_before), int(shared_bytes))
            self.next_look = self._watch.next_look
            self.conditions = conditions(self.slot.cores, is_isolated=self.slot.is_isolated)
        elif word == ENDED:
            self._enter(_Phase.REPLYING)
        elif word == LIMIT:
            self._judge_limit(Termination(figures.decode()))
        elif word == GONE:
            code, cpu_s, *peak = figures.split()
            self._watch.peak_rss_bytes = int(peak[0]) if peak else self._watch.peak_rss_bytes
            if self._phase is not _Phase.SETUP:
                self._watch.count_total(float(cpu_s))
            self._judge_exit("the run's process", int(code))
            return True
        elif line and self._phase in (_Phase.RUNNING, _Phase.REPLYING):
            return self._hear_reply(line)
        return False

    def _hear_reply(self, line: bytes) -> bool:
        """Take the reply; return whether the attempt is over, because the process stays for another job."""
        try:
            self._reply, peak, is_last = decode_reply(line, self.job.puzzle.palette)
        except ValueError:
            self._stop(Termination.CRASHED, "the reply of the run's process cannot be read")
            return False
        self._watch.peak_rss_bytes = None if peak is None else max(peak, self._watch.peak_rss_bytes or 0)
        self._enter(_Phase.LEAVING)
        return not is_last

    def _enforce_limits(self, elapsed: float) -> None:
        """End what has taken too much or too long, `elapsed` seconds after the phase began."""
        match self._phase:
            case _Phase.SETUP:
                memory = self.job.request.limits.memory
                if elapsed > SETUP_S:
                    still = f"the worker process was still starting after {SETUP_S:g} s"
                    self._judge(Termination.CRASHED, still)
                    self.slot.kill()
                elif memory is not None and self.slot.size() > memory + SETUP_BYTES:
                    too_much = "killed: too much memory was in use before the run started"
                    self._judge(Termination.MEMORY, too_much)
                    self.slot.kill()
            case _Phase.RUNNING:
                limit = self._watch.look()
                self.next_look = self._watch.next_look
                if limit is not None:
                    self._judge_limit(limit)
                    self._kill_run()
            case _Phase.REPLYING if elapsed > SETUP_S:
                self._stop(Termination.CRASHED, f"the run's process did not reply for {SETUP_S:g} s")
            case _Phase.LEAVING if elapsed > DEATH_S:
                self.slot.kill()  # the server has not reported the end
            case _Phase.LEAVING:
                self.slot.kill_run()

    def _enter(self, phase: _Phase) -> None:
        self._phase, self._since = phase, time.perf_counter()
        self.next_look = self._since + POLL_S

    def _stop(self, termination: Termination, message: str) -> None:
        self._judge(termination, message)
        self._kill_run()

    def _kill_run(self) -> None:
        self._enter(_Phase.LEAVING)
        self.slot.kill_run()

    def _judge_limit(self, reached: Termination) -> None:
        self._judge(reached, kill_message(self.job.request.limits, reached))

    def _judge_exit(self, what: str, code: int | None) -> None:
        """Note how the run ended whose process has ended."""
        if code is not None and -code in _FROM_OUTSIDE:
            why = ", perhaps by the system because memory ran out" if -code == signal.SIGKILL else ""
            self._judge(Termination.KILLED, f"killed from outside with {signal_name(-code)}{why}")
        else:
            before = " before the run started" if self._phase is _Phase.SETUP else ""
            self._judge(Termination.CRASHED, f"{what} {how_it_ended(code)}{before}")

    def _judge(self, termination: Termination, message: str) -> None:
        """Note how the run ended, unless that is known already."""
        if self._verdict is None and self._reply is None:
            is_timed = self._phase in (_Phase.RUNNING, _Phase.REPLYING)
            wall_s = time.perf_counter() - self._since if is_timed else 0.0
            self._verdict = _Verdict(termination, message, wall_s)
