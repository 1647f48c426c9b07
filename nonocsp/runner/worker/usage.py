"""Read from the system what a run uses: CPU seconds and resident memory of all its processes.

The processes of a run are all that descend from its server, but not the server's idle hosts. Nothing is asked
of them.

- CPU: Linux has a clock for each process, in nanoseconds, which others can read even after its end, until its
  parent takes note. The time of children that ended counts in their parents, in hundredths of a second. A
  parent can refuse to take note; so the time of a process that disappears without being counted anywhere is
  remembered from the last look. What a process does that begins and disappears so between two looks is lost;
  only a control group counts that.
- Waiting: Linux counts how long each thread was ready to run and had no core.
- Memory: resident pages, their own or shared with other processes, but not those of files, such as code,
  beyond the `baseline` that the run's process had when the run began. For one process that is a subtraction
  of 20 microseconds. Several processes may share pages, so their sizes cannot be added up. Their proportional
  sizes can (Linux divides every page by the number of processes that have it), but take milliseconds.

Other systems have the figures of psutil.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from typing import NamedTuple

import psutil

from nonocsp.runner.guard import children_of, descendants

_IS_LINUX = sys.platform == "linux"
_SHARED = "/dev/shm"
_TICK_S = 1 / os.sysconf("SC_CLK_TCK")
_CPUCLOCK_SCHED = 2


class Resident(NamedTuple):
    """Resident memory of a process in bytes, without pages of files: now, and at its peak."""

    now: int
    peak: int


class _Seen(NamedTuple):
    """CPU seconds of a process: its own, and of its children that have ended and that it took note of."""

    own_s: float
    reaped_s: float
    parent: int


class RunTree:
    """The processes of the run at hand.

    Parameters
    ----------
    host
        The process that loaded the backend.
    idle
        Returns the other hosts of this server, which are not part of the run.
    is_forked
        Whether the run is a process that the host forks, and not the host itself.

    Attributes
    ----------
    run
        The process of the run at hand; the host if it forks none.
    kept_bytes
        What the run's process had at its end beyond what it began with; 0 if unknown.
    """

    def __init__(self, host: int, idle: Callable[[], Collection[int]], *, is_forked: bool) -> None:
        self._server, self._host, self._idle = os.getpid(), host, idle
        self._is_forked = is_forked
        self._seen: dict[int, _Seen] = {}
        self._lost_s = 0.0
        self._baseline: int | None = None
        self._host_bytes = 0
        self._can_tell_peak = False
        self.run = host
        self.kept_bytes = 0

    def others(self) -> list[int]:
        """Return the processes of the run but its host."""
        return [pid for pid in self._pids() if pid != self._host]

    def clock_s(self) -> float:
        """Return the CPU seconds of the run's own process, before it starts."""
        if self._is_forked:
            forked = children_of(self._host)
            self.run = forked[0] if len(forked) == 1 else self._host
        with suppress(OSError, psutil.Error):
            return _cpu(self.run).own_s
        return 0.0

    def start(self) -> float:
        """Take note that the run starts now; return the CPU seconds so far."""
        expected = [self.run] if self.run != self._host else []
        is_known = children_of(self._host) == expected  # as nearly always: no need to look for more
        self._seen, self._can_tell_peak = {}, False
        with suppress(OSError, psutil.Error):
            if self._is_forked:
                self._baseline, self._host_bytes = None, resident(self._host).now
            if expected or not self._is_forked:
                if self._baseline is None:  # what a lasting process keeps from former runs counts
                    self._baseline = resident(self.run).now
                self._can_tell_peak = _forget_peak(self.run)
        return self._look([self._host, *expected] if is_known else self._pids())

    def cpu_s(self) -> float:
        """Return the CPU seconds of all processes that were seen so far; only differences say something."""
        return self._look(self._pids())

    def _look(self, pids: Iterable[int]) -> float:
        before, self._seen = self._seen, {}
        for pid in pids:
            with suppress(OSError, psutil.Error):
                self._seen[pid] = _cpu(pid)
        self._lost_s += _lost_s(before, self._seen)
        return self._lost_s + sum(seen.own_s + seen.reaped_s for seen in self._seen.values())

    def queued_s(self) -> float:
        """Return how long the run waited for a core, just after `start` or `cpu_s`; compare two of them."""
        return queued_s(self._counted([*self._seen]))

    def rss_bytes(self) -> int:
        """Return the resident memory of the run beyond what it began with."""
        counted = self._counted(self._pids())
        added = _unmapped_bytes(counted) if self._server == 1 else 0  # as the first process of its namespaces
        if self._is_forked:
            with suppress(OSError, psutil.Error):
                added += max(0, resident(self._host).now - self._host_bytes)
        with suppress(OSError, psutil.Error):
            if len(counted) == 1:
                return added + max(0, resident(counted[0]).now - (self._baseline or 0))
            # A look adds up one process after the other; if one forks meanwhile, what they share counts twice
            return added + min(self._beyond(counted), self._beyond(counted))
        return added

    def peak_bytes(self) -> int | None:
        """Return the highest memory of the run since its start, just after `cpu_s`; None if unknown."""
        counted = self._counted([*self._seen])
        if len(counted) > 1:
            return self.rss_bytes()
        if not counted or not self._can_tell_peak or self._baseline is None:
            return None
        with suppress(OSError, psutil.Error):
            now, peak = resident(counted[0])
            self.kept_bytes = now - self._baseline
            return max(0, peak - self._baseline)
        return None

    def setup_bytes(self) -> int:
        """Return the resident memory of all processes of the run, its host included, before it starts."""
        total = 0
        for pid in self._pids():
            with suppress(OSError, psutil.Error):
                total += resident(pid).now
        return total

    def _pids(self) -> list[int]:
        return descendants(self._server, without=self._idle())

    def _counted(self, pids: list[int]) -> list[int]:
        """Return the processes whose memory is the run's."""
        return [pid for pid in pids if pid != self._host] if self._is_forked else pids

    def _beyond(self, pids: list[int]) -> int:
        """Return how many bytes some processes have beyond the process that they were forked from.

        A page that several processes share counts in each for its share. So the part of these processes in
        the pages of their origin is what the origin lacks, but for the part of other processes that have them
        too: the server and its idle hosts, which have a server's page in equal shares.
        """
        if not _IS_LINUX:
            return max(0, sum(resident(pid).now for pid in pids) - (self._baseline or 0))
        total = 0
        for pid in pids:
            with suppress(FileNotFoundError, ProcessLookupError):  # it has ended
                theirs = _rollup(pid)
                total += theirs["Pss_Anon"] + theirs["Pss_Shmem"]
        server, idle = _rollup(self._server), len(self._idle())
        if self._is_forked:
            host = _rollup(self._host)
            lacks = host["Anonymous"] - host["Pss_Anon"] - (1 + idle) * server["Pss_Anon"]
            return max(0, total - max(0, lacks))
        lacks = server["Anonymous"] - server["Pss_Anon"] - idle * server["Pss_Anon"]
        return max(0, total - max(0, lacks) - max(0, (self._baseline or 0) - server["Anonymous"]))


