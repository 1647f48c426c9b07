"""Backends that yield, count or raise what they should not."""

import sys
from typing import Any

import numpy as np

from careless.base import CARELESS, Careless, does, solutions, throws
from nonocsp.backends.base import Run
from nonocsp.model import Clue, Grid, Puzzle


class YieldsAWrongGrid(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> list[Grid]:
        return [Grid.from_cells(np.zeros(puzzle.shape, np.uint8))]


YieldsAnotherSize = does(lambda: [Grid.from_cells(np.ones((7, 9), np.uint8))])


class YieldsItTwice(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> list[Grid]:
        return [next(solutions(puzzle))]


YieldsAnArray = does(lambda: [np.eye(3, dtype=np.uint8)])
YieldsText = does(lambda: ["#..\n.#.\n..#"])


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


Raises = throws(RuntimeError("no idea"))
Quits = does(lambda: sys.exit("enough"))
RunsOutOfMemory = throws(MemoryError())


class Recurses(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        self.act(puzzle, run)


class RaisesBaseException(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        class Timeout(BaseException):
            pass

        raise Timeout("too slow")


RaisesKeyboardInterrupt = throws(KeyboardInterrupt())
RaisesANovel = throws(RuntimeError("x" * (50 << 20)))


class RaisesWithoutWords(Careless):
    def act(self, puzzle: Puzzle, run: Run) -> None:
        class Mute(Exception):
            def __str__(self) -> str:
                return self.args[5]

        raise Mute
