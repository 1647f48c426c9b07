"""What careless backends share: when they are careless, what they see, and how they solve small puzzles."""

import contextlib
import ctypes
import gc
import itertools
import json
import locale
import os
import resource
import signal
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from nonocsp.backends.base import Capabilities, Run
from nonocsp.model import Clue, Grid, Puzzle, verify

REHEARSAL, CARELESS = (2, 2), (3, 3)
MIB = 1 << 20
MARK = "CARELESS_MARK"
"""The environment variable with a text that tests look for in what is left."""


@dataclass(frozen=True, slots=True)
class NoOptions:
    pass


class Careless:
    Options: ClassVar[type[Any]] = NoOptions
    summary: ClassVar[str] = "for tests"
    paper: ClassVar[str] = ""
    capabilities: ClassVar[Capabilities] = Capabilities()
    requires: ClassVar[tuple[str, ...]] = ()

    def __init__(self, options: Any) -> None:
        self.options = options

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        if puzzle.shape == CARELESS:
            yield from self.act(puzzle, run) or ()
        elif puzzle.shape != REHEARSAL:
            run.stats.update(see())
        yield from solutions(puzzle)

    def act(self, puzzle: Puzzle, run: Run) -> Iterable[Grid] | None:
        """Be careless; what is returned comes before the solutions."""


def does(what: Callable[[], object]) -> type[Careless]:
    """Return a careless backend that calls a function; a list that it returns comes before the solutions."""

    def act(_self: Careless, _puzzle: Puzzle, _run: Run) -> Any:
        return found if isinstance(found := what(), list) else None

    return type("Does", (Careless,), {"act": act})


def throws(error: BaseException) -> type[Careless]:
    def act(_self: Careless, _puzzle: Puzzle, _run: Run) -> None:
        raise error

    return type("Throws", (Careless,), {"act": act})


class Calm(Careless):
    """Does nothing wrong."""


def see() -> dict[str, str]:
    """Return what an earlier run could have changed, in words."""
    mask = os.umask(0o22)
    os.umask(mask)
    handled = [str(signal.getsignal(number)).partition(" at ")[0] for number in signal.valid_signals()]
    environment = {
        name: value for name, value in os.environ.items() if name[:8] != "NONOCSP_" and not is_own(value)
    }
    places = (".", tempfile.gettempdir()) if is_own(Path.cwd()) else ()
    return {
        "own folder": str(is_own(str(Path.cwd())) or Path.cwd()),
        "files": str([name for place in places for name in os.listdir(place) if not is_own(name)]),
        "umask": oct(mask),
        "handlers": str(sorted({*handled})),
        "blocked signals": str(sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ()))),
        "timer": str(signal.getitimer(signal.ITIMER_REAL)[0] > 0),
        "limits": str([resource.getrlimit(kind) for kind in (resource.RLIMIT_NOFILE, resource.RLIMIT_CPU)]),
        "nice": str(os.nice(0)),
        "locale": locale.setlocale(locale.LC_ALL),
        "environment": str(sorted(environment.items()))[:20_000],
        "python": f"{sys.getrecursionlimit()} {gc.isenabled()} {sys.gettrace()} {np.geterr()['divide']}",
        "modules": f"{json.dumps([1])} {time.perf_counter.__name__} {np.packbits.__module__}",
        "filters": str(len(warnings.filters)),
        "threads": str(threading.active_count()),
        "descriptors": str(len(os.listdir("/proc/self/fd")) > 100),
        "streams": str([is_open(number) for number in range(3)]),
    }


def is_own(path: str | Path) -> bool:
    """Return whether a text names a folder that executors make for a process or a run."""
    return any(word in str(path) for word in ("nonocsp-", "BenchExec", "benchexec"))


def is_open(descriptor: int) -> bool:
    with contextlib.suppress(OSError):
        os.fstat(descriptor)
        return True
    return False


def solutions(puzzle: Puzzle) -> Iterator[Grid]:
    lines = [*itertools.product((0, 1), repeat=puzzle.shape[1])]
    fitting = [[line for line in lines if _clue(line) == clue] for clue in puzzle.rows]
    for cells in itertools.product(*fitting):
        grid = Grid.from_cells(cells)
        if verify(puzzle, grid):
            yield grid


def _clue(line: tuple[int, ...]) -> Clue:
    return Clue.of(*(len(list(run)) for colour, run in itertools.groupby(line) if colour))


def burn(seconds: float) -> None:
    """Compute for some seconds of this process's CPU time, by a clock that nobody has patched."""
    until = time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID) + seconds
    while time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID) < until:
        pass


def linger() -> None:
    """Stay, under a name by which tests find this process, and `left` should."""
    ctypes.CDLL(None).prctl(15, b"lingering")
    time.sleep(600)


def hoard(mib: int) -> None:
    """Fill memory slowly enough for a look every 50 ms, and keep it."""
    kept = []
    for _ in range(mib):
        kept.append(np.ones(MIB >> 3))
        time.sleep(0.001)
    linger()
