"""Backends that work when nobody should notice, and lie about the time."""

from __future__ import annotations

import os
import resource
import time
from typing import Any

from hostile.base import BRIEF, CPU, CRASHED, MEMORY, OK, WALL, Hostile, host_modules

from nonocsp.backends.base import Limits, Run
from nonocsp.model import Puzzle


def burn(seconds: float) -> None:
    """Compute for some seconds of CPU time, by a clock that nobody has patched."""
    until = time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID) + seconds
    while time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID) < until:
        pass


def set_clocks(value: Any) -> None:
    """Have all clocks say the same."""
    for name in ("perf_counter", "process_time", "time", "monotonic", "thread_time"):
        setattr(time, name, lambda: value)
    os.times = lambda: (value,) * 5  # type: ignore[assignment,return-value]
    resource.getrusage = lambda who: resource.struct_rusage([value] * 16)  # type: ignore[assignment]


class StopsTheClock(Hostile):
    """Stops all of Python's clocks, and computes beyond its limit."""

    becomes = (WALL,)
    limits = BRIEF

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        set_clocks(time.perf_counter())
        burn(1.5 * (run.request.limits.wall or 1))


class HidesHalfItsTime(Hostile):
    """Stops all of Python's clocks, and computes for .15 s."""

    becomes = (OK,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        set_clocks(time.perf_counter())
        burn(0.15)


class TurnsTheClockBack(Hostile):
    """Sets all clocks to a time long ago, so that its run takes negative time."""

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        set_clocks(-1e9)


class BreaksTheClock(Hostile):
    """Has all clocks say that the time is no number."""

    becomes = (CRASHED,)
    says = "no number"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        set_clocks(float("nan"))


class SaysForEver(Hostile):
    """Has all clocks say that the time is infinite."""

    becomes = (CRASHED,)
    says = "no number"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        set_clocks(float("inf"))


class ClaimsATextAsTime(Hostile):
    """Has all clocks say a text."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        set_clocks("five o'clock")


class WorksBeforeTheStart(Hostile):
    """Works for .6 s when it gets the puzzle, before it says that it is ready to begin."""

    becomes = (WALL,)
    limits = BRIEF

    def rehearse(self) -> None:
        from nonocsp.run.jobs import decode_job

        def decode_slowly(line: bytes) -> Any:
            burn(0.6)
            return decode_job(line)

        for module in host_modules():
            module.decode_job = decode_slowly


class WorksAfterTheEnd(Hostile):
    """Says that it has finished, and works for .6 s before it replies."""

    becomes = (WALL,)
    limits = BRIEF

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        from nonocsp.run.reply import encode_reply

        def encode_slowly(*arguments: Any) -> bytes:
            burn(0.6)
            return encode_reply(*arguments)

        for module in host_modules():
            module.encode_reply = encode_slowly


class WorksInAChildBeforeTheStart(Hostile):
    """Has a child compute when it gets the puzzle, before it says that it is ready to begin."""

    becomes = (CPU,)
    limits = Limits(wall=20.0, cpu=0.3)

    def rehearse(self) -> None:
        from nonocsp.run.jobs import decode_job

        def decode_in_company(line: bytes) -> Any:
            if (child := os.fork()) == 0:
                burn(1.0)
                os._exit(0)
            os.waitpid(child, 0)
            return decode_job(line)

        for module in host_modules():
            module.decode_job = decode_in_company


class TakesMemoryAfterTheEnd(Hostile):
    """Says that it has finished, and fills 300 MiB before it replies."""

    becomes = (MEMORY,)
    limits = Limits(wall=20.0, memory=200 << 20)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        from nonocsp.run.reply import encode_reply

        def encode_at_large(*arguments: Any) -> bytes:
            full = b"x" * (300 << 20)
            time.sleep(0.2)
            del full
            return encode_reply(*arguments)

        for module in host_modules():
            module.encode_reply = encode_at_large


class HidesInChildren(Hostile):
    """Ignores the end of its children, which the system then forgets, and computes in them."""

    becomes = (CPU,)
    limits = Limits(wall=20.0, cpu=0.3)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        import signal

        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        for _ in range(3):
            if os.fork() == 0:
                burn(1.0)
                os._exit(0)
        time.sleep(60)
