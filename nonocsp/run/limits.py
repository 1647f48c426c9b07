"""Say which limit a run has reached, when to look again, and what to believe of its own figures.

A backend is asked to stop at its wall limit, and killed `GRACE_S` later. CPU time and memory are read every
`POLL_S`, and more often as the memory nears its limit: as if it grew by `FASTEST` bytes a second.
"""

from __future__ import annotations

import dataclasses
import signal
from typing import TYPE_CHECKING, TypeVar

from nonocsp.backends.base import Limits, Outcome, Termination
from nonocsp.backends.ending import how_it_ended, signal_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Seconds = TypeVar("Seconds", "float", "NDArray[np.float64]")

GRACE_S = 0.25
FIRST_LOOK_S, SHORTEST_S, POLL_S = 0.005, 0.001, 0.05
"""When a run is looked at first, and the shortest and the longest pause until the next look."""
FASTEST = 4 << 30
COST = 10
"""After reading the usage of a process tree, pause for at least this many times as long as that took."""

_FROM_OUTSIDE = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)

CLAIM_SLACK_S, CLAIM_SLACK = 0.025, 0.1
"""How far a run's claimed times may differ from the measured ones: in seconds, and as a share. The other
process's clock takes some 0.2 ms; with seven processes waiting for each core, up to 22 ms."""


def reached(limits: Limits, wall_s: float, cpu_s: float, rss_bytes: int) -> Termination | None:
    """Return the limit that a run has reached, or None."""
    if limits.wall is not None and wall_s >= limits.wall + GRACE_S:
        return Termination.WALL
    if limits.memory is not None and rss_bytes > limits.memory:
        return Termination.MEMORY
    if limits.cpu is not None and cpu_s > limits.cpu:
        return Termination.CPU
    return None


def pause_s(limits: Limits, rss_bytes: int, cost_s: float) -> float:
    """Return when to look again at what a run uses, in seconds: before its memory can reach the limit."""
    pause = POLL_S if limits.memory is None else min(POLL_S, (limits.memory - rss_bytes) / FASTEST)
    return max(pause, COST * cost_s, SHORTEST_S)


def kill_message(limits: Limits, reached: Termination) -> str:
    """Return what to say of a run that was killed at one of its limits."""
    size = {
        Termination.WALL: f"wall limit of {limits.wall or 0:g} s",
        Termination.CPU: f"CPU limit of {limits.cpu or 0:g} s",
        Termination.MEMORY: f"memory limit of {(limits.memory or 0) / 2**20:.0f} MiB",
    }[reached]
    return f"killed: the {size} was reached"


def cut_off_if_late(outcome: Outcome, limits: Limits) -> Outcome:
    """Return the outcome as one that a limit ended, if the backend finished only after its limit."""
    if outcome.termination is not Termination.OK:
        return outcome
    if limits.wall is not None and outcome.wall_s > limits.wall:
        late, message = Termination.WALL, f"ended after the wall limit of {limits.wall:g} s"
    elif limits.cpu is not None and outcome.cpu_s > limits.cpu:
        late, message = Termination.CPU, f"ended after the CPU limit of {limits.cpu:g} s"
    else:
        return outcome
    return dataclasses.replace(outcome, termination=late, message=message)


def claim_slack_s(measured_s: Seconds) -> Seconds:
    """Return how far claims may be from the measured seconds of a run, or of many runs."""
    return CLAIM_SLACK_S + CLAIM_SLACK * measured_s


def killed_or_crashed(what: str, code: int | None, when: str = "") -> tuple[Termination, str]:
    """Say how a run ended whose process has ended: ``killed`` if others commonly send that signal."""
    if code is not None and -code in _FROM_OUTSIDE:
        why = ", perhaps by the system because memory ran out" if -code == signal.SIGKILL else ""
        return Termination.KILLED, f"killed from outside with {signal_name(-code)}{why}"
    return Termination.CRASHED, f"{what} {how_it_ended(code)}{when}"
