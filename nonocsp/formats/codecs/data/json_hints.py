"""Puzzles in the JSON of other programs, which agree on lists of clues but not on their names; one colour.

::

    {"rows": [[1, 1], [3]], "cols": [[1], "2", 0, [2]], "title": "...", "author": "..."}
    {"width": 5, "height": 5, "rowHints": [[2], []], "columnHints": [...], "solution": [[true, false], ...]}
    {"clues": {"rows": [...], "columns": [...]}}
    {"nonograms": [{"row_clues": ..., "col_clues": ...}, ...]}
    {"image": [" ## ", "#  #"]}

The clues of an axis stand under its name (``rows``, ``cols``, ``columns``) or under the name with ``hints``,
``clues``, ``def``, ``rules``, ``constraints`` or ``numbers`` behind it, whatever the capitals, ``_`` and
``-``. A clue is a list of lengths, a string of lengths or one length; ``[]``, ``[0]``, ``0`` and ``""`` are
the empty clue. Several puzzles stand in a list, which may be the value of ``nonograms``, ``puzzles`` or
``levels``. ``solution``, ``grid`` or ``image``, a row a string or list, is the goal if all of its cells are
known; without clues it gives them. ``title`` or ``name``, ``author``, ``licence`` or ``license`` and
``source`` are kept.

A clue that is ``null`` is one that the solver is not told (davidje13's games): such puzzles are refused. The
project's own JSON has ``rows`` and ``columns`` in lists and is read by ``json``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from nonocsp.formats.base import Evidence, Format, Sureness
from nonocsp.formats.json_text import parse_json, shown, unicode_text
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import cached_block
from nonocsp.model import MAX_LINES, Clue, FormatError, Grid, Puzzle

_WORD = r"(?:s|hints?|clues?|defs?|rules?|constraints?|numbers?|descriptions?)"
_NAMES = {"row": re.compile(f"rows?{_WORD}?"), "column": re.compile(f"(?:cols?|columns?){_WORD}?")}
_SETS = ("nonograms", "puzzles", "levels", "data")
_PICTURES = ("solution", "grid", "image", "goal")
_TEXTS = {
    "title": ("title", "name"),
    "author": ("author", "by"),
    "licence": ("licence", "license"),
    "source": ("source",),
}
_KEY = re.compile(rb'"([A-Za-z_-]{3,24})"\s*:\s*([\[{"])')
_LENGTHS = re.compile(r"[0-9]{1,9}(?:[\s,]+[0-9]{1,9})*")
_MARKS = re.compile("[_-]")
_EMPTY, _FILLED = frozenset(" ._-0"), frozenset("#xX1*@■█")

_Object = dict[str, Any]


def sniff(head: bytes) -> Evidence:
    """Return whether the text is JSON with clues of rows and of columns under one of the names."""
    if head.lstrip()[:1] not in (b"{", b"["):
        return Evidence(Sureness.NO, "it starts with neither { nor [", 1)
    keys = {key.decode().lower(): mark for key, mark in reversed(_KEY.findall(head))}
    axes = {axis: name for name in keys for axis in _NAMES if _is_named(name, axis) and keys[name] == b"["}
    if set(axes.values()) == {"rows", "columns"}:
        return Evidence(Sureness.NO, "it has rows and columns, as the project's own JSON", 1)
    if len(axes) == 2:
        names = " and ".join(axes.values())
        return Evidence(Sureness.STRONG, f"a JSON document with {names}")
    if keys.get("image") == b"[" and len(keys) <= 5:
        return Evidence(Sureness.WEAK, "a JSON document with an image")
    return Evidence(
        Sureness.NO, "no lists with clues of rows and of columns, such as rowHints and colHints", 1
    )


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the puzzles of the document."""
    document = parse_json(source, source.text())
    for name, item in _puzzles(document):
        try:
            yield _puzzle(item)
        except FormatError as error:
            message = f"{name}: {error.message}" if name else error.message
            raise source.error(message, expected=error.expected) from None


def _is_named(name: str, axis: str) -> bool:
    return bool(_NAMES[axis].fullmatch(_MARKS.sub("", name.lower())))


