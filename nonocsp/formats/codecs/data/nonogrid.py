"""The TOML files of Tsionskiy's nonogrid: relatives of pynogram's files, with clues in strings; in colour.

::

    [colors]
    defs = ["b = (blue) *", "r = (ff0000) %"]
    [clues]
    columns = \"\"\"
        3b 1r   # comments, also after ;

        1, 2, 0
    \"\"\"
    rows = ...

Commas separate clues as line ends do; empty lines and empty places between commas mean nothing; ``0`` is the
empty clue; quotes around clues mean nothing. ``3b`` is a block of the colour ``b``, a bare length one of
``B``, which is black unless declared, and ``W`` is the background. A colour has a name of CSS, hexadecimal
digits or three numbers in parentheses, and the character that draws it. Here capitals count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from nonocsp.formats.base import Evidence, Format, Sureness, text_writer
from nonocsp.formats.palettes import BLACK, WHITE, Sketch, rgb_of, unique_chars
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import ColouredBlock, coloured_puzzle, shortened
from nonocsp.model import MAX_LINES, Puzzle

_BACKGROUND, _DEFAULT = "W", "B"
_MAX_CHARACTERS = 1 << 20
_COMMENT = re.compile("[#;].*")
_MOST_DOTS = 100
"""Of a line that is no comment: Python's reader takes quadratic memory for ``a.a.a...``."""
_BLOCK = re.compile(r"([0-9]{1,9})([^0-9].*)?")
_STRINGS = re.compile(rb"^[ \t]*(columns|rows)\s*=\s*(\"\"\"|''')|^[ \t]*defs\s*=", re.MULTILINE)
_SECTION = re.compile(rb"^[ \t]*\[(clues|colors)\]\s*(#.*)?$", re.MULTILINE)
_NOT_FOR_COLOURS = " #;()\"'\\=,"


def sniff(head: bytes) -> Evidence:
    """Return whether ``[clues]`` or ``[colors]`` stands before strings of several lines or ``defs``."""
    if not _SECTION.search(head):
        return Evidence(Sureness.NO, "neither [clues] nor [colors] stands in a line")
    if not _STRINGS.search(head):
        return Evidence(Sureness.NO, "rows and columns are not strings of several lines")
    return Evidence(Sureness.CERTAIN, "[clues] or [colors] with TOML's strings")


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the one puzzle."""
    text = source.text()
    document = _parse(source, text)
    colours = dict(_colours(source, text, document))
    rows, columns = ([*_blocks(source, text, document, axis, colours)] for axis in ("rows", "columns"))
    background = _BACKGROUND, WHITE._replace(name="")
    yield coloured_puzzle(rows, columns, colours, default=_DEFAULT, background=background)


@text_writer
def write(puzzle: Puzzle) -> list[str]:
    """Write a puzzle."""
    palette = puzzle.palette.colours
    chars = unique_chars([colour.char for colour in palette], _NOT_FOR_COLOURS)
    keys = [_BACKGROUND, *_keys([colour.name for colour in palette[1:]])]
    defs = [
        f'    "{key} = ({colour.rgb[1:]}) {char}",'
        for key, colour, char in zip(keys, palette, chars, strict=True)
        if not (key in (_BACKGROUND, _DEFAULT) and colour.rgb in (WHITE.rgb, BLACK.rgb))
    ]
    lines = ["[colors]", "defs = [", *defs, "]", "", "[clues]"] if defs else ["[clues]"]
    for name, clues in (("columns", puzzle.columns), ("rows", puzzle.rows)):
        lines.append(f'{name} = """')
        for clue in clues:
            blocks = (f"{length}{keys[ink].replace(_DEFAULT, '')}" for length, ink in clue)
            lines.append("    " + (" ".join(blocks) or "0"))
        lines.append('"""')
    return lines


def _keys(names: list[str]) -> list[str]:
    """Return a key for each colour: its name if it can follow a number, ``B`` for black."""
    keys: list[str] = []
    for i, name in enumerate(names, start=1):
        good = name.isascii() and name.isalpha() and name.lower() == name
        keys.append(_DEFAULT if name == BLACK.name else name if good else f"ink-{i}")
    return keys


