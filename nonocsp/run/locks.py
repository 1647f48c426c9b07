"""Lock cores, so that no two campaigns of one machine measure on the same ones.

Every core has a file in a folder that all users share. Its lock is the kernel's (``flock(2)``): whoever holds
it has the core, and it is released when the process ends, even by ``kill -9``. The file says who that is.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import psutil

from nonocsp.model import UsageError
from nonocsp.run.cores import Core, choose, topology

if sys.platform != "win32":
    import fcntl

VARIABLE = "NONOCSP_LOCKS"
"""Environment variable: the folder of the locks, for containers that share a machine."""
_LINE_BYTES = 300


@dataclass
class Reservation:
    """Cores that are locked until `release` or the end of the process."""

    slots: list[tuple[int, ...]]  # as of a `Choice`, and so is the problem
    problem: str
    _locks: list[int]

    def release(self) -> None:
        """Give the cores back, even if processes that this one forked have the files open, too."""
        while self._locks:
            fcntl.flock(self._locks[-1], fcntl.LOCK_UN)
            os.close(self._locks.pop())


def reserve(runs: int, each: int = 1, find: Callable[[], list[Core]] = topology) -> Reservation:
    """Choose and lock cores that nobody else has locked, for some runs at a time; UsageError if it cannot."""
    if not hasattr(os, "sched_setaffinity"):
        raise UsageError("runs cannot be pinned to cores on this system; only Linux can")
    cores = find()
    needed = len(choose(cores, runs, each).cores)  # if nobody held any
    with _locked_folder() as folder:
        holders = _holders(folder, cores)
        free = [core for core in cores if core.number not in holders]
        if len(free) < needed:
            raise UsageError(
                f"the runs need {needed} cores of their own, and {len(free)} are free; others hold "
                f"{describe(holders)}. Wait until they end, or use fewer jobs or cores"
            )
        choice = choose(free, runs, each)
        return Reservation(choice.slots, choice.problem, [_lock(folder, core) for core in choice.cores])


def held_cores(find: Callable[[], list[Core]] = topology) -> dict[int, str]:
    """Return by whom cores are held, by their numbers; a UsageError says why the locks cannot be read."""
    if not hasattr(os, "sched_setaffinity") or not _folder().is_dir():
        return {}
    with _locked_folder() as folder:
        return _holders(folder, find())


def describe(holders: dict[int, str]) -> str:
    """Return who holds which cores, in words."""
    cores_of: dict[str, list[str]] = {}
    for number, holder in holders.items():
        cores_of.setdefault(holder, []).append(str(number))
    return "; ".join(
        f"{'core' if len(numbers) == 1 else 'cores'} {', '.join(numbers)} by {holder}"
        for holder, numbers in cores_of.items()
    )


@contextmanager
def _locked_folder() -> Iterator[int]:
    """Lock the folder of the locks: only one process at a time chooses; UsageError if anything is amiss."""
    path = _folder()
    try:
        with suppress(FileExistsError):
            path.mkdir()
            path.chmod(0o1777)  # whatever the umask
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield folder
        finally:
            os.close(folder)
    except OSError as error:
        advice = f"remove it, or set {VARIABLE} to a folder that all users of the machine can write"
        raise UsageError(f"cores cannot be locked in {path}: {error.strerror}; {advice}") from None


def _folder() -> Path:
    """Return the folder of the locks: the variable's, or one where all users can write."""
    if chosen := os.environ.get(VARIABLE):
        return Path(chosen)
    places = Path("/run/lock"), Path("/tmp")
    shared = (place for place in places if place.is_dir() and place.stat().st_mode & 0o1777 == 0o1777)
    return next(shared, Path(tempfile.gettempdir())) / "nonocsp-cores"


def _holders(folder: int, cores: Collection[Core]) -> dict[int, str]:
    """Return who holds which of some cores."""
    holders: dict[int, str] = {}
    for core in cores:
        file = _open(folder, core)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            line = os.pread(file, _LINE_BYTES, 0).decode(errors="replace")
            holders[core.number] = "".join(filter(str.isprintable, line)) or "an unknown process"
        finally:
            os.close(file)
    return holders


def _lock(folder: int, core: Core) -> int:
    """Lock a core that nobody holds, say who has it now, and return the descriptor of its file."""
    file = _open(folder, core)
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    command = " ".join([Path(sys.argv[0]).name, *sys.argv[1:]])
    since = datetime.now(UTC).isoformat(timespec="seconds")
    line = f"process {os.getpid()} of {psutil.Process().username()} since {since}: {command}"
    with suppress(OSError):  # a full disk: nobody learns who holds the core, but it is held
        os.ftruncate(file, 0)
        os.pwrite(file, line.encode(errors="replace")[:_LINE_BYTES], 0)
    return file


def _open(folder: int, core: Core) -> int:
    """Return a descriptor of the file of a core, which is made for all users if it is not there."""
    name, flags = str(core.number), os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        return os.open(name, flags, dir_fd=folder)  # without O_CREAT, which fs.protected_regular can refuse
    except FileNotFoundError:
        file = os.open(name, flags | os.O_CREAT | os.O_EXCL, dir_fd=folder)
        os.fchmod(file, 0o666)  # whatever the umask
        return file
