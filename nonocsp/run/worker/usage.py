"""Read from the system what a run uses: CPU seconds and resident memory of all its processes.

The processes of a run are all that descend from its server, but not the server's idle hosts. Nothing is asked
of them.

- CPU: Linux has a clock for each process, in nanoseconds, which others can read even after its end, until its
  parent reaps it. The time of reaped children counts in their parents, in hundredths of a second. A parent
  can refuse to reap; then the time of a child that disappears is remembered from the last look. A process
  that begins and disappears so between two looks is lost; only a control group counts it.
- Waiting: Linux counts how long each thread was ready to run and had no core.
- Memory: resident pages, their own or shared with other processes, but not those of files, such as code,
  beyond the `baseline` that the run's process had when the run began. For one process that is a subtraction
  of 10 microseconds. Several processes may share pages, so their sizes cannot be added up. Their proportional
  sizes can (Linux divides every page by the number of processes that have it), but take milliseconds.

The files of the server, the host and the run stay open (`nonocsp.run.worker.process_files`). Other systems
have the figures of psutil.
"""

from __future__ import annotations

import ctypes
import os
import platform
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from functools import cache

import psutil

from nonocsp.processes.guard import descendants
from nonocsp.run.leftovers import Shared, device_of
from nonocsp.run.worker.process_files import IS_LINUX, TICK_S, CpuTime, ProcessFiles

_LIBC = ctypes.CDLL(None)
_KCMP, _KCMP_FILES = {"x86_64": 312, "aarch64": 272}.get(platform.machine(), -1), 2
_MAPPING = re.compile(rb"[0-9a-f]+-[0-9a-f]+ .{4} [0-9a-f]+ ([0-9a-f]+:[0-9a-f]+) [0-9]+ *(/dev/zero)?")
"""A mapping: device and, if it is memory that was shared without a file, the beginning of its name."""

_IN_MEMORY = ("/memfd:", "/dev/shm/", "/dev/zero", "/SYSV")
"""Beginnings of the names of files that are in memory."""
BLOCK = 512
"""The unit of ``st_blocks``, in bytes."""


