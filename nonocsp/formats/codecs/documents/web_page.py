"""Saved pages of nonograms.org (nonograms.ru), and tables with clues around a grid in any page; in colour.

A page of nonograms.org has its puzzle as ``var d=[[...],...];``, a list of lists of four numbers that hide
the solution. Of four numbers a, b, c, m most hide ``a % m + b % m - c % m``: line 1 the width, 2 the height,
3 the number of colours. Line 4 hides the colours: line 5 + k, less line 4 in the order 1, 0, 3, has red,
green and blue of colour k. The line behind the colours has the number of runs as ``(a % m)**2 + 2 * (b % m) +
c % m``, and the line behind that what is added to each of the runs: first column, length, colour, row. So the
solution is known, and the clues follow.

Of other pages the tables are read: one that has clues around a grid, as `nonocsp.formats.layout` says, is a
puzzle; line breaks in a cell separate lengths. A page of webpbn.com that has neither is refused with the way
to its export. The title is that of the page.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser

from nonocsp.formats.base import Evidence, Format, Sureness
from nonocsp.formats.layout import check_cells, has_layout, puzzle_of
from nonocsp.formats.palettes import WHITE, Sketch, complete
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import with_short_references, without_references
from nonocsp.late import numpy as np
from nonocsp.model import MAX_COLOURS, MAX_LINES, Grid, Puzzle, bounds

_MAX_CHARACTERS = 2 << 20
_MAX_TABLE_CHARACTERS = 1 << 18
"""Of a page whose tables are looked at: parsing damaged HTML may take quadratic time."""
_CIPHER = re.compile(r"var\s+d\s*=\s*(\[\[[-0-9,\[\]\s]*\]\])")
_TITLE = re.compile(r"<title[^>]{0,99}>([^<]{0,300})</title>", re.IGNORECASE)
_PAGE = re.compile(
    rb"\s*(<!doctype html|<html|<\?xml[^>]{0,99}>\s*<!doctype html|<table|<!--)", re.IGNORECASE
)

_Numbers = Sequence[int]


def sniff(head: bytes) -> Evidence:
    """Say whether the text is HTML, and whether it has the puzzle of nonograms.org."""
    text = head.removeprefix(b"\xef\xbb\xbf")
    if b"var d=[[" in text:
        return Evidence(Sureness.CERTAIN, "it has the puzzle of nonograms.org, var d=[[")
    if _PAGE.match(text):
        return Evidence(Sureness.STRONG, "it is a page in HTML")
    return Evidence(Sureness.NO, "it is no page in HTML", 1)


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the puzzle of a page of nonograms.org, or that of each table."""
    text = source.text()
    if len(text) > _MAX_CHARACTERS:
        raise source.error("the page is too large", expected=f"at most {_MAX_CHARACTERS} characters")
    if cipher := _CIPHER.search(text):
        line = text.count("\n", 0, cipher.start()) + 1
        try:
            yield _deciphered(json.loads(cipher[1]), _title(text))
        except (ValueError, TypeError, IndexError, ZeroDivisionError, RecursionError):
            expected = "what pages of nonograms.org have there"
            raise source.error("var d hides no puzzle", line=line, expected=expected) from None
        return
    if len(text) > _MAX_TABLE_CHARACTERS:
        expected = f"at most {_MAX_TABLE_CHARACTERS} characters, or var d=[[...]] of nonograms.org"
        raise source.error("the page is too large to look at its tables", expected=expected)
    parser = _Tables()
    try:
        parser.feed(with_short_references(text))
    except AssertionError:  # how Python's parser ends at "<![" without a name
        raise source.error("a declaration <![ without a name", expected="a page in HTML") from None
    check_cells(source, parser.tables)
    tables = [table for table in parser.tables if has_layout(table)]
    for table in tables:
        yield puzzle_of(source, table)
    if not tables:
        is_webpbn = "webpbn.com" in text or "Web Paint-by-Number" in text
        expected = "a table with clues around a grid, or a saved page of nonograms.org"
        if is_webpbn:
            expected = "the puzzle as XML or .non from https://webpbn.com/export.cgi; its pages hold none"
        raise source.error("no puzzle in the page", expected=expected)


class _Tables(HTMLParser):
    """Collects the texts of the cells of all tables, nested ones on their own."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[list[list[str]]] = []
        self.open: list[list[list[str]]] = []
        self.pieces: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        """Open a table, a row or a cell; a line break separates."""
        if tag == "table":
            self._end_cell()
            self.open.append([])
            self.tables.append(self.open[-1])
        elif tag == "tr" and self.open:
            self._end_cell()
            self.open[-1].append([])
        elif tag in ("td", "th") and self.open and self.open[-1]:
            self._end_cell()
            self.pieces = []
        elif tag in ("br", "div", "p", "li") and self.pieces is not None:
            self.pieces.append(" ")

    def handle_endtag(self, tag: str) -> None:
        """Close a table, a row or a cell."""
        if tag in ("td", "th", "tr", "table"):
            self._end_cell()
        if tag == "table" and self.open:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        """Add text to the open cell."""
        if self.pieces is not None:
            self.pieces.append(data)

    def _end_cell(self) -> None:
        if self.pieces is not None and self.open and self.open[-1]:
            self.open[-1][-1].append(" ".join("".join(self.pieces).split()))
        self.pieces = None


def _title(text: str) -> str:
    found = _TITLE.search(text)
    return " ".join(without_references(found[1]).split()) if found else ""


def _hidden(numbers: _Numbers) -> int:
    """Return the number that four numbers hide."""
    a, b, c, m = numbers
    return a % m + b % m - c % m


def _deciphered(lines: Sequence[_Numbers], title: str) -> Puzzle:
    """Return the puzzle that ``var d`` hides; ValueError, IndexError and so on if it hides none."""
    width, height, colours = (_hidden(lines[i]) for i in (1, 2, 3))
    if not (1 <= width <= MAX_LINES and 1 <= height <= MAX_LINES and 1 <= colours <= MAX_COLOURS):
        raise ValueError
    if width * height > bounds.IMAGE_PIXELS:  # of a few characters
        raise ValueError
    base = lines[4]
    inks = []
    for line in lines[5 : 5 + colours]:
        rgb = [line[0] - base[1], line[1] - base[0], line[2] - base[3]]
        if not all(0 <= value < 256 for value in rgb):
            raise ValueError
        inks.append(Sketch(rgb="#" + bytes(rgb).hex()))
    a, b, c, m = lines[5 + colours]
    added = lines[6 + colours]
    count = (a % m) ** 2 + 2 * (b % m) + c % m
    cells = np.zeros((height, width), np.uint8)
    runs = lines[7 + colours : 7 + colours + count]
    for run in runs:
        first, length, colour, row = (number - less for number, less in zip(run, added, strict=True))
        inside = first >= 1 and length >= 1 and first + length - 1 <= width and 1 <= row <= height
        if not inside or not 1 <= colour <= colours:
            raise ValueError
        cells[row - 1, first - 1 : first - 1 + length] = colour
    if len(runs) != count:
        raise ValueError
    palette = complete([Sketch(rgb=WHITE.rgb), *inks])
    return Puzzle.from_grid(Grid.from_cells(cells), palette=palette, title=title)


_SUMMARY = "a saved page of nonograms.org, or a table with the clues around a grid in HTML"
FORMATS = (Format("web-page", (".html", ".htm"), _SUMMARY, sniff, read, holds_many=True, holds_colours=True),)
