"""Say which limit a run has reached, when to look again, and what to believe of its own figures.

A backend is asked to stop at its wall limit, and killed `GRACE_S` later if it did not. CPU time and resident
memory are read every `POLL_S`, and more often as the memory nears its limit: as if it grew by `FASTEST` bytes
a second.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, TypeVar

from nonocsp.backends.base import Limits, Outcome, Termination

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Seconds = TypeVar("Seconds", "float", "NDArray[np.float64]")

GRACE_S = 0.25
POLL_S = 0.05
FASTEST = 4 << 30
COST = 10
"""After reading the usage of a process tree, pause for at least this many times as long as that took."""

CLAIM_SLACK_S, CLAIM_SLACK = 0.025, 0.1
"""How far a run's claimed times may differ from the measured ones: in seconds, and as a share. Starting
and stopping the clock from another process takes some 0.2 ms; with seven processes waiting for each core, up
to 22 ms (``python -m tools.benchmarks executors``)."""


def reached(limits: Limits, wall_s: float, cpu_s: float, rss_bytes: int) -> Termination | None:
    """Return the limit that a run has reached, or None.

    Parameters
    ----------
    limits
        Those of the run.
    wall_s, cpu_s, rss_bytes
        What it has used so far, and its resident memory now.
    """
    if limits.wall is not None and wall_s >= limits.wall + GRACE_S:
        return Termination.WALL
    if limits.memory is not None and rss_bytes > limits.memory:
        return Termination.MEMORY
    if limits.cpu is not None and cpu_s > limits.cpu:
        return Termination.CPU
    return None


def pause_s(limits: Limits, wall_s: float, rss_bytes: int, cost_s: float) -> float:
    """Return when to look again at what a run uses, in seconds from now.

    That is before the memory can have reached its limit, unless it means looking all the time.

    Parameters
    ----------
    limits
        Those of the run.
    wall_s, rss_bytes
        What it has used so far, and its resident memory now.
    cost_s
        How long this look took.
    """
    pause = POLL_S if limits.memory is None else min(POLL_S, (limits.memory - rss_bytes) / FASTEST)
    pause = max(pause, COST * cost_s)
    if limits.wall is not None:
        pause = min(pause, limits.wall + GRACE_S - wall_s)
    return max(0.0, pause)


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
    return abs(measured_s - claimed_s) > claim_slack_s(measured_s)


def claim_slack_s(measured_s: Seconds) -> Seconds:
    """Return how far claims may be from the measured seconds of a run, or of many runs."""
    return CLAIM_SLACK_S + CLAIM_SLACK * measured_s
