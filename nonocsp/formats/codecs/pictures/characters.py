"""Say what the characters of a drawing stand for, after their names in Unicode.

`web/src/model/formats/pictures/characters.ts` says the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence

DOTS = "·•◦∙⋅․‧・･。｡"
"""DOT, BULLET, FULL STOP: emptier than anything else."""
WHITE = "░□▢▫▭▯▱△▵▷▹▽▿◁◃◇○◌◯◻◽☆☐♡♢♤♧⚪⚬✧⬚⬜⬞⬠⬡⬦⬨⬫⬭⬯⭒⭔💮🔳🞅🞆🞎🞏🞐🤍"
"""WHITE, LIGHT SHADE, DOTTED, BALLOT BOX."""
CROSSES = "xX×✕✖✗✘╳❌❎⨯"
"""What people mark empty cells with."""
_SHADES = "░▒▓█"
"""From light to full."""
_WIDE = "⚪⚫⬛⬜◽◾⭐⭕❌❎✅"
_RANKS = dict.fromkeys(WHITE + CROSSES, 1) | dict.fromkeys(DOTS, 0)

_INVISIBLE = re.compile("[\u200b-\u200d\u2060\ufe0e\ufe0f]")
"""Variation selectors of emoji, joiners, and blanks without width."""
_PLAIN = str.maketrans(
    {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}  # full-width forms
    | dict.fromkeys([0xA0, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000], " ")
    | dict.fromkeys([*range(0x2010, 0x2016), 0x2212], "-")
)
_BRAILLE = re.compile("[\u2800-\u28ff]+")
_BRAILLE_BITS = (0, 3), (1, 4), (2, 5), (6, 7)


def plain(text: str) -> str:
    """Return a line with full-width forms, blanks and dashes as in ASCII, without invisible characters."""
    return text if text.isascii() else _INVISIBLE.sub("", text).translate(_PLAIN)


def pale_ink(inks: Collection[str]) -> str:
    """Return the one of several characters that stands for an empty cell; nothing if that is not clear."""
    shades = {ink: rank for rank, ink in enumerate(_SHADES)} if {*inks} <= {*_SHADES} else {}
    ranks = {ink: shades.get(ink, _RANKS.get(ink, len(_SHADES))) for ink in inks}
    least = min(ranks.values())
    palest = [ink for ink, rank in ranks.items() if rank == least]
    return palest[0] if len(palest) == 1 and least < len(_SHADES) else ""


def is_pale(char: str) -> bool:
    """Return whether a character is empty by its name."""
    return char in WHITE or char in DOTS or char == _SHADES[1]


def is_drawn(char: str) -> bool:
    """Return whether a character is a symbol that people draw with; lines of tables are none."""
    return unicodedata.category(char) == "So" and not "\u2500" <= char <= "\u257f"


def is_wide(char: str) -> bool:
    """Return whether a terminal shows a character as wide as two blanks."""
    return char in _WIDE or char >= "\U0001f300"


def without_gaps(texts: Sequence[str]) -> list[str]:
    """Return lines without the blank between any two cells; unchanged if a cell itself may be blank."""
    stripped = [text.strip() for text in texts]
    has_gaps = any(len(text) > 1 for text in stripped)
    if has_gaps and all(" " not in text[::2] and not text[1::2].strip() for text in stripped):
        return [text[::2] for text in stripped]
    return list(texts)


def is_braille(texts: Sequence[str]) -> bool:
    """Return whether lines are nothing but patterns of Braille."""
    return all(_BRAILLE.fullmatch(text) for text in texts)


def braille_dots(text: str) -> list[str]:
    """Return the four rows of dots in a line of Braille patterns, two columns a character."""
    return [
        "".join("#" if ord(char) >> bit & 1 else "." for char in text for bit in pair)
        for pair in _BRAILLE_BITS
    ]