def tree_cpu_s(pid: int) -> float:
    """Return the CPU seconds of a process and of all that descend from it, as far as they are counted."""
    total = 0.0
    for process in [pid, *descendants(pid)]:
        with suppress(OSError, psutil.Error):
            seen = _cpu(process)
            total += seen.own_s + seen.reaped_s
    return total


def queued_s(pids: Iterable[int]) -> float:
    """Return how long the threads of some processes were ready to run but had no core; 0 if nobody tells.

    Linux counts that in nanoseconds for every thread, until the thread has ended.

    Parameters
    ----------
    pids
        Processes; those that have ended do not count.
    """
    total = 0
    for pid in pids:
        with suppress(OSError, IndexError):
            for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208  (a tenth of the time of pathlib)
                total += int(_read(f"/proc/{pid}/task/{thread}/schedstat").split()[1])
    return total / 1e9


def resident(pid: int) -> Resident:
    """Return the resident memory of a process without pages of files.

    Raises
    ------
    OSError, psutil.Error
        If it has ended.
    """
    if not _IS_LINUX:
        now = int(psutil.Process(pid).memory_info().rss)
        return Resident(now, now)
    sizes: dict[bytes, int] = {}
    for line in _read(f"/proc/{pid}/status").splitlines():
        if line[:2] in (b"Vm", b"Rs"):
            name, _, size = line.partition(b":")
            sizes[name] = int(size.split()[0]) * 1024
    if b"VmHWM" not in sizes:
        raise ProcessLookupError
    return Resident(sizes[b"RssAnon"] + sizes[b"RssShmem"], sizes[b"VmHWM"] - sizes[b"RssFile"])


