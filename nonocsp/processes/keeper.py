"""Run a command for somebody who wants to hear what it says, and end all that it has started.

``python -I -S keeper.py BYTES INPUT COMMAND…`` runs a command that reads the file INPUT. Each process
of it may have BYTES of data; 0 sets no limit. The keeper ends as the command ended: with its exit code,
or with 128 and the number of its signal. When the keeper's own standard input ends, the one who asked has
died or given up: it kills the command.

The keeper stands between the command and the one who asked. It adopts every process whose parent has ended,
even in a session of its own, so it can kill all of them. Run as a file that imports as little as possible: it
costs some 15 ms.

Source: Linux, ``prctl(2)``, ``setrlimit(2)``, ``pid_namespaces(7)``.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

_LOOK_S, _DYING_S, _PAUSE_S = 0.005, 5.0, 0.001
_NOT_FOUND, _BY_SIGNAL = 127, 128
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER = 1, 4, 36
_IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)


def main(memory: int, source: str, command: Sequence[str]) -> NoReturn:
    """Run a command to its end, then end what it has left.

    Parameters
    ----------
    memory
        Bytes of data that each of its processes may have; 0 sets no limit.
    source
        The file that it reads.
    command
        The program and its arguments.
    """
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    _prctl(_PR_SET_DUMPABLE, 0)  # the command can neither trace this process nor open its files
    pid = os.fork()
    if pid == 0:
        _start(memory, source, command)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (1, 2):  # or the other end would wait for this process, too
        os.dup2(null, descriptor)
    code = _exit_code(pid)
    _end_all(pid)
    os._exit(code if code >= 0 else _BY_SIGNAL - code)


def _start(memory: int, source: str, command: Sequence[str]) -> NoReturn:
    """Become the command, in a group of its own: a signal to its group does not reach the keeper."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    os.setpgid(0, 0)
    for number in _IGNORED_BY_PYTHON:
        signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (1, 1))  # with 0, systems still start what collects cores
    if memory:
        most = resource.getrlimit(resource.RLIMIT_DATA)[1]
        memory = memory if most == resource.RLIM_INFINITY else min(memory, most)
        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    try:
        os.dup2(os.open(source, os.O_RDONLY), 0)
        os.execvp(command[0], [*command])
    except OSError:
        os._exit(_NOT_FOUND)


def _exit_code(pid: int) -> int:
    """Wait until the command ends, or nobody listens and it is killed; return how it ended."""
    while not select.select([0], [], [], _LOOK_S)[0]:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
    os.kill(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _end_all(group: int) -> None:
    """Kill the children of this process until there are none: those of a killed one become its own."""
    deadline = time.monotonic() + _DYING_S
    _kill(os.killpg, group)
    while (children := _children()) and time.monotonic() < deadline:
        for child in children:
            _kill(os.kill, child)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(_PAUSE_S)


def _kill(send: Callable[[int, int], None], target: int) -> None:
    """Kill a process, or a group, unless it has ended or belongs to another user."""
    with contextlib.suppress(OSError):
        send(target, signal.SIGKILL)


def _children() -> list[int]:
    """Return the children of this process; none where the system does not tell."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children") as file:  # noqa: PTH123  (pathlib takes 5 ms)
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3:])
