"""Text grids: the solution as one character a cell; the clues are derived from it.

::

    .##..
    #..#.

Background is ``.`` or, in a grid without ``.``, a blank, ``0``, ``-`` or ``_``. Any other character but
``?`` is a colour; a grid with one of them is black and white whatever the character. Several grids are
separated by empty lines. Where blanks are background, lines whose trailing blanks were trimmed are filled
up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from typing import BinaryIO

import numpy as np

from nonocsp.formats.base import Evidence, Format, Sureness
from nonocsp.formats.palettes import WHITE, Sketch, complete, unique_chars
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import NumberedLine, numbered_head
from nonocsp.model import (
    BLACK_AND_WHITE,
    MAX_COLOURS,
    MAX_LINES,
    UNKNOWN_CHAR,
    Grid,
    Palette,
    Puzzle,
    UsageError,
    bounds,
)

_BLANKS = " 0-_"
"""Background in a grid that has no ``.``."""
_SYMBOLS = frozenset("#Xx*@█■◼⬛")
"""What people draw pictures in one colour with."""
_USUAL = _SYMBOLS | {"1", ".", *_BLANKS}
_HALVES = frozenset("◢◣◤◥")
"""Cells of puzzles with triangles, recognised to be refused by name."""
_STOCK_CHARS = Palette.of(MAX_COLOURS).chars


def sniff(head: bytes) -> Evidence:
    """Say whether every line is a row of cells, and how much the characters look like a picture."""
    lines = numbered_head(head)
    grids = [list(group) for is_grid, group in groupby(lines, key=lambda line: line[1] != "") if is_grid]
    if not grids:
        return Evidence(Sureness.NO, "no line of cells", 1)
    return min(map(_evidence, grids), key=lambda found: found.sureness)


def _evidence(lines: list[NumberedLine]) -> Evidence:
    """Say how much a grid looks like a picture: prose, lists of names and numbers are no pictures."""
    number, first = lines[0]
    chars = {char for _, text in lines for char in text}
    background = {"."} if "." in chars else chars & {*_BLANKS}
    inks = chars - background
    if inks & _HALVES and inks <= _USUAL | _HALVES:
        return Evidence(Sureness.STRONG, "a picture with triangles")
    is_cell = (_SYMBOLS | {"1"}).__contains__ if " " in background else _may_be_cell
    for number, text in lines:
        wrong = next((char for char in text if char in inks and not is_cell(char)), "")
        if wrong:
            return Evidence(
                Sureness.NO, f"line {number} has {wrong!r}, which is no cell of a picture", number
            )
        if len(text) != len(first) and " " not in background:
            return Evidence(Sureness.NO, f"line {number} has {len(text)} cells, not {len(first)}", number)
    if _is_drawn([text for _, text in lines], background, inks):
        return Evidence(Sureness.STRONG, "rows of cells")
    return Evidence(Sureness.WEAK, "it could be any text")


def _may_be_cell(char: str) -> bool:
    return char.isprintable() and char not in " ?"


def _is_drawn(texts: list[str], background: set[str], inks: set[str]) -> bool:
    """Return whether texts of one length look like a picture and like nothing else."""
    is_large = len(texts) > 1 and max(map(len, texts)) > 1
    if not inks or not is_large:  # a line of dots may be an ellipsis, one of # a comment
        return background == {"."} and inks <= {"#"} and (is_large or bool(inks))
    if inks == {"1"}:  # numbers do not start with 0
        return " " not in background and any(text[0] in background for text in texts)
    if len(inks) == 1 and inks <= _SYMBOLS:
        return " " not in background or any(text[0] == " " for text in texts if text.strip())
    if not any(char.isascii() or char.isalnum() for char in inks):
        return " " not in background
    return background == {"."} and _is_painted(texts, inks)


def _is_painted(texts: list[str], inks: set[str]) -> bool:
    """Return whether rows in several colours on dots are no words: few characters, in runs, no digits."""
    if any(char.isdigit() for char in inks - {"0"}):
        return False
    runs = sum(any(a == b for a, b in pairwise(text)) for text in texts)
    if inks <= {*_STOCK_CHARS[: 2 * len(inks) + 1]} | _SYMBOLS | {"0"}:
        return bool(runs or inks & _SYMBOLS)
    cells = len(texts) * len(texts[0])
    return len(inks) <= 8 and cells >= 6 * len(inks) and 2 * runs >= len(texts)


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the puzzle of each grid."""
    for is_grid, group in groupby(source.lines(), key=lambda line: line[1] != ""):
        if not is_grid:
            continue
        lines = list(group)
        chars = dict.fromkeys(char for _, text in lines for char in text)
        background = "." if "." in chars else "".join(char for char in chars if char in _BLANKS)
        inks = [char for char in chars if char not in background]
        inks.sort(key=lambda ink: _STOCK_CHARS.find(ink) % (MAX_COLOURS + 2))  # others behind as they come
        texts = _squared(source, lines, inks, fill=" " if " " in background else "")
        sketches = [WHITE, *(Sketch(char=ink) for ink in inks)]
        palette = complete(sketches) if len(inks) > 1 else BLACK_AND_WHITE
        index = {char: i for i, char in enumerate(inks, start=1)}
        cells = np.array([[index.get(char, 0) for char in text] for text in texts], np.uint8)
        yield Puzzle.from_grid(Grid.from_cells(cells), palette=palette)


def write(puzzles: Iterable[Puzzle], stream: BinaryIO) -> None:
    """Write the goals, separated by empty lines."""
    for i, puzzle in enumerate(puzzles):
        if puzzle.goal is None:
            message = "a text grid is a solution and this puzzle has none; write json, or solve it first"
            raise UsageError(message)
        colours = puzzle.palette.chars[1:]
        chars = np.array([".", *unique_chars(colours, forbidden="." + _BLANKS)])
        lines = ["".join(row) for row in chars[puzzle.goal.cells]]
        stream.write(("\n" * (i > 0) + "\n".join(lines) + "\n").encode())


def _squared(source: Source, lines: list[NumberedLine], inks: list[str], fill: str) -> list[str]:
    """Return the lines, all of one length; raise FormatError if they are no grid of whole cells."""
    width = max(len(text) for _, text in lines) if fill else len(lines[0][1])
    if max(len(lines), width) > MAX_LINES:
        expected = f"at most {MAX_LINES}x{MAX_LINES}"
        raise source.error(f"a grid of {len(lines)}x{width}", line=lines[0][0], expected=expected)
    if fill and len(lines) * width > bounds.IMAGE_PIXELS:
        expected = f"at most {bounds.IMAGE_PIXELS} cells where trimmed lines are filled up"
        raise source.error(f"a grid of {len(lines)}x{width}", line=lines[0][0], expected=expected)
    for number, text in lines:
        if len(text) != width and not fill:
            raise source.error(f"{len(text)} cells", line=number, expected=f"{width}, as in the line above")
    wrong = {char for char in inks if char in {UNKNOWN_CHAR, " ", *_HALVES} or not char.isprintable()}
    for number, text in lines:
        for column, char in enumerate(text, start=1):
            if char in wrong:
                expected = (
                    "a full solution of whole cells: . for background, any other character for a colour"
                )
                raise source.error(f"{char!r} is no cell", line=number, column=column, expected=expected)
    return [text.ljust(width, fill or ".") for _, text in lines]


_SUMMARY = "the solution, one character a cell, . for background; empty lines between grids"
FORMATS = (
    Format("text", (".grid", ".txt"), _SUMMARY, sniff, read, write, holds_many=True, holds_colours=True),
)
