"""Lock cores, so that no two campaigns of one machine measure on the same ones.

Every core has a file in a folder that all users share. Its lock is the kernel's (``flock(2)``): whoever holds
it has the core, and it is released when the process ends, even by ``kill -9``. What the file says (who, since
when) is only shown to people.

The folder is open to everybody, so nothing in it is trusted: links are not followed, only plain files with
one name are opened, and little is read.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import psutil

from nonocsp.model import UsageError
from nonocsp.run.machine.cores import Choice, Core, choose, topology

VARIABLE = "NONOCSP_LOCKS"
"""Environment variable: the folder of the locks, for containers that share a machine."""

_FOLDERS = "/run/lock", "/tmp"
_NAME = "nonocsp-cores"
_MUTEX = "choosing"
_WAIT_S, _PAUSE_S = 10.0, 0.005
_MOST_BYTES = 4096
_TEXT = 200


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a core, as the holder itself says; as text, a line for people.

    Parameters
    ----------
    pid, user, command
        The process, its user and its command line.
    since
        When it took the core: ISO 8601, UTC.
    """

    pid: int
    user: str
    since: str
    command: str

    def __str__(self) -> str:
        return f"process {self.pid} of {self.user} since {self.since}: {self.command}"


class Reservation:
    """Cores that are locked until `release` or the end of the process.

    Attributes
    ----------
    slots
        The hardware threads that each run is confined to.
    problem
        Why the times of these runs cannot be compared; empty if they can.
    """

    def __init__(self, choice: Choice, locks: list[int]) -> None:
        self.slots, self.problem = choice.slots, choice.problem
        self._locks = locks

    def release(self) -> None:
        """Give the cores back."""
        while self._locks:
            os.close(self._locks.pop())


def reserve(runs: int, each: int = 1, find: Callable[[], list[Core]] = topology) -> Reservation:
    """Choose and lock cores that nobody else has locked.

    Parameters
    ----------
    runs
        How many runs there are at a time.
    each
        How many cores each of them gets.
    find
        Returns the cores of this machine that this process may use.

    Raises
    ------
    UsageError
        If there are too few cores, others hold too many of them, or this system cannot confine processes to
        cores.
    """
    if not hasattr(os, "sched_setaffinity"):
        raise UsageError("runs cannot be pinned to cores on this system; only Linux can")
    cores = find()
    wanted = choose(cores, runs, each)  # if nobody held any
    with _Folder() as folder, folder.choosing():
        mine: dict[int, int] = {}
        holders: dict[int, Holder | None] = {}
        try:
            for core in cores:
                file = folder.open(str(core.number))
                if _try_lock(file):
                    mine[core.number] = file
                else:
                    holders[core.number] = _read_holder(file)
                    os.close(file)
            free = [core for core in cores if core.number in mine]
            if len(free) < len(wanted.cores):
                raise UsageError(_too_few(len(free), len(wanted.cores), holders))
            choice = choose(free, runs, each)
            taken = {core.number for core in choice.cores}
            about = json.dumps(asdict(_this_process())).encode()
            for number in taken:
                with suppress(OSError):  # a full disk: nobody learns who holds the core, but it is held
                    os.ftruncate(mine[number], 0)
                    os.pwrite(mine[number], about, 0)
            return Reservation(choice, [mine.pop(number) for number in taken])
        finally:
            for file in mine.values():
                os.close(file)


def held_cores(find: Callable[[], list[Core]] = topology) -> dict[int, Holder | None]:
    """Return who holds which cores, by the cores' numbers; None where the holder does not say.

    Parameters
    ----------
    find
        Returns the cores of this machine that this process may use.

    Raises
    ------
    UsageError
        If the locks cannot be read.
    """
    if not hasattr(os, "sched_setaffinity"):
        return {}
    holders: dict[int, Holder | None] = {}
    if not _folder().is_dir():
        return holders
    with _Folder() as folder, folder.choosing():
        for core in find():
            file = folder.open(str(core.number))
            try:
                if not _try_lock(file):
                    holders[core.number] = _read_holder(file)
            finally:
                os.close(file)
    return holders


