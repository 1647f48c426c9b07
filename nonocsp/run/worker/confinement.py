"""Keep a host, and all that it starts, in its control group.

``python -m nonocsp.run.worker.confinement SOCKET FOLDER`` is a host (`nonocsp.run.worker.host`) that
cannot leave it.

Source: Linux, ``landlock(7)``.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import NoReturn

from nonocsp.processes.namespace import refuse_calls
from nonocsp.processes.starting import PYTHON
from nonocsp.run.worker import host
from nonocsp.run.worker.control_groups import hierarchies, threads

_LIBC = ctypes.CDLL(None)
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_WRITE_FILE, _REMOVE_DIR, _MAKE_DIR, _REFER, _SCOPE_SIGNAL = 1 << 1, 1 << 4, 1 << 7, 1 << 13, 1 << 1
_IN_FOLDERS = _REMOVE_DIR | _MAKE_DIR | _REFER
_PR_SET_NO_NEW_PRIVS = 38
_SYSTEM = ("/proc", "/sys")
"""Where files are no data but settings of Linux; root's could start programs outside of all groups."""


def confine() -> bool:
    """Keep this thread, and all that it starts, in its control group; return whether Linux can do that.

    With Landlock, control groups cannot be written, made, renamed or removed, and nothing of processes
    outside can be opened or traced. Since Linux 6.12 they cannot be signalled either. ``clone3``, which can
    start a process in another group, fails as if there were none; libraries then use ``clone``.

    It costs the run little: it cannot write files of ``/proc`` and ``/sys``, nor directly in the root folder,
    mount anything, make user namespaces, or gain rights from set-user-ID programs.
    """
    _LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    is_filtered = refuse_calls()
    version = _LIBC.syscall(_CREATE_RULESET, None, 0, 1)
    if version < 2:  # the first one also forbids to move files from folder to folder
        return False
    attributes = struct.pack("3Q", _WRITE_FILE | _IN_FOLDERS, 0, _SCOPE_SIGNAL)[: 24 if version >= 6 else 8]
    if (rules := _LIBC.syscall(_CREATE_RULESET, attributes, len(attributes), 0)) < 0:
        return False
    for path in _all_but({*_SYSTEM, *(str(mount) for mount, _ in hierarchies())}, "/"):
        with suppress(OSError):
            file = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
            allowed = _WRITE_FILE | (_IN_FOLDERS if os.path.isdir(path) else 0)  # noqa: PTH112
            _LIBC.syscall(_ADD_RULE, rules, 1, struct.pack("=Qi", allowed, file), 0)
            os.close(file)
    is_restricted = _LIBC.syscall(_RESTRICT_SELF, rules, 0) == 0
    os.close(rules)
    return is_filtered and is_restricted


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
        As for `nonocsp.run.worker.host`.
    """
    if confine() and len(threads(os.getpid())) > 1:  # those of NumPy, say, which only exec brings under it
        os.execv(PYTHON[0], [*PYTHON, "-m", host.__name__, name, folder])
    host.main(name, folder)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
