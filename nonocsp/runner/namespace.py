"""Run a command as the first process of namespaces of its own, where nothing reaches anything outside.

Inside, other processes do not exist: they cannot be seen, signalled or traced. ``/proc`` shows the command
and what descends from it. ``/dev/shm``, message queues and System V memory are empty at first and gone at the
end. The kernel ignores signals from inside to the command, and when that ends, kills all that is left. So a
backend can neither harm its server nor outlive it.

``python -I -S namespace.py COMMAND…`` makes the namespaces, starts the command in them, waits, and ends as
the command ended. Without a command it only says by its exit code whether the system allows that. Linux does
for root, and for other users where it lets them have user namespaces; many containers, and Ubuntu since
24.04, do not. Run as a file that imports as little as possible: it costs some 10 ms.

Source: Linux, ``namespaces(7)``, ``pid_namespaces(7)``, ``user_namespaces(7)``, ``capabilities(7)``.
"""

from __future__ import annotations

import ctypes
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

_NEW_MOUNTS, _NEW_IPC, _NEW_USER, _NEW_PIDS = 0x00020000, 0x08000000, 0x10000000, 0x20000000
_NOSUID, _NODEV, _NOEXEC, _RECURSIVE, _PRIVATE = 2, 4, 8, 1 << 14, 1 << 18
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_CAPBSET_READ, _PR_CAPBSET_DROP = 1, 4, 23, 24
_SIGKILL = 9
_KEPT_CAPABILITIES = range(8)
"""Root's rights to open and give away all files, and to signal and become other users. The rights to trace
processes, mount, raise limits and priorities, and all others, end here."""


def main(command: Sequence[str]) -> NoReturn:
    """Run the command in namespaces, and end as it ended."""
    libc = ctypes.CDLL(None, use_errno=True)
    _unshare(libc)
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


def _unshare(libc: ctypes.CDLL) -> None:
    """Have the children of this process in new namespaces, if necessary with a user namespace."""
    user, group = os.geteuid(), os.getegid()
    wanted = _NEW_PIDS | _NEW_MOUNTS | _NEW_IPC
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
    for capability in range(64):
        if capability not in _KEPT_CAPABILITIES and libc.prctl(_PR_CAPBSET_READ, capability) == 1:
            libc.prctl(_PR_CAPBSET_DROP, capability)
    if command:
        os.execv(command[0], [*command])
    os._exit(0)


def _mount(libc: ctypes.CDLL, kind: bytes, place: bytes, options: bytes | None = None) -> None:
    _check(libc.mount(kind, place, kind, _NOSUID | _NODEV | _NOEXEC, options))


def _check(result: int) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


if __name__ == "__main__":
    main(sys.argv[1:])
