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
from itertools import groupby
from typing import BinaryIO

import numpy as np

from nonocsp.formats.base import Evidence, Format, Sureness
from nonocsp.formats.palettes import WHITE, Sketch, complete, unique_chars
from nonocsp.formats.source import HEAD_BYTES, Source
from nonocsp.formats.text_lines import NumberedLine
from nonocsp.model import (
    BLACK_AND_WHITE,
    MAX_COLOURS,
    MAX_LINES,
    UNKNOWN_CHAR,
    Grid,
    Palette,
    Puzzle,
    UsageError,
)

_BLANKS = " 0-_"
"""Background in a grid that has no ``.``."""
_USUAL = frozenset("." + _BLANKS + "#Xx*@1█■◼⬛")
_HALVES = frozenset("◢◣◤◥")
"""Cells of puzzles with triangles, recognised to be refused by name."""
_STOCK_CHARS = Palette.of(MAX_COLOURS).chars


def sniff(head: bytes) -> Evidence:
    """Say whether the first grid has usual characters only, or symbols in lines of one length."""
    text = head.decode(errors="replace").removeprefix("\ufeff").replace("\r", "").lstrip("\n")
    lines = text.partition("\n\n")[0].rstrip("\n").split("\n")
    chars = set().union(*lines)
    whole = lines if len(head) < HEAD_BYTES else lines[:-1]
    symbols = "." in chars or not any(char.isascii() for char in chars)
    square = symbols and " " not in chars and len({len(line) for line in whole}) == 1
    if chars and (square or chars <= _USUAL | _HALVES):
        return Evidence(Sureness.STRONG, "lines of cells")
    return Evidence(Sureness.NO, "the lines are not cells", 1)


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
    """Write the goals, separated by empty lines.

    Parameters
    ----------
    puzzles
        Puzzles with a goal.
    stream
        Where the text goes.

    Raises
    ------
    UsageError
        If a puzzle has no goal.
    """
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


FORMATS = (
    Format(
        name="text",
        suffixes=(".grid", ".txt"),
        summary="the solution, one character a cell, . for background; empty lines between grids",
        sniff=sniff,
        read=read,
        write=write,
        holds_many=True,
        holds_colours=True,
    ),
)
