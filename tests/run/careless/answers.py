"""Backends that yield, count or raise what they should not."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from careless.base import CARELESS, Careless, solutions
from nonocsp.backends.base import Run
from nonocsp.model import Clue, Grid, Puzzle


class YieldsAWrongGrid(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> list[Grid]:
        return [Grid.from_cells(np.zeros(puzzle.shape, np.uint8))]


class YieldsAnotherSize(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> list[Grid]:
        return [Grid.from_cells(np.ones((7, 9), np.uint8))]


class YieldsItTwice(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> list[Grid]:
        return [next(solutions(puzzle))]


class YieldsAnArray(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> Any:
        return [np.eye(3, dtype=np.uint8)]


class YieldsText(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> Any:
        return ["#..\n.#.\n..#"]


class ReturnsANumber(Careless):
    def search(self, puzzle: Puzzle, run: Run) -> Any:
        return 5 if puzzle.shape == CARELESS else super().search(puzzle, run)


class ChangesThePuzzle(Careless):
    """Empties all clues, as one that works in place does, and finds the blank grid."""

    def act(self, puzzle: Puzzle, run: Run) -> list[Grid]:
        for name in ("rows", "columns"):
            object.__setattr__(puzzle, name, (Clue.of(),) * 3)
        return [Grid.from_cells(np.zeros(puzzle.shape, np.uint8))]


class CountsInNumpy(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        counts: dict[str, Any] = {"nodes": np.int64(7), "share": np.float32(0.5), "found": np.bool_(True)}
        run.stats.update(counts)


class CountsInLists(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        counts: dict[str, Any] = {"nodes": 7, "depths": [1, 2, 3]}
        run.stats.update(counts)


class CountsNothing(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        run.stats.update({"nodes": 7, "gap": float("nan")})


class Raises(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        raise RuntimeError("no idea")


class Quits(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        sys.exit("enough")


class RunsOutOfMemory(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        raise MemoryError


class Recurses(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        self.act(puzzle, run)


class RaisesBaseException(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        class Timeout(BaseException):
            pass

        raise Timeout("too slow")


class RaisesKeyboardInterrupt(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        raise KeyboardInterrupt


class RaisesANovel(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        raise RuntimeError("x" * (50 << 20))


class RaisesWithoutWords(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        class Mute(Exception):
            def __str__(self) -> str:
                return self.args[5]

        raise Mute
