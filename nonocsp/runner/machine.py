"""Describe the machine: the cores for runs, its state when a run starts, and what other processes do.

`conditions` costs one to ten microseconds a run: what changes slowly or is slow to read is read once a
second. Linux counts the idle time of each core. A core that is neither idle nor used by this process and its
children is used by others: processes of other users, or other guests of a virtual machine's host.
"""

from __future__ import annotations

import contextlib
import os
import platform
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from time import monotonic, perf_counter, sleep

from nonocsp.model import UsageError
from nonocsp.runner.jobs import Conditions

SAMPLE_S = 1.0
"""The shortest time over which `Bystanders` averages; Linux counts in hundredths of a second."""
SLACK = 0.25
"""Cores that others may use beyond their share: a machine is never quite at rest."""

_WARNING_S = 0.3
_FREQUENCY = "/sys/devices/system/cpu/cpu{}/cpufreq/scaling_cur_freq"
_SIBLINGS = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"
_HOST = platform.node()


def usable_cores() -> int:
    """Return how many cores this process may use."""
    return len(_usable())


def physical_cores() -> int:
    """Return how many cores this process may use, counting the threads of one core once."""
    return len(_by_physical_core())


def choose_cores(count: int) -> list[int]:
    """Return the numbers of `count` cores; a core's second thread comes after the first of every core.

    Raises
    ------
    UsageError
        If there are fewer cores, or this system cannot confine processes to cores.
    """
    if not hasattr(os, "sched_setaffinity"):
        raise UsageError("runs cannot be pinned to cores on this system; only Linux can")
    threads = sorted(
        (place, core) for siblings in _by_physical_core().values() for place, core in enumerate(siblings)
    )
    if count > len(threads):
        raise UsageError(f"{count} runs cannot be pinned to a core each: there are {len(threads)} cores")
    return [core for _, core in threads[:count]]


def _by_physical_core() -> dict[str, list[int]]:
    """Return the usable cores, as Linux numbers them, grouped by physical core."""
    cores: dict[str, list[int]] = {}
    for core in sorted(_usable()):
        try:
            siblings = Path(_SIBLINGS.format(core)).read_text()
        except OSError:  # the system does not tell: each is a core of its own
            siblings = str(core)
        cores.setdefault(siblings, []).append(core)
    return cores


def _usable() -> set[int]:
    if hasattr(os, "sched_getaffinity"):
        return os.sched_getaffinity(0)
    return set(range(os.cpu_count() or 1))


def conditions(cores: tuple[int, ...] | None) -> Conditions:
    """Return the conditions of now, for a run that is confined to some cores or may use any."""
    load, mhz = _load_and_mhz(int(monotonic()), cores[0] if cores else 0)
    started = datetime.now(UTC).isoformat(timespec="milliseconds")
    return Conditions(started, [*cores] if cores else None, load, mhz, _HOST)


@lru_cache(maxsize=256)
def _load_and_mhz(second: int, core: int) -> tuple[float | None, float | None]:  # noqa: ARG001  (cached for a second)
    load = None
    with contextlib.suppress(OSError, AttributeError):
        load = os.getloadavg()[0]
    try:
        return load, int(Path(_FREQUENCY.format(core)).read_text()) / 1e3
    except (OSError, ValueError):  # no governor, as in most virtual machines
        return load, _nominal_mhz(core)


@lru_cache(maxsize=256)
def _nominal_mhz(core: int) -> float | None:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        figures = [float(line.partition(":")[2]) for line in lines if line.startswith("cpu MHz")]
        return figures[core]
    except (OSError, ValueError, IndexError):
        return None


class Bystanders:
    """Measures at intervals how much of the machine other processes use.

    Parameters
    ----------
    cores
        How many cores others may keep busy without disturbing the runs.
    own_cpu_s
        Returns the CPU seconds used so far by everything that is not a bystander.
    """

    def __init__(self, cores: float, own_cpu_s: Callable[[], float]) -> None:
        self._allowed_cores = cores + SLACK
        self._own_cpu_s = own_cpu_s
        self._time, self._used = perf_counter(), busy_s() - own_cpu_s()
        self.disturb = False

    def look(self) -> bool:
        """Return whether others disturbed since the last look; False if that was less than `SAMPLE_S` ago."""
        now = perf_counter()
        if now - self._time < SAMPLE_S:
            return False
        used = busy_s() - self._own_cpu_s()
        self.disturb = used - self._used > self._allowed_cores * (now - self._time)
        self._time, self._used = now, used
        return self.disturb


def cores_in_use(seconds: float) -> float:
    """Return how many cores others kept busy on average, while waiting for some seconds."""
    began, before = perf_counter(), busy_s() - own_cpu_s()
    sleep(seconds)
    return max(0.0, busy_s() - own_cpu_s() - before) / (perf_counter() - began)


def busy_warning(jobs: int) -> str:
    """Return a warning if others use the cores that `jobs` runs at a time need; empty if they do not."""
    cores, busy = physical_cores(), cores_in_use(_WARNING_S)
    if jobs + busy <= cores + SLACK:
        return ""
    return (
        f"other programs keep {busy:.1f} of {cores} cores busy, and you measure {jobs} at a time: "
        "times will not be reliable; wait, or use fewer jobs"
    )


def busy_s() -> float:
    """Return the seconds that the usable cores were not idle, counted from some fixed moment."""
    import psutil  # takes 40 ms, and most callers want the number of cores only

    usable = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    times = psutil.cpu_times(percpu=True)
    cores = times if usable is None else [times[core] for core in usable if core < len(times)]
    idle = sum(core.idle + getattr(core, "iowait", 0.0) for core in cores)
    return len(cores) * perf_counter() - idle


def own_cpu_s() -> float:
    """Return the CPU seconds that this process has used, with children that have ended."""
    return sum(os.times()[:4])
