"""Describe the state of the machine, warn of what will disturb runs, and find out what did.

A hardware thread that is neither idle nor used by the runs is used by others. Linux counts that, and how
often a core was slowed down because it became too hot.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Collection, Hashable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from time import monotonic, perf_counter, sleep

import psutil

from nonocsp.model import UsageError
from nonocsp.run.cores import (
    SYSTEM,
    online_threads,
    physical_cores,
    read_number,
    siblings,
    topology,
    usable_threads,
)
from nonocsp.run.jobs import Conditions
from nonocsp.run.locks import describe, held_cores

SAMPLE_S, FIRST_S = 1.0, 0.25
"""The shortest time over which `Bystanders` averages, and that of its first look."""
RESOLUTION_S = 0.05
"""What others may use in any case; Linux counts for each thread in hundredths of a second."""
SLACK, PINNED_SLACK = 0.25, 0.1
"""Cores that others may use beyond their share, as no machine is quite at rest; on those of a pinned run."""
DELAY, DELAY_S = 0.03, 0.0005
"""How long a run may wait for a core: part of its wall time, and seconds."""
ESCAPE, ESCAPE_S = 0.1, 0.1
"""How far a run's CPU time may exceed that of its cores: as a share of it, and in seconds."""

_WARNING_S = 0.3
_HOST = platform.node()


def conditions(cores: tuple[int, ...] | None, started: float | None = None) -> Conditions:
    """Return the conditions of a run that is confined to some cores and started now, or then (since 1970)."""
    load, mhz, governor = _slow_facts(int(monotonic()), cores[0] if cores else 0)
    at = datetime.now(UTC) if started is None else datetime.fromtimestamp(started, UTC)
    return Conditions(
        at.isoformat(timespec="milliseconds"), [*cores] if cores else None, load, mhz, _HOST, governor
    )