class RunTree:
    """The processes of the run at hand.

    Parameters
    ----------
    host
        The process that loaded the backend.
    idle
        Returns the other processes of this server, which are not part of the run: those of its other hosts,
        and the one that forks hosts.
    origin
        The process that forked the host.
    init
        The init process of the host's namespaces, to which all processes of the run belong; None without.
    shared
        What they share in these namespaces; None without.
    is_forked
        Whether the run is a process that the host forks, and not the host itself.

    Attributes
    ----------
    run
        The process of the run at hand; the host if it forks none.
    kept_bytes
        What the run's process had at its end beyond what it began with; 0 if unknown.
    """

    def __init__(
        self,
        host: int,
        idle: Callable[[], Collection[int]],
        *,
        origin: int,
        init: int | None,
        shared: Shared | None,
        is_forked: bool,
    ) -> None:
        self._server, self._host, self._idle, self._init = os.getpid(), host, idle, init
        self._origin, self._shared = origin, shared
        self._is_forked = is_forked
        self._files = {pid: ProcessFiles(pid) for pid in (self._server, host, *self._inits)}
        self._seen: dict[int, CpuTime] = {}
        self._lost_s = 0.0
        self._baseline: int | None = None
        self._host_bytes = 0
        self._can_tell_peak = False
        self.run = host
        self.kept_bytes = 0

    def others(self) -> list[int]:
        """Return the processes of the run but its host and its init process."""
        return [pid for pid in self.pids() if pid not in (self._host, self._init)]

    def find_run(self) -> None:
        """Take note of the run's own process, which the host has just forked if it forks any."""
        if self._is_forked:
            forked = self._of(self._host).children()
            self._forget_run()
            self.run = forked[0] if len(forked) == 1 else self._host
            self._files.setdefault(self.run, ProcessFiles(self.run))

    def host_s(self) -> float:
        """Return the CPU seconds of the host, to the nanosecond; 0 if it has ended."""
        with suppress(OSError, psutil.Error):
            return self._of(self._host).clock_s()
        return 0.0

    def start(self) -> float:
        """Take note that the run starts now; return the CPU seconds so far."""
        expected = [self.run] if self.run != self._host else []
        is_known = self._of(self._host).children() == expected and all(
            self._of(init).children() == [self._host] for init in self._inits
        )  # as nearly always: no need to look for more
        self._seen, self._can_tell_peak = {}, False
        with suppress(OSError, psutil.Error):
            if self._is_forked:
                self._baseline, self._host_bytes = None, self._of(self._host).resident().now
            if expected or not self._is_forked:
                run = self._of(self.run)
                if self._baseline is None:  # what a lasting process keeps from former runs counts
                    self._baseline = run.resident().now
                self._can_tell_peak = run.forget_peak()
        return self._look([*self._inits, self._host, *expected] if is_known else self.pids())

    def cpu_s(self) -> float:
        """Return the CPU seconds of all processes that were seen so far; only differences say something."""
        return self._look(self.pids())

    def _look(self, pids: Iterable[int]) -> float:
        before, self._seen = self._seen, {}
        for pid in pids:
            with suppress(OSError, psutil.Error):
                self._seen[pid] = self._of(pid).cpu()
        if self._seen.keys() != before.keys():
            self._lost_s += _lost_s(before, self._seen)
        return self._lost_s + sum(seen.own_s + seen.reaped_s for seen in self._seen.values())

    def queued_s(self) -> float:
        """Return how long the run waited for a core, just after `start` or `cpu_s`; compare two of them."""
        total = 0.0
        for pid in self._counted([*self._seen]):
            with suppress(OSError, IndexError):
                total += self._of(pid).queued_s()
        return total

    def rss_bytes(self) -> int:
        """Return the resident memory of the run beyond what it began with."""
        counted = self._counted(self.pids())
        added = _unmapped_bytes(counted, self._shared) if self._shared is not None else 0
        if self._is_forked:
            with suppress(OSError, psutil.Error):
                added += max(0, self._of(self._host).resident().now - self._host_bytes)
        with suppress(OSError, psutil.Error):
            if len(counted) == 1:
                return added + max(0, self._of(counted[0]).resident().now - (self._baseline or 0))
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
            now, peak = self._of(counted[0]).resident()
            self.kept_bytes = now - self._baseline
            return max(0, peak - self._baseline)
        return None

    def setup_bytes(self) -> int:
        """Return the memory of all processes of the run, its host included, before it starts."""
        pids = [pid for pid in self.pids() if pid != self._init]
        total = _unmapped_bytes(pids, self._shared) if self._shared is not None else 0
        for pid in pids:
            with suppress(OSError, psutil.Error):
                total += self._of(pid).resident().now
        return total

    def close(self) -> None:
        """Close the files."""
        for files in self._files.values():
            files.close()

    @property
    def _inits(self) -> list[int]:
        """The init process, if there is one."""
        return [] if self._init is None else [self._init]

    def pids(self) -> list[int]:
        """Return all processes of the run, with its host and its init process."""
        root, idle = (self._server, self._idle()) if self._init is None else (self._init, ())
        below = descendants(root, without=idle, children=lambda pid: self._of(pid).children())
        return [*self._inits, *below]

    def _of(self, pid: int) -> ProcessFiles:
        """Return the files of a process: open ones if it is the server, the host or the run."""
        return self._files.get(pid) or ProcessFiles(pid, is_kept=False)

    def _forget_run(self) -> None:
        """Close the files of the run before."""
        if self.run != self._host and (files := self._files.pop(self.run, None)):
            files.close()

    def _counted(self, pids: list[int]) -> list[int]:
        """Return the processes whose memory is the run's."""
        uncounted = (self._init, self._host if self._is_forked else None)
        return [pid for pid in pids if pid not in uncounted]

    def _beyond(self, pids: list[int]) -> int:
        """Return how many bytes some processes have beyond the process that they were forked from.

        Linux divides each page evenly among the processes that share it. The origin's pages minus its own
        share are the shares of others: of the server and its idle hosts, each as large as the origin's, and
        of these processes. The last part does not count.
        """
        if not IS_LINUX:
            return max(0, sum(self._of(pid).resident().now for pid in pids) - (self._baseline or 0))
        total = 0
        for pid in pids:
            with suppress(FileNotFoundError, ProcessLookupError):  # it has ended
                try:
                    theirs = _rollup(pid)
                    total += theirs["Pss_Anon"] + theirs["Pss_Shmem"]
                except PermissionError:  # it hides its mappings, so all of its memory counts
                    total += self._of(pid).resident().now
        try:
            origin = _rollup(self._origin)
        except PermissionError:  # it can be read in namespaces only; the server is much like it
            origin = _rollup(self._server)
        idle = len(self._idle()) + len(self._inits)
        if self._is_forked:
            try:
                host = _rollup(self._host)
            except PermissionError:
                return total
            lacks = host["Anonymous"] - host["Pss_Anon"] - (1 + idle) * origin["Pss_Anon"]
            return max(0, total - max(0, lacks))
        lacks = origin["Anonymous"] - origin["Pss_Anon"] - idle * origin["Pss_Anon"]
        return max(0, total - max(0, lacks) - max(0, (self._baseline or 0) - origin["Anonymous"]))


