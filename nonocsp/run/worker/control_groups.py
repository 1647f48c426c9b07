"""Know the control groups of processes: where they are, what the kernel counts for them, who is in them.

Linux mounts them as file systems, one for all controllers (version 2) or one for some each (version 1).

Source: Linux, ``cgroups(7)``.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from nonocsp.model import BackendError
from nonocsp.processes.guard import descendants
from nonocsp.run.worker.usage import queued_s

_MADE_BY_BENCHEXEC = "benchmark_"
_REMOVE_S, _RETRY_S = 5.0, 0.001
_EXITING = 0x4  # PF_EXITING
_BYTES = 1 << 12


class GroupTree:
    """What the kernel counts for the control group of a process.

    Parameters
    ----------
    pid
        Any process of the group.

    Attributes
    ----------
    is_lost
        Whether the group was removed before the last look.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        path, self._factor = _cpu_file(pid)
        self._usage = path.open("rb", buffering=0)  # it stays the same file if the group is renamed
        self._cpu_s, self.is_lost = 0.0, False

    def pids(self) -> list[int]:
        """Return the process that was named, and all that descend from it."""
        return [self._pid, *descendants(self._pid)]

    def find_run(self) -> None:
        """Do nothing: the group is known."""

    def start(self) -> float:
        """Return the CPU seconds so far."""
        return self.cpu_s()

    def cpu_s(self) -> float:
        """Return the CPU seconds that the group has used so far; the last ones known once it is lost."""
        try:
            said = os.pread(self._usage.fileno(), _BYTES, 0)
        except OSError:
            self.is_lost = True
        else:
            self._cpu_s = int(said.split(b"usage_usec")[-1].split()[0]) * self._factor
        return self._cpu_s

    def queued_s(self) -> float:
        """Return how long the processes of the group waited for a core so far."""
        return queued_s(self.pids())

    def rss_bytes(self) -> int:
        """Return 0: the kernel watches the memory itself."""
        return 0

    def peak_bytes(self) -> int | None:
        """Return None: BenchExec tells it in the end."""
        return None

    def setup_bytes(self) -> int:
        """Return 0: the kernel watches the memory itself."""
        return 0

    def close(self) -> None:
        """Close the file."""
        self._usage.close()


class Membership:
    """The control groups in which a process is but this one is not: those that runexec made for it.

    Parameters
    ----------
    pid
        The process.
    """

    def __init__(self, pid: int) -> None:
        self._lines = {*_lines(f"/proc/{pid}")} - {*_lines("/proc/self")}

    def is_broken_by(self, pids: Iterable[int]) -> bool:
        """Return whether a thread of some processes is outside.

        A thread that is being born may be shown outside for a moment, so it must be there at two looks.
        """
        outside = self._outside(pids)
        if outside:
            time.sleep(_RETRY_S)
            outside &= self._outside(pids)
        return bool(outside)

    def _outside(self, pids: Iterable[int]) -> set[str]:
        """Return the threads outside, but for those that are ending: Linux shows them in no group."""
        found = set()
        for pid in pids:
            for thread in threads(pid):
                with suppress(OSError, IndexError):
                    if not self._lines.issubset(_lines(thread)) and not _is_exiting(thread):
                        found.add(thread)
        return found


def made_by_benchexec(pids: Iterable[int]) -> set[Path]:
    """Return the folders of the control groups that BenchExec made for some processes, not for this one."""
    found = set[Path]()
    for pid in pids:
        with suppress(OSError):
            found.update(_folders(f"/proc/{pid}").values())
    return {
        path
        for path in found - {*_folders("/proc/self").values()}
        if path.name.startswith(_MADE_BY_BENCHEXEC)
    }


def remove_groups(folders: Iterable[Path]) -> None:
    """Remove control groups, and those in them, once their processes have been killed.

    A process that ends keeps its group for a moment, and one in a frozen group does not end at all.
    """
    deadline = time.monotonic() + _REMOVE_S
    for folder in folders:
        for place, _, files in os.walk(folder, topdown=False):
            with suppress(OSError):
                if "freezer.state" in files:
                    Path(place, "freezer.state").write_text("THAWED")
            while time.monotonic() < deadline and os.path.isdir(place):  # noqa: PTH112
                with suppress(OSError):
                    os.rmdir(place)  # noqa: PTH106
                    break
                time.sleep(_RETRY_S)


def _cpu_file(pid: int) -> tuple[Path, float]:
    """Return the file with the CPU time of a process's control group, and its unit in seconds."""
    folders = _folders(f"/proc/{pid}")
    if "cpuacct" in folders:
        return folders["cpuacct"] / "cpuacct.usage", 1e-9
    if "" in folders:
        return folders[""] / "cpu.stat", 1e-6
    raise BackendError(
        "no control group counts the CPU time of runs; python -m benchexec.check_cgroups says why"
    )


def _folders(process: str) -> dict[str, Path]:
    """Return the folder of a process's control group for each controller; version 2 counts as one, "".

    Parameters
    ----------
    process
        Its folder in /proc.
    """
    places = {}
    for line in _lines(process):
        _, controllers, place = line.split(":", 2)
        places.update(dict.fromkeys(controllers.split(","), place.lstrip("/")))
    found = {}
    for mount, names in hierarchies():
        found.update({name: mount / places[name] for name in names & places.keys()})
    return found


def hierarchies() -> Iterator[tuple[Path, set[str]]]:
    """Yield where control groups are mounted, and the controllers there."""
    for line in Path("/proc/self/mounts").read_text().splitlines():
        _, mount, kind, options, *_ = line.split()
        if kind in ("cgroup", "cgroup2"):
            yield Path(mount), {*options.split(",")} if kind == "cgroup" else {""}


def _lines(process: str) -> list[str]:
    """Return the lines that say in which control groups a process or thread is, by its folder in /proc."""
    with open(f"{process}/cgroup") as file:  # noqa: PTH123  (a third of the time of pathlib, at each look)
        return file.read().splitlines()


def threads(pid: int) -> list[str]:
    """Return the folders in /proc of the threads of a process; none if it has ended."""
    folder = f"/proc/{pid}/task"
    with suppress(OSError):
        return [f"{folder}/{thread}" for thread in os.listdir(folder)]  # noqa: PTH208
    return []


def _is_exiting(thread: str) -> bool:
    """Return whether a thread is ending, or has ended and is still listed."""
    flags = int(Path(thread, "stat").read_text().rpartition(")")[2].split()[6])
    return flags & _EXITING != 0
