"""Measure with executor ``inline``: run jobs one after the other in this process, for tests and debugging.

Nothing is enforced: a backend is asked to stop at its wall limit, and a backend that breaks its process
breaks this one. Nobody watches what else the machine does, so no run is reliable.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, partial
from threading import TIMEOUT_MAX, Timer
from typing import Self

from nonocsp.backends import registry
from nonocsp.backends.base import Backend, Outcome, Termination
from nonocsp.backends.run import or_crashed, run_backend
from nonocsp.certificates.checking import checked
from nonocsp.engine import StopFlag
from nonocsp.model import UsageError
from nonocsp.run.conditions import conditions
from nonocsp.run.jobs import Job, Measurement, Readiness
from nonocsp.run.limits import cut_off_if_late
from nonocsp.run.provenance import provenance


class InlineExecutor:
    """Measures one job at a time in this process; options of other executors change nothing."""

    name = "inline"

    def __init__(self, jobs: int = 1, *, pin: bool = False, **_anything: object) -> None:
        if jobs != 1:
            raise UsageError(f"executor inline runs one job at a time, not {jobs}")
        if pin:
            raise UsageError("executor inline does not pin: it would confine this whole process to a core")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Do nothing: there is nothing to end."""

    def readiness(self, backends: Collection[str]) -> dict[str, Readiness]:
        """Return what will measure each backend: the packages of this process."""
        return {backend: Readiness((provenance(backend),)) for backend in backends}

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Measurement]]:
        """Measure jobs and yield each as it ends."""
        create = cache(registry.create)
        for job in jobs:
            found = conditions(cores=None)
            found_out = checked(or_crashed(partial(_run, job, create)), job.puzzle)
            outcome = cut_off_if_late(found_out, job.request.limits)
            claims, where = (outcome.wall_s, outcome.cpu_s), provenance(job.backend)
            yield job, Measurement(outcome, None, self.name, False, found, *claims, provenance=where)


def _run(job: Job, create: Callable[[str], Backend]) -> Outcome:
    """Run a job whose stop flag is set at its wall limit."""
    backend, stop, wall = create(job.backend), StopFlag(), job.request.limits.wall
    timer = Timer(TIMEOUT_MAX if wall is None else wall, stop.set)
    timer.start()
    try:
        outcome = run_backend(backend, job.puzzle, job.request, stop)
    finally:
        timer.cancel()
    if outcome.termination is Termination.KILLED:
        message = f"stopped: the wall limit of {wall:g} s was reached"
        return dataclasses.replace(outcome, termination=Termination.WALL, message=message)
    return outcome
