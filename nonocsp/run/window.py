"""Restore the order of the puzzles to results that come in any order.

A window takes a limited number of puzzles ahead of the first one without a result. So the supply may be
endless, and the results that wait behind one slow puzzle do not fill the memory.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from nonocsp.model import Puzzle

Result = TypeVar("Result")

Numbered = tuple[int, Puzzle]
"""A puzzle and its place in the supply, from 0."""


class Window(Generic[Result]):
    """The puzzles that were taken from a supply and whose results were not yet handed on.

    Parameters
    ----------
    puzzles
        The supply.
    size
        The most puzzles that may be in the window.

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
        self._results: dict[int, Result] = {}
        self._next = 0
        self._taken = 0
        self.is_exhausted = False
        self._fault: Exception | None = None

    @property
    def is_done(self) -> bool:
        """Whether every result was handed on, and the supply has no more puzzles."""
        return self.is_exhausted and self._next == self._taken

    @property
    def has_ready(self) -> bool:
        """Whether the next result in order is there."""
        return self._next in self._results

    def take(self) -> Numbered | None:
        """Return the next puzzle, or None if there is none for now, or none any more (`is_exhausted`).

        An exception of the supply ends it; `check` raises it again when its turn has come.
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
        """Return puzzles to the supply; `take` hands them out before any others."""
        self._again.extendleft(reversed(numbers))

    def put(self, number: int, result: Result) -> None:
        """Keep the result of a puzzle; drop a second one of the same puzzle.

        Parameters
        ----------
        number
            The puzzle's place in the supply.
        result
            What came of it.
        """
        if self._open.pop(number, None) is not None:
            self._results[number] = result

    def ready(self) -> Iterator[Result]:
        """Yield the results whose turn has come."""
        while self.has_ready:
            self._next += 1
            yield self._results.pop(self._next - 1)

    def check(self) -> None:
        """Raise the exception of the supply, once all results before it were handed on."""
        if self._fault and self.is_done:
            raise self._fault
