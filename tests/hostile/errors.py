"""Backends that raise what is hard to catch or to print."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from hostile.base import CRASHED, OK, Hostile

from nonocsp.backends.base import Run
from nonocsp.model import Grid, Puzzle


class RaisesStopIteration(Hostile):
    """Raises StopIteration before it has looked."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        raise StopIteration


class RaisesGeneratorExit(Hostile):
    """Raises GeneratorExit."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        raise GeneratorExit


class RaisesKeyboardInterrupt(Hostile):
    """Raises KeyboardInterrupt, as Ctrl-C does."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        raise KeyboardInterrupt


class RaisesItsOwnBaseException(Hostile):
    """Raises an exception that is no Exception."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        class Unstoppable(BaseException):
            pass

        raise Unstoppable


class Quits(Hostile):
    """Raises SystemExit."""

    becomes = (CRASHED,)
    says = "SystemExit"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        raise SystemExit(0)


class RaisesANovel(Hostile):
    """Raises an exception with a message of 50 MB."""

    becomes = (CRASHED,)
    says = "xxxx"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        raise RuntimeError("x" * (50 << 20))


class RaisesSurrogates(Hostile):
    """Raises an exception whose message has half a character and control characters."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        raise RuntimeError("\ud800 \x1b[2J \x00")


class RaisesWithoutWords(Hostile):
    """Raises an exception whose text raises another."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        class Mute(Exception):
            def __str__(self) -> str:
                raise self

            __repr__ = __str__

        raise Mute


class RecursesForEver(Hostile):
    """Calls itself for ever."""

    becomes = (CRASHED,)
    says = "RecursionError"

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        self.attack(puzzle, run)


class OverflowsTheStack(Hostile):
    """Allows itself endless recursion, and overflows the stack of a thread; Python 3.12 may prevent it."""

    becomes = (CRASHED,) if sys.version_info < (3, 12) else (OK, CRASHED)
    says = "SIGSEGV" if sys.version_info < (3, 12) else ""

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        import threading

        sys.setrecursionlimit(1 << 30)
        threading.stack_size(1 << 18)
        value: Any = []
        for _ in range(20_000):
            value = [value]
        thread = threading.Thread(target=repr, args=(value,))
        thread.start()
        thread.join()


class DiesUnwillingly(Hostile):
    """Leaves objects that raise when they are freed."""

    becomes = (OK,)

    def attack(self, puzzle: Puzzle, run: Run) -> None:
        class Ghost:
            def __del__(self) -> None:
                raise RuntimeError("boo")

        Ghost()
        self.ghost = Ghost()


class NeverLetsGo(Hostile):
    """Yields no solution, and goes on when it is told to end."""

    becomes = (OK,)

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        grids = super().search(puzzle, run)
        while True:
            try:
                yield next(grids)
            except GeneratorExit:
                continue
            except StopIteration:
                return
