"""Read the solution in a JSON document: characters, or lists of numbers, truth values and colours."""

from __future__ import annotations

import io
from typing import Any

from nonocsp.formats.codecs.data.json_colours import Colours, Token, is_background
from nonocsp.formats.codecs.data.json_keys import Place
from nonocsp.formats.codecs.data.json_values import number_of
from nonocsp.formats.codecs.pictures.text import read as read_drawing
from nonocsp.formats.json_text import shown
from nonocsp.formats.source import source_of
from nonocsp.model import MAX_LINES, UNKNOWN_CHAR, FormatError, Grid, Puzzle

Cells = list[str] | list[list[Any]]
"""Rows: all of them characters, or all of them lists."""


def is_drawing(value: Any) -> bool:
    """Return whether a value can be a solution."""
    return (isinstance(value, list) and bool(value)) or (isinstance(value, str) and "\n" in value)


def cells_of(value: Any, place: Place, width: int | None) -> Cells:
    """Return the rows of a solution; a plain list of cells has rows of `width` cells."""
    rows = value.strip("\r\n").splitlines() if isinstance(value, str) else value
    if not any(isinstance(row, (str, list)) for row in rows):
        if not width or len(rows) % width:
            raise FormatError(f"{place}: {len(rows)} cells", expected="rows, each a list or a text")
        rows = [rows[i : i + width] for i in range(0, len(rows), width)]
    for i, row in enumerate(rows):
        if not isinstance(row, (str, list)):
            raise FormatError(f"{place}[{i}]: {shown(row)} is no row of cells", expected="a list or a text")
    if max(len(rows), *map(len, rows)) > MAX_LINES:
        raise FormatError(f"{place}: too many cells", expected=f"at most {MAX_LINES}x{MAX_LINES}")
    if all(isinstance(row, str) for row in rows):
        return list(rows)
    if all(isinstance(cell, str) and len(cell) < 2 for row in rows for cell in row):
        return ["".join(cell or " " for cell in row) for row in rows]
    if uneven := next((i for i, row in enumerate(rows) if len(row) != len(rows[0])), 0):
        message = f"{place}[{uneven}]: {len(rows[uneven])} cells"
        raise FormatError(message, expected=f"{len(rows[0])}, as in the first row")
    return [list(row) for row in rows]


def is_partial(cells: Cells) -> bool:
    """Return whether there are cells that are not known."""
    return any(
        UNKNOWN_CHAR in row or None in row or any(type(cell) is int and cell < 0 for cell in row)
        if isinstance(row, list)
        else UNKNOWN_CHAR in row
        for row in cells
    )


def tokens_of(cells: Cells) -> list[Token]:
    """Return the colours that lists of cells have beside the background."""
    rows = [row for row in cells if isinstance(row, list)]
    found = dict.fromkeys(cell for row in rows for cell in row if isinstance(cell, (int, str)))
    numbers = {cell: int(cell) if isinstance(cell, bool) else number_of(cell) for cell in found}
    return [number or cell for cell, number in numbers.items() if number != 0 and not is_background(cell)]


def drawing_of(lines: list[str], place: Place) -> Puzzle:
    """Return the puzzle of a drawing in characters."""
    text = "\n".join(lines).encode()
    try:
        first, *others = read_drawing(source_of(place, io.BufferedReader(io.BytesIO(text))))
    except FormatError as error:
        raise FormatError(
            f"{place}[{max(error.line, 1) - 1}]: {error.message}", expected=error.expected
        ) from None
    if others:
        raise FormatError(f"{place}: an empty row", expected="rows of one length")
    return first


def grid_of(cells: Cells, place: Place, colours: Colours) -> Grid:
    """Return the grid that cells are in the colours of a puzzle."""
    palette = colours.palette
    lines = [row for row in cells if isinstance(row, str)]
    if not lines:
        return Grid.from_cells(
            [[_number(cell, f"{place}[{i}]", colours) for cell in row] for i, row in enumerate(cells)]
        )
    strange = {*"".join(lines)}.difference(palette.chars, UNKNOWN_CHAR)
    drawn = drawing_of(lines, place) if strange and palette.is_one_colour else None
    if drawn and drawn.goal and drawn.palette.is_one_colour:
        return drawn.goal
    if strange:
        i, char = next((i, char) for i, line in enumerate(lines) for char in line if char in strange)
        raise FormatError(f"{place}[{i}]: {char!r} is no cell", expected=f"characters of {palette.chars}")
    return Grid.from_strings(lines, palette)


def _number(cell: Any, place: Place, colours: Colours) -> int:
    if isinstance(cell, str) and number_of(cell) is None:
        return 0 if is_background(cell) and not colours.names(cell) else colours.index(cell, place)
    number = int(cell) if isinstance(cell, bool) else number_of(cell)
    if number is None:
        raise FormatError(
            f"{place}: {shown(cell)} is no cell", expected="true or false, the number of a colour or its name"
        )
    return colours.number(number)
