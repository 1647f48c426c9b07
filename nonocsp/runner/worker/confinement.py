"""Keep a host, and all that it starts, in its control group.

``python -m nonocsp.runner.worker.confinement SOCKET FOLDER`` is a host (`nonocsp.runner.worker.host`) that
cannot leave it.

Sources: Linux, ``landlock(7)``, ``seccomp(2)``.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import NoReturn

from nonocsp.processes.starting import PYTHON
from nonocsp.runner.worker import host
from nonocsp.runner.worker.control_groups import hierarchies, threads

_LIBC = ctypes.CDLL(None)
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_WRITE_FILE, _REFER, _SCOPE_SIGNAL = 1 << 1, 1 << 13, 1 << 1
_PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 22, 38
_NO_CLONE3 = (  # code, jumps if true and false, operand
    (0x20, 0, 0, 0),  # load the number of the system call
    (0x15, 1, 0, 435),  # clone3
    (0x15, 0, 1, 435 | 1 << 30),  # as a program for x32 calls it
    (0x06, 0, 0, 0x00050000 | 38),  # fail with ENOSYS
    (0x06, 0, 0, 0x7FFF0000),  # allow
)


def confine() -> bool:
    """Keep this thread, and all that it starts, in its control group; return whether Linux can do that.

    With Landlock, files of control groups cannot be written, and nothing of processes outside can be opened
    or traced. Since Linux 6.12 they cannot be signalled either. ``clone3``, which can start a process in
    another group, fails as if there were none; libraries then use ``clone``.

    It costs the run little: it cannot write files directly in the folders above, such as ``/`` and ``/sys``,
    mount anything, or gain rights from set-user-ID programs.
    """
    version = _LIBC.syscall(_CREATE_RULESET, None, 0, 1)
    if version < 2:  # the first one also forbids to move files from folder to folder
        return False
    attributes = struct.pack("3Q", _WRITE_FILE | _REFER, 0, _SCOPE_SIGNAL)[: 24 if version >= 6 else 8]
    if (rules := _LIBC.syscall(_CREATE_RULESET, attributes, len(attributes), 0)) < 0:
        return False
    for path in _all_but({str(mount) for mount, _ in hierarchies()}, "/"):
        with suppress(OSError):
            file = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
            allowed = _WRITE_FILE | (_REFER if os.path.isdir(path) else 0)  # noqa: PTH112
            _LIBC.syscall(_ADD_RULE, rules, 1, struct.pack("=Qi", allowed, file), 0)
            os.close(file)
    program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *each) for each in _NO_CLONE3))
    filter_ = struct.pack("HP", len(_NO_CLONE3), ctypes.addressof(program))
    results = (
        _LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
        _LIBC.syscall(_RESTRICT_SELF, rules, 0),
        _LIBC.prctl(_PR_SET_SECCOMP, 2, filter_, 0, 0),
    )
    os.close(rules)
    return not any(results)


def _all_but(places: Collection[str], folder: str) -> Iterator[str]:
    """Yield files and folders that hold everything below a folder but what is in some places."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if any(f"{place}/".startswith(f"{entry.path}/") for place in places):
                if entry.path not in places:
                    yield from _all_but(places, entry.path)
            elif not entry.is_symlink():
                yield entry.path


def main(name: str, folder: str) -> NoReturn:
    """Serve as a host that cannot leave its control group.

    Parameters
    ----------
    name, folder
        As for `nonocsp.runner.worker.host`.
    """
    if confine() and len(threads(os.getpid())) > 1:  # those of NumPy, say, which only exec brings under it
        os.execv(PYTHON[0], [*PYTHON, "-m", host.__name__, name, folder])
    host.main(name, folder)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
