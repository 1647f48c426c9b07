"""Read texts of clues: what a reader of the core finds, and where.

Lines and columns of a text count from 1; 0 is unknown.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from nonocsp.engine import _core
from nonocsp.model import FlatClues


class Place(NamedTuple):
    """Where something stands in a text."""

    line: int
    column: int


class Note(NamedTuple):
    """Something that the reader assumed or left out."""

    message: str
    place: Place


class Fault(NamedTuple):
    """Why reading stopped, and what was expected there."""

    message: str
    expected: str
    place: Place


class ReadPuzzle(NamedTuple):
    """A puzzle as its text says it.

    `line_bytes` are those of an int32 array: the lines of the clues of rows, then of columns. `goal` has the
    rows as texts of ``#`` and ``.``, if the text has a solution. `colours` are those that it declares: what
    clues call it, the character in pictures, its name or ``#RRGGBB``, and a remark. `advice` is what might be
    meant if the clues describe no puzzle.
    """

    rows: FlatClues
    columns: FlatClues
    line_bytes: bytes
    title: str
    goal: list[str]
    colours: list[tuple[str, str, str, str]]
    advice: str

    def line_of(self, axis: str, number: int) -> int:
        """Return the line of a clue of an axis, ``row`` or ``column``; the first clue is 1."""
        before = 0 if axis == "row" else self.rows.line_count
        return memoryview(self.line_bytes).cast("i")[before + number - 1]


class Reading(NamedTuple):
    """What was read of a text; the fault is behind the last puzzle.

    Of a part of a file, the last puzzle may be left: `used` bytes are before it, `line` is its first line.
    """

    puzzles: list[ReadPuzzle]
    notes: list[Note]
    fault: Fault | None
    used: int = 0
    line: int = 0


def read_list(
    dialect: str, text: str, *, line: int = 1, is_whole: bool = True, size: tuple[int, int] | None = None
) -> Reading:
    """Read the puzzles of a list of clues.

    Parameters
    ----------
    dialect
        The name of a dialect of the core, such as ``"nin"``.
    text
        The file, or a part of it that starts with a puzzle; `line` is the number of its first line.
    is_whole
        Whether the file ends with the text; if not, its last puzzle is left.
    size
        (rows, columns), for sets that do not say it.
    """
    rows, columns = size or (0, 0)
    return _reading(*_core.read_list(dialect, text, line, is_whole, rows, columns))


def list_evidence(dialect: str, head: bytes, *, is_cut: bool) -> tuple[int, str, int]:
    """Return how much the head of a file speaks for a dialect: sureness, 0 to 3, reason and line."""
    found: tuple[int, str, int] = _core.list_evidence(dialect, head, is_cut)
    return found


def read_typed(text: str) -> tuple[Reading, bool]:
    """Read clues that people type and paste; also say whether labels tell rows from columns.

    The fault has no message if the text has no clues.
    """
    found, has_labels = _core.read_typed(text)
    return _reading(found), has_labels


def _reading(found: tuple[list[Any], list[Any], Any], used: int = 0, line: int = 0) -> Reading:
    puzzles, notes, fault = found
    return Reading(
        [ReadPuzzle(FlatClues(*rows), FlatClues(*columns), *rest) for rows, columns, *rest in puzzles],
        [Note(message, Place(*place)) for message, place in notes],
        Fault(fault[0], fault[1], Place(*fault[2])) if fault else None,
        used,
        line,
    )
