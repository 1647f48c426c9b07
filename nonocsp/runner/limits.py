"""Enforce the limits of a run from outside, and say which one ended it.

A backend is asked to stop at its wall limit, and killed `GRACE_S` later if it did not. CPU time and resident
memory are read every `POLL_S`, and more often as the memory nears its limit: as if it grew by `FASTEST` bytes
a second.
"""

from __future__ import annotations

import dataclasses
import time
from typing import TYPE_CHECKING

from nonocsp.backends.base import Limits, Outcome, Termination

if TYPE_CHECKING:
    from nonocsp.runner.slot import Slot

GRACE_S = 0.25
POLL_S = 0.05
FASTEST = 4 << 30
COST = 10
"""After reading the usage of a process tree, pause for at least this many times as long as that took."""

CLAIM_SLACK_S, CLAIM_SLACK = 0.01, 0.1
"""How far a run's own figures may be off before anybody should wonder: in seconds, and as a share. Starting
and stopping the clock from another process takes some 0.1 ms on a quiet machine, several ms on a busy one
(``python -m tools.benchmarks executors``)."""


class LimitWatch:
    """Reads what one run uses, and says which limit it has reached.

    Parameters
    ----------
    slot
        Where the run is.
    limits
        Those of the run.

    Attributes
    ----------
    cpu_s, peak_rss_bytes
        What the run has used so far; the peak is None until somebody has read it.
    next_look
        When to look again, in seconds of `time.perf_counter`.
    """

    def __init__(self, slot: Slot, limits: Limits) -> None:
        self._slot = slot
        self._limits = limits
        self._started = 0.0
        self._cpu_before = 0.0
        self._shared_bytes = 0
        self.cpu_s = 0.0
        self.peak_rss_bytes: int | None = None
        self.next_look = 0.0

    def start(self, cpu_before: float, shared_bytes: int) -> None:
        """Take note that the run starts now.

        Parameters
        ----------
        cpu_before
            CPU seconds that the slot's processes had used before.
        shared_bytes
            Memory that the run's process has from its server.
        """
        self._started = time.perf_counter()
        self._cpu_before, self._shared_bytes = cpu_before, shared_bytes
        self._plan_next_look(rss_bytes=0, cost_s=0.0)

    def look(self) -> Termination | None:
        """Return the limit that the run has reached, or None."""
        limits, now = self._limits, time.perf_counter()
        if limits.wall is not None and now - self._started >= limits.wall + GRACE_S:
            return Termination.WALL
        usage = self._slot.usage(self._shared_bytes)
        self._plan_next_look(usage.rss_bytes, cost_s=time.perf_counter() - now)
        self.cpu_s = usage.cpu_s - self._cpu_before
        self.peak_rss_bytes = max(self.peak_rss_bytes or 0, usage.rss_bytes)
        if limits.memory is not None and usage.rss_bytes > limits.memory:
            return Termination.MEMORY
        if limits.cpu is not None and self.cpu_s > limits.cpu:
            return Termination.CPU
        return None

    def count_total(self, cpu_s: float) -> None:
        """Take the CPU seconds of the slot's processes after the run."""
        self.cpu_s = cpu_s - self._cpu_before

    def _plan_next_look(self, rss_bytes: int, cost_s: float) -> None:
        """Look before the memory can have reached its limit, unless that means looking all the time."""
        limits = self._limits
        pause = POLL_S if limits.memory is None else min(POLL_S, (limits.memory - rss_bytes) / FASTEST)
        self.next_look = time.perf_counter() + max(pause, COST * cost_s)
        if limits.wall is not None:
            self.next_look = min(self.next_look, self._started + limits.wall + GRACE_S)


def kill_message(limits: Limits, reached: Termination) -> str:
    """Return what to say of a run that was killed at one of its limits.

    Parameters
    ----------
    limits
        Those of the run.
    reached
        The limit that it reached: wall, CPU or memory.
    """
    size = {
        Termination.WALL: f"wall limit of {limits.wall or 0:g} s",
        Termination.CPU: f"CPU limit of {limits.cpu or 0:g} s",
        Termination.MEMORY: f"memory limit of {(limits.memory or 0) / 2**20:.0f} MiB",
    }[reached]
    return f"killed: the {size} was reached"


def cut_off_if_late(outcome: Outcome, limits: Limits) -> Outcome:
    """Return the outcome as one that a limit ended, if the backend finished only after its limit.

    Parameters
    ----------
    outcome
        What the backend returned.
    limits
        Those of the run; memory is not checked.
    """
    if outcome.termination is not Termination.OK:
        return outcome
    if limits.wall is not None and outcome.wall_s > limits.wall:
        late, message = Termination.WALL, f"ended after the wall limit of {limits.wall:g} s"
    elif limits.cpu is not None and outcome.cpu_s > limits.cpu:
        late, message = Termination.CPU, f"ended after the CPU limit of {limits.cpu:g} s"
    else:
        return outcome
    return dataclasses.replace(outcome, termination=late, message=message)


def is_claim_off(measured_s: float, claimed_s: float | None) -> bool:
    """Return whether what a run's own process says differs too much from what was seen from outside.

    Parameters
    ----------
    measured_s
        Wall or CPU seconds of the run, from outside the process.
    claimed_s
        The same as the process says; None if it said nothing, as when it was killed.
    """
    if claimed_s is None:
        return False
    return abs(measured_s - claimed_s) > CLAIM_SLACK_S + CLAIM_SLACK * measured_s
