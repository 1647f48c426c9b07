"""Complete palettes for files that say too little about colours, or say what a palette cannot hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from nonocsp.formats.colour_names import colour_names
from nonocsp.model import MAX_COLOURS, UNKNOWN_CHAR, Colour, Palette, PuzzleError

_STOCK = Palette.of(MAX_COLOURS).colours
_BY_NAME = {colour.name: colour for colour in _STOCK}
_BY_RGB = {colour.rgb: colour for colour in _STOCK}
_BY_CHAR = {colour.char: colour for colour in _STOCK}
_HEX = re.compile(r"[0-9a-f]{3}(?:[0-9a-f]{3})?")
_MOST_COLOUR_CHARS = 40
_SPARE_CHARS = "".join(colour.char for colour in _STOCK[1:]) + "@%&+=*/:;<>!$~^"
"""Enough for every colour, even where digits are forbidden."""


class Sketch(NamedTuple):
    """What a file says about a colour; empty where it says nothing."""

    name: str = ""
    rgb: str = ""
    char: str = ""


WHITE = Sketch("white", "#ffffff", ".")
BLACK = Sketch("black", "#000000", "#")


def complete(sketches: Iterable[Sketch]) -> Palette:
    """Return the palette that the sketches stand for, background first; a lone one gets a second colour.

    What is missing comes from the standard palette: the colour of that name, RGB value or character, or else
    one that is free. Other colours get plain names (`colour_names`). A character that a palette cannot
    have is replaced.
    """
    known = list(sketches)
    if len(known) == 1:
        known.append(WHITE if known[0].rgb == BLACK.rgb else BLACK)
    check_colour_count(len(known) - 1)
    usual = [_BY_NAME.get(sketch.name) or _BY_CHAR.get(sketch.char) for sketch in known]
    taken = {sketch.rgb for sketch in known} | {colour.rgb for colour in usual if colour}
    spare = (colour for colour in _STOCK if colour.rgb not in taken)
    rgbs = [sketch.rgb or (stock or next(spare)).rgb for sketch, stock in zip(known, usual, strict=True)]
    stocks = [_BY_RGB.get(rgb, Sketch()) for rgb in rgbs]
    chars = unique_chars([sketch.char or stock.char for sketch, stock in zip(known, stocks, strict=True)])
    said = {sketch.name for sketch in known}
    given = [
        sketch.name or stock.name * (stock.name not in said)
        for sketch, stock in zip(known, stocks, strict=True)
    ]
    return Palette(tuple(map(Colour, colour_names(rgbs, given), rgbs, chars)))


def rgb_of(text: str) -> str:
    """Return the colour that a text names as ``#rrggbb``, or nothing if it names none.

    It may be a name of CSS, 3 or 6 hexadecimal digits with or without ``#``, or three numbers between commas.
    """
    from PIL import ImageColor  # only a file with colours needs it

    value = text.strip().lower()
    if len(value) > _MOST_COLOUR_CHARS:
        return ""
    numbers = value.count(",") == 2 and value[:1].isdigit()
    with suppress(ValueError):
        spelled = f"#{value}" if _HEX.fullmatch(value) else f"rgb({value})" if numbers else value
        red, green, blue = ImageColor.getrgb(spelled)[:3]
        if max(red, green, blue) < 256:
            return f"#{red:02x}{green:02x}{blue:02x}"
    return ""


def check_colour_count(count: int) -> None:
    """Raise PuzzleError if there are too many colours beside the background."""
    if count > MAX_COLOURS:
        raise PuzzleError(
            f"{count} colours beside the background, and a puzzle has at most {MAX_COLOURS}; "
            "reduce the colours first"
        )


def unique_chars(wanted: Sequence[str], forbidden: str = "") -> list[str]:
    """Return a different character for every colour: the first that wants one gets it, others a spare one."""
    taken = set(forbidden + UNKNOWN_CHAR)
    given: list[str | None] = []
    for char in wanted:
        good = len(char) == 1 and char.isprintable() and char not in taken
        given.append(char if good else None)
        taken.update([char] if good else [])
    spare = (char for char in _SPARE_CHARS if char not in taken)
    return [char or next(spare) for char in given]
