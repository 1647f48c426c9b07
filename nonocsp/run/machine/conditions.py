"""Describe the state of the machine when a run starts, and warn before a campaign of what will disturb it.

`conditions` costs one to ten microseconds a run: what changes slowly or is slow to read is read once a
second.
"""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from time import monotonic

from nonocsp.model import UsageError
from nonocsp.run.jobs import Conditions
from nonocsp.run.machine.bystanders import SLACK, cores_in_use
from nonocsp.run.machine.cores import SYSTEM, physical_cores, read_number, topology
from nonocsp.run.machine.locks import describe, held_cores

_WARNING_S = 0.3
_HOST = platform.node()
_TURBO = ("cpufreq/boost", 1), ("intel_pstate/no_turbo", 0)
"""Files below ``cpu/``, and what they hold if cores exceed their nominal frequency while few of them work."""


def conditions(
    cores: tuple[int, ...] | None, *, is_isolated: bool = False, started: float | None = None
) -> Conditions:
    """Return the conditions of a run.

    Parameters
    ----------
    cores
        Those to which the run is confined; None if it may use any.
    is_isolated
        Whether the run can reach no other process.
    started
        When it started, in seconds since 1970; None if that is now.
    """
    load, mhz, governor = _slow_facts(int(monotonic()), cores[0] if cores else 0)
    at = datetime.now(UTC) if started is None else datetime.fromtimestamp(started, UTC)
    start = at.isoformat(timespec="milliseconds")
    return Conditions(start, [*cores] if cores else None, load, mhz, _HOST, governor, is_isolated)


def governor(thread: int, system: Path = SYSTEM) -> str | None:
    """Return what decides on the frequency of a hardware thread, such as ``performance``; None if unknown.

    Parameters
    ----------
    thread
        Its number.
    system
        The folder that describes the machine.
    """
    try:
        return (system / "cpu" / f"cpu{thread}" / "cpufreq" / "scaling_governor").read_text().strip()[:64]
    except (OSError, ValueError):
        return None


@lru_cache(maxsize=256)
def _slow_facts(second: int, core: int) -> tuple[float | None, float | None, str | None]:  # noqa: ARG001  (cached for a second)
    """Return the load average, and a core's frequency and governor."""
    load = None
    with suppress(OSError, AttributeError):
        load = os.getloadavg()[0]
    khz = read_number(SYSTEM / "cpu" / f"cpu{core}" / "cpufreq" / "scaling_cur_freq")
    return load, khz / 1e3 if khz else _nominal_mhz(core), governor(core)


@lru_cache(maxsize=256)
def _nominal_mhz(core: int, processors: Path = Path("/proc/cpuinfo")) -> float | None:
    """Return what Linux says where nothing governs the frequency, as in most virtual machines.

    Parameters
    ----------
    core
        The number of a hardware thread.
    processors
        The file that describes all that are online.
    """
    described = None
    with suppress(OSError, ValueError):
        for line in processors.read_text().splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "processor":
                described = int(value)
            elif key.strip() == "cpu MHz" and described == core:
                return float(value)
    return None


def disturbances(jobs: int, cores: int, *, pin: bool) -> list[str]:
    """Return a warning for everything known now that will make the times of a campaign less reliable.

    Parameters
    ----------
    jobs
        Runs at a time.
    cores
        Cores of each run.
    pin
        Whether the runs have locked their cores.
    """
    found = [busy_warning(jobs * cores), frequency_warning()]
    return [*filter(None, [*found, "" if pin else lock_warning(jobs * cores)])]


def busy_warning(needed: int) -> str:
    """Return a warning if others use the cores that the runs need; empty if they do not."""
    cores, busy = physical_cores(), cores_in_use(_WARNING_S)
    if needed + busy <= cores + SLACK:
        return ""
    return (
        f"other programs keep {busy:.1f} of {cores} cores busy, and you measure on {needed} at a time: "
        "times will not be reliable; wait, or use fewer jobs"
    )


def lock_warning(needed: int) -> str:
    """Return a warning if unpinned runs must use cores that others have locked; empty if they need not."""
    try:
        holders = held_cores()
    except UsageError:
        return ""
    free = physical_cores() - len(holders)
    if not holders or needed <= free:
        return ""
    return (
        f"pinned runs hold {describe(holders)}. You measure on {needed} cores at a time and {free} are free: "
        "your runs will disturb theirs; wait, use fewer jobs, or set pin: true"
    )


def frequency_warning(system: Path = SYSTEM) -> str:
    """Return a warning if the frequency of the cores varies with what they do; empty if nobody says so.

    Parameters
    ----------
    system
        The folder that describes the machine.
    """
    governors = {governor(core.number, system) for core in topology(system)} - {None, "performance"}
    with_turbo = any(
        (system / "cpu" / name).exists() and read_number(system / "cpu" / name) == value
        for name, value in _TURBO
    )
    causes = [
        *(f"the governor is {name}" for name in sorted(filter(None, governors))),
        *(["turbo is on"] if with_turbo else []),
    ]
    if not causes:
        return ""
    return (
        f"the frequency of the cores varies, because {' and '.join(causes)}: times vary with it; "
        "if you may, run: cpupower frequency-set --governor performance"
        + ("; and switch turbo off" if with_turbo else "")
    )
