"""JSON: what this project writes, exact in both directions, and what other programs write.

::

    {"title": "Heart", "author": "...", "licence": "...", "source": "...",
     "palette": [{"name": "white", "rgb": "#ffffff", "char": "."}, {"name": "red", ...}, ...],
     "rows": [[1, 1], [[3, "red"], [2, "blue"]], []], "columns": [...],
     "goal": ["#.#", ...]}

Only ``rows`` and ``columns`` are needed, or ``goal``, from which the clues then follow. A block is its
length, in the first colour, or ``[length, colour]`` with the name of a colour of the palette; ``[]`` and
``[0]`` are the empty clue. The goal has one string a row, one character a cell, as the palette says.

Other programs agree on lists of clues, but not on words; these are read, too:

- keys: ``rowHints``, ``row_clues``, ``cols``, ``left`` and ``top``, ``hor`` and ``ver`` and so on, also in an
  object ``clues``; one list with the clues of both axes, if only one order fits;
- clues: ``"2 1"``, ``"2,1"``, ``2``, ``[0, 2, 1]``, ``["2", "1"]``; ``null`` and ``?`` are refused;
- blocks: ``["red", 3]``, ``{"length": 3, "color": "red"}``, ``[3, 1]`` with the number of a colour, in the
  order that fits the whole file;
- palettes: names, ``#d7191c``, ``[215, 25, 28]``, or an object of colours by name;
- solutions: ``solution``, ``grid``, ``image`` ..., of characters, truth values, numbers or names of colours;
- sets: a list, a list under any key, or an object of puzzles by title; a puzzle a line, read lazily.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import Any, BinaryIO

from nonocsp.formats.base import Evidence, Format, Sureness
from nonocsp.formats.codecs.data.json_puzzles import items_of, plain_puzzle, puzzles_of
from nonocsp.formats.codecs.data.json_values import AXES, TEXTS, role
from nonocsp.formats.json_text import parse_json
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import is_cut
from nonocsp.model import BLACK_AND_WHITE, Clue, FormatError, Palette, Puzzle, bounds

_START = re.compile(r"\{|\[\s*[\[{\"\]]")
_CLUES = re.compile(r'"([^"\\]{1,40})"\s*:\s*(\[\s*(?:\[\s*(?:[\[\]\d]|"\s*\d|$)|[\d\]]|"\s*["\d]|$)|"\s*\d)')
"""A key before what may be a list of clues."""
_LIST = re.compile(r'"([^"\\]{1,40})"\s*:\s*\[')
_LISTS = re.compile(r"\[\s*\[\s*\[")
_LISTED = {*AXES, "clues", "goal"}


def encode(puzzle: Puzzle, *, with_goal: bool = True) -> dict[str, Any]:
    """Return the puzzle as a JSON document, with everything that it has."""
    palette = puzzle.palette
    document: dict[str, Any] = {key: text for key in TEXTS if (text := getattr(puzzle, key))}
    if palette != BLACK_AND_WHITE:
        document["palette"] = [{"name": c.name, "rgb": c.rgb, "char": c.char} for c in palette.colours]
    document["rows"] = [_encode_clue(clue, palette) for clue in puzzle.rows]
    document["columns"] = [_encode_clue(clue, palette) for clue in puzzle.columns]
    if with_goal and puzzle.goal is not None:
        document["goal"] = puzzle.goal.strings(palette)
    return document


def decode(document: Any, *, file: str = "") -> Puzzle:
    """Return the puzzle that a JSON document describes; `file` is its name for messages.

    FormatError says where the document has another form, PuzzleError which clue describes no puzzle.
    """
    try:
        return next(puzzles_of(items_of(document, _ignore), _ignore))
    except FormatError as error:
        raise FormatError(error.message, file=file, expected=error.expected) from None


def _ignore(_: str) -> None:
    """Note nothing."""


def sniff(head: bytes) -> Evidence:
    """Say whether the text is JSON with the lists of clues, as far as it can be seen."""
    text = head.decode(errors="replace").lstrip("\ufeff \t\r\n")
    if not _START.match(text):
        return Evidence(Sureness.NO, "it does not start as JSON does", 1)
    names = [key for key, _ in _CLUES.findall(text)]
    if "rows" in names and "columns" in names:
        return Evidence(Sureness.CERTAIN, "the lists rows and columns")
    found = [axis for axis in AXES if any(role(name) == axis for name in names)]
    if len(found) == 2 or (is_cut(head) and found):
        return Evidence(Sureness.STRONG, f"clues of {' and of '.join(f'{axis}s' for axis in found)}")
    if any(role(key) in _LISTED for key in _LIST.findall(text)) or _LISTS.match(text):
        return Evidence(Sureness.STRONG, "lists of clues or cells")
    missing = next(axis for axis in AXES if axis not in found)
    return Evidence(Sureness.WEAK, f"it has no list with clues of {missing}s", 1)


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the puzzles of the document, or those of each line."""
    if (plain := source.plain) is not None:
        try:
            document = parse_json(source, plain)
        except FormatError:  # it may have a puzzle in each line
            pass
        else:
            is_line = isinstance(document, dict) and "\n" not in plain.strip()
            yield from _puzzles(source, document, line=int(is_line))
            return
    lines = source.lines(longest=bounds.FILE_BYTES)
    first, start = next(((number, text) for number, text in lines if text.strip()), (1, ""))
    document = None
    if not start.rstrip().endswith(("{", "[", ",")):
        with suppress(FormatError):  # the document goes on in the next line
            document = parse_json(source, start)
    if not isinstance(document, dict):
        whole = "\n".join(["\n" * (first - 1) + start, *(text for _, text in lines)])
        yield from _puzzles(source, parse_json(source, whole))
        return
    yield from _puzzles(source, document, first)
    for number, text in lines:
        if text.strip():
            yield from _puzzles(source, parse_json(source, text, number), number)


