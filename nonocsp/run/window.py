"""Restore the order of the puzzles to results that come in any order.

A window takes a limited number of puzzles ahead of the first one without a result. So the supply may be
endless, and the results that wait behind one slow puzzle do not fill the memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar

from nonocsp.model import Puzzle

Result = TypeVar("Result")

Numbered = tuple[int, Puzzle]
"""A puzzle and its place in the supply, from 0."""


class Window(Generic[Result]):
    """At most `size` puzzles that were taken from a supply and whose results were not yet handed on."""

    def __init__(self, puzzles: Iterable[Puzzle], size: int) -> None:
        self._supply, self._size = enumerate(puzzles), size
        self._again: list[Numbered] = []
        self._results: dict[int, Result] = {}
        self._next = self._taken = 0
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
        """Return the next puzzle, or None if there is none for now, or none any more (`is_exhausted`)."""
        while self._again:
            numbered = self._again.pop()
            if not self._has_result(numbered[0]):
                return numbered
        if self.is_exhausted or self._taken - self._next >= self._size:
            return None
        try:
            numbered = next(self._supply)
        except Exception as error:  # the turn of another one than StopIteration comes later: `check`
            self.is_exhausted, self._fault = True, error
            return None
        self._taken += 1
        return numbered

    def give_back(self, numbered: Sequence[Numbered]) -> None:
        """Return puzzles to the supply; `take` hands them out before any others."""
        self._again.extend(reversed(numbered))

    def put(self, number: int, result: Result) -> None:
        """Keep the result of the puzzle with this number, unless there is one."""
        if not self._has_result(number):
            self._results[number] = result

    def ready(self) -> Iterator[Result]:
        """Yield the results whose turn has come."""
        while self.has_ready:
            self._next += 1
            yield self._results.pop(self._next - 1)

    def check(self) -> None:
        """Raise the exception of the supply, once all results before it were handed on."""
        if self.is_done and self._fault and not isinstance(self._fault, StopIteration):
            raise self._fault

    def _has_result(self, number: int) -> bool:
        return number < self._next or number in self._results
