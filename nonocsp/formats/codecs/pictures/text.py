"""Text grids: the solution as one character a cell; the clues are derived from it.

::

    .##..
    #..#.

Background is ``.`` or, in a grid without ``.``, a blank, ``0``, ``-`` or ``_``. In other grids it is the one
character that is pale by its name in Unicode (`characters`), such as ⬜ beside ⬛. Any other character but
``?`` is a colour; a grid with one of them is black and white whatever the character. Several grids are
separated by empty lines. Where blanks are background, lines whose trailing blanks were trimmed are filled
up; elsewhere there may be a blank between any two cells. A pattern of Braille is 4 rows of 2 cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from typing import BinaryIO, NamedTuple

from nonocsp.formats.base import Evidence, Format, Sureness
from nonocsp.formats.codecs.pictures.characters import (
    braille_dots,
    is_braille,
    is_drawn,
    is_pale,
    is_wide,
    pale_ink,
    plain,
    without_gaps,
)
from nonocsp.formats.palettes import WHITE, Sketch, complete, unique_chars
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import NumberedLine, numbered_head
from nonocsp.late import numpy as np
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
_GAP = re.compile(r"^ +|(?<=\S) +(?=\S)")
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
    drawing = _Drawing.of(lines)
    (number, first), background, inks = drawing.lines[0], drawing.background, drawing.inks
    if inks & _HALVES and inks <= _USUAL | _HALVES:
        return Evidence(Sureness.STRONG, "a picture with triangles")
    is_cell = _is_symbol if " " in background else _may_be_cell
    for number, text in drawing.lines:
        wrong = next((char for char in text if char in inks and not is_cell(char)), "")
        if wrong:
            return Evidence(
                Sureness.NO, f"line {number} has {wrong!r}, which is no cell of a picture", number
            )
        if len(text) != len(first) and " " not in background:
            return Evidence(Sureness.NO, f"line {number} has {len(text)} cells, not {len(first)}", number)
    is_matrix = drawing.had_gaps and any(map(str.isdigit, background | inks))
    is_word = len(lines) == 1 < len(drawing.lines)
    if not (is_matrix or is_word) and _is_drawn([text for _, text in drawing.lines], background, inks):
        return Evidence(Sureness.STRONG, "rows of cells")
    return Evidence(Sureness.WEAK, "it could be any text")


def _is_symbol(char: str) -> bool:
    return char in _SYMBOLS or char == "1" or is_drawn(char)


def _may_be_cell(char: str) -> bool:
    return char.isprintable() and char not in " ?"


def _is_drawn(texts: list[str], background: set[str], inks: set[str]) -> bool:
    """Return whether texts of one length look like a picture and like nothing else."""
    is_large = len(texts) > 1 and max(map(len, texts)) > 1
    if not inks or not is_large:  # a line of dots may be an ellipsis, one of # a comment
        return background == {"."} and inks <= {"#"} and (is_large or bool(inks))
    is_named = not background <= {*_BLANKS}
    if inks == {"1"}:  # numbers do not start with 0
        return " " not in background and any(text[0] in background for text in texts)
    if len(inks) == 1 and (not background <= _USUAL or all(map(_is_symbol, inks))):
        return " " not in background or any(text[0] == " " for text in texts if text.strip())
    if any(map(_is_drawn_with, inks)) and all(char in _SYMBOLS or _is_drawn_with(char) for char in inks):
        return " " not in background
    return is_named and _is_painted(texts, inks)


def _is_drawn_with(char: str) -> bool:
    return not (char.isascii() or char.isalnum())


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
        drawing = _Drawing.of(list(group))
        if drawing.unclear:
            raise source.error(drawing.unclear, line=drawing.lines[0][0], expected=". in the empty cells")
        if drawing.note:
            source.note(drawing.note)
        chars = dict.fromkeys(char for _, text in drawing.lines for char in text)
        inks = [char for char in chars if char in drawing.inks]
        inks.sort(key=lambda ink: _STOCK_CHARS.find(ink) % (MAX_COLOURS + 2))  # others behind as they come
        texts = _squared(source, drawing.lines, inks, fill=" " if " " in drawing.background else "")
        sketches = [WHITE, *(Sketch(char=ink) for ink in inks)]
        palette = complete(sketches) if len(inks) > 1 else BLACK_AND_WHITE
        index = {char: i for i, char in enumerate(inks, start=1)}
        cells = np.array([[index.get(char, 0) for char in text] for text in texts], np.uint8)
        if source.options.cell:
            raise UsageError(f"{source.name}: a text grid has one character a cell; leave out --cell")
        if source.options.invert:
            if len(inks) > 1:
                raise UsageError(f"{source.name}: a drawing in {len(inks)} colours cannot be inverted")
            cells = 1 - cells
        yield Puzzle.from_grid(Grid.from_cells(cells), palette=palette)


class _Drawing(NamedTuple):
    """The lines of a grid, one character for each cell, and what these are."""

    lines: list[NumberedLine]
    """The rows of cells."""
    background: set[str]
    inks: set[str]
    """The characters of empty and of filled cells."""
    had_gaps: bool = False
    """Whether there was a blank between any two cells."""
    unclear: str = ""
    """Why nobody knows which cells are empty; nothing if it is known."""
    note: str = ""
    """What other readers may read in another way."""

    @classmethod
    def of(cls, lines: list[NumberedLine]) -> _Drawing:
        """Return the drawing that some lines are."""
        numbers, texts = [number for number, _ in lines], [plain(text) for _, text in lines]
        if is_braille(texts):
            dots = [(number, row) for number, text in lines for row in braille_dots(plain(text))]
            note = "each Braille pattern is read as 4 rows of 2 cells"
            return cls(dots, {"."}, {"#"}, note=note)
        rows = _trimmed(texts)
        chars = {*"".join(rows)}
        background = _background(chars)
        inks = chars - background
        return cls(
            list(zip(numbers, rows, strict=True)),
            background,
            inks,
            had_gaps=rows == without_gaps(texts) != texts,
            unclear=_unclear(rows, background, inks),
            note="" if background <= _USUAL else f"{''.join(background)!r} is read as background",
        )


def _trimmed(texts: list[str]) -> list[str]:
    """Return lines without blanks that are no cells: one between any two cells, or those at the end."""
    if " " not in "".join(texts):
        return texts
    closed = without_gaps(texts)
    chars = {*"".join(closed)}
    if closed != texts and (_background(chars) or (len(chars) > 1 and not "".join(closed).isascii())):
        return closed
    ended = [text.rstrip(" ") for text in texts]
    chars = {*"".join(ended)}
    return ended if "." in chars or (" " not in chars and _background(chars)) else texts


def _background(chars: set[str]) -> set[str]:
    """Return the characters of empty cells, of all that a grid has; none if it is not clear."""
    if found := {"."} & chars or {*_BLANKS} & chars:
        return found
    has_names = len(chars) > 1 and any(not char.isascii() for char in chars)
    return {pale_ink(chars)} - {""} if has_names else set()


def _unclear(rows: list[str], background: set[str], inks: set[str]) -> str:
    """Return why it is not clear which cells are empty; nothing if it is."""
    named = " or ".join(map(repr, sorted(inks)[:4]))
    if not background and len(inks) > 1 and any(not ink.isascii() for ink in inks):
        return f"no character stands for the background: it could be {named}"
    if not background and all(map(is_pale, inks)):
        return f"all cells are {named}, filled or empty"
    if background == {" "} and all(map(is_wide, inks)):
        gaps = [gap for row in rows for gap in _GAP.findall(row)]
        if gaps and all(len(gap) % 2 == 0 for gap in gaps):
            return f"two blanks beside {named} are one cell or two"
    return ""


def write(puzzles: Iterable[Puzzle], stream: BinaryIO) -> None:
    """Write the goals, separated by empty lines."""
    for i, puzzle in enumerate(puzzles):
        if puzzle.goal is None:
            message = "a text grid is a solution and this puzzle has none; write json, or solve it first"
            raise UsageError(message)
        colours = puzzle.palette.chars[1:]
        if not (puzzle.goal.cells == 0).any():  # then only ASCII is sure not to be read as background
            colours = "".join(char if char.isascii() else "?" for char in colours)
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
    Format(
        "text",
        (".grid", ".txt"),
        _SUMMARY,
        sniff,
        read,
        write,
        holds_many=True,
        holds_colours=True,
        is_picture=True,
    ),
)
