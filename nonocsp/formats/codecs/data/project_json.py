"""The project's own JSON: everything that a puzzle has, exact in both directions.

::

    {"title": "Heart", "author": "...", "licence": "...", "source": "...",
     "palette": [{"name": "white", "rgb": "#ffffff", "char": "."}, {"name": "red", ...}, ...],
     "rows": [[1, 1], [[3, "red"], [2, "blue"]], []], "columns": [...],
     "goal": ["#.#", ...]}

Only ``rows`` and ``columns`` are needed, or ``goal``, from which the clues then follow. A block is its
length, in the first colour, or ``[length, colour]`` with the name of a colour of the palette; ``[]`` and
``[0]`` are the empty clue. The goal has one string a row, one character a cell, as the palette says. Other
keys are ignored. A ``.json`` file holds one puzzle or a list of puzzles; a ``.jsonl`` file one puzzle a line,
read lazily.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, BinaryIO

from nonocsp.formats.base import Evidence, Format, Sureness
from nonocsp.formats.json_text import is_unicode, parse_json, shown
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import cached_block, is_cut, shortened
from nonocsp.model import BLACK_AND_WHITE, Block, Clue, Colour, FormatError, Grid, Palette, Puzzle, bounds

_TEXTS = ("title", "author", "licence", "source")
_EMPTY: tuple[list[object], ...] = ([], [0])
_START = re.compile(r"\{|\[\s*[\[{\"\]]")
_LISTS = {axis: re.compile(rf'"{axis}"\s*:\s*\[\s*(\[\s*([\[\]\d]|$)|\]|$)') for axis in ("rows", "columns")}
_PICTURE = re.compile(r'\A\{.*"goal"\s*:\s*\[\s*"', re.DOTALL)


def encode(puzzle: Puzzle, *, with_goal: bool = True) -> dict[str, Any]:
    """Return the puzzle as a JSON document, with everything that it has."""
    palette = puzzle.palette
    document: dict[str, Any] = {key: text for key in _TEXTS if (text := getattr(puzzle, key))}
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
    if not isinstance(document, dict):
        raise FormatError("not a JSON object", file=file, expected='an object with "rows" and "columns"')
    try:
        palette = _decode_palette(document["palette"]) if "palette" in document else BLACK_AND_WHITE
        colours = {colour.name: i for i, colour in enumerate(palette.colours)}
        texts = {key: document[key] for key in _TEXTS if key in document}
        for key, text in texts.items():
            if not (isinstance(text, str) and is_unicode(text)):
                raise FormatError(f'"{key}" is not a text', expected="a string of Unicode characters")
        lines = document.get("goal")
        if not (lines is None or (isinstance(lines, list) and all(isinstance(line, str) for line in lines))):
            raise FormatError('"goal" is no grid', expected="a list of strings, one character a cell")
        goal = Grid.from_strings(lines, palette) if lines is not None else None
        if goal is not None and not any(isinstance(document.get(axis), list) for axis in _LISTS):
            return Puzzle.from_grid(goal, palette=palette, **texts)
        rows, columns = (_decode_clues(document, axis, colours) for axis in _LISTS)
    except FormatError as error:
        raise FormatError(error.message, file=file, expected=error.expected) from None
    return Puzzle(rows, columns, palette, goal=goal, **texts)


def sniff(head: bytes) -> Evidence:
    """Say whether the text is JSON with the lists of clues, as far as it can be seen."""
    text = head.decode(errors="replace").lstrip("\ufeff \t\r\n")
    if not _START.match(text):
        return Evidence(Sureness.NO, "it does not start as JSON does", 1)
    missing = [axis for axis, pattern in _LISTS.items() if not pattern.search(text)]
    if not missing:
        return Evidence(Sureness.CERTAIN, "the lists rows and columns")
    if is_cut(head) and len(missing) == 1:
        return Evidence(Sureness.STRONG, "a list of clues")
    if _PICTURE.search(text):
        return Evidence(Sureness.STRONG, "a goal")
    return Evidence(Sureness.WEAK, f'it has no list of clues "{missing[0]}"', 1)


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the puzzle, those of the list, or that of each line."""
    lines = source.lines(longest=bounds.FILE_BYTES)
    start = []
    for _, text in lines:
        start.append(text)
        if text.strip():
            break
    try:
        document = parse_json(source, start[-1])
    except FormatError:  # the document goes on in the next line
        document = None
    if isinstance(document, dict):
        yield decode(document, file=f"{source.name}:{len(start)}")
        for number, text in lines:
            if text.strip():
                yield decode(parse_json(source, text, number), file=f"{source.name}:{number}")
        return
    document = parse_json(source, "\n".join([*start, *(text for _, text in lines)]))
    if isinstance(document, list):
        for k, item in enumerate(document, start=1):
            yield decode(item, file=f"{source.name}#{k}")
    else:
        yield decode(document, file=source.name)


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


def _decode_clues(document: dict[str, Any], axis: str, colours: dict[str, int]) -> tuple[Clue, ...]:
    clues = document.get(axis)
    if not isinstance(clues, list):
        raise FormatError(f'no list "{axis}"', expected='the keys "rows" and "columns", each a list of clues')
    decoded = []
    for i, clue in enumerate(clues):
        place = f"{axis}[{i}]"
        if not isinstance(clue, list):
            expected = "a clue such as [3, 1], or [] for an empty line"
            raise FormatError(f"{place} is not a list", expected=expected)
        blocks = [
            cached_block(block) if type(block) is int else _coloured_block(block, place, colours)
            for block in (clue if clue not in _EMPTY else ())
        ]
        decoded.append(Clue(blocks))
    return tuple(decoded)


def _coloured_block(block: Any, place: str, colours: dict[str, int]) -> Block:
    if type(block) is list and len(block) == 2 and type(block[0]) is int and type(block[1]) is str:
        if block[1] in colours:
            return cached_block(block[0], colours[block[1]])
        known = ", ".join(list(colours)[1:])
        raise FormatError(
            f"{place}: unknown colour {shortened(block[1])}", expected=f"one of the palette: {known}"
        )
    message = f"{place}: {shown(block)} is no block"
    raise FormatError(message, expected='a length or [length, "colour"]')


def _decode_palette(entries: Any) -> Palette:
    if not isinstance(entries, list):
        raise FormatError('"palette" is not a list', expected="a list of colours, background first")
    colours = []
    for i, entry in enumerate(entries):
        match entry:
            case {"name": str(name), "rgb": str(rgb), "char": str(char)} if is_unicode(name):
                colours.append(Colour(name, rgb, char))
            case _:
                expected = '{"name": "red", "rgb": "#d7191c", "char": "a"}, all three of them'
                raise FormatError(f"palette[{i}] is no colour", expected=expected)
    return Palette(tuple(colours))


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


_JSON = "everything a puzzle has: one object, or a list of them"
_JSONL = "the same, one object a line, read lazily"
FORMATS = (
    Format("json", (".json",), _JSON, sniff, read, write, holds_many=True, holds_colours=True),
    Format(
        "jsonl", (".jsonl", ".ndjson"), _JSONL, sniff, read, write_lines, holds_many=True, holds_colours=True
    ),
)
