"""Provide the fonts of PDF and PNG pages: FiraGO, and IPAexGothic for Japanese if it is installed.

FiraGO has Latin, Greek, Cyrillic and Georgian letters. IPAexGothic, of the extra ``japanese``, adds kana and
kanji, and with them many Chinese characters. Their licences (SIL OFL 1.1, IPA 1.0) allow embedding them in
documents. Nothing here joins letters or writes from right to left, so letters that need it count as missing.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from nonocsp import extras

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont
    from reportlab.pdfbase.ttfonts import TTFont

MISSING = "?"
"""Stands for a character that no font has."""
HALF_CAPITAL = 0.345
"""Distance from the middle of FiraGO's digits to their foot, as a share of the size."""
SHIFTS = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""Share of a text's width that lies left of its anchor."""
_UNSHAPED = ("R", "AL", "NSM")
"""Bidirectional classes of letters that run from right to left, and of marks that combine with letters."""


def spans(text: str, *, is_bold: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the name of a font and the part of a text to write in it, from left to right."""
    line = "".join(char if char.isprintable() else " " for char in unicodedata.normalize("NFC", text))
    named = ((_name_of(char, is_bold), char) for char in line)
    for name, group in groupby(named, key=lambda pair: pair[0]):
        part = "".join(char for _, char in group)
        yield name or _names(is_bold)[0], part if name else MISSING * len(part)


def width_of(text: str, size: float, *, is_bold: bool = False) -> float:
    """Return the width of a line in the unit of its size."""
    return sum(pdf_font(name).stringWidth(part, size) for name, part in spans(text, is_bold=is_bold))


def missing(texts: Iterable[str]) -> str:
    """Return the characters of texts that no font has, in the order of their code points."""
    chars = {char for text in texts for char in unicodedata.normalize("NFC", text) if char.isprintable()}
    return "".join(sorted(char for char in chars if not _name_of(char, False)))


@cache
def pdf_font(name: str) -> TTFont:
    """Return a font, registered for PDFs of reportlab under its name."""
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfbase.ttfonts import TTFont

    font = TTFont(name, BytesIO(_data(name)))
    registerFont(font)
    return font


@cache
def image_font(name: str, size: int) -> FreeTypeFont:
    """Return a font for pillow."""
    from PIL.ImageFont import Layout, truetype

    return truetype(BytesIO(_data(name)), size, layout_engine=Layout.BASIC)


def _names(is_bold: bool) -> list[str]:
    """Return the names of the fonts, the preferred one first."""
    return ["FiraGO-Bold" if is_bold else "FiraGO", *["IPAexGothic"] * (not extras.missing("japanese"))]


@cache
def _name_of(char: str, is_bold: bool) -> str:
    """Return the name of the first font that has a character; empty if none has."""
    first, *others = _names(is_bold)
    if char.isascii():
        return first
    if unicodedata.bidirectional(char) in _UNSHAPED:
        return ""
    return next((name for name in (first, *others) if ord(char) in pdf_font(name).face.charToGlyph), "")


@cache
def _data(name: str) -> bytes:
    """Return the file of a font."""
    if name == "IPAexGothic":
        found = find_spec(
            "matplotlib_fontja"
        )  # not imported: its import loads Matplotlib and changes its settings
        assert found is not None
        assert found.origin is not None
        return (Path(found.origin).parent / "fonts" / "ipaexg.ttf").read_bytes()
    from pymupdf_fonts import fontbuffers

    data: bytes = fontbuffers["figbo" if name == "FiraGO-Bold" else "figo"]()
    return data
