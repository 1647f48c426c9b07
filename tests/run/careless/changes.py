"""Backends that change the process around them."""

import contextlib
import gc
import json
import locale
import os
import resource
import signal
import sys
import warnings

import numpy as np

from careless.base import Careless, does
from nonocsp.backends.base import Run
from nonocsp.model import Puzzle


class PatchesModules(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        json.dumps = lambda *_, **__: "[]"
        json.loads = lambda *_, **__: None
        np.packbits = lambda *_, **__: np.zeros(1, np.uint8)


ChangesItsFolder = does(lambda: os.chdir("/"))
ChangesItsUmask = does(lambda: os.umask(0o777))


class ChangesItsSignals(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD):
            signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})


class LeavesATimer(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        signal.setitimer(signal.ITIMER_REAL, 60)


class ChangesItsLocale(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        with contextlib.suppress(locale.Error):
            locale.setlocale(locale.LC_ALL, "C.UTF-8" if locale.setlocale(locale.LC_ALL) == "C" else "C")


class ChangesItsEnvironment(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        os.environ.clear()
        os.environ.update(LD_PRELOAD="/nowhere.so", PYTHONPATH="/nowhere", PATH="/nowhere")


class ChangesItsLimits(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
        os.nice(5)


class ChangesPython(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        sys.setrecursionlimit(5000)
        gc.disable()
        np.seterr(all="ignore")
        warnings.simplefilter("error")
        sys.settrace(lambda *_: None)
