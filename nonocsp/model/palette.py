"""Colours of a puzzle: index 0 is the background, 1.. are the colours that clues use."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from nonocsp.model.errors import PuzzleError

MAX_COLOURS = 63
"""Colours beside the background: a cell's candidates are one 64-bit set."""

UNKNOWN_CHAR = "?"
"""Stands for an undecided cell in text, so no colour may use it."""

_RGB = re.compile(r"#[0-9a-f]{6}")


class Colour(NamedTuple):
    """One colour.

    Parameters
    ----------
    name
        As in the puzzle's file, such as ``"black"``.
    rgb
        ``"#rrggbb"``, lower case.
    char
        The one character that stands for the colour in text grids.
    """

    name: str
    rgb: str
    char: str


@dataclass(frozen=True, slots=True)
class Palette:
    """The background (index 0) and the colours of the clues (1..).

    Raises
    ------
    PuzzleError
        If there is no colour or more than `MAX_COLOURS`, if names or characters repeat, if a character is
        not one printable character or is ``?``, or if an RGB value is not ``#rrggbb``.
    """

    colours: tuple[Colour, ...]

    def __post_init__(self) -> None:
        if not 2 <= len(self.colours) <= MAX_COLOURS + 1:
            raise PuzzleError(_size_fault(len(self.colours) - 1))
        for what, values in (
            ("name", [colour.name for colour in self.colours]),
            ("character", [colour.char for colour in self.colours]),
        ):
            twice = sorted({value for value in values if values.count(value) > 1})
            if twice:
                raise PuzzleError(f"two colours of the palette share the {what} {twice[0]!r}")
        for colour in self.colours:
            if len(colour.char) != 1 or not colour.char.isprintable() or colour.char == UNKNOWN_CHAR:
                raise PuzzleError(
                    f"colour {colour.name!r}: {colour.char!r} is not one printable character other than '?'"
                )
            if not _RGB.fullmatch(colour.rgb):
                raise PuzzleError(f"colour {colour.name!r}: {colour.rgb!r} is not of the form #rrggbb")

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickle the most common palette by its name, in a tenth of the time."""
        return "BLACK_AND_WHITE" if self is BLACK_AND_WHITE else (Palette, (self.colours,))

    def __len__(self) -> int:
        return len(self.colours)

    def __getitem__(self, index: int) -> Colour:
        return self.colours[index]

    @property
    def chars(self) -> str:
        """One character a colour, background first."""
        return "".join(colour.char for colour in self.colours)

    @property
    def is_one_colour(self) -> bool:
        """Whether clues have one colour only ("black and white")."""
        return len(self.colours) == 2

    def index(self, name: str) -> int:
        """Return the index of the colour called `name`; raise PuzzleError listing the names otherwise."""
        for i, colour in enumerate(self.colours):
            if colour.name == name:
                return i
        known = ", ".join(colour.name for colour in self.colours)
        raise PuzzleError(f"unknown colour {name!r}; the palette has {known}")

    @staticmethod
    @cache
    def of(colour_count: int) -> Palette:
        """Return a palette of `colour_count` distinct colours on white, for puzzles that name none."""
        if not 1 <= colour_count <= MAX_COLOURS:
            raise PuzzleError(_size_fault(colour_count))
        return Palette((WHITE, *_STOCK[:colour_count]))


def _size_fault(colour_count: int) -> str:
    return f"a palette has a background and 1 to {MAX_COLOURS} colours, not {colour_count}"


_CHARS = "#abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_NAMED = {
    "black": "#000000",
    "red": "#d7191c",
    "blue": "#2c7bb6",
    "green": "#1a9641",
    "orange": "#fdae61",
    "purple": "#7b3294",
    "brown": "#8c510a",
    "pink": "#f781bf",
    "grey": "#888888",
    "teal": "#018571",
}


_HUES = [(f"colour{i + 1}", f"#{(i * 0x9E3779) & 0xFFFFFF:06x}") for i in range(len(_NAMED), MAX_COLOURS)]
"""Further colours, all different: multiplying by 0x9e3779, which is odd, permutes the 24-bit values."""
_STOCK = [
    Colour(name, rgb, char) for (name, rgb), char in zip((*_NAMED.items(), *_HUES), _CHARS, strict=True)
]

WHITE = Colour("white", "#ffffff", ".")
BLACK_AND_WHITE = Palette.of(1)
