"""The text files of Tsionskiy's pynogram: an INI file with columns and rows, a clue a line, and colours.

::

    # a comment, here or behind a blank
    [colors]
    r = (red) %
    [clues]
    columns =
        3r 1
        0
    rows = 1, '2r 1', 3r

The section ``[colors]`` is optional; ``[clues]`` has ``columns`` and ``rows``, in either order. Deeper lines
belong to the key above them; blank ones mean nothing. Commas separate clues as line ends do, quotes around
clues mean nothing, ``0`` is the empty clue. ``3r`` is a block of the colour ``r``, a bare length one of
``black``, and ``white`` is the background; either may be given another colour. A colour is a name of CSS, 3
or 6 hexadecimal digits or three numbers, and the character that draws it. Capitals do not count.

The standard library reads such files, too, but forgets the line numbers that an error needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from nonocsp.formats.base import Evidence, Format, Sureness, text_writer
from nonocsp.formats.palettes import BLACK, WHITE, Sketch, rgb_of, unique_chars
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import (
    ColouredBlock,
    NumberedLine,
    coloured_puzzle,
    is_cut,
    numbered_head,
    shortened,
)
from nonocsp.model import MAX_LINES, Puzzle

_COMMENT = re.compile(r"(^|(?<=\s))[#;].*")
_SECTION = re.compile(r"\[([^]]+)\]")
_OPTION = re.compile(r"([^=:]+)[=:](.*)")
_COLOUR = re.compile(r"\(([^)]+)\)\s*(\S*)")
_AXIS = re.compile(r"(columns|rows)\s*[=:]", re.IGNORECASE)
_QUOTES = re.compile(r"\"{3}|'{3}")
_TOKEN = re.compile(r"\S+")
_BLOCK = re.compile(r"([0-9]{1,9})([^0-9\s]\S*)?")
_KEY = re.compile(rf"(?!{WHITE.name}$)[a-z]+[0-9]*")

_NOT_FOR_COLOURS = " #;"
"""Characters that a value cannot end with."""


@dataclass(slots=True)
class _Draft:
    """The lines of the values, by section and key, and the number of the last line."""

    sections: dict[str, dict[str, list[NumberedLine]]] = field(default_factory=dict)
    last_line: int = 0


def sniff(head: bytes) -> Evidence:
    """Say whether a section comes first, and columns or rows follow; with triple quotes it is TOML."""
    bare = ((number, _COMMENT.sub("", text).strip()) for number, text in numbered_head(head))
    lines = [line for line in bare if line[1]]
    if not lines or lines[0][1] not in ("[clues]", "[colors]"):
        return Evidence(Sureness.NO, "the first line is neither [clues] nor [colors]", 1)
    keys = {found[1].lower() for _, text in lines if (found := _AXIS.match(text))}
    quoted = next((line for line in lines if _QUOTES.search(line[1])), None)
    if quoted:
        return Evidence(Sureness.NO, f"line {quoted[0]} has triple quotes, as TOML has", quoted[0])
    if len(keys) == 2 or (is_cut(head) and keys):
        return Evidence(Sureness.CERTAIN, "the section [clues] with columns and rows")
    return Evidence(Sureness.WEAK, f"columns = or rows = is missing below line {lines[0][0]}", lines[-1][0])


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the one puzzle."""
    draft = _draft(source)
    colours = {key: _sketch(source, key, lines) for key, lines in draft.sections.get("colors", {}).items()}
    rows, columns = ([*_blocks(source, draft, key)] for key in ("rows", "columns"))
    yield coloured_puzzle(rows, columns, colours, default=BLACK.name, background=(WHITE.name, WHITE))


@text_writer
def write(puzzle: Puzzle) -> list[str]:
    """Write a puzzle."""
    palette = puzzle.palette.colours
    keys = [WHITE.name]
    for i, colour in enumerate(palette[1:], start=1):
        keys.append(colour.name if _KEY.fullmatch(colour.name) else f"ink-{i}")
    chars = unique_chars([colour.char for colour in palette], _NOT_FOR_COLOURS)
    declared = [
        f"{key} = ({colour.rgb[1:]}) {char}"
        for key, colour, char in zip(keys, palette, chars, strict=True)
        if (key, colour.rgb, colour.char) not in (WHITE, BLACK)
    ]
    lines = ["[colors]", *declared, "[clues]"] if declared else ["[clues]"]
    for name, clues in (("columns", puzzle.columns), ("rows", puzzle.rows)):
        lines.append(f"{name} =")
        for clue in clues:
            blocks = (f"{length}{keys[ink].removesuffix(BLACK.name)}" for length, ink in clue)
            lines.append("    " + (" ".join(blocks) or "0"))
    return lines


