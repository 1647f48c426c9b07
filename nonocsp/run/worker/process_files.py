"""Read what the system says of one process: its children, CPU time, memory, and its waits for a core.

On Linux that stands in files of ``/proc``. Opening one takes 5 microseconds, reading it 0.5 to 9. So whoever
looks at a process several times a run keeps its files open. An open file stays with its process: once that
has ended, reading fails, even if another process has got its number.
"""

from __future__ import annotations

import os
import re
import sys
import time
from contextlib import suppress
from typing import NamedTuple

import psutil

from nonocsp.processes.guard import children_of

IS_LINUX = sys.platform == "linux"
TICK_S = 1 / os.sysconf("SC_CLK_TCK")
_CPUCLOCK_SCHED = 2
_BYTES, _SURELY_ALL = 1 << 16, 1 << 11
"""Bytes to read at a time, and the length below which that was the whole file: Linux ends a part only where
the next number does not fit into its page."""
_ONE_THREAD = 3
"""The links of the folder ``task`` of a process with one thread."""
_STOPPED = b"TZX"
"""The states of threads that a signal has stopped, or that have ended."""
_SIZES = re.compile(
    rb"\nVmHWM:\s*(\d+) kB\nVmRSS:\s*\d+ kB\nRssAnon:\s*(\d+) kB\nRssFile:\s*(\d+) kB\nRssShmem:\s*(\d+) kB"
)


class Resident(NamedTuple):
    """Resident memory of a process in bytes, without pages of files: now, and at its peak."""

    now: int
    peak: int


class CpuTime(NamedTuple):
    """CPU seconds of a process: its own, and of its children that have ended and that it took note of."""

    own_s: float
    reaped_s: float
    parent: int


class ProcessFiles:
    """The files of one process.

    Every method but `close` and `children` raises OSError or psutil.Error if the process has ended.

    Parameters
    ----------
    pid
        The process.
    is_kept
        Whether files stay open until `close`.
    """

    def __init__(self, pid: int, *, is_kept: bool = True) -> None:
        self.pid = pid
        self._is_kept = is_kept
        self._open: dict[str, int] = {}
        self._clock = (~pid << 3) | _CPUCLOCK_SCHED

    def close(self) -> None:
        """Close what is open."""
        for file in self._open.values():
            os.close(file)
        self._open.clear()

    def read(self, name: str) -> bytes:
        """Return what is in a file; of a long one, the first part."""
        if not self._is_kept:
            file = os.open(f"/proc/{self.pid}/{name}", os.O_RDONLY)
            try:
                return os.read(file, _BYTES)
            finally:
                os.close(file)
        return os.pread(self._file(name), _BYTES, 0)

    def read_any(self, name: str) -> bytes:
        """Return what is in a file about memory; that of another thread if the first thread has ended."""
        with suppress(ProcessLookupError):
            if b"\nState:\tZ" not in (content := self.read(name)):
                return content
        for thread in self.threads():
            with suppress(OSError):
                content = ProcessFiles(self.pid, is_kept=False).read(f"task/{thread}/{name}")
                if b"\nState:\tZ" not in content:
                    return content
        raise ProcessLookupError

    def threads(self) -> list[str]:
        """Return the numbers of the threads of the process."""
        return os.listdir(f"/proc/{self.pid}/task")  # noqa: PTH208  (a tenth of the time of pathlib)

    def children(self) -> list[int]:
        """Return the children of the process; none if it has ended."""
        if not (IS_LINUX and self._is_kept):
            return children_of(self.pid)
        try:
            if self._has_one_thread():
                listed = self.read(f"task/{self.pid}/children")
                if len(listed) < _SURELY_ALL:
                    return [int(child) for child in listed.split()]
        except OSError:
            pass
        return children_of(self.pid)

    def clock_s(self) -> float:
        """Return the CPU seconds of the process itself."""
        return time.clock_gettime(self._clock) if IS_LINUX else self.cpu().own_s

    def cpu(self) -> CpuTime:
        """Return the CPU seconds of the process and of the children that it took note of."""
        if not IS_LINUX:
            process = psutil.Process(self.pid)
            times = process.cpu_times()
            return CpuTime(times.user + times.system, 0.0, process.ppid())
        fields = self.read("stat").rpartition(b")")[2].split(None, 15)
        own_s = time.clock_gettime(self._clock)
        return CpuTime(own_s, (int(fields[13]) + int(fields[14])) * TICK_S, int(fields[1]))

    def queued_s(self) -> float:
        """Return how long the threads were ready to run but had no core.

        Linux counts that in nanoseconds for every thread, until the thread has ended.
        """
        if self._is_kept and self._has_one_thread():
            return int(self.read("schedstat").split()[1]) / 1e9
        total = 0
        for thread in self.threads():
            try:
                files = ProcessFiles(self.pid, is_kept=False)
                total += int(files.read(f"task/{thread}/schedstat").split()[1])
            except OSError:  # it has ended
                continue
        return total / 1e9

    def resident(self) -> Resident:
        """Return the resident memory without pages of files."""
        if not IS_LINUX:
            now = int(psutil.Process(self.pid).memory_info().rss)
            return Resident(now, now)
        if (sizes := _SIZES.search(self.read_any("status"))) is None:  # it has ended
            raise ProcessLookupError
        peak, anonymous, of_files, shared = map(int, sizes.groups())
        return Resident((anonymous + shared) << 10, (peak - of_files) << 10)

    def forget_peak(self) -> bool:
        """Have Linux begin anew with the peak of the memory; return whether it did."""
        try:
            os.pwrite(self._file("clear_refs", os.O_WRONLY), b"5", 0)
        except OSError:
            return False
        return True

    def _has_one_thread(self) -> bool:
        return os.fstat(self._file("task")).st_nlink == _ONE_THREAD

    def _file(self, name: str, flags: int = os.O_RDONLY) -> int:
        """Return the descriptor of a file, which stays open."""
        if (file := self._open.get(name)) is None:
            file = self._open[name] = os.open(f"/proc/{self.pid}/{name}", flags)
        return file


def is_stopped(pid: int) -> bool:
    """Return whether all threads of a process stand still, because of a signal or because it has ended."""
    if not IS_LINUX:
        return True
    files = ProcessFiles(pid, is_kept=False)
    with suppress(FileNotFoundError, ProcessLookupError):
        for thread in files.threads():
            if files.read(f"task/{thread}/stat").rpartition(b")")[2].split()[0] not in _STOPPED:
                return False
    return True
