"""Backends that end their process, or do not end at all."""

import ctypes
import os
import re
import signal
import subprocess
import threading
import time

from careless.base import Careless, does, linger
from nonocsp.backends.base import Run
from nonocsp.model import Puzzle

SegFaults = does(lambda: ctypes.string_at(0))
Aborts = does(os.abort)


class Exits(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        os.write(2, b"out of licences\n")
        os._exit(7)


class ExitsInAThread(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        threading.Thread(target=os._exit, args=(0,)).start()
        time.sleep(600)


class BecomesADaemon(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        if os.fork():
            os._exit(0)
        os.setsid()
        if os.fork():
            os._exit(0)
        linger()


BecomesAnotherProgram = does(lambda: os.execvp("true", ["true"]))
IsKilled = does(lambda: os.kill(os.getpid(), signal.SIGKILL))
"""Is ended as the system ends a process when it is out of memory."""


class RingsAnAlarm(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        time.sleep(600)


ClosesDescriptors = does(lambda: os.closerange(3, 1024))
ForksAndBothReturn = does(os.fork)


class ForksAndTheChildRaises(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        if (child := os.fork()) == 0:
            raise RuntimeError("in the child")
        os.waitpid(child, 0)


Sleeps = does(linger)
HoldsTheLock = does(lambda: ctypes.PyDLL(None).sleep(600))
"""Sleeps in C without letting go of the interpreter."""
SpinsInALock = does(lambda: re.match("(a*)*b", "a" * 40))
"""Computes in C without letting go of the interpreter, in a regular expression."""


class IgnoresSignals(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        while True:
            time.sleep(1)


StopsItself = does(lambda: os.kill(os.getpid(), signal.SIGSTOP))


class WaitsForever(Careless):
    """Waits for a program that waits for its input."""

    def act(self, puzzle: Puzzle, run: Run) -> None:
        reader, _ = os.pipe()
        subprocess.run(["cat"], stdin=reader, check=True)


class Obeys(Careless):
    """Searches on and on, and looks at its limit as a backend should."""

    def act(self, puzzle: Puzzle, run: Run) -> None:
        while True:
            run.check()
            time.sleep(0.005)


class ComesLate(Careless):
    """Answers right after its wall limit, at which it does not look."""

    def act(self, puzzle: Puzzle, run: Run) -> None:
        time.sleep((run.request.limits.wall or 0) + 0.05)


class Breeds(Careless):
    """Forks from process to process, each in its own session and abandoned by its parent."""

    def act(self, puzzle: Puzzle, run: Run) -> None:
        if os.fork() == 0:
            while True:
                os.setsid()
                time.sleep(0.01)
                if os.fork():
                    os._exit(0)
        time.sleep(600)


class ForksToMany(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        for _ in range(6):
            os.fork()
        linger()