def _puzzles(source: Source, document: Any, line: int = 0) -> Iterator[Puzzle]:
    if document == []:
        return
    if puzzle := plain_puzzle(document):
        yield puzzle
        return
    try:
        yield from puzzles_of(items_of(document, source.note), source.note)
    except FormatError as error:
        raise source.error(error.message, line=line, expected=error.expected) from None


def write(puzzles: Iterable[Puzzle], stream: BinaryIO) -> None:
    """Write one puzzle as an object, several as a list; each clue on its own line, for people and diffs."""
    remaining = iter(puzzles)
    first, second = next(remaining), next(remaining, None)
    if second is None:
        stream.write(f"{_pretty(first)}\n".encode())
        return
    opening = "[\n"
    for puzzle in chain((first, second), remaining):
        stream.write(f"{opening}{_pretty(puzzle)}".encode())
        opening = ",\n"
    stream.write(b"\n]\n")


def write_lines(puzzles: Iterable[Puzzle], stream: BinaryIO) -> None:
    """Write each puzzle as a line."""
    for puzzle in puzzles:
        stream.write(f"{_dump(encode(puzzle), compact=True)}\n".encode())


def _encode_clue(clue: Clue, palette: Palette) -> list[Any]:
    if palette.is_one_colour:
        return [block.length for block in clue]
    return [[block.length, palette[block.colour].name] for block in clue]


def _pretty(puzzle: Puzzle) -> str:
    entries = []
    for key, value in encode(puzzle).items():
        if isinstance(value, list):
            text = "[\n" + ",\n".join(f"    {_dump(item)}" for item in value) + "\n  ]"
        else:
            text = _dump(value)
        entries.append(f"  {_dump(key)}: {text}")
    return "{\n" + ",\n".join(entries) + "\n}"


def _dump(value: Any, *, compact: bool = False) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":") if compact else None)


_JSON = "everything a puzzle has: one object, or a list of them; also the JSON of other programs"
_JSONL = "the same, one object a line, read lazily"
FORMATS = (
    Format("json", (".json",), _JSON, sniff, read, write, holds_many=True, holds_colours=True),
    Format(
        "jsonl", (".jsonl", ".ndjson"), _JSONL, sniff, read, write_lines, holds_many=True, holds_colours=True
    ),
    Format(
        "json-hints",
        (),
        "the JSON of other programs, as json reads it",
        sniff,
        read,
        holds_many=True,
        holds_colours=True,
    ),
)