def _parse(source: Source, text: str) -> dict[str, Any]:
    import tomllib

    if len(text) > _MAX_CHARACTERS:
        raise source.error("too much text", expected=f"at most {_MAX_CHARACTERS} characters")
    for number, row in enumerate(text.split("\n"), start=1):
        if row.count(".") > _MOST_DOTS and not row.lstrip().startswith(("#", ";")):
            raise source.error("too many dots", line=number, expected=f"keys with at most {_MOST_DOTS}")
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"\(at line ([0-9]+), column ([0-9]+)\)", str(error))
        line, column = (int(found[1]), int(found[2])) if found else (text.count("\n") + 1, 0)
        message = str(error).partition(" (at ")[0]
        raise source.error(message, line=line, column=column, expected="TOML") from None
    except (RecursionError, ValueError):
        raise source.error(
            "nested too deeply, or a number is too long", expected="a puzzle in TOML"
        ) from None
    return document


def _colours(source: Source, text: str, document: dict[str, Any]) -> Iterator[tuple[str, Sketch]]:
    section = document.get("colors", {})
    defs = section.get("defs", []) if isinstance(section, dict) else None
    if not isinstance(defs, list) or not all(isinstance(line, str) for line in defs):
        raise source.error("[colors] without a list of strings", expected='defs = ["r = (red) %"]')
    for line in defs:
        key, colour, char = _definition(line)
        if not key or not (rgb := rgb_of(colour)):
            expected = "a key, a colour and a character, such as r = (red) % or r = (ff0000) %"
            raise source.error(f"{shortened(line)} is no colour", line=_line(text, line), expected=expected)
        yield key, Sketch("" if key == _BACKGROUND else key, rgb, char)


def _definition(line: str) -> tuple[str, str, str]:
    """Return key, colour and character of ``r = (red) %``; empty if the line has another form."""
    key, _, rest = (part.strip() for part in line.partition("="))
    colour = rest[:-1].rstrip().removeprefix("(").removesuffix(")")
    if not rest or len(key.split()) != 1 or {*"()"} & {*colour}:
        return "", "", ""
    return key, colour, rest[-1]


def _blocks(
    source: Source, text: str, document: dict[str, Any], axis: str, colours: dict[str, Sketch]
) -> Iterator[list[ColouredBlock]]:
    """Yield the clues of an axis."""
    section = document.get("clues", {})
    value = section.get(axis) if isinstance(section, dict) else None
    if not isinstance(value, str):
        raise source.error(f"no {axis}", expected=f'{axis} = """ and clues in the section [clues]')
    first = _line(text, value)
    known = {_DEFAULT: BLACK} | colours
    for number, line in enumerate(value.split("\n"), start=first):
        for clue in _COMMENT.sub("", line).split(","):
            words = clue.strip().strip("'\"").split()
            if len(words) > MAX_LINES:
                raise source.error("too many blocks", line=number, expected=f"at most {MAX_LINES} in a line")
            if words:
                yield [] if words == ["0"] else [_block(source, number, word, known) for word in words]


def _block(source: Source, number: int, word: str, colours: dict[str, Sketch]) -> ColouredBlock:
    found = _BLOCK.fullmatch(word)
    colour = (found[2] or _DEFAULT) if found else ""
    if not found or colour not in colours or colour == _BACKGROUND:
        known = ", ".join(key for key in colours if key != _BACKGROUND)
        expected = f"a length, or a length and one of the colours {known}"
        raise source.error(f"{shortened(word)} is no block", line=number, expected=expected)
    return int(found[1]), colour


def _line(text: str, value: str) -> int:
    """Return the line that a string of the file starts in; 1 if it is written with escapes."""
    at = text.replace("\r\n", "\n").find(value)
    return text.count("\n", 0, at) + 1 if at >= 0 else 1


_SUMMARY = "nonogrid's TOML: [clues] with columns and rows as strings, colours as 3b"
FORMATS = (Format("nonogrid", (".toml",), _SUMMARY, sniff, read, write, holds_colours=True),)