def _puzzles(document: Any) -> Iterator[tuple[str, Any]]:
    """Yield what should be a puzzle, with its place in a set."""
    if isinstance(document, dict):
        sets = [key for key in document if key.lower() in _SETS and isinstance(document[key], list)]
        if not sets:
            yield "", document
            return
        key, document = sets[0], document[sets[0]]
    else:
        key = ""
    for i, item in enumerate(document if isinstance(document, list) else [document]):
        yield f"{key}[{i}]", item


def _puzzle(item: Any) -> Puzzle:
    if not isinstance(item, dict):
        raise FormatError("no object", expected="an object with the clues of rows and columns")
    nested = next((item[key] for key in item if key.lower() == "clues"), None)
    clues = nested if isinstance(nested, dict) else item
    found = {axis: _axis(clues, axis) for axis in _NAMES}
    goal = _goal(item)
    texts: dict[str, Any] = {field: _text(item, keys) for field, keys in _TEXTS.items()}
    if all(lines is None for lines in found.values()) and goal is not None:
        return Puzzle.from_grid(goal, **texts)
    for axis, lines in found.items():
        if lines is None:
            names = f"{axis}s, {axis}Hints or {axis}_clues"
            raise FormatError(
                f"no clues of {axis}s", expected=f"a list of clues under a name such as {names}"
            )
    return Puzzle(found["row"] or (), found["column"] or (), goal=goal, **texts)


def _axis(item: _Object, axis: str) -> tuple[Clue, ...] | None:
    """Return the clues of an axis; None if there is no list of them."""
    names = [name for name, value in item.items() if _is_named(name, axis) and isinstance(value, list)]
    if not names:
        return None
    if len(names) > 1:
        raise FormatError(f"{names[0]!r} and {names[1]!r} are both clues of {axis}s", expected="one of them")
    if len(item[names[0]]) > MAX_LINES:
        raise FormatError(f"{len(item[names[0]])} {axis}s", expected=f"at most {MAX_LINES}")
    return tuple(_clue(clue, f"{names[0]}[{i}]") for i, clue in enumerate(item[names[0]]))


def _clue(value: Any, place: str) -> Clue:
    if value is None:
        message = f"{place} is null, a clue that is not told"
        raise FormatError(message, expected="every clue; nonocsp has no puzzles with unknown clues")
    if isinstance(value, str) and (not value.strip() or _LENGTHS.fullmatch(value.strip())):
        value = [int(word) for word in value.replace(",", " ").split()]
    if type(value) is int:
        value = [value]
    if not isinstance(value, list) or any(type(length) is not int for length in value):
        raise FormatError(
            f"{place}: {shown(value)} is no clue of one colour", expected="lengths, such as [3, 1]"
        )
    return Clue(cached_block(length) for length in (value if value != [0] else ()))


def _goal(item: _Object) -> Grid | None:
    """Return the solution of a puzzle, None if there is none or a cell is not known."""
    value = next(
        (item[key] for key in item if key.lower() in _PICTURES and isinstance(item[key], list)), None
    )
    if not value or len(value) > MAX_LINES:
        return None
    rows = [[_cell(cell) for cell in row] if isinstance(row, (list, str)) else [None] for row in value]
    if len({len(row) for row in rows}) != 1 or not rows[0] or any(None in row for row in rows):
        return None
    return Grid.from_cells(np.array(rows, np.uint8))


def _cell(value: Any) -> int | None:
    """Return 1 for a filled cell, 0 for an empty one, None for what is neither."""
    if isinstance(value, str):
        return 1 if value in _FILLED else 0 if value in _EMPTY else None
    return int(value) if value in (0, 1) else None


def _text(item: _Object, keys: tuple[str, ...]) -> str:
    return next((text for key in item if key.lower() in keys and (text := unicode_text(item[key]))), "")


_SUMMARY = "JSON of other programs: rows and cols, rowHints and colHints, row_clues and col_clues"
FORMATS = (Format("json-hints", (), _SUMMARY, sniff, read, holds_many=True),)