def tree_cpu_s(pid: int) -> float:
    """Return the CPU seconds of a process and of all that descend from it, as far as they are counted."""
    total = 0.0
    for process in [pid, *descendants(pid)]:
        with suppress(OSError, psutil.Error):
            seen = ProcessFiles(process, is_kept=False).cpu()
            total += seen.own_s + seen.reaped_s
    return total


def queued_s(pids: Iterable[int]) -> float:
    """Return how long the threads of some processes were ready to run but had no core; 0 if nobody tells.

    Parameters
    ----------
    pids
        Processes; those that have ended do not count.
    """
    total = 0.0
    for pid in pids:
        with suppress(OSError, IndexError):
            total += ProcessFiles(pid, is_kept=False).queued_s()
    return total


def _unmapped_bytes(pids: Collection[int], shared: Shared) -> int:
    """Return the bytes of shared memory that some isolated processes hold but none of them has mapped.

    These are files in /dev/shm, files without a name (``memfd_create``), System V's segments and messages.
    """
    held = shared.held_bytes()
    held += sum(deleted_sizes(pids, in_memory=True).values())
    if held:
        devices = {shared.device, _device_without_names()}
        held -= sum(_mapped_bytes(pid, devices) for pid in pids)
    return max(0, held)


def deleted_sizes(pids: Iterable[int], *, in_memory: bool) -> dict[int, int]:
    """Return inode numbers and allocated bytes of open files that no folder holds any more, or never did.

    Parameters
    ----------
    pids
        The processes that have them open.
    in_memory
        Whether files without a name (``memfd_create``) are wanted, or all others but those in shared memory.
    """
    return {
        file.st_ino: file.st_blocks * BLOCK
        for pid in pids
        for file in _deleted_files(pid, in_memory=in_memory)
    }


def _deleted_files(pid: int, *, in_memory: bool) -> Iterator[os.stat_result]:
    for folder in _descriptor_folders(pid):
        with suppress(OSError):
            for name in os.listdir(folder):  # noqa: PTH208
                with suppress(OSError):
                    path = os.readlink(f"{folder}/{name}")  # noqa: PTH115
                    wanted = path.startswith("/memfd:") if in_memory else not path.startswith(_IN_MEMORY)
                    if wanted and path.endswith(" (deleted)"):
                        yield os.stat(f"{folder}/{name}")  # noqa: PTH116


def _descriptor_folders(pid: int) -> Iterator[str]:
    """Yield the folders with the descriptors of a process, and of its threads that do not share them."""
    yield f"/proc/{pid}/fd"
    with suppress(OSError):
        for thread in ProcessFiles(pid, is_kept=False).threads():
            if int(thread) != pid and _LIBC.syscall(_KCMP, pid, int(thread), _KCMP_FILES, 0, 0) != 0:
                yield f"/proc/{pid}/task/{thread}/fd"


@cache
def _device_without_names() -> bytes:
    """Return the device, as in ``smaps``, of memory files without a name and of System V's segments."""
    file = os.memfd_create("")
    try:
        return device_of(file)
    finally:
        os.close(file)


def _mapped_bytes(pid: int, devices: Collection[bytes]) -> int:
    """Return the resident bytes of shared memory that a process has mapped and that has a file or segment.

    Parameters
    ----------
    pid
        The process.
    devices
        Those of such files.
    """
    total, is_file = 0, False
    with suppress(OSError), open(f"/proc/{pid}/smaps", "rb") as file:  # noqa: PTH123
        for line in file:
            if mapping := _MAPPING.match(line):
                is_file = mapping[1] in devices and mapping[2] is None
            elif is_file and line.startswith(b"Pss:"):
                total += int(line.split()[1]) * 1024
    return total


def _lost_s(before: dict[int, CpuTime], now: dict[int, CpuTime]) -> float:
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
        if missing_s > 2 * TICK_S:  # less may be rounding
            lost_s += missing_s
    return lost_s


def _rollup(pid: int) -> dict[str, int]:
    """Return the sums over all mappings of a process, in bytes, by their names in ``proc(5)``."""
    lines = ProcessFiles(pid, is_kept=False).read_any("smaps_rollup").decode().splitlines()[1:]
    return {line.split(":")[0]: int(line.split()[1]) * 1024 for line in lines}
