"""Write tables as CSV that a spreadsheet opens without running anything, and that programs read back exactly.

A spreadsheet takes a cell that begins with ``=``, ``+``, ``-`` or ``@`` for a formula, whoever wrote it
("CSV injection", OWASP), and a text such as ``12e4`` for a number. So a text that could be taken for anything
else gets an apostrophe in front, and so does one that begins with an apostrophe. Whoever reads the file
removes one leading apostrophe from each text and has the table again. Numbers are never changed.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import TextIO

Value = str | int | float | bool | None

MARK = "'"
_MARKED = frozenset("=+-@\t\r\n'＝＋－＠")
"""What a marked text begins with."""
_WORDS = frozenset(
    ("", "true", "false", "na", "n/a", "#n/a", "#na", "<na>", "#n/a n/a", "nan", "null", "none")
) | {"1.#ind", "1.#qnan"}
"""What readers take for a truth value or for a cell without a value, in lower case."""


def write_csv(stream: TextIO, names: Iterable[str], rows: Iterable[Iterable[Value]]) -> None:
    """Write a table with a head; None is an empty cell, booleans are ``true`` and ``false``."""
    writer = csv.writer(_Lines(stream))
    writer.writerow(map(cell, names))
    for row in rows:
        writer.writerow(map(cell, row))


def cell(value: Value) -> str | int | float | None:
    """Return what stands in a cell: a text that could be taken for something else is marked."""
    if isinstance(value, str):
        return MARK + value if _is_mistakable(value) else value
    return str(value).lower() if isinstance(value, bool) else value


def _is_mistakable(text: str) -> bool:
    """Return whether a text could be taken for a formula, a number, a truth value or no value."""
    if text[:1] in _MARKED or text.lower() in _WORDS:
        return True
    try:
        float(text)
    except ValueError:
        return False
    return True


class _Lines:
    """Ends lines with a line feed, where `csv` ends them with two characters and therefore quotes both."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, line: str) -> None:
        self._stream.write(line.removesuffix("\r\n") + "\n")
