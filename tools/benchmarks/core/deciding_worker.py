"""Decide puzzles from standard input and time them: the process that `before` starts for each product.

It uses only what both products have, so it imports nothing else of the tools. Each input line is a JSON
object: a list of puzzles (the clues of rows and columns as pairs of length and colour, and the number of
colours), the spec of a backend, a seed, and a limit in CPU seconds. Each output line has one list for each
puzzle: answer, CPU seconds of the whole call, CPU seconds inside the backend, and conflicts.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from time import process_time
from typing import Any

import nonocsp
from nonocsp.backends.hybrid import Hybrid

CUT_OFF = "cut off"


class CutOff(Exception):
    """The CPU limit is reached."""


class Stopwatch:
    """Decides puzzles and times the calls, and the backend's share of each."""

    def __init__(self) -> None:
        self._search = Hybrid.search
        self._began = self._limit = self._inside = 0.0
        Hybrid.search = lambda *given: self._timed(self._search(*given))  # type: ignore[method-assign]
        signal.signal(signal.SIGALRM, self._look)

    def decide(self, puzzle: nonocsp.Puzzle, backend: str, seed: int, limit: float) -> list[Any]:
        """Return answer, CPU seconds of the call, those inside the backend, and conflicts."""
        self._inside, self._limit, self._began = 0.0, limit, process_time()
        signal.setitimer(signal.ITIMER_REAL, limit)
        try:
            outcome = nonocsp.solve(puzzle, backend, seed=seed)
            whole = process_time() - self._began
        except CutOff:
            return [CUT_OFF, limit, limit, None]
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if outcome.termination != "ok":
            return [outcome.termination, limit, limit, None]
        # A product that did not call the backend decided in another way: the whole call stands for it.
        return [outcome.answer, whole, self._inside or whole, outcome.stats.get("conflicts")]

    def _timed(self, grids: Iterator[nonocsp.Grid]) -> Iterator[nonocsp.Grid]:
        """Add up the CPU time between solutions."""
        entered = process_time()
        for grid in grids:
            self._inside += process_time() - entered
            yield grid
            entered = process_time()
        self._inside += process_time() - entered

    def _look(self, *_: object) -> None:
        """End the call if its CPU time is over, or look again: a CPU timer would make the clock coarse."""
        if (left := self._limit - (process_time() - self._began)) <= 0:
            raise CutOff
        signal.setitimer(signal.ITIMER_REAL, left + 0.001)


def main() -> None:
    """Answer every line until the input ends."""
    nonocsp.solve(nonocsp.Puzzle.from_clues([[1]], [[1]]))  # imports what a call needs
    stopwatch = Stopwatch()
    print(json.dumps(nonocsp.__file__), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        puzzles = [
            nonocsp.Puzzle.from_clues(
                *([[tuple(block) for block in clue] for clue in clues] for clues in (rows, columns)),
                palette=nonocsp.Palette.of(colours),
            )
            for rows, columns, colours in asked["puzzles"]
        ]
        given = asked["backend"], asked["seed"], asked["limit"]
        answers = [stopwatch.decide(puzzle, *given) for puzzle in puzzles]
        print(json.dumps(answers), flush=True)


if __name__ == "__main__":
    main()
