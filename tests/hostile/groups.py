"""Backends that leave their control group, or tamper with what it and BenchExec report."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import struct
import time
from collections.abc import Iterator

import numpy as np
from hostile.base import CRASHED, MEMORY, OK, Hostile
from hostile.signals import others

from nonocsp.backends.base import Run
from nonocsp.model import Puzzle

FILLED_MIB = 100
REPORT = b"\xff\xfe=1\nreturnvalue=0\nmemory=1B\n"
_CLONE3, _CLONE_INTO_CGROUP = 435, 1 << 33


def own_groups() -> Iterator[str]:
    """Yield the folders of the control groups that BenchExec made for this process."""
    with open("/proc/self/mounts") as mounts, open("/proc/self/cgroup") as places:
        folders = [line.split()[1:4:2] for line in mounts if line.split()[2].startswith("cgroup")]
        for line in places:
            _, controllers, place = line.strip().split(":", 2)
            if "/benchmark_" in place:
                for mount, options in folders:
                    if not controllers or {*controllers.split(",")} <= {*options.split(",")}:
                        yield mount + place


def write_all(paths: list[str], text: str) -> None:
    for path in paths:
        with contextlib.suppress(OSError), open(path, "w") as file:
            file.write(text)


def work() -> None:
    """Fill 100 MB, and compute for .2 s."""
    np.ones(FILLED_MIB << 17)
    until = time.process_time() + 0.2
    while time.process_time() < until:
        pass


class LeavesItsGroup(Hostile):
    """Moves itself out of its control group, then fills 600 MB."""

    becomes = (MEMORY, CRASHED)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        write_all([f"{os.path.dirname(group)}/cgroup.procs" for group in own_groups()], str(os.getpid()))
        np.ones(600 << 17)


class ForksIntoAnotherGroup(Hostile):
    """Starts a process in the root of all control groups with clone3, which fills 600 MB."""

    becomes = (MEMORY, CRASHED)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        child = -1
        with contextlib.suppress(OSError), open("/proc/self/mounts") as mounts:
            roots = [line.split()[1] for line in mounts if line.split()[2] == "cgroup2"]
            root = os.open(roots[0] if roots else "/", os.O_PATH)
            order = struct.pack("11Q", _CLONE_INTO_CGROUP, 0, 0, 0, signal.SIGCHLD, 0, 0, 0, 0, 0, root)
            child = ctypes.PyDLL(None).syscall(
                _CLONE3, order, len(order)
            )  # forks with the interpreter's lock
        if child > 0:
            os.waitpid(child, 0)
        else:
            np.ones(600 << 17)
        if child == 0:
            os._exit(0)


class ResetsItsFigures(Hostile):
    """Fills 100 MB, computes for .2 s, and sets the figures of its control group to 0."""

    becomes = (OK,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        work()
        names = ("memory.max_usage_in_bytes", "memory.memsw.max_usage_in_bytes", "cpuacct.usage")
        write_all([f"{group}/{name}" for group in own_groups() for name in names], "0")


class RenamesItsGroup(Hostile):
    """Fills 100 MB, computes for .2 s, and renames its control group before its figures are read."""

    becomes = (OK,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        work()
        for group in own_groups():
            with contextlib.suppress(OSError):
                os.rename(group, f"{group}-renamed")


class KillsItsGroup(Hostile):
    """Has Linux kill all processes of its control group, perhaps the driver's, and freeze it."""

    becomes = (OK,)
    needs_namespaces = True

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        with open("/proc/self/mounts") as mounts, open("/proc/self/cgroup") as places:
            roots = [line.split()[1] for line in mounts if line.split()[2] == "cgroup2"]
            own = [line.strip().partition("::")[2] for line in places if line.startswith("0::")]
        folders = [root + place for root in roots for place in own]
        write_all(
            [f"{folder}/{name}" for folder in folders for name in ("cgroup.kill", "cgroup.freeze")], "1"
        )


class KeepsAZombie(Hostile):
    """Does not reap a process that has ended, which Linux shows in no control group."""

    becomes = (OK,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        if os.fork() == 0:
            os._exit(0)
        time.sleep(0.3)


class ForgesReports(Hostile):
    """Writes BenchExec's report, and bytes that are no text, into the output of all processes."""

    becomes = (OK,)
    needs_namespaces = True

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        for pid in others():
            with contextlib.suppress(OSError):
                output = os.open(f"/proc/{pid}/fd/1", os.O_WRONLY | os.O_NONBLOCK)
                os.write(output, REPORT)
                os.close(output)


class ListsItsRights(Hostile):
    """Says which of its threads may not gain rights by starting programs."""

    becomes = (OK,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        found = set()
        for thread in os.listdir("/proc/self/task"):
            with open(f"/proc/self/task/{thread}/status") as status:
                found |= {line.split()[1] for line in status if line.startswith("NoNewPrivs:")}
        run.stats["without new rights"] = " ".join(sorted(found))
