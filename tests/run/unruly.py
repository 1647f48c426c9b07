"""Test backends: one solves by brute force, one denies every solution, one misbehaves."""

import ctypes
import itertools
import os
import pickle
import resource
import signal
import subprocess
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
    skip: Annotated[int, Doc("solutions to overlook")] = 0


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
                if run.stats["found"] > self.options.skip:
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
class UnrulyOptions:
    how: Annotated[
        Literal[
            *("hang", "hold"),
            *("segfault", "abort", "exit", "quit", "raise", "close"),
            *("lie", "fork"),
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

    def _segfault(self) -> None:
        os.kill(os.getpid(), signal.SIGSEGV)

    def _abort(self) -> None:
        os.abort()

    def _close(self) -> None:
        os.closerange(3, 1024)

    def _exit(self) -> None:
        os._exit(7)

    def _quit(self) -> None:
        raise SystemExit("enough")

    def _lie(self) -> None:
        """Answer with the grid of background that `search` yields."""

    def _raise(self) -> None:
        raise RuntimeError("no idea")

    def _fork(self) -> None:
        for detached in (False, True):
            subprocess.Popen(["sleep", "600"], start_new_session=detached)
        time.sleep(600)


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
