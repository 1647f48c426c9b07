"""How much of the cores that this process may use others keep busy meanwhile.

Linux counts the idle time of each core; what is neither idle nor used by this process and its children is
used by others: processes of other users, or what the host of a virtual machine gives to its other guests.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from time import perf_counter, sleep

import psutil

from nonocsp.runner.cores import physical_cores

SAMPLE_S = 1.0
"""Over how long that is averaged; Linux counts in hundredths of a second."""
SLACK = 0.25
"""As many cores may others use beyond what is left for them: a machine is never quite at rest."""

_LOOK_S = 0.3


class Bystanders:
    """Looks at intervals at what others do.

    Parameters
    ----------
    cores
        How many cores they may keep busy without disturbing anything.
    own_cpu_s
        Returns the CPU seconds used so far by all that is not a bystander.
    """

    def __init__(self, cores: float, own_cpu_s: Callable[[], float]) -> None:
        self._most = cores + SLACK
        self._own_cpu_s = own_cpu_s
        self._time, self._used = perf_counter(), self._others()
        self.disturb = False

    def look(self) -> bool:
        """Return whether others disturbed since the last look; often False because that was just now."""
        now = perf_counter()
        if now - self._time < SAMPLE_S:
            return False
        used = self._others()
        self.disturb = used - self._used > self._most * (now - self._time)
        self._time, self._used = now, used
        return self.disturb

    def _others(self) -> float:
        return busy_s() - self._own_cpu_s()


def cores_in_use(seconds: float) -> float:
    """Return how many cores others kept busy on average, while waiting for some seconds."""
    began, before = perf_counter(), busy_s() - own_cpu_s()
    sleep(seconds)
    return max(0.0, busy_s() - own_cpu_s() - before) / (perf_counter() - began)


def busy_warning(jobs: int) -> str:
    """Look for a moment whether others use the cores that so many runs at a time need.

    Returns
    -------
    str
        What to tell a user who is about to measure; empty if nothing is in the way.
    """
    cores, busy = physical_cores(), cores_in_use(_LOOK_S)
    if jobs + busy <= cores + SLACK:
        return ""
    return (
        f"others keep {busy:.1f} of {cores} cores busy, and {jobs} at a time are to be measured: "
        "times will not be reliable; wait, or take fewer jobs"
    )


def busy_s() -> float:
    """Return the seconds that the cores which this process may use were not idle, since some moment."""
    usable = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    times = psutil.cpu_times(percpu=True)
    cores = times if usable is None else [times[core] for core in usable if core < len(times)]
    idle = sum(core.idle + getattr(core, "iowait", 0.0) for core in cores)
    return len(cores) * perf_counter() - idle


def own_cpu_s() -> float:
    """Return the CPU seconds that this process has used, with children that have ended."""
    return sum(os.times()[:4])