def describe(holders: dict[int, Holder | None]) -> str:
    """Return a line for each process that holds cores, with their numbers.

    Parameters
    ----------
    holders
        What `held_cores` returns.
    """
    cores_of: dict[Holder | None, list[int]] = {}
    for number, holder in holders.items():
        cores_of.setdefault(holder, []).append(number)
    return "; ".join(
        f"{'core' if len(numbers) == 1 else 'cores'} {', '.join(map(str, numbers))} by "
        f"{holder or 'an unknown process'}"
        for holder, numbers in cores_of.items()
    )


def _too_few(free: int, needed: int, holders: dict[int, Holder | None]) -> str:
    return (
        f"the runs need {needed} cores of their own, and {free} are free; others hold {describe(holders)}. "
        "Wait until they end, or use fewer jobs or cores"
    )


class _Folder:
    """The folder of the locks, which is made if it is not there."""

    def __enter__(self) -> Self:
        self.path = _folder()
        try:
            with suppress(FileExistsError):
                self.path.mkdir(0o700)
                self.path.chmod(0o1777)  # whatever the umask
            self._folder = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError as error:
            raise self._problem(error.strerror) from None
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._folder)

    def open(self, name: str) -> int:
        """Return a descriptor of a file, which is made if it is not there, for all users.

        Raises
        ------
        UsageError
            If it is no plain file, or cannot be opened.
        """
        flags = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK
        until = time.monotonic() + 1.0
        while True:
            try:
                # Not O_CREAT first: Linux can refuse that for files of others (fs.protected_regular).
                file = os.open(name, flags, dir_fd=self._folder)
                break
            except FileNotFoundError:
                with suppress(FileExistsError):
                    file = os.open(name, flags | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=self._folder)
                    os.fchmod(file, 0o666)
                    break
            except OSError as error:
                if not isinstance(error, PermissionError) or time.monotonic() > until:
                    raise self._problem(f"{name}: {error.strerror}") from None
                time.sleep(_PAUSE_S)  # another user is making it
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1:
            os.close(file)
            raise self._problem(f"{name} is not a plain file")
        return file

    @contextmanager
    def choosing(self) -> Iterator[None]:
        """Keep other processes from choosing cores at the same time.

        Raises
        ------
        UsageError
            If another one does not come to an end.
        """
        mutex, until = self.open(_MUTEX), time.monotonic() + _WAIT_S
        try:
            while not _try_lock(mutex):
                if time.monotonic() > until:
                    raise self._problem(f"another process has been choosing cores for {_WAIT_S:g} s")
                time.sleep(_PAUSE_S)
            yield
        finally:
            os.close(mutex)

    def _problem(self, what: str | None) -> UsageError:
        advice = (
            f"remove what is there, or set {VARIABLE} to a folder that all users of the machine can write"
        )
        return UsageError(f"cores cannot be locked in {self.path}: {what}; {advice}")


def _folder() -> Path:
    """Return the folder of the locks: the variable's, or one where all users can write."""
    if chosen := os.environ.get(VARIABLE):
        return Path(chosen)
    for place in map(Path, _FOLDERS):
        with suppress(OSError):
            if place.stat().st_mode & 0o1777 == 0o1777:
                return place / _NAME
    return Path(tempfile.gettempdir(), _NAME)


def _try_lock(file: int) -> bool:
    import fcntl  # Windows has none

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _this_process() -> Holder:
    command = " ".join([Path(sys.argv[0]).name, *sys.argv[1:]])[:_TEXT]
    return Holder(
        os.getpid(), psutil.Process().username(), datetime.now(UTC).isoformat(timespec="seconds"), command
    )


def _read_holder(file: int) -> Holder | None:
    """Return who a file names; None if it names nobody."""
    try:
        said = json.loads(os.pread(file, _MOST_BYTES, 0))
        pid = said["pid"]
        if type(pid) is not int or not 0 < pid < 1 << 31:  # a bool is an int too
            return None
        texts = [
            "".join(char for char in said[key][:_TEXT] if char.isprintable())
            for key in ("user", "since", "command")
        ]
        return Holder(pid, *texts)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
