"""Exit codes of the commands."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nonocsp.backends.base import Outcome, Task


class ExitCode(IntEnum):
    """With several puzzles, the highest code of all."""

    FINE = 0
    """Success."""
    NEGATIVE = 1
    """The finding is negative: not unique, no solution, stuck; or backends disagree, or one of them broke."""
    USAGE = 2
    """Wrong usage or bad input; also a puzzle that the backend cannot take."""
    LIMIT = 3
    """A run hit a limit."""
    INTERRUPTED = 130
    """Ctrl-C."""
    BROKEN_PIPE = 141
    """The reader of the output stopped reading. Shells report this code."""


def of_outcome(outcome: Outcome, task: Task) -> ExitCode:
    """Return the exit code for one outcome.

    Parameters
    ----------
    outcome
        The outcome of a run; a method that got stuck (``partial``) is a negative finding.
    task
        The task of the run: ``decide`` asks for a unique solution, the others for any.
    """
    from nonocsp.backends.base import Answer, Task, Termination

    match outcome.termination:
        case Termination.WALL | Termination.CPU | Termination.MEMORY:
            return ExitCode.LIMIT
        case Termination.UNSUPPORTED:
            return ExitCode.USAGE
        case Termination.CRASHED | Termination.KILLED:
            return ExitCode.NEGATIVE
    solved = outcome.answer in (Answer.SOLVED, Answer.UNIQUE, Answer.MULTIPLE)
    fine = outcome.answer is Answer.UNIQUE if task is Task.DECIDE else solved
    return ExitCode.FINE if fine else ExitCode.NEGATIVE
