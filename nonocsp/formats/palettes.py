"""Complete palettes for files that say too little about colours, or say what a palette cannot hold.

Colours without a name get one as people would say it: ``#fe8b12`` is orange, and two greens are light green
and dark green. The word is that of the nearest colour of CSS in OKLab, where equal distances look equally
different. Each colour of CSS stands for one of fifteen plain words in ``colour_words.json``,
which web pages read too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from nonocsp.late import numpy as np
from nonocsp.model import BLACK_AND_WHITE, MAX_COLOURS, UNKNOWN_CHAR, Colour, Palette, PuzzleError

if TYPE_CHECKING:
    from nonocsp.model.oklab import Lab

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
    if known == [WHITE, BLACK]:
        return BLACK_AND_WHITE
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
    """Return a colour of CSS, hexadecimal or three numbers between commas as ``#rrggbb``, or nothing."""
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


_WEIGHTS = (0.25, 1.0, 1.0)
"""Lightness counts half as much as hue: a dark brown is a brown before it is a dark grey."""


class _Hue(NamedTuple):
    """A colour to name."""

    place: int
    lightness: float
    word: str


def colour_names(rgbs: Sequence[str], given: Sequence[str] = ()) -> list[str]:
    """Return a different name for each colour."""
    names = list(given) or [""] * len(rgbs)
    if all(names):
        return names
    groups: dict[str, list[_Hue]] = {}
    hues = [_Hue(place, *_described(rgb)) for place, rgb in enumerate(rgbs)]
    for hue in sorted(hues, key=lambda hue: min(hue.lightness, 1 - hue.lightness)):
        # There is one black and one white; a second colour that is nearly so is a grey.
        word = "grey" if hue.word in ("black", "white") and hue.word in groups else hue.word
        groups.setdefault(word, []).append(hue)
    taken = set(filter(None, names))
    for word, group in groups.items():
        group.sort(key=lambda hue: (-hue.lightness, rgbs[hue.place], hue.place))
        plain = next((i for i, hue in enumerate(group) if names[hue.place] == word), None)
        if plain is None and word not in taken and len(group) != 2:
            plain = len(group) // 2
        for i, hue in enumerate(group):
            if not names[hue.place]:
                middle = (len(group) - 1) / 2 if plain is None else plain
                wanted = word if i == middle else f"{'light' if i < middle else 'dark'} {word}"
                names[hue.place] = _unused(wanted, taken)
                taken.add(names[hue.place])
    return names


def _unused(name: str, taken: set[str]) -> str:
    """Return the name, with a number if it is taken."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name} {number}"
    return free


@cache
def _described(rgb: str) -> tuple[float, str]:
    """Return the lightness of a colour, 0 to 1, and the word of the nearest colour of CSS."""
    from nonocsp.model.oklab import oklab

    words, samples = _samples()
    lab = oklab(np.frombuffer(bytes.fromhex(rgb[1:]), np.uint8))
    return float(lab[0]), words[int(np.argmin((samples - lab) ** 2 @ _WEIGHTS))]


@cache
def _samples() -> tuple[list[str], Lab]:
    """Return the word of each colour of CSS, and the colours, shape (colours, 3)."""
    from PIL.ImageColor import getrgb  # only a file with colours needs it

    from nonocsp.model.oklab import oklab

    words = json.loads(Path(__file__).with_name("colour_words.json").read_text(encoding="utf-8"))
    pairs = [(word, getrgb(name)) for word, names in words.items() for name in names.split()]
    return [word for word, _ in pairs], oklab(np.array([rgb[:3] for _, rgb in pairs], np.uint8))
