"""Remove what a run left behind besides processes, and say what it was.

A slot's runs have a temporary folder of their own, where they start and which is their ``TMPDIR``. If they
are isolated (`nonocsp.runner.namespace`), shared memory, semaphores and message queues are theirs alone, too.
Without namespaces nobody knows whose those are: they stay, and nothing is said of them.

If nothing was left, that costs 25 µs.
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from nonocsp.runner.guard import is_alive, remove

MOST_TEXTS, MOST_CHARACTERS = 10, 60
_MOST_ENTRIES = 1000
"""How many entries of a folder are looked at to find its size."""

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


class Premises(NamedTuple):
    """Where the runs of a slot may leave things.

    Parameters
    ----------
    folder
        Their temporary folder.
    is_isolated
        Whether shared memory and the like are theirs alone.
    """

    folder: str
    is_isolated: bool

    def clear(self) -> list[str]:
        """Remove all that is left, have an empty folder again, and return what was there, each in words."""
        left: list[str] = []
        if _is_folder(self.folder):
            os.chmod(self.folder, 0o700)  # noqa: PTH101
            left += _clear_folder(self.folder, ())
        else:
            remove(self.folder)
            os.mkdir(self.folder, 0o700)  # noqa: PTH102  (a process may have changed what pathlib uses)
            left.append("the temporary folder itself, removed or replaced")
        if self.is_isolated:
            left += _clear_folder(_SHARED, [("sem.", "semaphore"), ("", "shared memory")])
            left += _clear_folder(_QUEUES, [("", "message queue")])
            left += _clear_system_v()
        return bounded(left)


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


def _is_folder(path: str) -> bool:
    with suppress(OSError):
        return stat.S_ISDIR(os.lstat(path).st_mode)
    return False


def _clear_folder(folder: str, kinds: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Empty a folder; yield what was in it.

    Parameters
    ----------
    folder
        Nothing happens if it is none.
    kinds
        Beginnings of names, and what to call such entries; others are called by their type.
    """
    if not _is_folder(folder):
        return
    with os.scandir(folder) as found:
        entries = list(found)
    for entry in entries:
        kind, name = next(
            ((kind, entry.name.removeprefix(start)) for start, kind in kinds if entry.name.startswith(start)),
            (_type(entry), entry.name),
        )
        yield f"{kind} {_shown(name)} ({_size(_bytes(entry))})"
    if entries:
        remove(*(entry.path for entry in entries))


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


def _clear_system_v() -> Iterator[str]:
    """Remove the shared memory, semaphores and message queues of System V; yield what was there."""
    for kind in _SYSTEM_V:
        figures = (ctypes.c_int * 64)()
        _control(kind, 0, kind.ask, figures)
        if figures[kind.place] == 0:
            continue
        with open(f"/proc/sysvipc/{kind.name}") as file:  # noqa: PTH123
            for line in file.readlines()[1:]:
                _control(kind, int(line.split()[1]), _IPC_RMID, None)
                yield f"{kind.shown} of System V"


def _control(kind: _SystemV, number: int, command: int, figures: ctypes.Array[ctypes.c_int] | None) -> None:
    call = getattr(_LIBC, f"{kind.name}ctl")
    call(*((number, 0, command, figures) if kind.name == "sem" else (number, command, figures)))
