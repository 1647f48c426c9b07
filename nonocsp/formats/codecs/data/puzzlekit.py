r"""The JSON of puzzlekit's dataset: many puzzles of a kind by name, each as text; one colour.

::

    {"name": "Nonogram", "count": 1, "data": {
      "7_2x3": {"problem": "2 3\n1\n2\n1\n2\n1 1", "solution": "2 3\n- x x\nx x -", "source": "..."}}}

A problem has the numbers of rows and columns in its first line, then the clues of the columns, then those of
the rows, a line each; ``0`` or an empty line is the empty clue. In a solution ``x`` is filled and ``-`` is
empty. The key is the title of the puzzle. Other kinds of puzzles have the same frame and are refused by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from nonocsp.formats.base import Evidence, Format, Sureness
from nonocsp.formats.json_text import parse_json, unicode_text
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import is_size, parse_clue
from nonocsp.late import numpy as np
from nonocsp.model import MAX_LINES, FormatError, Grid, Puzzle

_KIND = "Nonogram"
_NAME = re.compile(rb'"name"\s*:\s*"([^"\\]{1,40})"')
_FILLED, _EMPTY = "x", "-"


def sniff(head: bytes) -> Evidence:
    """Return whether the text is JSON with ``data`` and a ``problem``, of nonograms if it says of what."""
    if head.lstrip()[:1] != b"{" or b'"data"' not in head or b'"problem"' not in head:
        return Evidence(Sureness.NO, 'no object with "data" and "problem"', 1)
    kind = _NAME.search(head)
    if kind and kind[1] != _KIND.encode():
        return Evidence(Sureness.NO, f"puzzlekit's {kind[1].decode(errors='replace')} puzzles", 1)
    return Evidence(Sureness.CERTAIN, 'an object with "data" and "problem"')


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the puzzles in the order of the file."""
    document = parse_json(source, source.text())
    if not (isinstance(document, dict) and isinstance(document.get("data"), dict)):
        raise source.error('no object "data"', expected='{"data": {NAME: {"problem": ...}}}')
    if document.get("name", _KIND) != _KIND:
        raise source.error(f"puzzles of the kind {document['name']!r}"[:80], expected=f"{_KIND}")
    for name, entry in document["data"].items():
        try:
            yield _puzzle(source, unicode_text(name), entry)
        except FormatError as error:
            raise source.error(f"{name[:40]!r}: {error.message}", expected=error.expected) from None


def _puzzle(source: Source, name: str, entry: Any) -> Puzzle:
    if not (isinstance(entry, dict) and isinstance(entry.get("problem"), str)):
        raise FormatError('no text "problem"', expected="the size and the clues, a line each")
    header, *lines = entry["problem"].split("\n")
    if not is_size(header) or not all(1 <= int(word) <= MAX_LINES for word in header.split()):
        raise FormatError(
            f"the problem starts with {header[:40]!r}", expected="the numbers of rows and columns"
        )
    height, width = map(int, header.split())
    while len(lines) > height + width and not lines[-1].strip():
        lines.pop()
    if len(lines) != height + width:
        expected = f"{width} of columns and {height} of rows, as its first line says"
        raise FormatError(f"{len(lines)} clues", expected=expected)
    clues = tuple(parse_clue(source, (0, line)) for line in lines)
    return Puzzle(
        clues[width:],
        clues[:width],
        title=name,
        source=unicode_text(entry.get("source")),
        goal=_goal(entry.get("solution"), (height, width)),
    )


def _goal(text: Any, shape: tuple[int, int]) -> Grid | None:
    """Return the solution, None if there is none; FormatError if it has another size or other cells."""
    if not isinstance(text, str) or not text.strip():
        return None
    header, *lines = text.strip().split("\n")
    rows = [line.split() for line in (lines if is_size(header) else [header, *lines])]
    if [len(row) for row in rows] != [shape[1]] * shape[0] or not set().union(*rows) <= {_FILLED, _EMPTY}:
        expected = f"{shape[0]} rows of {shape[1]} cells, x or -"
        raise FormatError("the solution is no grid of the puzzle", expected=expected)
    return Grid.from_cells(np.array(rows) == _FILLED)


_SUMMARY = "puzzlekit's dataset: JSON with a problem and a solution as text for each name"
FORMATS = (Format("puzzlekit", (), _SUMMARY, sniff, read, holds_many=True),)
