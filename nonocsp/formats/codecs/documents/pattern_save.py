"""Saved games of Pattern, the nonograms of Simon Tatham's Portable Puzzle Collection; one colour.

::

    SAVEFILE:41:Simon Tatham's Portable Puzzle Collection
    GAME    :7:Pattern
    PARAMS  :3:3x2
    DESC    :11:1//1/1.1/

Each line has a key, the number of bytes of its value, and the value. The puzzle is a game ID (`game_id`): the
size and the clues. What the player did is no part of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nonocsp.formats.base import Evidence, Format, Sureness
from nonocsp.formats.codecs.clue_lists.game_id import puzzle_of_id
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import shortened
from nonocsp.model import FormatError, Puzzle

_START = b"SAVEFILE:41:Simon Tatham's Portable Puzzle Collection"
_LINE = re.compile(r"([A-Z]{1,8}) *:([0-9]{1,9}):(.*)")
_GAME = "Pattern"


def sniff(head: bytes) -> Evidence:
    """Return whether the text starts as a saved game does."""
    if head.startswith(_START):
        return Evidence(Sureness.CERTAIN, "a saved game of the Portable Puzzle Collection")
    return Evidence(Sureness.NO, "it does not start with SAVEFILE", 1)


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the puzzle of the game."""
    found: dict[str, tuple[int, str]] = {}
    for number, line in source.lines():
        match = _LINE.fullmatch(line)
        if not match:
            expected = "KEY, a colon, the number of bytes, a colon and the value"
            raise source.error(
                f"{shortened(line)} is no line of a saved game", line=number, expected=expected
            )
        key, said, value = match.groups()
        if int(said) != (found_bytes := len(value.encode())):
            raise source.error(
                f"{key} has {found_bytes} bytes", line=number, expected=f"{said}, as the line says"
            )
        found.setdefault(key, (number, value))
        if key == "GAME" and value != _GAME:
            raise source.error(f"a game of {shortened(value)}", line=number, expected=_GAME)
    size = found.get("CPARAMS") or found.get("PARAMS")
    if size is None or "DESC" not in found or "GAME" not in found:
        raise source.error("a saved game without its puzzle", expected="lines GAME, PARAMS and DESC")
    number, clues = found["DESC"]
    try:
        yield puzzle_of_id(source, number, f"{size[1]}:{clues}")
    except FormatError as error:
        raise source.error(error.message, line=number, expected=error.expected) from None


_SUMMARY = "saved games of Simon Tatham's Pattern"
FORMATS = (Format("pattern-save", (), _SUMMARY, sniff, read),)
