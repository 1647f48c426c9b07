r"""The ``.g`` files of Petr and Mirek Olšák's solver (grid), also written by webpbn.com and nonny; in colour.

::

    any text is a comment before the first # or : in the first column
    #d
       0:   white     the background; without this line it is white
       1:*  black     the colour of lengths without a letter
       m:%  #0000FF   blue
    : rows
    3 1m

    : columns
    ...
    : end

``#d`` starts the colours, one a line: the letter that follows lengths, ``:``, the character in pictures, and
a word of X11 or ``#RRGGBB``; the rest of the line is a comment, here the name of a colour given in numbers. A
puzzle without ``#d`` is black and white. Three lines that start with ``:`` delimit the clues of rows and of
columns, a clue a line; an empty line or ``0`` is the empty clue. What follows the last one means nothing. If
it is missing, empty lines at the end of the file could be clues or not, and are refused.

Two relatives of nonograms are refused by name: triddlers (``#t``) and triangles (a ``/`` or ``\`` in a
colour).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from nonocsp.formats.base import Evidence, Format, Sureness, text_writer
from nonocsp.formats.palettes import BLACK, WHITE, Sketch, check_colour_count, complete, rgb_of, unique_chars
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import ColouredBlock, NumberedLine, coloured_clues, shortened
from nonocsp.model import MAX_LINES, Clue, FormatError, Palette, Puzzle

_BACKGROUND, _DEFAULT = "0", "1"
_COLOUR = re.compile(r"([^\s2-9,:]):(\S?)\s+(\S+)\s*(.*)")
_TOKEN = re.compile(r"[^\s,]+")
_BLOCK = re.compile(r"([0-9]{1,9})([^0-9]?)")
_NOT_FOR_COLOURS = " 0123456789,:#\t"


@dataclass(slots=True)
class _Draft:
    """The colours by letter, the clue lines of rows and columns, and the number of the last line."""

    colours: dict[str, Sketch] = field(default_factory=dict)
    in_colour: bool = False
    sections: tuple[list[NumberedLine], list[NumberedLine]] = field(default_factory=lambda: ([], []))
    last_line: int = 0


def sniff(head: bytes) -> Evidence:
    """Return whether a ``#d``, ``#t`` or ``:`` comes first behind comments, and then what it promises."""
    lines = head.decode(errors="replace").removeprefix("\ufeff").split("\n")
    for number, line in enumerate(lines, start=1):
        if not line.startswith(("#", ":")):
            continue
        below = next((text for text in lines[number:] if text.strip()), "")
        if line[:2].lower() == "#t":
            is_one = any(text.startswith(("#d", "#D", ":")) for text in lines[number:])
            return Evidence(
                Sureness.STRONG if is_one else Sureness.NO, f"line {number} starts triddlers", number
            )
        if line[:2].lower() == "#d" and _COLOUR.fullmatch(below.strip()):
            return Evidence(Sureness.CERTAIN, f"line {number} is #d, and a colour follows")
        if line.startswith(":"):
            is_clue = below.startswith(":") or all(_BLOCK.fullmatch(word) for word in below.split())
            if is_clue and any(text.startswith(":") for text in lines[number:]):
                return Evidence(Sureness.STRONG, f"line {number} starts with : and clues follow")
            return Evidence(Sureness.NO, "no two lines that start with : with clues between them", number)
    return Evidence(Sureness.NO, "no line starts with : or #d", 1)


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the one puzzle."""
    draft = _draft(source)
    background = draft.colours.pop(_BACKGROUND, WHITE)
    if not draft.in_colour:
        draft.colours[_DEFAULT] = BLACK
    index = {letter: i for i, letter in enumerate(draft.colours, start=1)}
    palette = complete([background, *draft.colours.values()])
    rows, columns = (_clues(source, draft, section, index) for section in draft.sections)
    yield Puzzle(rows, columns, palette)


@text_writer
def write(puzzle: Puzzle) -> list[str]:
    """Write a puzzle."""
    palette = puzzle.palette
    is_plain = palette.is_one_colour and [c.rgb for c in palette.colours] == [WHITE.rgb, BLACK.rgb]
    letters = [_DEFAULT] if palette.is_one_colour else unique_chars(palette.chars[1:], _NOT_FOR_COLOURS)
    lines = [] if is_plain else ["#d", *_colour_lines(palette, letters)]
    suffixes = ["", *(letter.replace(_DEFAULT, "") for letter in letters)]
    for name, clues in (("rows", puzzle.rows), ("columns", puzzle.columns)):
        lines.append(f": {name}")
        lines += [" ".join(f"{length}{suffixes[colour]}" for length, colour in clue) for clue in clues]
    return [*lines, ": end"]


def _colour_lines(palette: Palette, letters: list[str]) -> Iterator[str]:
    for letter, colour in zip([_BACKGROUND, *letters], palette.colours, strict=True):
        char = "" if colour.char.isspace() else colour.char
        yield f"   {letter}:{char}  {colour.rgb.upper()}   {' '.join(colour.name.split())}"


def _draft(source: Source) -> _Draft:
    draft, part = _Draft(), 0  # 0: comments, 1: colours, 2: rows, 3: columns
    for number, text in source.lines():
        draft.last_line = number
        if text.startswith(":"):
            part = max(part, 1) + 1
            if part == 4:
                return draft
        elif part >= 2:
            section = draft.sections[part - 2]
            if len(section) >= MAX_LINES:
                raise source.error("too many clues", line=number, expected=f"at most {MAX_LINES}, then :")
            section.append((number, text))
        elif part == 1 and text.strip():
            _take_colour(source, draft, number, text)
        elif text[:2].lower() == "#t":
            expected = "a puzzle of rows and columns"
            raise source.error("a triddler, which is no rectangular nonogram", line=number, expected=expected)
        elif text[:2].lower() == "#d":
            part, draft.in_colour = 1, True
    if part < 3:
        wanted = ": before the row clues" if part < 2 else ": between row and column clues"
        raise source.error("the file ends", line=draft.last_line, expected=wanted)
    if draft.sections[1] and not draft.sections[1][-1][1].strip():
        expected = ": below the last clue, so that it is clear which empty lines are empty clues"
        raise source.error("the file ends with empty lines", line=draft.last_line, expected=expected)
    return draft


def _take_colour(source: Source, draft: _Draft, number: int, text: str) -> None:
    found = _COLOUR.fullmatch(text.strip())
    if not found or found[1] in draft.colours:
        problem = f"{found[1]!r} a second time" if found else f"{shortened(text.strip())} is no colour"
        expected = "a letter, :, a character and a colour, such as m:% blue or m:% #0000FF"
        raise source.error(problem, line=number, expected=expected)
    letter, char, word, comment = found.groups()
    if "/" in word or "\\" in word:
        expected = "cells of one colour"
        raise source.error(f"triangles ({shortened(word)})", line=number, expected=expected)
    taken = {sketch.name for sketch in draft.colours.values()}
    name = comment if word.startswith("#") else word
    rgb = rgb_of(word)
    if not rgb and word.startswith("#"):
        raise source.error(
            f"{shortened(word)} is no colour", line=number, expected="#RRGGBB, such as #0000FF"
        )
    check_colour_count(len({*draft.colours, letter} - {_BACKGROUND}))
    draft.colours[letter] = Sketch("" if name in taken else name, rgb, char)


def _clues(
    source: Source, draft: _Draft, lines: Iterable[NumberedLine], index: dict[str, int]
) -> tuple[Clue, ...]:
    known = " ".join(letter for letter in draft.colours if letter != _DEFAULT)
    return coloured_clues(([*_blocks(source, line, index, known)] for line in lines), index)


def _blocks(source: Source, line: NumberedLine, index: dict[str, int], known: str) -> Iterator[ColouredBlock]:
    number, text = line
    if text.strip() == "0":
        return
    for block, token in enumerate(_TOKEN.finditer(text)):
        found = _BLOCK.fullmatch(token[0])
        if found and (found[2] or _DEFAULT) in index and block < MAX_LINES:
            yield int(found[1]), found[2] or _DEFAULT
            continue
        raise _not_a_block(source, (number, token[0]), token.start() + 1, known)


def _not_a_block(source: Source, line: NumberedLine, column: int, known: str) -> FormatError:
    letters = f", with one of the letters {known} behind each length" if known else ""
    expected = f"a clue such as 3 1{letters}; an empty line for the empty clue"
    message = f"{shortened(line[1])} is no block"
    return source.error(message, line=line[0], column=column, expected=expected)


_SUMMARY = "the Olsaks' .g: #d and colours, then : rows, : columns, a clue a line"
FORMATS = (Format("olsak", (".g",), _SUMMARY, sniff, read, write, holds_colours=True),)