def _unmapped_bytes(pids: Iterable[int]) -> int:
    """Return the bytes of files in shared memory that none of some processes has mapped."""
    system = os.statvfs(_SHARED)
    bytes_ = (system.f_blocks - system.f_bfree) * system.f_frsize
    for pid in pids if bytes_ else ():
        with suppress(OSError):
            line = _read(f"/proc/{pid}/status").partition(b"\nRssShmem:")[2]
            bytes_ -= int(line.split()[0]) * 1024
    return max(0, bytes_)


def _forget_peak(pid: int) -> bool:
    """Have Linux begin anew with a process's peak memory; return whether it did."""
    if not _IS_LINUX:
        return False
    with suppress(OSError):
        file = os.open(f"/proc/{pid}/clear_refs", os.O_WRONLY)
        try:
            os.write(file, b"5")
        finally:
            os.close(file)
        return True
    return False


def _cpu(pid: int) -> _Seen:
    """Return the CPU seconds of a process; an error if it is gone."""
    if not _IS_LINUX:
        process = psutil.Process(pid)
        times = process.cpu_times()
        return _Seen(times.user + times.system, 0.0, process.ppid())
    fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    own_s = time.clock_gettime((~pid << 3) | _CPUCLOCK_SCHED)
    return _Seen(own_s, (int(fields[13]) + int(fields[14])) * _TICK_S, int(fields[1]))


def _lost_s(before: dict[int, _Seen], now: dict[int, _Seen]) -> float:
    """Return the seconds of processes that disappeared without being counted in an ancestor.

    Parameters
    ----------
    before, now
        The processes at two looks.
    """
    expected: dict[int, float] = {}
    for pid in before.keys() - now.keys():
        ancestor = before[pid].parent
        while ancestor in before and ancestor not in now:
            ancestor = before[ancestor].parent
        expected[ancestor] = expected.get(ancestor, 0.0) + before[pid].own_s + before[pid].reaped_s
    lost_s = 0.0
    for ancestor, seconds in expected.items():
        missing_s = seconds
        if ancestor in before and ancestor in now:
            missing_s -= now[ancestor].reaped_s - before[ancestor].reaped_s
        if missing_s > 2 * _TICK_S:  # less may be rounding
            lost_s += missing_s
    return lost_s


def _rollup(pid: int) -> dict[str, int]:
    """Return the sums over all mappings of a process, in bytes, by their names in ``proc(5)``."""
    lines = _read(f"/proc/{pid}/smaps_rollup").decode().splitlines()[1:]
    return {line.split(":")[0]: int(line.split()[1]) * 1024 for line in lines}


def _read(path: str) -> bytes:
    """Return what is in a file of /proc, in half the time of pathlib."""
    file = os.open(path, os.O_RDONLY)
    try:
        return os.read(file, 1 << 16)
    finally:
        os.close(file)
