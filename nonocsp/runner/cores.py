"""The cores of this machine that runs may have for themselves."""

from __future__ import annotations

import os
from pathlib import Path

from nonocsp.model import UsageError

_SIBLINGS = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"


def physical_cores() -> int:
    """Return how many cores this process may use, where the threads of one core count once."""
    return len(_by_physical_core())


def usable_cores() -> int:
    """Return how many cores this process may use."""
    return len(_usable())


def choose_cores(count: int) -> list[int]:
    """Return the numbers of as many cores, no two threads of one core before all cores have one.

    Raises
    ------
    UsageError
        If there are not as many, or processes cannot be confined to cores here.
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
    """Return the cores that may be used, as Linux numbers them, by the physical core that they belong to."""
    cores: dict[str, list[int]] = {}
    for core in sorted(_usable()):
        cores.setdefault(_siblings(core), []).append(core)
    return cores


def _usable() -> set[int]:
    if hasattr(os, "sched_getaffinity"):
        return os.sched_getaffinity(0)
    return set(range(os.cpu_count() or 1))


def _siblings(core: int) -> str:
    """Return what names the physical core of a core; without a way to know, each is one."""
    try:
        return Path(_SIBLINGS.format(core)).read_text()
    except OSError:
        return str(core)
