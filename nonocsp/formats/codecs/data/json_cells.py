"""Read the colours and the solution of a JSON document.

A colour is a name, an RGB value or a place in the palette; a cell is a character, a number, a truth value or
a colour.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any

from nonocsp.formats.codecs.data.json_values import Place, Token, number_of
from nonocsp.formats.codecs.pictures.text import read as read_drawing
from nonocsp.formats.json_text import shown, unicode_text
from nonocsp.formats.palettes import BLACK, WHITE, Sketch, complete, rgb_of
from nonocsp.formats.source import source_of
from nonocsp.model import BLACK_AND_WHITE, MAX_LINES, UNKNOWN_CHAR, Colour, FormatError, Grid, Palette, Puzzle

Cells = list[str] | list[list[Any]]
"""Rows: all of them characters, or all of them lists."""

_BACKGROUNDS = {"", "white", "background", "empty", "blank", "none", "transparent", "bg", "paper"}
_EXPECTED = 'a name, "#d7191c" or {"name": "red", "rgb": "#d7191c", "char": "a"} for each colour'


class Colours:
    """The palette of a document, background first, and what its colours are called.

    Parameters
    ----------
    given
        The list or object with colours, None if there is none: then the colours that are used are numbered.
    used
        The colours of all blocks.
    place
        Of the list or object, for messages.
    """

    def __init__(self, given: Any, used: Iterable[Token], place: str) -> None:
        self._known: dict[Token, int] = {}
        self._is_given = given is not None
        tokens = dict.fromkeys(used)
        if given is not None:
            self.palette = self._of_document(given, place, tokens)
        elif tokens.keys() <= {None}:
            self.palette = BLACK_AND_WHITE
        else:
            self.palette = self._of_tokens(tokens)

    def number(self, cell: int) -> int:
        """Return the number in the palette of the colour that has this number in the cells."""
        return cell if self._is_given else self._known.get(cell, cell)

    def index(self, token: Token, place: str) -> int:
        """Return the number of a colour in the palette; FormatError if there is no such colour."""
        spellings = (token, str(token).lower(), rgb_of(str(token)))
        found = (
            1
            if token is None
            else next((self._known[name] for name in spellings if name in self._known), None)
        )
        if found is None and isinstance(token, str) and token.isdecimal():
            found = self._known.get(int(token[:9]))
        if found is None:
            names = ", ".join(colour.name for colour in self.palette.colours[1:])
            raise FormatError(
                f"{place}: unknown colour {shown(token)}", expected=f"one of the palette: {names}"[:200]
            )
        return found

    def names(self, token: str) -> bool:
        """Return whether a text is what the document calls a colour."""
        return token in self._known

    def _of_tokens(self, tokens: Iterable[Token]) -> Palette:
        """Return a palette with the colours that are used: numbers first, then names as they come."""
        numbers = sorted(token for token in tokens if isinstance(token, int))
        names = [token for token in tokens if isinstance(token, str)]
        sketches = [WHITE, *[BLACK] * (None in tokens), *[Sketch()] * len(numbers)]
        self._known.update(
            {number: i for i, number in enumerate(numbers, start=len(sketches) - len(numbers))}
        )
        for name in names:
            rgb = rgb_of(name)
            is_rgb = name.startswith("#")
            if not any(key in self._known for key in (name.lower(), rgb if is_rgb else name)):
                self._call(len(sketches), [name])
                self._call(len(sketches), [rgb])
                sketches.append(Sketch("" if is_rgb else unicode_text(name), rgb))
        return complete(sketches)

    def _of_document(self, given: Any, place: str, tokens: Iterable[Token]) -> Palette:
        if not (isinstance(given, (list, dict)) and given):
            raise FormatError(f"{place} has no colours", expected=_EXPECTED)
        pairs = [*given.items()] if isinstance(given, dict) else [("", entry) for entry in given]
        sketches = [_sketch(key, entry, f"{place}[{i}]") for i, (key, entry) in enumerate(pairs)]
        first, is_whole = sketches[0], isinstance(given, list) and all(map(all, sketches))
        is_paper = is_whole or first.rgb == WHITE.rgb or first.name.lower() in _BACKGROUNDS - {""}
        numbers = [token for token in tokens if isinstance(token, int)]
        counts_from_1 = not is_paper and 0 not in numbers and len(sketches) in numbers
        shift = 0 if is_paper else 1
        for i, (key, _) in enumerate(pairs, start=shift):
            self._known.setdefault(int(key) if key[:9].isdecimal() else i - shift + counts_from_1, i)
        keys = [key for key, _ in pairs]
        for names in (*zip(*sketches, strict=True), keys):  # a name counts before what else a text may be
            self._call(shift, names)
        if is_whole:
            return Palette(tuple(Colour(*sketch) for sketch in sketches))
        return complete([*[WHITE] * shift, *sketches])

    def _call(self, start: int, names: Iterable[str]) -> None:
        """Remember what colours from `start` on are called; what an earlier one is called stays its own."""
        several = [*enumerate(names, start)]
        for spellings in (several, [(i, name.lower()) for i, name in several]):
            for i, spelling in spellings:
                if spelling:
                    self._known.setdefault(spelling, i)


def is_background(token: Token) -> bool:
    """Return whether a colour of a cell is the background, in a document without a palette."""
    return isinstance(token, str) and (token.lower() in _BACKGROUNDS or rgb_of(token) == WHITE.rgb)


def _sketch(key: str, entry: Any, place: str) -> Sketch:
    """Return what an entry of a palette says."""
    said = {str(name).lower(): value for name, value in entry.items()} if isinstance(entry, dict) else {}
    texts = {name: unicode_text(value) for name, value in said.items()}
    name, char = (
        texts.get("name", ""),
        next((texts[k] for k in ("char", "symbol", "key") if texts.get(k)), ""),
    )
    rgb = next((texts[k] for k in ("rgb", "hex", "color", "colour", "value", "code") if texts.get(k)), "")
    if isinstance(entry, str):
        rgb, name = entry, "" if entry.startswith("#") else unicode_text(entry)
    if isinstance(entry, list) and len(entry) >= 3 and all(type(part) is int for part in entry):
        rgb = ",".join(map(str, entry[:3]))
    if key and not key.isdecimal():
        name, char = (name or key, char) if len(key) > 1 else (name, char or key)
    if all(texts.get(known) for known in ("name", "rgb", "char")):
        return Sketch(name, rgb_of(rgb) or rgb, char)
    sketch = Sketch(name, rgb_of(rgb) or rgb_of(name), char)
    if not any(sketch) or not isinstance(entry, (str, dict, list)):
        raise FormatError(f"{place}: {shown(entry)} is no colour", expected=_EXPECTED)
    return sketch


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
