"""Backends that use too much, or hide what they use."""

import os
import sys
import time

import numpy as np

from careless.base import MIB, Careless, burn, does, hoard
from nonocsp.backends.base import Run
from nonocsp.model import Puzzle

Spins = does(lambda: burn(600))


class SpinsInAChild(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        if os.fork() == 0:
            burn(600)
        time.sleep(600)


class SpinsInChildrenThatEnd(Careless):
    """Starts a process that computes for .1 s, again and again."""

    def act(self, puzzle: Puzzle, run: Run) -> None:
        while True:
            if (child := os.fork()) == 0:
                burn(0.1)
                os._exit(0)
            os.waitpid(child, 0)


Hoards = does(lambda: hoard(400))


class HoardsInChildren(Careless):
    """Has three children that each stay below a limit that they reach together."""

    def act(self, puzzle: Puzzle, run: Run) -> None:
        for _ in range(3):
            if os.fork() == 0:
                hoard(100)
        time.sleep(600)


HoardsForAMoment = does(lambda: np.ones(200 * MIB >> 3))


class SharesWithChildren(Careless):
    """Fills 200 MiB, forks four children that see the same, and waits for them for a moment."""

    def act(self, puzzle: Puzzle, run: Run) -> None:
        kept = np.ones(200 * MIB >> 3)
        children = [os.fork() for _ in range(4)]
        if 0 in children:
            time.sleep(0.4)
            os._exit(0)
        for child in children:
            os.waitpid(child, 0)
        del kept


class ReportsWrongTimes(Careless):
    """Stops Python's clocks, as libraries that test with frozen time do, and computes for .2 s."""

    def act(self, puzzle: Puzzle, run: Run) -> None:
        for name in ("perf_counter", "process_time", "time", "monotonic"):
            _freeze(name)
        burn(0.2)


def _freeze(clock: str) -> None:
    now = getattr(time, clock)()
    setattr(time, clock, lambda: now)


class WorksInChildren(Careless):
    """Has two children compute for .1 s each, one after the other, and waits for them."""

    def act(self, puzzle: Puzzle, run: Run) -> None:
        for _ in range(2):
            if (child := os.fork()) == 0:
                burn(0.1)
                os._exit(0)
            os.waitpid(child, 0)


class WorksInOrphans(Careless):
    """Has a grandchild compute for .2 s, which nobody waits for but the system."""

    def act(self, puzzle: Puzzle, run: Run) -> None:
        done, mine = os.pipe()
        if (child := os.fork()) == 0:
            if os.fork() == 0:
                burn(0.2)
                os.write(mine, b".")
            os._exit(0)
        os.waitpid(child, 0)
        os.read(done, 1)
        time.sleep(0.02)  # in which it ends


class PrintsAGigabyte(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        for _ in range(1 << 10):
            os.write(1, b"noise\n" * (MIB // 6))
        print("more noise", flush=True)


ReadsItsInput = does(sys.stdin.read)


class ClosesItsStreams(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            stream.close()
        os.closerange(0, 3)
