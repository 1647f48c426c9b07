"""The error tree of the project: everything that a user is told without a traceback.

The command line prints ``str(error)`` and exits with code 2; a library user catches :class:`NonocspError`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class NonocspError(Exception):
    """Base of every error that nonocsp raises on purpose."""


class UsageError(NonocspError):
    """A request that makes no sense: an unknown backend, option or key. Lists what exists."""


class NoSuchFileError(UsageError, FileNotFoundError):
    """A file to read that is not there."""


def meant(name: str, known: Iterable[str]) -> str:
    """Return the hint for a misspelt name, such as ``" (did you mean 'sat'?)"``; empty if none is near."""
    from difflib import get_close_matches

    near = get_close_matches(name, known, n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


_MOST_SHOWN = 60
"""Characters of a wrong name that a message repeats."""


def unknown(kind: str, name: str, known: Iterable[str]) -> UsageError:
    """Return the error for a name of a kind that does not exist: the nearest name, and all that exist."""
    known = list(known)
    shown = repr(name) if len(name) <= _MOST_SHOWN else f"{name[:_MOST_SHOWN]!r}…"
    return UsageError(f"unknown {kind} {shown}{meant(name, known)}; there are {', '.join(known)}")


class FormatWarning(UserWarning):
    """Something that a reader assumed about a file or left out. The command line prints it as a note."""


class WorkerWarning(UserWarning):
    """A worker of a cluster that gets no more runs. The command line prints it as a note."""


class BackendError(NonocspError):
    """A backend that cannot be loaded or that broke its contract."""


class PuzzleError(NonocspError):
    """Clues that describe no puzzle, naming the line at fault.

    Parameters
    ----------
    message
        What is wrong and what was expected, without the place.
    line
        The line at fault, such as ``"row 3"``; empty if the puzzle as a whole is at fault.
    file
        Where the puzzle was read from; filled in by the readers of ``nonocsp.formats``.
    draft
        The clues that contradict each other, a `nonocsp.model.ClueDraft`, for `nonocsp.mend`; else None.
    """

    def __init__(self, message: str, *, line: str = "", file: str = "", draft: Any = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.file = file
        self.draft = draft

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.line, self.message) if part)


class FormatError(NonocspError):
    """A file that does not follow its format.

    Parameters
    ----------
    message
        What is wrong.
    file, line, column
        Where: the file's name, and the line and column counted from 1 (0 if unknown).
    expected
        What would have been right, as a phrase.
    """

    def __init__(
        self, message: str, *, file: str = "", line: int = 0, column: int = 0, expected: str = ""
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.column = column
        self.expected = expected

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        text = f"{self.message}; expected {self.expected}" if self.expected else self.message
        return f"{place}: {text}" if place else text
