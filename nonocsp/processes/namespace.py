"""Run a command as the first process of namespaces of its own, where nothing reaches anything outside.

Inside, other processes do not exist: they cannot be seen, signalled or traced. ``/proc`` shows the command
and what descends from it. ``/dev/shm``, message queues and System V memory are empty at first and gone at the
end. The kernel ignores signals from inside to the command, and when that ends, kills all that is left. So a
backend can neither harm its server nor outlive it.

``python -I -S namespace.py COMMAND…`` makes the namespaces, starts the command in them, waits, and ends as
the command ended. With `FOR_SERVER` before it, the command may make further namespaces inside (`fork_first`):
each host of a server is alone in its own. Without a command it only says by its exit code whether the system
allows all that. Linux does for root, and for other users where it lets them have user namespaces; many
containers, and Ubuntu since 24.04, do not. Run as a file that imports as little as possible: it costs some
10 ms.

Source: Linux, ``namespaces(7)``, ``pid_namespaces(7)``, ``user_namespaces(7)``, ``capabilities(7)``.
"""

from __future__ import annotations

import ctypes
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

FOR_SERVER = "--for-server"

_NEW_MOUNTS, _NEW_IPC, _NEW_USER, _NEW_PIDS = 0x00020000, 0x08000000, 0x10000000, 0x20000000
_NOSUID, _NODEV, _NOEXEC, _RECURSIVE, _PRIVATE = 2, 4, 8, 1 << 14, 1 << 18
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_CAPBSET_READ, _PR_CAPBSET_DROP = 1, 4, 23, 24
_SIGKILL = 9
_ORDINARY = frozenset(range(8))
"""Root's rights to open and give away all files, and to signal and become other users."""
_SERVERS = _ORDINARY | {8, 19, 21}
"""Also the rights to give up rights, to trace processes, and to make namespaces."""
_CAPABILITIES_VERSION = 0x20080522


def main(command: Sequence[str]) -> NoReturn:
    """Run the command in namespaces, and end as it ended."""
    libc = ctypes.CDLL(None, use_errno=True)
    _unshare(libc, _NEW_PIDS | _NEW_MOUNTS | _NEW_IPC)
    from_parent, parent = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(parent)
        _start(libc, from_parent, command)
    libc.prctl(_PR_SET_DUMPABLE, 0)  # it may end with the signal of a crash, but a core of it helps nobody
    for descriptor in (0, 1, from_parent):  # or the other end would wait for this process, too
        os.close(descriptor)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if code < 0:
        os.kill(os.getpid(), -code)
    os._exit(code)


def fork_first(act: Callable[[], NoReturn]) -> int:
    """Fork the first process of new PID and mount namespaces, a child of this one; return its number here.

    It sees no process outside, keeps only ordinary rights, and when it ends, the kernel kills all that
    descends from it. Only a process that was started `FOR_SERVER` may do this.

    Parameters
    ----------
    act
        What the process does; it does not return.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    numbers, writable = os.pipe()
    between = os.fork()
    if between == 0:  # enters no namespace itself, so it knows the number by which its parent knows the first
        try:
            libc.prctl(_PR_SET_DUMPABLE, 1)  # or only root could map users
            _unshare(libc, _NEW_PIDS | _NEW_MOUNTS)
            first = os.fork()
            if first == 0:
                libc.prctl(_PR_SET_DUMPABLE, 0)  # nobody can trace it
                _mount(libc, b"proc", b"/proc")
                give_up_rights()
                act()
            os.write(writable, b"%d" % first)
        finally:
            os._exit(0)
    os.close(writable)
    os.waitpid(between, 0)
    number = os.read(numbers, 16)
    os.close(numbers)
    return int(number)


def give_up_rights(kept: frozenset[int] = _ORDINARY) -> None:
    """Keep only some of root's rights, in this process and in all that descend from it.

    Parameters
    ----------
    kept
        Numbers of capabilities.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in range(64):
        if capability not in kept and libc.prctl(_PR_CAPBSET_READ, capability) == 1:
            libc.prctl(_PR_CAPBSET_DROP, capability)
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES_VERSION, 0)
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable: those below 32, then the others
    _check(libc.capget(header, sets))
    for place in range(6):
        low = 32 * (place // 3)
        sets[place] &= sum(1 << capability - low for capability in kept if low <= capability < low + 32)
    _check(libc.capset(header, sets))


def _unshare(libc: ctypes.CDLL, wanted: int) -> None:
    """Have the children of this process in new namespaces, if necessary with a user namespace."""
    user, group = os.geteuid(), os.getegid()
    if libc.unshare(wanted) == 0:
        return
    _check(libc.unshare(wanted | _NEW_USER))
    maps = {"setgroups": "deny", "uid_map": f"{user} {user} 1", "gid_map": f"{group} {group} 1"}
    for name, line in maps.items():
        with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123  (pathlib takes 5 ms to import)
            file.write(line)


def _start(libc: ctypes.CDLL, from_parent: int, command: Sequence[str]) -> NoReturn:
    """Become the command, as the first process of the namespaces."""
    libc.prctl(_PR_SET_PDEATHSIG, _SIGKILL)
    os.set_blocking(from_parent, False)
    try:
        os.read(from_parent, 1)
        os._exit(1)  # the parent died before the line above
    except BlockingIOError:
        os.close(from_parent)
    os.setsid()  # a signal from inside to the own group would reach the parent
    _check(libc.mount(None, b"/", None, _RECURSIVE | _PRIVATE, None))
    _mount(libc, b"proc", b"/proc")
    _mount(libc, b"tmpfs", b"/dev/shm", b"mode=1777")
    if os.path.isdir("/dev/mqueue"):  # noqa: PTH112
        _mount(libc, b"mqueue", b"/dev/mqueue")
    if not command:  # is all of it allowed?
        os._exit(os.waitpid(fork_first(lambda: os._exit(0)), 0)[1])
    is_server = command[0] == FOR_SERVER
    give_up_rights(_SERVERS if is_server else _ORDINARY)
    os.execv(command[is_server], [*command[is_server:]])


def _mount(libc: ctypes.CDLL, kind: bytes, place: bytes, options: bytes | None = None) -> None:
    _check(libc.mount(kind, place, kind, _NOSUID | _NODEV | _NOEXEC, options))


def _check(result: int) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


if __name__ == "__main__":
    main(sys.argv[1:])
