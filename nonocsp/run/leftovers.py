"""Remove what a run left behind besides processes, and say what it was.

A slot's runs have a temporary folder of their own, where they start and which is their ``TMPDIR``. If they
are isolated (`nonocsp.processes.namespace`), shared memory, semaphores and message queues are theirs alone,
too: those of a server's own namespaces (`Premises`), and those of a host's (`Shared`). Without namespaces
their owner is unknown: they stay, and are not reported.

If nothing was left, this takes 10 µs: a folder whose ``ctime`` shows no change is not read again.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import stat
import struct
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from nonocsp.processes.guard import is_alive, remove

MOST_TEXTS, MOST_CHARACTERS = 10, 60
_MOST_ENTRIES = 1000
"""How many entries of a folder are looked at to find its size."""

_OWN_MODE, _SHARED_MODE = 0o700, 0o1777
_SHARED, _QUEUES = "/dev/shm", "/dev/mqueue"
_KINDS = ((("sem.", "semaphore"), ("", "shared memory")), (("", "message queue"),))
"""What is in the folders, by the beginning of its name."""
_CHUNK = 1 << 16
_IPC_RMID, _GET_FLAGS, _SET_FLAGS = 0, 0x80086601, 0x40086602
_FLAGS = 0x000100FF
"""What users may set: secure deletion, compression, immediate writing and the like (``chattr``)."""
_LIBC = ctypes.CDLL(None)


class _SystemV(NamedTuple):
    """A kind of object of System V: how to ask for their number, and where the answer has it.

    `size` is the column of their list in ``/proc`` that tells their memory; empty if none does.
    """

    name: str
    shown: str
    ask: int
    place: int
    size: bytes = b""


_SYSTEM_V = (
    _SystemV("shm", "shared memory", ask=14, place=0, size=b"rss"),
    _SystemV("sem", "semaphores", ask=19, place=7),
    _SystemV("msg", "message queue", ask=12, place=0, size=b"cbytes"),
)


class Premises:
    """Where the runs of a slot may leave things.

    Parameters
    ----------
    folder
        Their temporary folder.
    is_isolated
        Whether shared memory and the like are theirs alone, and so is the folder around their own: the other
        one in which they can write.
    """

    def __init__(self, folder: str, is_isolated: bool) -> None:
        self._own = _Folder(folder)
        self._others = [_Folder(path, kinds) for path, kinds in zip((_SHARED, _QUEUES), _KINDS, strict=True)]
        around, name = os.path.split(folder)
        self._others.append(_Folder(around, spared=name))
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

    def renew(self) -> None:
        """Clear once more, and remove what is attached to the folders, before another backend gets them.

        A folder can have attributes, access lists that its new files get, and flags.
        """
        self.clear()
        for folder in [self._own, *(self._others if self.is_isolated else [])]:
            with suppress(OSError):
                _detach(folder.path)


def _detach(folder: str) -> None:
    """Remove what is attached to a folder of this user."""
    for name in os.listxattr(folder):
        with suppress(OSError):  # those of the system stay
            os.removexattr(folder, name)
    file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        found = os.fstat(file)
        if (found.st_uid, found.st_gid) != (os.geteuid(), os.getegid()):
            os.fchown(file, os.geteuid(), os.getegid())
        (flags,) = struct.unpack("=l4x", fcntl.ioctl(file, _GET_FLAGS, bytes(8)))
        if flags & _FLAGS:
            fcntl.ioctl(file, _SET_FLAGS, struct.pack("=l4x", flags & ~_FLAGS))
    finally:
        os.close(file)


class Shared:
    """What the processes of a host share by name: System V's objects, shared memory, message queues.

    Parameters
    ----------
    files
        What `nonocsp.processes.namespace.fork_first` has opened in the namespaces of the host.

    Attributes
    ----------
    device
        The device of the files in shared memory, as ``smaps`` says it.
    """

    def __init__(self, files: Sequence[int]) -> None:
        self._files = files
        self._lists, folders = files[: len(_SYSTEM_V)], files[len(_SYSTEM_V) :]
        self._memory, self.device = folders[0], device_of(folders[0])
        self._folders = [
            _Folder(f"/proc/self/fd/{file}", kinds, file)
            for file, kinds in zip(folders, _KINDS, strict=False)
        ]

    def clear(self) -> tuple[list[str], bool]:
        """Remove files; return what was there, each in words, and whether nothing is left.

        Folders and System V's objects stay: they go with the host.
        """
        left = [text for folder in self._folders for text in folder.clear() or []]
        stays = bool(left) and any(os.listdir(folder.path) for folder in self._folders)  # noqa: PTH208
        for kind, file in zip(_SYSTEM_V, self._lists, strict=True):
            objects = _read(file).count(b"\n") - 1
            left += [f"{kind.shown} of System V"] * objects
            stays = stays or objects > 0
        return left, not stays

    def held_bytes(self) -> int:
        """Return the memory that files in shared memory, segments and messages of System V take."""
        system = os.statvfs(self._memory)
        held = (system.f_blocks - system.f_bfree) * system.f_frsize
        for kind, file in zip(_SYSTEM_V, self._lists, strict=True):
            if kind.size:
                names, *lines = map(bytes.split, _read(file).splitlines())
                held += sum(int(line[names.index(kind.size)]) for line in lines)
        return held

    def close(self) -> None:
        """Close the files."""
        for file in self._files:
            os.close(file)


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
    file
        A descriptor of the folder, if it is in other namespaces: folders stay there. None to open it by its
        path, and remove all.
    spared
        The name of an entry that stays and is not counted.
    """

    _TICK_NS = 3_000_000_000

    def __init__(
        self,
        path: str,
        kinds: Sequence[tuple[str, str]] = (),
        file: int | None = None,
        spared: str = "",
    ) -> None:
        self.path, self._kinds, self._file, self._spared = path, kinds, file, spared
        self._mode = _SHARED_MODE if kinds else _OWN_MODE
        self._when_empty: tuple[int, ...] = ()

    def clear(self) -> list[str] | None:
        """Empty the folder; return what was in it, or None if there is no such folder."""
        try:
            found = os.lstat(self.path) if self._file is None else os.fstat(self._file)
        except OSError:
            return None
        state = found.st_dev, found.st_ino, found.st_mode, found.st_ctime_ns
        if state == self._when_empty:
            return []
        if not stat.S_ISDIR(found.st_mode):
            return None
        if stat.S_IMODE(found.st_mode) != self._mode:
            os.chmod(self.path, self._mode)  # noqa: PTH101
        with os.scandir(self.path) as entries:
            names = [entry for entry in entries if entry.name != self._spared]
        left = [self._described(entry) for entry in names]
        if names:
            (remove if self._file is None else _unlink)(*(entry.path for entry in names))
        elif time.time_ns() - found.st_ctime_ns > self._TICK_NS:
            self._when_empty = state
        return left

    def _described(self, entry: os.DirEntry[str]) -> str:
        kinds = ((kind, entry.name.removeprefix(at)) for at, kind in self._kinds if entry.name.startswith(at))
        kind, name = next(kinds, None) or (_type(entry), entry.name)
        return f"{kind} {_shown(name)} ({_size(_bytes(entry))})"


def device_of(file: int) -> bytes:
    """Return the device of an open file, as in ``/proc/PID/smaps``."""
    device = os.fstat(file).st_dev
    return b"%02x:%02x" % (os.major(device), os.minor(device))


def _unlink(*paths: str) -> None:
    """Remove files; those that this process may not remove stay, and folders."""
    for path in paths:
        with suppress(OSError):
            os.unlink(path)  # noqa: PTH108


def _read(file: int) -> bytes:
    """Return what is in an open file."""
    content = b""
    while chunk := os.pread(file, _CHUNK, len(content)):
        content += chunk
    return content


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
