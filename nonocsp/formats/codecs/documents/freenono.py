"""The ``.nonogram`` files of FreeNono: XML with the solutions of puzzles, from which clues are derived.

::

    <FreeNono><Nonograms>
    <Nonogram name="Cross" author="Ada" desc="" difficulty="0" width="3" height="2">
    <line> _ x _ </line>
    <line> x x x </line>
    </Nonogram>
    </Nonograms></FreeNono>

``x`` is a filled cell and ``_`` an empty one, between blanks; there is one colour. A file may hold several
puzzles and is read lazily. ``name`` is the title; description, difficulty and level are dropped. Entities are
refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from nonocsp.formats.base import Evidence, Format, Sureness
from nonocsp.formats.elements import Element, elements
from nonocsp.formats.source import Source
from nonocsp.formats.text_lines import parse_size, shortened
from nonocsp.late import numpy as np
from nonocsp.model import Grid, Puzzle, UsageError

_EMPTY, _FILLED = "_", "x"
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<FreeNono>\n<Nonograms>\n'


def sniff(head: bytes) -> Evidence:
    """Say whether the head is XML with an element of FreeNono."""
    if not head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
        return Evidence(Sureness.NO, "it does not start with <", 1)
    for mark in (b"<FreeNono", b"<Nonogram"):
        if mark in head:
            return Evidence(Sureness.CERTAIN, f"it has the element {mark.decode()}>")
    return Evidence(Sureness.NO, "no element <FreeNono> or <Nonogram>", 1)


def read(source: Source) -> Iterator[Puzzle]:
    """Yield the puzzles as their elements are closed."""
    for element in elements(source, "Nonogram"):
        shape = [
            parse_size(source, element.line, element.attributes.get(what, ""), what)
            for what in ("height", "width")
        ]
        rows = [(line.line, line.text.split()) for line in element.all("line")]
        if len(rows) != shape[0]:
            expected = f"{shape[0]}, as height says"
            raise source.error(f"{len(rows)} lines", line=element.line, expected=expected)
        for number, cells in rows:
            wrong = next((cell for cell in cells if cell not in (_EMPTY, _FILLED)), "")
            if wrong or len(cells) != shape[1]:
                message = f"{shortened(wrong)} is no cell" if wrong else f"{len(cells)} cells"
                expected = f"{shape[1]} cells, as width says: x or _ between blanks"
                raise source.error(message, line=number, expected=expected)
        grid = Grid.from_cells(np.array([cells for _, cells in rows]) == _FILLED)
        yield Puzzle.from_grid(grid, title=_text(element, "name"), author=_text(element, "author"))


def write(puzzles: Iterable[Puzzle], stream: BinaryIO) -> None:
    """Write the goals."""
    from xml.sax.saxutils import quoteattr

    stream.write(_HEAD.encode())
    for puzzle in puzzles:
        if puzzle.goal is None:
            message = "FreeNono keeps solutions and this puzzle has none; write json, or solve it first"
            raise UsageError(message)
        height, width = puzzle.shape
        texts = {"name": puzzle.title, "author": puzzle.author, "desc": "", "difficulty": "0"}
        sizes = {"height": str(height), "width": str(width)}
        pairs = (texts | sizes).items()
        attributes = " ".join(f"{key}={quoteattr(_printable(text))}" for key, text in pairs)
        cells = np.where(puzzle.goal.cells == 0, _EMPTY, _FILLED)
        lines = "".join(f"<line> {' '.join(row)} </line>\n" for row in cells)
        stream.write(f"<Nonogram {attributes}>\n{lines}</Nonogram>\n".encode())
    stream.write(b"</Nonograms>\n</FreeNono>\n")


def _text(element: Element, key: str) -> str:
    return element.attributes.get(key, "").strip()


def _printable(text: str) -> str:
    """Return the text on one line, without what XML cannot say."""
    return "".join(char if char.isprintable() else "\ufffd" for char in " ".join(text.split()))


_SUMMARY = "FreeNono's XML: solutions of x and _, several puzzles a file"
FORMATS = (Format("freenono", (".nonogram",), _SUMMARY, sniff, read, write, holds_many=True),)
