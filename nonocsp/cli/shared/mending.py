"""Say which clue is wrong where a command meets a single puzzle whose clues contradict each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from nonocsp.cli.shared.console import printable

if TYPE_CHECKING:
    from nonocsp.model import Puzzle

_AFTER_ERROR = 1.0
"""Seconds for the advice with an error."""


@contextmanager
def advising(*, as_json: bool) -> Iterator[Callable[[Puzzle, bool], None]]:
    """Provide the function to call with each puzzle, and whether a clue of it must be wrong.

    At the end, or with the error that ends reading, say which one, if it was the only puzzle. With JSON, only
    errors get advice; ``nonocsp mend --json`` says the rest.
    """
    puzzles, only = 0, None

    def note(puzzle: Puzzle, is_wrong: bool) -> None:
        nonlocal puzzles, only
        puzzles += 1
        only = puzzle if is_wrong and puzzles == 1 else None

    try:
        yield note
    except Exception as error:
        draft = getattr(error, "draft", None)
        if draft and not puzzles:
            vars(error)["message"] += f"\n{_advice(draft, _AFTER_ERROR)}"
        raise
    if only and not as_json:
        from nonocsp.making.mend import LIMIT

        print(_advice(only, LIMIT), end="\n\n", flush=True)


def _advice(clues: Any, limit: float) -> str:
    """Return which clue is wrong; if that is not clear, which lines contradict each other."""
    from nonocsp.making.mend import mend

    found = mend(clues, limit=limit)
    lines = "" if found.found else found.contradiction_text()
    return printable("; ".join(filter(None, (lines, str(found)))))
