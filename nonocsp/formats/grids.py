"""Read grids of a known puzzle, partial or full, as nonocsp writes them and as people type them.

A cell is one character of the puzzle's palette, or a mark for white or open cells (`nonocsp.model.marks`). A
file holds the rows as lines, or what ``nonocsp solve`` prints (clues outside, blanks between the cells), or a
JSON record of ``nonocsp solve`` or ``nonocsp explain``. This is not a format of puzzles: such a grid has no
clues.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from nonocsp.formats.source import Source, open_source
from nonocsp.formats.text_lines import NumberedLine
from nonocsp.model import UNKNOWN_CHAR, Grid, Puzzle, UsageError, bounds
from nonocsp.model.marks import MARKS, plain_marks

_KEYS = ("partial", "grid", "solutions")
"""The keys of a record that may hold a grid; of several solutions the first counts."""


def load_grid(source: str | Path, puzzle: Puzzle) -> Grid:
    """Return the grid in a file, or standard input for ``-``; it has the shape and colours of a puzzle."""
    rows, columns = puzzle.shape
    with open_source(source) as opened:
        is_json = opened.head.lstrip()[:1] in (b"{", b"[")
        lines = _json_rows(opened) if is_json else _text_rows(opened, puzzle)
        if len(lines) != rows:
            raise opened.error(f"{len(lines)} rows of {columns} cells", expected=f"{rows}, as the puzzle has")
        for row, (number, text) in enumerate(lines, start=1):
            if len(text) != columns:
                message, expected = f"row {row} has {len(text)} cells", f"{columns}, as the puzzle has"
                raise opened.error(message, line=number, expected=expected)
        try:
            cells = plain_marks([text for _, text in lines], puzzle.palette.chars)
        except UsageError as error:
            raise UsageError(f"{opened.name}: {error}") from None
        _check_cells(opened, puzzle, lines, cells)
        return Grid.from_strings(cells, puzzle.palette)


def _check_cells(source: Source, puzzle: Puzzle, lines: list[NumberedLine], cells: list[str]) -> None:
    """Raise FormatError if a character is no cell."""
    known = puzzle.palette.chars + UNKNOWN_CHAR
    for row, ((number, _), text) in enumerate(zip(lines, cells, strict=True), start=1):
        for column, char in enumerate(text, start=1):
            if char not in known:
                colours = ", ".join(f"{colour.char} ({colour.name})" for colour in puzzle.palette.colours)
                expected = (
                    f"{colours} or {UNKNOWN_CHAR} (open); {' '.join(MARKS).strip()} and blanks are marks, too"
                )
                message = f"{char!r} in row {row} is no cell"
                raise source.error(message, line=number, column=column, expected=expected)


_NOT_BLANK = re.compile(r"\S")


def _json_rows(source: Source) -> list[NumberedLine]:
    """Return the rows of the first record that has some; what follows may be other records."""
    text = source.text(limit=bounds.GRID_BYTES)
    decoder, position = json.JSONDecoder(), 0
    while position < len(text):
        try:
            value, position = decoder.raw_decode(text, position)
            found = _rows_of(value)
        except (ValueError, RecursionError) as error:
            place = {"line": getattr(error, "lineno", 0), "column": getattr(error, "colno", 0)}
            raise source.error("no JSON value", expected="records, one a line", **place) from None
        if found:
            return [(0, row) for row in found]
        if value_ahead := _NOT_BLANK.search(text, position):
            position = value_ahead.start()
        else:
            break
    raise source.error("no grid in the file", expected=f"a list of strings, or one as {', '.join(_KEYS)}")


def _rows_of(value: Any) -> list[str]:
    if isinstance(value, dict):
        return next((rows for key in _KEYS if (rows := _rows_of(value.get(key)))), [])
    if isinstance(value, list) and value:
        return value if all(isinstance(row, str) for row in value) else _rows_of(value[0])
    return []


def _text_rows(source: Source, puzzle: Puzzle) -> list[NumberedLine]:
    """Return the cells of the lines that are rows; if there is nothing but rows, of all, right or wrong."""
    rows, columns = puzzle.shape
    lines = list(source.lines())
    if len(lines) == rows and _has_blank_cells([text for _, text in lines], columns):
        return [(number, text.ljust(columns)) for number, text in lines]
    cells: list[NumberedLine] = []
    for number, text in lines:
        words = text.split()[-columns:]  # without the clue that may stand before the cells
        is_spread = len(words) == columns and all(len(word) == 1 for word in words)
        if words:
            cells.append((number, "".join(words) if is_spread else text.strip()))
    if len(cells) == rows:
        return cells
    chars = {*puzzle.palette.chars, UNKNOWN_CHAR, *MARKS}
    return [(number, row) for number, row in cells if len(row) == columns and chars.issuperset(row)]


def _has_blank_cells(texts: list[str], columns: int) -> bool:
    """Return whether blanks are cells, some of which may be missing at the ends of lines."""
    return any(" " in text for text in texts) and all(len(text) <= columns for text in texts)
