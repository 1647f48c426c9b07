"""Find the puzzles in a JSON document, whichever program wrote it; `json_files` describes the notations.

A notation that stands for two puzzles is refused unless sizes, sums, lengths and the solution leave one of
them. `web/src/model/formats/data/json.ts` has the same rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import zip_longest
from typing import Any, NamedTuple

from nonocsp.formats.codecs.data import json_cells, json_values
from nonocsp.formats.codecs.data.json_cells import Colours
from nonocsp.formats.codecs.data.json_values import (
    AXES,
    TEXTS,
    Fields,
    Lines,
    Place,
    Token,
    below,
    first,
    keys,
    role,
)
from nonocsp.formats.json_text import unicode_text
from nonocsp.formats.text_lines import cached_block
from nonocsp.model import BLACK_AND_WHITE, Clue, FlatClues, FormatError, Grid, NonocspError, Puzzle

Note = Callable[[str], None]
_AROUND = {*TEXTS, "palette", "height", "width", "size", "goal"}
"""What an object around a puzzle may say about it."""
_PLAIN = {"rows", "columns", "goal", *TEXTS}
_DEPTH = 8
_AXIS_KEYS = 'the keys "rows" and "columns", each a list of clues'


def plain_puzzle(document: Any) -> Puzzle | None:
    """Return the puzzle of black and white clues as lists of lengths, as `write` makes them; None for others.

    Most lines of large sets are such objects: this takes a tenth of the time of a look at every notation.
    """
    if not isinstance(document, dict) or not document.keys() <= _PLAIN:
        return None
    rows = FlatClues.of_numbers(document.get("rows"), pairs=False)
    columns = FlatClues.of_numbers(document.get("columns"), pairs=False)
    if rows is None or columns is None:
        return None
    rest: dict[str, Any] = {key: unicode_text(text) for key, text in document.items() if type(text) is str}
    drawn = document.get("goal")
    if len(rest) + (2 if drawn is None else 3) < len(document):
        return None
    try:
        if drawn is not None:
            if type(drawn) is not list or any(type(row) is not str for row in drawn):
                return None
            rest["goal"] = Grid.from_strings(drawn, BLACK_AND_WHITE)
        return Puzzle.from_flat(rows, columns, **rest)
    except NonocspError:  # which is told with its place
        return None


class Item(NamedTuple):
    """An object with a puzzle: its place in the document, and what it and the objects around it say."""

    place: Place
    fields: Fields


def items_of(document: Any, note: Note) -> list[Item]:
    """Return the objects with puzzles in a document: itself, or those in its lists and objects."""
    if _is_both(document):
        return [Item("", {"clues": document})]
    return _found(document, "", {}, note) or [Item("", _fields_of(document))]


def puzzles_of(items: list[Item], note: Note) -> Iterator[Puzzle]:
    """Yield the puzzles of a file; FormatError and PuzzleError say why an item is none."""
    colour_first: bool | None = None
    for i, item in enumerate(items):
        reading = _Reading(item, bool(colour_first))
        found = reading.attempt(note)
        if colour_first is None and reading.clues.pair:
            colour_first = _has_colour_first(items[i:])
            found = _Reading(item, colour_first).attempt(note)
        if isinstance(found, NonocspError):
            raise found
        yield found


def _has_colour_first(items: list[Item]) -> bool:
    """Return whether pairs of numbers in a file are [colour, length]: the order that fits all puzzles."""
    fits, example = [True, True], ""
    for item in items:
        readings = [_Reading(item, False), _Reading(item, True)]
        found = [reading.attempt(lambda _: None) for reading in readings]
        is_good = [isinstance(puzzle, Puzzle) for puzzle in found]
        if any(is_good):
            fits = [fits[0] and is_good[0], fits[1] and is_good[1]]
        if all(is_good) and found[0] != found[1]:
            example = example or readings[0].clues.pair
    if fits == [False, False] or (all(fits) and example):
        both = "fit" if all(fits) else "are wrong somewhere in the file"
        message = f"{example or readings[0].clues.pair} is [length, colour] or [colour, length]: both {both}"
        raise FormatError(message, expected='{"length": 2, "colour": 1}, or names of colours')
    return fits[1] and not fits[0]


def _found(value: Any, place: Place, around: Fields, note: Note, depth: int = 0) -> list[Item]:
    if depth == _DEPTH or not isinstance(value, (dict, list)):
        return []
    if isinstance(value, list):
        inner = [_found(item, below(place, i), around, note, depth + 1) for i, item in enumerate(value)]
        if not any(inner):
            return []
        alone = ([Item(below(place, i), _fields_of(item))] for i, item in enumerate(value))
        return [item for items, one in zip(inner, alone, strict=True) for item in items or one]
    fields = {key: said for key, said in around.items() if not keys(value, key)} | value
    if _has_axis(value):
        return [Item(place, fields)]
    for key in keys(value, "clues", _has_axis):
        return [Item(below(place, key), fields | value[key])]
    around = {role(key): said for key, said in fields.items() if role(key) in _AROUND}
    items: list[Item] = []
    for key, inner in value.items():
        named = {"title": key} if isinstance(inner, dict) and not role(key) else {}
        found = _found(inner, below(place, key), around | named, note, depth + 1)
        if not found and isinstance(inner, dict) and any(isinstance(one, list) for one in inner.values()):
            note(f"{below(place, key)} has no clues and is left out")
        items += found
    is_puzzle = keys(value, "goal", json_cells.is_drawing) or keys(value, "clues", _is_both)
    return [Item(place, fields)] if is_puzzle and not any(_has_axis(item.fields) for item in items) else items


def _fields_of(value: Any) -> Fields:
    return value if isinstance(value, dict) else {}


def _has_axis(value: Any) -> bool:
    return isinstance(value, dict) and any(keys(value, axis, _is_axis) for axis in AXES)


def _is_axis(value: Any) -> bool:
    """Return whether a value can be clues of an axis: neither their number nor a list of puzzles."""
    if isinstance(value, list):
        return not (value and _has_axis(value[0]))
    return (
        not isinstance(value, (bool, int, float, type(None))) and json_values.lines_of(value, "") is not None
    )


def _is_both(value: Any) -> bool:
    """Return whether a list can be the clues of both axes, in two lists or one after the other."""
    return isinstance(value, list) and len(value) > 1 and all(map(json_values.clue_like, value))


class _Reading:
    """One way to read an item."""

    def __init__(self, item: Item, colour_first: bool) -> None:
        self._place, self._fields = item
        self.clues = json_values.ClueReader(colour_first)

    def attempt(self, note: Note) -> Puzzle | NonocspError:
        """Return the puzzle, or what is wrong with it."""
        try:
            return self._puzzle(note)
        except NonocspError as error:
            return error

    def _puzzle(self, note: Note) -> Puzzle:
        rows, columns = (self._axis(axis) for axis in AXES)
        if rows and columns:
            ways = {f"{rows[0]} for rows and {columns[0]} for columns": (rows[1], columns[1])}
            if json_values.is_weak(rows[0]) or json_values.is_weak(columns[0]):
                ways[f"{columns[0]} for rows and {rows[0]} for columns"] = columns[1], rows[1]
            label, puzzle = next(iter(self._fitting(ways, note).items()))
            if len(ways) > 1:
                note(self._said(f"took {label}"))
            return puzzle
        if rows or columns:
            raise FormatError(self._said(f"no clues of {'columns' if rows else 'rows'}"), expected=_AXIS_KEYS)
        return self._of_both(note) or self._of_picture()

    def _axis(self, axis: str) -> tuple[str, Lines] | None:
        """Return the key with the clues of an axis, and the clues."""
        named = keys(self._fields, axis, _is_axis)
        if not named:
            return None
        key, place = named[0], below(self._place, named[0])
        if any(self._fields[other] != self._fields[key] for other in named):
            message = f"{key!r} and {named[1]!r} are both clues of {axis}s"
            raise FormatError(self._said(message), expected="one of them")
        lines = json_values.lines_of(self._fields[key], place) or []
        colours = first(self._fields, (f"{axis} colours",), lambda value: isinstance(value, list))
        if colours is None:
            return key, lines
        together = zip_longest(lines, colours, fillvalue=(place, ()))
        return key, [(where, json_values.paired(where, clue, own)) for (where, clue), own in together]

    def _of_both(self, note: Note) -> Puzzle | None:
        """Return the puzzle whose clues of rows and columns stand in one list; None if there is none."""
        both = keys(self._fields, "clues", _is_both)
        if not both:
            return None
        place, value = below(self._place, both[0]), self._fields[both[0]]
        height, width = self._size()
        ways: dict[str, tuple[Lines, Lines]] = {}
        if len(value) == 2:
            halves = [json_values.lines_of(half, below(place, i)) or [] for i, half in enumerate(value)]
            ways = {"rows first": (halves[0], halves[1]), "columns first": (halves[1], halves[0])}
        if height and width and len(value) == height + width:
            lines = json_values.lines_of(value, place) or []
            ways = {
                "rows first": (lines[:height], lines[height:]),
                "columns first": (lines[width:], lines[:width]),
            }
        fitting = self._fitting(ways, note)
        if len({puzzle.canonical_hash for puzzle in fitting.values()}) != 1:
            message = f"{place} fits with the clues of the rows first, and with those of the columns first"
            raise FormatError(message if ways else f"{place} has {len(value)} clues", expected=_AXIS_KEYS)
        label, puzzle = next(iter(fitting.items()))
        note(f"{place} is read with the clues of the {label}")
        return puzzle

    def _fitting(self, ways: dict[str, tuple[Lines, Lines]], note: Note) -> dict[str, Puzzle]:
        """Return the puzzles of the ways that give one; the error of the first one if none does."""
        fitting, faults = {}, []
        for label, (rows, columns) in ways.items():
            try:
                fitting[label] = self._of_clues(rows, columns, note)
            except NonocspError as error:
                faults.append(error)
        if faults and not fitting:
            raise faults[0]
        return fitting

    def _of_clues(self, rows: Lines, columns: Lines, note: Note) -> Puzzle:
        shape, size = (len(rows), len(columns)), self._size()
        if size != shape and size == shape[::-1]:
            message = f"{shape[0]} clues of rows and {shape[1]} of columns, and the size says the opposite"
            raise FormatError(self._said(message), expected=f"{size[0]} of rows and {size[1]} of columns")
        blocks = [[self.clues.clue(*line) for line in lines] for lines in (rows, columns)]
        place, cells = self._cells(shape[1])
        tokens = dict.fromkeys(token for lines in blocks for clue in lines for _, token in clue)
        colours = self._colours(
            tokens if any(token is not None for token in tokens) else json_cells.tokens_of(cells)
        )
        index = {token: colours.index(token, self.clues.places.get(token, "")) for token in tokens}
        clues = [
            tuple(Clue(cached_block(length, index[token]) for length, token in clue) for clue in lines)
            for lines in blocks
        ]
        goal = (
            None if json_cells.is_partial(cells) or not cells else json_cells.grid_of(cells, place, colours)
        )
        is_empty = goal is not None and goal.shape == shape and not goal.cells.any() and any(clues[0])
        if cells and (goal is None or (is_empty and not place.endswith("goal"))):
            note(f"{place} is not a full solution and is left out")
            goal = None
        return Puzzle(clues[0], clues[1], colours.palette, goal=goal, **self._texts())

    def _cells(self, width: int | None) -> tuple[Place, json_cells.Cells]:
        """Return the rows of the solution with their place; none if there is no solution."""
        for key in keys(self._fields, "goal", json_cells.is_drawing):
            return (place := below(self._place, key)), json_cells.cells_of(self._fields[key], place, width)
        return "", []

    def _of_picture(self) -> Puzzle:
        """Return the puzzle of a solution alone."""
        place, cells = self._cells(self._size()[1])
        if not cells:
            raise FormatError(self._said("no clues of rows and columns"), expected=_AXIS_KEYS)
        lines = [row for row in cells if isinstance(row, str)]
        is_usual = {*"".join(lines)} <= {*BLACK_AND_WHITE.chars}
        if lines and not is_usual and not keys(self._fields, "palette", _is_many):
            return replace(json_cells.drawing_of(lines, place), **self._texts())
        colours = self._colours(json_cells.tokens_of(cells))
        return Puzzle.from_grid(
            json_cells.grid_of(cells, place, colours), palette=colours.palette, **self._texts()
        )

    def _colours(self, used: Iterable[Token]) -> Colours:
        for key in keys(self._fields, "palette", _is_many):
            return Colours(self._fields[key], used, below(self._place, key))
        return Colours(None, used, "")

    def _size(self) -> tuple[int | None, int | None]:
        """Return the numbers of rows and columns that the object says."""
        size = first(self._fields, ("size",), lambda value: isinstance(value, dict)) or {}
        roles = ("height", "row"), ("width", "column")
        found = [first(self._fields, own, _is_int) or first(size, own, _is_int) for own in roles]
        return found[0], found[1]

    def _texts(self) -> dict[str, Any]:
        found = {
            text: first(self._fields, (text,), lambda value: type(value) in (str, int)) for text in TEXTS
        }
        return {text: unicode_text(str(value)) for text, value in found.items() if value is not None}

    def _said(self, message: str) -> str:
        return f"{self._place}: {message}" if self._place else message


def _is_many(value: Any) -> bool:
    return isinstance(value, (list, dict))


def _is_int(value: Any) -> bool:
    return type(value) is int
