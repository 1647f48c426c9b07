"""Puzzles in their order, outcomes in any order, and outcomes in the order of the puzzles.

Only so many puzzles are taken ahead of the first one without an outcome: an endless supply is fine, and one
slow puzzle does not make what waits behind it fill the memory.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Generic

from nonocsp.model import Puzzle
from nonocsp.runner.work import Result

Numbered = tuple[int, Puzzle]
"""A puzzle and its place in the supply, from 0."""


class Window(Generic[Result]):
    """What was taken of a supply of puzzles and not yet handed on as an outcome.

    Parameters
    ----------
    size
        How many puzzles that may be.

    Attributes
    ----------
    is_exhausted
        Whether the supply has no more puzzles.
    """

    def __init__(self, puzzles: Iterable[Puzzle], size: int) -> None:
        self._supply = enumerate(puzzles)
        self._size = size
        self._open: dict[int, Puzzle] = {}
        self._again: deque[int] = deque()
        self._outcomes: dict[int, Result] = {}
        self._next = 0
        self._taken = 0
        self.is_exhausted = False
        self._fault: Exception | None = None

    @property
    def is_done(self) -> bool:
        """Whether every outcome was handed on, and the supply has no more puzzles."""
        return self.is_exhausted and self._next == self._taken

    @property
    def has_ready(self) -> bool:
        """Whether the next outcome is there."""
        return self._next in self._outcomes

    def take(self) -> Numbered | None:
        """Return a puzzle to be solved, or None: none for now, or none any more (`is_done`).

        What the supply raises ends it; `check` raises that again when its turn has come.
        """
        while self._again:
            number = self._again.popleft()
            if number in self._open:
                return number, self._open[number]
        if self.is_exhausted or self._taken - self._next >= self._size:
            return None
        try:
            number, puzzle = next(self._supply)
        except StopIteration:
            self.is_exhausted = True
            return None
        except Exception as error:
            self.is_exhausted, self._fault = True, error
            return None
        self._taken += 1
        self._open[number] = puzzle
        return number, puzzle

    def give_back(self, numbers: Sequence[int]) -> None:
        """Have puzzles that were taken taken once more, before any others."""
        self._again.extendleft(reversed(numbers))

    def put(self, number: int, outcome: Result) -> None:
        """Keep the outcome of a puzzle; a second one of the same puzzle is dropped."""
        if self._open.pop(number, None) is not None:
            self._outcomes[number] = outcome

    def ready(self) -> Iterator[Result]:
        """Yield the outcomes whose turn has come."""
        while self.has_ready:
            self._next += 1
            yield self._outcomes.pop(self._next - 1)

    def check(self) -> None:
        """Raise what the supply of puzzles raised, when everything before it was handed on."""
        if self._fault and self.is_done:
            raise self._fault
