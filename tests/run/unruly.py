"""Test backends: one solves by brute force, one denies every solution, one misbehaves.

`tests/conftest.py` registers them as an installed package would be, in the driver and in its workers.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import os
import pickle
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal
from uuid import uuid4

import numpy as np
from annotated_doc import Doc

from nonocsp.backends.base import Capabilities, Interrupted, Run
from nonocsp.model import Clue, Grid, Puzzle, verify
from nonocsp.run.limits import POLL_S

MOST_FILLED = 256 << 20
"""The size of the largest disk that `Fill` fills, in bytes."""
LOOKS = 30
"""Looks of the server on an idle machine; on a busy one there is surely one of them."""


class _Plain:
    summary: ClassVar[str] = "for tests"
    paper: ClassVar[str] = ""
    capabilities: ClassVar[Capabilities] = Capabilities()
    requires: ClassVar[tuple[str, ...]] = ()

    def __init__(self, options: Any) -> None:
        self.options = options


@dataclass(frozen=True, slots=True)
class BruteOptions:
    sleep: Annotated[float, Doc("seconds to sleep first, but not on 2x2 puzzles")] = 0.0


class Brute(_Plain):
    """Tries every combination of rows, in one colour."""

    Options: ClassVar[type[Any]] = BruteOptions

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        if puzzle.shape != (2, 2):
            time.sleep(self.options.sleep)
        lines = list(itertools.product((0, 1), repeat=puzzle.shape[1]))
        fitting = [[line for line in lines if _clue(line) == clue] for clue in puzzle.rows]
        for cells in itertools.product(*fitting):
            run.check()
            grid = Grid.from_cells(cells)
            if verify(puzzle, grid):
                run.stats["found"] = 1 + int(run.stats.get("found", 0))
                yield grid


def _clue(line: tuple[int, ...]) -> Clue:
    return Clue.of(*(len(list(run)) for colour, run in itertools.groupby(line) if colour))


@dataclass(frozen=True, slots=True)
class NoOptions:
    pass


class Deny(_Plain):
    """Says of every puzzle that it has no solution."""

    Options: ClassVar[type[Any]] = NoOptions

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        return iter(())


class Meeting(_Plain):
    """Waits until another run of it is there, too, but not on 2x2 puzzles."""

    Options: ClassVar[type[Any]] = NoOptions

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        if puzzle.shape != (2, 2):
            folder = Path(os.environ["MEETING"])
            (folder / uuid4().hex).touch()
            while len([*folder.iterdir()]) < 2:
                run.check()
                time.sleep(0.01)
        yield Grid.from_cells(np.eye(puzzle.shape[0], dtype=int))


class Flagged(_Plain):
    """Searches until its flag is set, whatever the clock says."""

    Options: ClassVar[type[Any]] = NoOptions

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        while not run.stop.is_set():
            time.sleep(0.01)
        raise Interrupted
        yield


class Waking(_Plain):
    """Has a timer wake the process that loaded it, ten times a second, and notes when that was."""

    Options: ClassVar[type[Any]] = NoOptions
    _timers: ClassVar[list[ctypes.c_void_p]] = []

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        if not self._timers:
            self._timers.append(_timer(signal.SIGCONT, 0.1))
            signal.signal(signal.SIGCONT, lambda *_: _note_time(Path(os.environ["WAKING"])))
        return iter(())


def _timer(number: int, every_s: float) -> ctypes.c_void_p:
    """Start a timer of POSIX that sends this process a signal."""
    event = (ctypes.c_int * 16)(0, 0, number)  # struct sigevent: value, signal, how
    nanoseconds = int(every_s * 1e9)
    times = (ctypes.c_long * 4)(0, nanoseconds, 0, nanoseconds)  # struct itimerspec
    timer, libc = ctypes.c_void_p(), ctypes.CDLL(None)
    if libc.timer_create(1, event, ctypes.byref(timer)) or libc.timer_settime(timer, 0, times, None):
        raise OSError("no timer")
    return timer


def _note_time(path: Path) -> None:
    with path.open("a") as file:
        file.write(f"{time.time()}\n")


@dataclass(frozen=True, slots=True)
class BusyOptions:
    seconds: Annotated[float, Doc("seconds of the clock to compute for, but not on 2x2 puzzles")] = 0.0


class Busy(_Plain):
    """Computes for some time, says on which cores it may do so, and denies every solution."""

    Options: ClassVar[type[Any]] = BusyOptions

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        until = time.perf_counter() + self.options.seconds
        if puzzle.shape != (2, 2):
            while time.perf_counter() < until:
                pass
            run.stats["core_bytes"] = resource.getrlimit(resource.RLIMIT_CORE)[0]
            run.stats["cores"] = " ".join(map(str, sorted(os.sched_getaffinity(0))))
        return iter(())


@dataclass(frozen=True, slots=True)
class FillOptions:
    how: Annotated[Literal["written", "deleted", "many"], Doc("one file, one that is deleted, or many")]


class Fill(_Plain):
    """Fills the disk of its temporary files, if that is a small one, for ever; not on 2x2 puzzles."""

    Options: ClassVar[type[Any]] = FillOptions

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        if puzzle.shape == (2, 2):
            return iter(())
        system = os.statvfs(".")
        if system.f_blocks * system.f_frsize > MOST_FILLED:
            raise RuntimeError("this disk is too large to fill")
        kept = []
        for number in itertools.count():
            with contextlib.suppress(OSError):
                path = Path(f"filler-{number}")
                file = path.open("wb", buffering=0)
                if self.options.how == "many":
                    file.close()
                    continue
                kept.append(file)
                if self.options.how == "deleted":
                    path.unlink()
                while True:
                    file.write(bytes(1 << 16))
            time.sleep(0.02)  # the disk is full
        raise AssertionError


@dataclass(frozen=True, slots=True)
class UnrulyOptions:
    how: Annotated[
        Literal[
            *("hang", "hold", "spin", "sleep"),
            *("allocate", "hoard", "share"),
            *("segfault", "abort", "exit", "quit", "raise", "kill", "close"),
            *("lie", "shout"),
            *("fork", "breed", "leave"),
        ],
        Doc("what it does wrong"),
    ] = "raise"


class Unruly(_Plain):
    """Misbehaves on every puzzle but 2x2 ones, which workers warm up with."""

    Options: ClassVar[type[Any]] = UnrulyOptions

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        if puzzle.shape != (2, 2):
            getattr(self, f"_{self.options.how}")()
        yield Grid.from_cells(np.zeros(puzzle.shape, np.uint8))

    def _hang(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
        while True:
            time.sleep(1)

    def _hold(self) -> None:
        """Sleep in C without letting go of the interpreter."""
        ctypes.PyDLL(None).sleep(600)

    def _sleep(self) -> None:
        time.sleep(600)

    def _segfault(self) -> None:
        os.kill(os.getpid(), signal.SIGSEGV)

    def _abort(self) -> None:
        os.abort()

    def _kill(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def _close(self) -> None:
        os.closerange(3, 1024)

    def _exit(self) -> None:
        os._exit(7)

    def _quit(self) -> None:
        raise SystemExit("enough")

    def _allocate(self) -> None:
        hoard = []
        for _ in range(128):
            hoard.append(np.ones(1 << 20))
            time.sleep(0.002)
        time.sleep(600)

    def _hoard(self) -> None:
        np.ones(300 << 17)

    def _share(self) -> None:
        """Hold 200 MiB, and fork four children that hold the same and sleep."""
        hoard = np.ones(200 << 17)
        for _ in range(4):
            if os.fork() == 0:
                time.sleep(600)
        wait_for_looks()
        del hoard

    def _spin(self) -> None:
        while True:
            pass

    def _lie(self) -> None:
        """Answer with the grid of background that `search` yields."""

    def _shout(self) -> None:
        for stream in (1, 2):
            for _ in range(64):
                os.write(stream, b"noise\n" * 10_000)
        print("more noise", flush=True)
        sys.stdin.read()
        self._lie()

    def _raise(self) -> None:
        raise RuntimeError("no idea")

    def _fork(self) -> None:
        self._leave()
        time.sleep(600)

    def _leave(self) -> None:
        child = [sys.executable, "-c", "import time; time.sleep(600)", os.environ.get("UNRULY_MARK", "")]
        for detached in (False, True):
            subprocess.Popen(child, start_new_session=detached)

    def _breed(self) -> None:
        """Fork from process to process, each in its own session and abandoned by its parent."""
        if os.fork() == 0:
            while True:
                os.setsid()
                time.sleep(0.01)
                if os.fork():
                    os._exit(0)
        time.sleep(600)


def wait_for_looks() -> None:
    """Wait until the server has looked at all processes of this run; it does so every `POLL_S`, unseen."""
    time.sleep(LOOKS * POLL_S)


def take_worker_along(batch: bytes, *rest: Any) -> Any:
    """Measure a batch on a cluster, but fail like the worker's machine at a puzzle of 2x2."""
    from nonocsp.run.cluster_worker import measure

    if any(job.puzzle.shape == (2, 2) for job in pickle.loads(batch)):
        time.sleep(1.0)  # dask does not replace a worker that dies while it starts
        os.kill(os.getpid(), signal.SIGKILL)
    return measure(batch, *rest)


def fail_on_one(batch: bytes, *rest: Any) -> Any:
    """Measure a batch on a cluster, but on one of its workers fail as on a full disk."""
    from distributed import get_worker

    from nonocsp.run.cluster_worker import measure

    if get_worker().name == 0:
        raise OSError("No space left on device")
    return measure(batch, *rest)