@lru_cache(maxsize=256)
def _slow_facts(second: int, core: int) -> tuple[float | None, float | None, str | None]:  # noqa: ARG001  (cached for a second)
    """Return the load average, and a core's frequency and governor."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    mhz = read_number(SYSTEM / "cpu" / f"cpu{core}" / "cpufreq" / "scaling_cur_freq") / 1e3
    if not mhz:  # nothing governs it, as in most virtual machines
        nominal = psutil.cpu_freq()
        mhz = nominal.current if nominal else 0.0
    return load, mhz or None, governor(core)


def governor(thread: int, system: Path = SYSTEM) -> str | None:
    """Return what decides on the frequency of a hardware thread, such as ``performance``; None if unknown."""
    with suppress(OSError, ValueError):
        return (system / "cpu" / f"cpu{thread}" / "cpufreq" / "scaling_governor").read_text().strip()
    return None


def disturbances(jobs: int, cores: int, *, pin: bool) -> list[str]:
    """Return a warning for everything known now that will make times of so many jobs at a time unreliable."""
    needed, there = jobs * cores, physical_cores()
    found = [frequency_warning()]
    if needed + (busy := cores_in_use(_WARNING_S)) > there + SLACK:
        found.append(
            f"other programs keep {busy:.1f} of {there} cores busy, and you measure on {needed} at a time: "
            "times will not be reliable; wait, or use fewer jobs"
        )
    holders: dict[int, str] = {}
    with suppress(UsageError):
        holders = {} if pin else held_cores()
    if holders and needed > there - len(holders):
        found.append(
            f"pinned runs hold {describe(holders)}. You measure on {needed} cores at a time and "
            f"{there - len(holders)} are free: your runs will disturb theirs; wait, use fewer jobs, or set "
            "pin: true"
        )
    return [*filter(None, found)]


def frequency_warning(system: Path = SYSTEM) -> str:
    """Return a warning if the frequency of the cores varies with what they do; empty if nobody says so."""
    governors = {governor(core.number, system) or "" for core in topology(system)} - {"", "performance"}
    boost, no_turbo = system / "cpu" / "cpufreq" / "boost", system / "cpu" / "intel_pstate" / "no_turbo"
    has_turbo = read_number(boost) == 1 or (no_turbo.exists() and read_number(no_turbo) == 0)
    causes = [*(f"the governor is {name}" for name in sorted(governors)), *["turbo is on"][:has_turbo]]
    if not causes:
        return ""
    return (
        f"the frequency of the cores varies, because {' and '.join(causes)}: times vary with it; "
        "if you may, run: cpupower frequency-set --governor performance"
        + ("; and switch turbo off" if has_turbo else "")
    )


class Bystanders:
    """Measures at intervals what others do where runs take place; places are known by keys."""

    def __init__(self, system: Path = SYSTEM) -> None:
        self._system = system
        self._places: dict[Hashable, _Place] = {}
        self._time = perf_counter()
        self._has_looked = False
        self.disturbed: set[Hashable] = set()
        """Where others disturbed when all places were last measured."""

    def watch_all(self, used_cores: int, own_cpu_s: Callable[[], float]) -> None:
        """Watch all cores, known by None, for runs that use some of them at a time."""
        spare = physical_cores() - used_cores + SLACK
        self.watch(None, usable_threads(), spare, lambda: this_process_cpu_s() + own_cpu_s())

    def watch_pinned(self, threads: tuple[int, ...], own_cpu_s: Callable[[], float]) -> None:
        """Watch the cores of these threads, known by them, to which runs are confined."""
        self.watch(threads, siblings(threads), PINNED_SLACK, own_cpu_s)

    def watch(
        self, key: Hashable, threads: Collection[int], spare: float, own_cpu_s: Callable[[], float]
    ) -> None:
        """Watch a place where others may keep some cores busy; `own_cpu_s` is what all but they used."""
        folders = [self._system / "cpu" / f"cpu{thread}" / "thermal_throttle" for thread in threads]
        counts = [count for folder in folders for count in folder.glob("*_throttle_count")]
        self._places[key] = _Place(threads, spare, own_cpu_s, counts)
        self._places[key].look(busy_by_thread())

    def begin(self) -> None:
        """Take note that runs begin: unless the last look was just now, what was before does not count."""
        if perf_counter() - self._time > 2 * SAMPLE_S:
            self._look()
            self._has_looked, self.disturbed = False, set()

    def look(self) -> set[Hashable]:
        """Return where others disturbed since the last look; nowhere if that was less than `SAMPLE_S` ago."""
        passed_s = perf_counter() - self._time
        if self._has_looked and passed_s < SAMPLE_S:
            return set()
        sleep(max(0.0, FIRST_S - passed_s))  # the first look judges runs that end sooner, too
        self._look()
        return self.disturbed

    def _look(self) -> None:
        self._time, busy = perf_counter(), busy_by_thread()
        self.disturbed = {key for key, place in self._places.items() if place.look(busy)}
        self._has_looked = True


@dataclass(slots=True)
class _Place:
    threads: Collection[int]
    allowed_cores: float
    own_cpu_s: Callable[[], float]
    throttle_counts: list[Path]
    seen: tuple[float, float, int] = (0.0, 0.0, 0)

    def look(self, busy: dict[int, float]) -> bool:
        """Return whether others used more than allowed since the last look, or a core was slowed down."""
        used_s = sum(busy.get(thread, 0.0) for thread in self.threads) - self.own_cpu_s()
        before, self.seen = self.seen, (perf_counter(), used_s, sum(map(read_number, self.throttle_counts)))
        passed_s, used_s, throttled = (now - then for now, then in zip(self.seen, before, strict=True))
        is_unknown = any(thread not in busy for thread in self.threads)  # as in some containers
        return is_unknown or throttled > 0 or used_s > max(self.allowed_cores * passed_s, RESOLUTION_S)


def is_delayed(waited_s: float, wall_s: float, cpu_s: float) -> bool:
    """Return whether a run, whose threads were ready for some time, waited for a core that others used."""
    if cpu_s > wall_s * (1 + DELAY):  # its threads may have waited for each other
        return False
    return min(waited_s, wall_s - cpu_s) > DELAY_S + DELAY * wall_s


def has_escaped(cores: Collection[int] | None, wall_s: float, cpu_s: float) -> bool:
    """Return whether a run used more CPU time than the cores have to which it was confined, if it was."""
    return cores is not None and cpu_s > len(cores) * wall_s * (1 + ESCAPE) + ESCAPE_S


def cores_in_use(seconds: float) -> float:
    """Return how many of the usable cores others kept busy on average, while waiting for some seconds."""

    def busy_s() -> float:
        busy = busy_by_thread()
        return sum(busy.get(thread, 0.0) for thread in usable_threads()) - this_process_cpu_s()

    began, before = perf_counter(), busy_s()
    sleep(seconds)
    return max(0.0, busy_s() - before) / (perf_counter() - began)


def busy_by_thread() -> dict[int, float]:
    """Return the seconds that each hardware thread was not idle, counted from some fixed moment."""
    all_times, now = psutil.cpu_times(percpu=True), perf_counter()  # of those that are online
    numbers = sorted(online_threads()) or range(len(all_times))
    idle_s = (times.idle + getattr(times, "iowait", 0.0) for times in all_times)
    return {number: now - idle for number, idle in zip(numbers, idle_s, strict=False)}


def this_process_cpu_s() -> float:
    """Return the CPU seconds that this process has used, with children that have ended."""
    return sum(os.times()[:4])
