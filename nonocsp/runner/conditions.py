"""What is noted of the machine when a run starts: time, load, frequency.

A microsecond or ten a run: what changes slowly or is slow to read is read once a second.
"""

from __future__ import annotations

import contextlib
import os
import platform
import time
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from nonocsp.runner.jobs import Conditions

_FREQUENCY = "/sys/devices/system/cpu/cpu{core}/cpufreq/scaling_cur_freq"
_HOST = platform.node()


def conditions(core: int | None) -> Conditions:
    """Return the conditions of now, for a run that is pinned to a core or to none."""
    load, mhz = _load_and_mhz(int(time.monotonic()), core or 0)
    started = datetime.now(UTC).isoformat(timespec="milliseconds")
    return Conditions(started, core, load, mhz, _HOST)


@lru_cache(maxsize=256)
def _load_and_mhz(second: int, core: int) -> tuple[float | None, float | None]:  # noqa: ARG001  (a new second)
    load = None
    with contextlib.suppress(OSError, AttributeError):
        load = os.getloadavg()[0]
    return load, _mhz(core)


def _mhz(core: int) -> float | None:
    """Return the frequency of a core; without a governor, as in most virtual machines, what is said of it."""
    try:
        return int(Path(_FREQUENCY.format(core=core)).read_text()) / 1e3
    except (OSError, ValueError):
        return _nominal_mhz(core)


@lru_cache(maxsize=256)
def _nominal_mhz(core: int) -> float | None:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        figures = [float(line.partition(":")[2]) for line in lines if line.startswith("cpu MHz")]
        return figures[core]
    except (OSError, ValueError, IndexError):
        return None
