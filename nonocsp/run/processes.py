"""Ask the system about processes: what descends from one, its CPU time, its memory, its shared memory.

Linux answers in ``/proc`` (proc(5), prctl(2)), in some 10 microseconds each; elsewhere psutil answers, with
less. A process that has ended has no children, no CPU time and no memory.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Iterable
from contextlib import suppress

import psutil

IS_LINUX = sys.platform == "linux"
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_TICK_S = 1 / os.sysconf("SC_CLK_TCK")
_SHARED = "/dev/shm/"


def die_with_parent() -> None:
    """Have the system kill this process when the thread that started it ends (Linux only)."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def outlive_parent() -> None:
    """Take `die_with_parent` back."""
    _prctl(_PR_SET_PDEATHSIG, 0)


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent ends, and so able to wait for them (Linux only)."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _prctl(option: int, value: int) -> None:
    if IS_LINUX:
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def children(pid: int) -> list[int]:
    """Return the children of a process, those of all its threads."""
    if not IS_LINUX:
        with suppress(psutil.Error):
            return [child.pid for child in psutil.Process(pid).children()]
        return []
    found: list[int] = []
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208  (a tenth of the time of pathlib)
            found += map(int, _read(f"/proc/{pid}/task/{thread}/children").split())
    return found


def descendants(pid: int) -> list[int]:
    """Return the children of a process, and theirs."""
    found, todo = list[int](), [pid]
    while todo:
        todo += (new := children(todo.pop()))
        found += new
    return found


def cpu_s(pid: int) -> float:
    """Return the CPU seconds of a process and of the children that it waited for, in steps of 10 ms."""
    if not IS_LINUX:
        with suppress(psutil.Error):
            return sum(psutil.Process(pid).cpu_times()[:4])
        return 0.0
    fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    return sum(map(int, fields[11:15])) * _TICK_S


def tree_cpu_s(pid: int) -> float:
    """Return the CPU seconds of a process and of all that descend from it."""
    return sum(map(cpu_s, [pid, *descendants(pid)]))


def memory(pid: int) -> tuple[int, int]:
    """Return a process's resident bytes now, and the most since `forget_peak`; without pages of files."""
    if not IS_LINUX:
        with suppress(psutil.Error):
            now = int(psutil.Process(pid).memory_info().rss)
            return now, now
        return 0, 0
    kib = _sizes(_read(f"/proc/{pid}/status"))
    if b"VmHWM" not in kib:
        return 0, 0
    return (kib[b"RssAnon"] + kib[b"RssShmem"]) << 10, (kib[b"VmHWM"] - kib[b"RssFile"]) << 10


def forget_peak(pid: int) -> None:
    """Have the peak of a process's memory start anew, where the system can do that."""
    with suppress(OSError), open(f"/proc/{pid}/clear_refs", "wb") as file:  # noqa: PTH123
        file.write(b"5")


def shares(pid: int) -> tuple[int, int]:
    """Return the anonymous bytes of a process, and its share of these and of shared memory; 0 if unknown."""
    # Linux divides each page among the processes that have it, so shares can be added up
    kib = _sizes(_read(f"/proc/{pid}/smaps_rollup"))
    if b"Pss_Anon" not in kib:
        return 0, 0
    return kib[b"Anonymous"] << 10, (kib[b"Pss_Anon"] + kib[b"Pss_Shmem"]) << 10


def waited_s(pid: int) -> float:
    """Return how long the first thread of a process was ready to run without a core; 0 if nobody says."""
    fields = _read(f"/proc/{pid}/schedstat").split()
    return int(fields[1]) / 1e9 if len(fields) > 1 else 0.0


def name(pid: int) -> str:
    """Return a process's name, for people."""
    return printable(_read(f"/proc/{pid}/comm").decode(errors="replace").strip()) or "?"


def is_tracker(pid: int) -> bool:
    """Return whether a process is the tracker of `multiprocessing`, which ends soon after its parent."""
    return b"multiprocessing.resource_tracker" in _read(f"/proc/{pid}/cmdline")


def printable(name: str) -> str:
    """Return a name with a question mark for every character that a terminal would not show."""
    return "".join(char if char.isprintable() else "?" for char in name)


def shared_files() -> set[str]:
    """Return the names of files in shared memory: segments, and semaphores (``sem.…``)."""
    with suppress(OSError):
        return {*os.listdir(_SHARED)}  # noqa: PTH208
    return set()


def in_use(names: set[str], pids: Iterable[int]) -> set[str]:
    """Return which files in shared memory some processes have mapped or open."""
    found: set[str] = set()
    for pid in pids:
        held = _read(f"/proc/{pid}/maps").decode(errors="replace")
        with suppress(OSError):
            for descriptor in os.listdir(f"/proc/{pid}/fd"):  # noqa: PTH208
                with suppress(OSError):
                    held += os.readlink(f"/proc/{pid}/fd/{descriptor}") + "\n"  # noqa: PTH115
        found |= {one for one in names if f"{_SHARED}{one}\n" in held or f"{_SHARED}{one} " in held}
    return found


def remove_shared(names: Iterable[str]) -> list[str]:
    """Remove files in shared memory; return those that were there, each in words."""
    removed = []
    for one in sorted(names):
        with suppress(OSError):  # another user's, or removed meanwhile
            os.unlink(f"{_SHARED}{one}")  # noqa: PTH108
            kind = "semaphore" if one.startswith("sem.") else "shared memory"
            removed.append(f"{kind} {one.removeprefix('sem.')}")
    return removed


def _sizes(lines: bytes) -> dict[bytes, int]:
    """Return the numbers, mostly of KiB, in lines such as ``RssAnon:  1234 kB``."""
    pairs = (line.split(b":", 1) for line in lines.splitlines() if line.endswith(b" kB"))
    return {key: int(value.split()[0]) for key, value in pairs}


def _read(path: str) -> bytes:
    """Return what is in a file of ``/proc``; nothing if its process has ended or is another user's."""
    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123  (a third of the time of pathlib)
            return file.read()
    except OSError:
        return b""
