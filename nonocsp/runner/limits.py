"""Limits as they are told: what makes an outcome one that a limit ended."""

from __future__ import annotations

import dataclasses

from nonocsp.backends.base import Limits, Outcome, Termination


def cut_off_if_late(outcome: Outcome, limits: Limits) -> Outcome:
    """Return the outcome as one that a limit ended, if the backend was through only after it."""
    if outcome.termination is not Termination.OK:
        return outcome
    if limits.wall is not None and outcome.wall_s > limits.wall:
        late, message = Termination.WALL, f"ended after the wall limit of {limits.wall:g} s"
    elif limits.cpu is not None and outcome.cpu_s > limits.cpu:
        late, message = Termination.CPU, f"ended after the CPU limit of {limits.cpu:g} s"
    else:
        return outcome
    return dataclasses.replace(outcome, termination=late, message=message)
