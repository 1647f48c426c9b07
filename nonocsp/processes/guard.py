"""End process trees, also those of a driver that died without doing so itself, such as by ``kill -9``.

A guard is a tiny process beside the workers. It learns their numbers through a pipe; when the pipe closes it
kills those that are still registered, with everything that descends from them or is in their group. So no
worker outlives its driver, nor do processes that a backend started, even while it holds the interpreter's
lock. Run as a file, so that it starts in 10 ms: the standard library only.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterable

_PASSES, _PASS_S, _RETRY_S = 50, 0.001, 0.01
_MOST_PATHS = 1000


class Guard:
    """The driver's end: starts the guard process and keeps it informed."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            bufsize=0,  # or closing would write again what a guard that was killed did not take
            start_new_session=True,  # Ctrl-C in the terminal is for the driver alone
        )

    def watch(self, pid: int, folder: str = "") -> None:
        """Have a process killed with its tree when this process ends.

        Parameters
        ----------
        pid
            The leader of its group.
        folder
            Removed then, too; none if empty.
        """
        self._tell(f"+{pid} {'' if chr(10) in folder else folder}\n")

    def forget(self, pid: int) -> None:
        """Leave a process alone: it has ended."""
        self._tell(f"-{pid}\n")

    def close(self) -> None:
        """End the guard; what is still watched is killed."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def _tell(self, message: str) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # someone killed the guard: the work itself goes on
            self._process.stdin.write(os.fsencode(message))


def kill_tree(pid: int) -> None:
    """Kill a process that leads its group, the group, and everything that descends from it."""
    kill_descendants(pid)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def kill_descendants(pid: int) -> None:
    """Kill everything that descends from a process, in whatever group, and what that starts meanwhile."""
    for _ in range(_PASSES):
        alive = [process for process in descendants(pid) if is_alive(process)]
        for process in alive:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        if not alive:
            return
        time.sleep(_PASS_S)


def descendants(
    pid: int, without: Collection[int] = (), children: Callable[[int], list[int]] | None = None
) -> list[int]:
    """Return the numbers of all processes that descend from one; parents come before their children.

    Parameters
    ----------
    pid
        The process.
    without
        Processes that are left out, with all that descend from them.
    children
        Returns the children of a process, for those who know a faster way than `children_of`.
    """
    if not _PROC_KNOWS_CHILDREN:
        children = _children_by_ps()
    children = children or children_of
    found: list[int] = []
    todo = [pid]
    while todo:
        new = [child for child in children(todo.pop()) if child not in without]
        found += new
        todo += new
    return found


_PROC_KNOWS_CHILDREN = os.path.exists(f"/proc/self/task/{os.getpid()}/children")  # noqa: PTH110


def children_of(pid: int) -> list[int]:
    """Return the children of a process; Linux knows them, which costs 20 microseconds a thread."""
    if not _PROC_KNOWS_CHILDREN:
        return _children_by_ps()(pid)
    folder = f"/proc/{pid}/task"
    try:
        is_single = os.stat(folder).st_nlink == 3  # noqa: PTH116  (a tenth of the time of pathlib)
        threads = [str(pid)] if is_single else os.listdir(folder)  # noqa: PTH208
    except OSError:
        return []
    return [int(child) for thread in threads for child in _read(f"{folder}/{thread}/children").split()]


def _children_by_ps() -> Callable[[int], list[int]]:
    """Ask ``ps`` once for all."""
    lines = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True
    ).stdout
    pairs = [line.split() for line in lines.splitlines()]
    return lambda pid: [int(child) for child, parent in pairs if int(parent) == pid]


def is_alive(pid: int) -> bool:
    """Return whether a process is alive; a zombie is not, unless only its first thread has ended."""
    if not _PROC_KNOWS_CHILDREN:
        return True
    state = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
    return bool(state) and (state[0] not in "ZX" or _has_threads(pid))


def _has_threads(pid: int) -> bool:
    """Return whether a process whose first thread has ended has others."""
    with contextlib.suppress(OSError):
        return os.stat(f"/proc/{pid}/task").st_nlink > 3  # noqa: PTH116
    return False


def _read(path: str) -> str:
    """Return what is in a file of /proc; nothing if its process has ended."""
    content = b""
    try:
        file = os.open(path, os.O_RDONLY)  # a third of the time of pathlib
        try:
            while chunk := os.read(file, 1 << 16):
                content += chunk
        finally:
            os.close(file)
    except OSError:
        return ""
    return content.decode(errors="replace")


def remove(*paths: str) -> None:
    """Remove files and folders, however deep and whatever their rights; links are removed, not followed.

    Where the system starts no process for that, they stay.
    """
    delete = ["rm", "-rf", "--"]
    allow = ["-type", "d", "-exec", "chmod", "u+rwx", "{}", "+"]
    for before, after in ((delete, []), (["find", "-P"], allow), (delete, [])):
        paths = tuple(filter(os.path.lexists, paths))
        for start in range(0, len(paths), _MOST_PATHS):
            _run([*before, *paths[start : start + _MOST_PATHS], *after])


def _run(command: list[str]) -> None:
    """Run a command without output, unless the system has no process for it, even after some time."""
    quiet = subprocess.DEVNULL
    for _ in range(_PASSES):
        with contextlib.suppress(OSError):
            subprocess.run(command, stdin=quiet, stdout=quiet, stderr=quiet, check=False)
            return
        time.sleep(_RETRY_S)  # processes that were killed need time to end


def guard(messages: Iterable[str]) -> None:
    """Follow the messages ``+pid`` and ``-pid`` to their end, then kill the trees that are left."""
    roots: dict[int, str] = {}
    for message in messages:
        pid, _, folder = message[1:].rstrip("\n").partition(" ")
        if message[0] == "+":
            roots[int(pid)] = folder
        else:
            roots.pop(int(pid), None)
    for root in roots:
        kill_tree(root)
    remove(*filter(None, roots.values()))


if __name__ == "__main__":
    guard(map(os.fsdecode, sys.stdin.buffer))