def _draft(source: Source) -> _Draft:
    draft, section, depth = _Draft(), "", -1
    lines: list[NumberedLine] = []
    for number, raw in source.lines():
        draft.last_line = number
        text = _COMMENT.sub("", raw).rstrip()
        bare = text.lstrip()
        indent = len(text) - len(bare)
        if not text:
            continue
        twice = ""
        if 0 <= depth < indent:
            if len(lines) > MAX_LINES:
                raise source.error("too many clues", line=number, expected=f"at most {MAX_LINES}")
            lines.append((number, text))
        elif found := _SECTION.fullmatch(bare):
            section, depth = found[1], -1
            twice = bare if section in draft.sections else ""
            draft.sections[section] = {}
        elif section and (found := _OPTION.fullmatch(bare)):
            options, key, depth = draft.sections[section], found[1].rstrip().lower(), indent
            twice = key if key in options else ""
            value = found[2].lstrip()
            lines = options[key] = [(number, value.rjust(len(text)))] if value else []
        else:
            deeper = "a key such as columns =, or deeper lines below it"
            expected = deeper if section else "[clues] or [colors]"
            raise source.error(f"{shortened(bare)} is out of place", line=number, expected=expected)
        if twice:
            raise source.error(f"{twice} a second time", line=number, expected="one puzzle a file")
    return draft


def _blocks(source: Source, draft: _Draft, key: str) -> Iterator[list[ColouredBlock]]:
    """Yield the clues of ``rows`` or ``columns``."""
    lines = draft.sections.get("clues", {}).get(key)
    if not lines:
        expected = f"{key} = and its clues in the section [clues]"
        raise source.error(f"no {key}", line=draft.last_line, expected=expected)
    inks = dict.fromkeys([BLACK.name, *draft.sections.get("colors", {})])
    inks.pop(WHITE.name, None)
    for number, text in lines:
        if text.count(",") > MAX_LINES:
            raise source.error("too many clues", line=number, expected=f"at most {MAX_LINES}")
        start = 0
        for clue in text.rstrip().rstrip(",").split(","):
            bare = clue.replace("'", " ").replace('"', " ")
            yield [] if bare.strip() == "0" else [*_clue_blocks(source, inks, (number, bare), start)]
            start += len(clue) + 1


def _clue_blocks(
    source: Source, inks: Iterable[str], line: NumberedLine, start: int
) -> Iterator[ColouredBlock]:
    """Yield the blocks of a clue that stands behind `start` characters of its line."""
    number, text = line
    for block, token in enumerate(_TOKEN.finditer(text)):
        if block == MAX_LINES:
            raise source.error("too many blocks", line=number, expected=f"at most {MAX_LINES} in a line")
        found = _BLOCK.fullmatch(token[0].lower())
        colour = found[2] or BLACK.name if found else ""
        if not found or colour not in inks:
            message = f"{shortened(token[0])} is no block" + (f" of {', '.join(inks)}" if found else "")
            expected = "a clue such as 3 1, or 3r 1b in the colours r and b, or 0 for an empty line"
            raise source.error(message, line=number, column=start + token.start() + 1, expected=expected)
        yield int(found[1]), colour


def _sketch(source: Source, key: str, lines: Sequence[NumberedLine]) -> Sketch:
    number, text = lines[0] if lines else (0, "")
    found = _COLOUR.fullmatch(text.strip())
    if found and (rgb := rgb_of(found[1])):
        return Sketch(key, rgb, found[2])
    expected = "a colour and a character such as (red) %, (ff0000) % or (255, 0, 0) %"
    raise source.error(f"{key} = {text.strip()}"[:100], line=number, expected=expected)


_SUMMARY = "one puzzle of pynogram: [clues] with columns and rows, a clue a line, colours as 3r"
FORMATS = (Format("pynogram", (".txt",), _SUMMARY, sniff, read, write, holds_colours=True),)
