"""Read what a run uses: CPU seconds and resident memory of all processes that descend from its server.

The memory of a run is what its processes hold beyond what their server had when it forked them. Resident
pages count, their own or shared with other processes, but not those of files, such as code. For one process
that is a subtraction of 50 microseconds. Several processes may share pages, so their sizes cannot be added
up. Their proportional sizes can (Linux divides every page by the number of processes that have it), but take
milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil

from nonocsp.runner.guard import descendants


class Usage(NamedTuple):
    """CPU seconds of the processes of a run so far, and their resident bytes now."""

    cpu_s: float
    rss_bytes: int


class Resident(NamedTuple):
    """Resident memory of a process in bytes, without pages of files: now, and at its peak."""

    now: int
    peak: int


_HAS_STATUS = Path("/proc/self/status").exists()


def usage_below(server: psutil.Process, shared_bytes: int) -> Usage:
    """Return what the descendants of a server use.

    Parameters
    ----------
    server
        The process that forked the run.
    shared_bytes
        The memory that the run's first process had when it was forked.
    """
    cpu, sizes = 0.0, []
    with suppress(psutil.Error):
        cpu = sum(server.cpu_times()[2:4])  # of children that have ended
    pids = descendants(server.pid)
    for pid in pids:
        with suppress(psutil.Error, OSError):
            process = psutil.Process(pid)
            cpu += sum(process.cpu_times()[:4])
            sizes.append(resident(pid).now if _HAS_STATUS else process.memory_info().rss)
    if len(sizes) > 1:
        with suppress(OSError):
            return Usage(cpu, _beyond(server.pid, pids))
    return Usage(cpu, max(0, sum(sizes) - shared_bytes))


def _beyond(server: int, pids: Iterable[int]) -> int:
    """Return how many bytes some processes have beyond the process that they were forked from.

    A page of the server's that they share too counts in the sum over them for as much as the server's own
    proportional size lacks.
    """
    mine = _rollup(server)
    total = 0
    for pid in pids:
        with suppress(FileNotFoundError, ProcessLookupError):  # it has ended
            theirs = _rollup(pid)
            total += theirs["Pss_Anon"] + theirs["Pss_Shmem"]
    return max(0, total - (mine["Anonymous"] - mine["Pss_Anon"]))


def resident(pid: int | str) -> Resident:
    """Return the resident memory of a process without pages of files; OSError if Linux does not tell.

    Parameters
    ----------
    pid
        Or ``self``.
    """
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    sizes = {line.split(":")[0]: int(line.split()[1]) * 1024 for line in lines if line[:2] in ("Vm", "Rs")}
    if "VmHWM" not in sizes:
        return Resident(0, 0)  # it has ended
    return Resident(sizes["RssAnon"] + sizes["RssShmem"], sizes["VmHWM"] - sizes["RssFile"])


def _rollup(pid: int) -> dict[str, int]:
    """Return the sums over all mappings of a process, in bytes, by their names in ``proc(5)``."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    return {line.split(":")[0]: int(line.split()[1]) * 1024 for line in lines}
