"""The ``.gno`` files of Gnonograms: sections with titles in brackets; one colour.

::

    [Description]
    title, author, date and difficulty, a line each
    [License]
    CC BY-SA
    [Dimensions]
    rows
    columns
    [Row clues]
    1, 8, 1
    [Column clues]
    ...
    [Solution grid]
    1 2 2 1

``0`` is the empty clue. In grids 1 is an empty cell, 2 a filled one and 0 an undecided one; the solution is
also called ``[Solution]``. Clues or solution may be missing, but not both. A solution with undecided cells is
dropped. So are the date, the difficulty and what Gnonograms needs to go on with a game, such as ``[Working
grid]``: it is how far somebody got, not part of the puzzle.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nonocsp.formats.base import Evidence, Format, Sureness, text_writer
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import (
    NumberedLine,
    head_lines,
    lengths_text,
    parse_clue,
    parse_size,
    shortened,
)
from nonocsp.late import numpy as np
from nonocsp.model import MAX_LINES, Clue, Grid, Puzzle

_TITLES = ("description", "license", "dimensions", "row clues", "column clues", "solution", "solution grid")
_OTHERS = ("working grid", "state", "locked", "original path", "history")
_UNDECIDED, _EMPTY, _FILLED = "0", "1", "2"

_Sections = dict[str, list[NumberedLine]]


def sniff(head: bytes) -> Evidence:
    """Return whether the first line is the title of a section, and ``[Dimensions]`` or clues come."""
    titles = [line[1:-1].lower() for line in head_lines(head) if line[0] == "[" and line[-1] == "]"]
    first = next(iter(head_lines(head)), "")
    if not titles or first[1:-1].lower() != titles[0] or titles[0] not in _TITLES:
        return Evidence(Sureness.NO, "the first line is no title such as [Description]", 1)
    if {"dimensions", "row clues"}.isdisjoint(titles):
        return Evidence(Sureness.WEAK, f"{first} comes first")
    return Evidence(Sureness.CERTAIN, f"{first} comes first, and [Dimensions] or [Row clues] follow")


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the one puzzle."""
    sections = _read_sections(source)
    shape = _shape(source, sections)
    goal = _goal(source, sections, shape)
    described = [text.strip() for _, text in sections.get("description", [])]
    texts: dict[str, Any] = {
        "title": described[0] if described else "",
        "author": described[1] if len(described) > 1 else "",
        "licence": next((text.strip() for _, text in sections.get("license", [])), ""),
    }
    if {"row clues", "column clues"} & sections.keys():
        rows, columns = (
            _clues(source, sections, axis, shape[axis == "column"]) for axis in ("row", "column")
        )
        yield Puzzle(rows, columns, goal=goal, **texts)
    elif goal is not None:
        yield Puzzle.from_grid(goal, **texts)
    else:
        expected = "[Row clues] and [Column clues], or a full [Solution grid]"
        raise source.error("neither clues nor a full solution", expected=expected)


@text_writer
def write(puzzle: Puzzle) -> list[str]:
    """Write a puzzle, with its goal if it has one."""
    lines = ["[Description]", _line(puzzle.title), _line(puzzle.author), "", ""]
    if puzzle.licence:
        lines += ["[License]", _line(puzzle.licence)]
    lines += ["[Dimensions]", *map(str, puzzle.shape)]
    for axis, clues in (("Row", puzzle.rows), ("Column", puzzle.columns)):
        lines += [f"[{axis} clues]", *(lengths_text(clue).replace(" ", ", ") for clue in clues)]
    if puzzle.goal is not None:
        cells = np.where(puzzle.goal.cells == 0, _EMPTY, _FILLED)
        lines += ["[Solution grid]", *(" ".join(row) for row in cells)]
    return lines


def _line(text: str) -> str:
    """Return the text on one line that is no title of a section."""
    text = " ".join(text.split())
    return f" {text}" if text.startswith("[") else text


def _read_sections(source: Source) -> _Sections:
    sections: _Sections = {}
    lines: list[NumberedLine] | None = None
    for number, raw in source.lines():
        text = raw.rstrip()
        if text.startswith("[") and text.endswith("]"):
            title = text[1:-1].lower()
            if title in sections:
                raise source.error(f"{text} a second time", line=number, expected="one puzzle a file")
            if title not in _TITLES + _OTHERS:
                known = ", ".join(f"[{title.capitalize()}]" for title in _TITLES)
                raise source.error(
                    f"unknown section {shortened(text)}", line=number, expected=f"one of {known}"
                )
            lines = sections[title] = []
        elif lines is None:
            if text:
                expected = "the title of a section, such as [Description]"
                raise source.error(f"{shortened(text)} is out of place", line=number, expected=expected)
        elif len(lines) > MAX_LINES:
            raise source.error("too many lines in a section", line=number, expected=f"at most {MAX_LINES}")
        else:
            lines.append((number, raw))
    return sections


def _shape(source: Source, sections: _Sections) -> tuple[int, int]:
    lines = [(number, text.strip()) for number, text in sections.get("dimensions", []) if text.strip()]
    if len(lines) != 2:
        place = lines[-1][0] if lines else 0
        expected = "[Dimensions] and below it the number of rows and that of columns, a line each"
        raise source.error("no dimensions", line=place, expected=expected)
    return parse_size(source, *lines[0], "number of rows"), parse_size(source, *lines[1], "number of columns")


def _clues(source: Source, sections: _Sections, axis: str, wanted: int) -> tuple[Clue, ...]:
    lines = sections.get(f"{axis} clues", [])
    while len(lines) > wanted and not lines[-1][1].strip():
        lines.pop()
    if len(lines) != wanted:
        expected = f"{wanted}, as [Dimensions] says"
        place = lines[-1][0] if lines else 0
        raise source.error(f"{len(lines)} {axis} clues", line=place, expected=expected)
    return tuple(parse_clue(source, line) for line in lines)


def _goal(source: Source, sections: _Sections, shape: tuple[int, int]) -> Grid | None:
    found = sections.get("solution grid") or sections.get("solution") or []
    lines = [(number, text.split()) for number, text in found if text.strip()]
    if not lines:
        return None
    for number, words in lines:
        if len(words) != shape[1] or not {_UNDECIDED, _EMPTY, _FILLED}.issuperset(words):
            expected = f"{shape[1]} cells, 1 empty and 2 filled"
            raise source.error("no row of the solution", line=number, expected=expected)
    if len(lines) != shape[0]:
        expected = f"{shape[0]}, as [Dimensions] says"
        raise source.error(f"{len(lines)} rows in the solution", line=lines[-1][0], expected=expected)
    if any(_UNDECIDED in words for _, words in lines):
        return None
    return Grid.from_cells(np.array([words for _, words in lines]) == _FILLED)


_SUMMARY = "Gnonograms: [Dimensions], [Row clues], [Column clues], [Solution grid]"
FORMATS = (Format("gnonograms", (".gno",), _SUMMARY, sniff, read, write),)
