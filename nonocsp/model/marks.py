"""Read the marks of partial grids: people write white and open cells in many ways."""

from __future__ import annotations

from collections.abc import Sequence

from nonocsp.model.errors import UsageError
from nonocsp.model.palette import UNKNOWN_CHAR

CROSSES = "xX×✕✗"
"""Always white."""
DOTS = ".-·"
"""White, unless other marks are white and nothing else is open."""
GAPS = " _"
"""Open, if they cannot be white."""
MARKS = CROSSES + DOTS + GAPS


def plain_marks(lines: Sequence[str], chars: str) -> list[str]:
    """Return lines of cells with one character for white and one for open cells.

    Parameters
    ----------
    lines
        One character for each cell. ``?`` is open, a character of a colour is that colour, and the other
        characters of `MARKS` mean what they can only mean beside each other.
    chars
        The character of each colour, the background first, which stands for white in the result.

    Raises
    ------
    UsageError
        If a mark can be white or open. Characters that are no marks stay as they are.
    """
    used = set().union(*lines)
    own = {*chars[1:]}
    crosses, dots, gaps = (used & {*marks} - own for marks in (CROSSES, DOTS, GAPS))
    whites = sorted(dots | used & {chars[0]}) + sorted(crosses)
    kinds = len(whites) - max(0, len(crosses) - 1)
    is_told = UNKNOWN_CHAR in used
    if kinds > 1 and not is_told and not gaps:
        raise _unclear(whites)
    if gaps and (is_told or len(gaps) > 1 or (gaps == {"_"} and not whites)):
        raise _unclear(sorted(gaps))
    meaning = {ord(mark): chars[0] for mark in whites} | {ord(mark): UNKNOWN_CHAR for mark in gaps}
    return [line.translate(meaning) for line in lines]


def _unclear(marks: Sequence[str]) -> UsageError:
    named = " and ".join(map(repr, marks))
    each = "each can be" if len(marks) > 1 else "can be"
    return UsageError(f"{named} {each} white or open; write ? for open cells and x for white ones")
