"""What is done with each puzzle of a batch; it travels to the workers as a pickle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar

from nonocsp.backends.base import Answer, Outcome, Request, Termination
from nonocsp.backends.registry import create
from nonocsp.backends.run import or_crashed, run_backend
from nonocsp.engine import StopFlag
from nonocsp.model import Puzzle

Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)


class Work(Protocol[Result_co]):
    """Something to do with puzzles, one after the other."""

    def start(self) -> Callable[[Puzzle], Result_co]:
        """Return what is called for each puzzle; called once in every worker."""
        ...

    def lost(self, how: str) -> Result_co:
        """Return the result of a puzzle that took its worker along."""
        ...


@dataclass(frozen=True, slots=True)
class Solving:
    """Running a backend; what it raises becomes an outcome.

    Parameters
    ----------
    spec, request
        The backend and what is asked of it; both known to be good.
    """

    spec: str
    request: Request

    def start(self) -> Callable[[Puzzle], Outcome]:
        """Create the backend."""
        backend = create(self.spec)
        return lambda puzzle: or_crashed(partial(run_backend, backend, puzzle, self.request, StopFlag()))

    def lost(self, how: str) -> Outcome:
        """Return a crash."""
        return Outcome(Answer.UNKNOWN, Termination.CRASHED, message=how)
