"""Remove what a run left behind besides processes, and say what it was.

A slot's runs have a temporary folder of their own, where they start and which is their ``TMPDIR``. If they
are isolated (`nonocsp.processes.namespace`), shared memory, semaphores and message queues are theirs alone,
too. Without namespaces their owner is unknown: they stay, and are not reported.

If nothing was left, this takes 10 µs: a folder whose ``ctime`` shows no change is not read again.
"""

from __future__ import annotations

import ctypes
import os
import stat
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from nonocsp.processes.guard import is_alive, remove

MOST_TEXTS, MOST_CHARACTERS = 10, 60
_MOST_ENTRIES = 1000
"""How many entries of a folder are looked at to find its size."""

_OWN_MODE = 0o700
_SHARED, _QUEUES = "/dev/shm", "/dev/mqueue"
_IPC_RMID = 0
_LIBC = ctypes.CDLL(None)


class _SystemV(NamedTuple):
    """A kind of object of System V: how to ask for their number, and where the answer has it."""

    name: str
    shown: str
    ask: int
    place: int


_SYSTEM_V = (
    _SystemV("shm", "shared memory", ask=14, place=0),
    _SystemV("sem", "semaphores", ask=19, place=7),
    _SystemV("msg", "message queue", ask=12, place=0),
)


class Premises:
    """Where the runs of a slot may leave things.

    Parameters
    ----------
    folder
        Their temporary folder.
    is_isolated
        Whether shared memory and the like are theirs alone.
    """

    def __init__(self, folder: str, is_isolated: bool) -> None:
        self._own = _Folder(folder)
        self._others = [
            _Folder(_SHARED, [("sem.", "semaphore"), ("", "shared memory")]),
            _Folder(_QUEUES, [("", "message queue")]),
        ]
        self.is_isolated = is_isolated

    def clear(self) -> list[str]:
        """Remove all that is left, have an empty folder again, and return what was there, each in words."""
        left = self._own.clear()
        if left is None:
            remove(self._own.path)
            os.mkdir(self._own.path, _OWN_MODE)  # noqa: PTH102  (a process may have changed what pathlib uses)
            left = ["the temporary folder itself, removed or replaced"]
        if self.is_isolated:
            for folder in self._others:
                left += folder.clear() or []
            left += _clear_system_v()
        return bounded(left)


class _Folder:
    """A folder that is emptied again and again; only if its entries have changed, because that takes longer.

    Linux notes the time of each change of a folder's entries (``ctime``), and nobody can set it. Changes that
    follow each other at once may have the same time. So that time tells of all later changes only if it was
    `_TICK_NS` old already when the folder was found empty.

    Parameters
    ----------
    path
        Of the folder.
    kinds
        Beginnings of names, and what to call such entries. Without them, the folder is this process's own:
        entries are called by their type, and only this user may enter.
    """

    _TICK_NS = 3_000_000_000

    def __init__(self, path: str, kinds: Sequence[tuple[str, str]] = ()) -> None:
        self.path, self._kinds = path, kinds
        self._when_empty: tuple[int, ...] = ()

    def clear(self) -> list[str] | None:
        """Empty the folder; return what was in it, or None if there is no such folder."""
        try:
            found = os.lstat(self.path)
        except OSError:
            return None
        state = found.st_dev, found.st_ino, found.st_mode, found.st_ctime_ns
        if state == self._when_empty:
            return []
        if not stat.S_ISDIR(found.st_mode):
            return None
        if not self._kinds and stat.S_IMODE(found.st_mode) != _OWN_MODE:
            os.chmod(self.path, _OWN_MODE)  # noqa: PTH101
        with os.scandir(self.path) as entries:
            names = [*entries]
        left = [self._described(entry) for entry in names]
        if names:
            remove(*(entry.path for entry in names))
        elif time.time_ns() - found.st_ctime_ns > self._TICK_NS:
            self._when_empty = state
        return left

    def _described(self, entry: os.DirEntry[str]) -> str:
        kinds = ((kind, entry.name.removeprefix(at)) for at, kind in self._kinds if entry.name.startswith(at))
        kind, name = next(kinds, None) or (_type(entry), entry.name)
        return f"{kind} {_shown(name)} ({_size(_bytes(entry))})"


def process_names(pids: Iterable[int]) -> list[str]:
    """Return in words which of some processes are alive."""
    names = []
    for pid in pids:
        with suppress(OSError), open(f"/proc/{pid}/comm", "rb") as file:  # noqa: PTH123
            if is_alive(pid):
                names.append(f"process {_shown(os.fsdecode(file.read().strip()))}")
    return sorted(names)


def bounded(left: list[str]) -> list[str]:
    """Return at most `MOST_TEXTS` texts; the last says how many more there were."""
    if len(left) <= MOST_TEXTS:
        return left
    return [*left[: MOST_TEXTS - 1], f"and {len(left) - MOST_TEXTS + 1} more"]


def _type(entry: os.DirEntry[str]) -> str:
    """Return what kind of file an entry is."""
    with suppress(OSError):
        mode = entry.stat(follow_symlinks=False).st_mode
        for test, name in ((stat.S_ISDIR, "folder"), (stat.S_ISLNK, "link"), (stat.S_ISSOCK, "socket")):
            if test(mode):
                return name
        if not stat.S_ISREG(mode):
            return "pipe or device"
    return "file"


def _bytes(entry: os.DirEntry[str]) -> int:
    """Return the size of a file, or of the first files in a folder."""
    total, todo, looked = 0, [entry], 0
    while todo and looked < _MOST_ENTRIES:
        looked += 1
        with suppress(OSError):
            at = todo.pop()
            total += at.stat(follow_symlinks=False).st_size if not at.is_dir(follow_symlinks=False) else 0
            if at.is_dir(follow_symlinks=False):
                with os.scandir(at.path) as inside:
                    todo += [each for each, _ in zip(inside, range(_MOST_ENTRIES), strict=False)]
    return total


def _size(size: int) -> str:
    return f"{size / 2**20:.0f} MiB" if size >= 1 << 20 else f"{-(-size // 1024)} KiB"


def _shown(name: str) -> str:
    """Return the name of a file or process as a text without control characters, not too long."""
    text = "".join(char if char.isprintable() else "?" for char in name)
    return text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 1]}…"


_FIGURES = (ctypes.c_int * 64)()


def _clear_system_v() -> Iterator[str]:
    """Remove the shared memory, semaphores and message queues of System V; yield what was there."""
    for kind in _SYSTEM_V:
        _FIGURES[kind.place] = 0
        _control(kind, 0, kind.ask, _FIGURES)
        if _FIGURES[kind.place] == 0:
            continue
        with open(f"/proc/sysvipc/{kind.name}") as file:  # noqa: PTH123
            names, *lines = (line.split() for line in file)
            for line in lines:
                number, owner = int(line[1]), int(line[names.index("uid")])
                if _control(kind, number, _IPC_RMID, None) < 0 and os.geteuid() == 0:
                    with suppress(OSError):  # only its owner may remove it: the run has changed its user
                        os.seteuid(owner)
                    _control(kind, number, _IPC_RMID, None)
                    os.seteuid(0)
                yield f"{kind.shown} of System V"


def _control(kind: _SystemV, number: int, command: int, figures: ctypes.Array[ctypes.c_int] | None) -> int:
    call = getattr(_LIBC, f"{kind.name}ctl")
    return int(call(*((number, 0, command, figures) if kind.name == "sem" else (number, command, figures))))
