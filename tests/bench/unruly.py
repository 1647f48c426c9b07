"""Backends that only tests have: one that solves by brute force, one that denies, one that misbehaves.

`tests/conftest.py` registers them as an installed package would be, in the driver and in its workers.
"""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from annotated_doc import Doc

from nonocsp.backends.base import Capabilities, Run
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


@dataclass(frozen=True, slots=True)
class UnrulyOptions:
    how: Annotated[
        Literal[
            "hang", "segfault", "exit", "allocate", "spin", "lie", "shout", "raise", "fork", "quit", "hoard"
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

    def _segfault(self) -> None:
        os.kill(os.getpid(), signal.SIGSEGV)

    def _exit(self) -> None:
        os._exit(7)

    def _quit(self) -> None:
        raise SystemExit("enough")

    def _allocate(self) -> None:
        hoard = []
        while True:
            hoard.append(np.ones(1 << 20))
            time.sleep(0.002)

    def _hoard(self) -> None:
        np.ones(300 << 17)

    def _spin(self) -> None:
        while True:
            pass

    def _lie(self) -> None:
        """Let the grid of background that `search` yields be the answer."""

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
        child = [sys.executable, "-c", "import time; time.sleep(600)", os.environ.get("UNRULY_MARK", "")]
        for detached in (False, True):
            subprocess.Popen(child, start_new_session=detached)
        time.sleep(600)
