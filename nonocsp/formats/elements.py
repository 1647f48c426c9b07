"""Read the elements of XML one by one, each with the line that it starts in.

Files are not trusted: defusedxml forbids entities, and a DTD that a DOCTYPE names is never fetched.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from nonocsp.formats.source import Source
from nonocsp.model import bounds

_PIECE = 1 << 16
"""Characters that the parser is given at a time."""


@dataclass(slots=True)
class Element:
    """An element with the line it starts in."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text directly inside, stripped."""
        return "".join(self.pieces).strip()

    def all(self, tag: str) -> list[Element]:
        """Return the children with a tag."""
        return [child for child in self.children if child.tag == tag]

    def first_text(self, tag: str) -> str:
        """Return the text of the first child with a tag, or nothing."""
        return next((child.text for child in self.all(tag)), "")


def elements(source: Source, *tags: str) -> Iterator[Element]:
    """Yield the outermost elements with some tags as they are closed; others outside are not kept."""
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser, ParseError

    builder = _Builder(source, tags)
    parser: Any = DefusedXMLParser(target=builder)
    try:
        builder.position = parser.parser
        for piece in _pieces(source):
            parser.feed(piece)
            yield from builder.finished
            builder.finished.clear()
        parser.close()
        yield from builder.finished  # newer parsers wait for more after a token that was cut
    except ParseError as error:
        line, column = error.position
        message = str(error).partition(":")[0]
        raise source.error(message, line=line, column=column + 1, expected="well-formed XML") from None
    except DefusedXmlException as error:
        message = f"the file declares an entity ({type(error).__name__})"
        expected = "a file without entities of its own"
        raise source.error(message, line=builder.line, expected=expected) from None


def _pieces(source: Source) -> Iterator[str]:
    """Yield the text in pieces of whole lines: the parser starts a long comment again with each piece."""
    lines, size = list[str](), 0
    for _, text in source.lines(longest=bounds.FILE_BYTES):
        lines.append(text)
        size += len(text) + 1
        if size > _PIECE:
            yield "\n".join([*lines, ""])
            lines, size = [], 0
    yield "\n".join([*lines, ""])


class _Builder:
    """Target of the XML parser: keeps the open elements and the wanted ones that were closed."""

    def __init__(self, source: Source, tags: tuple[str, ...]) -> None:
        self.source = source
        self.tags = tags
        self.position: Any = None
        self.count = 0
        self.open: list[Element] = []
        self.finished: list[Element] = []

    @property
    def line(self) -> int:
        """The line that the parser is at."""
        return int(self.position.CurrentLineNumber)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Open an element."""
        self.count += 1
        if self.count > bounds.XML_ELEMENTS or len(self.open) > bounds.XML_DEPTH:
            expected = f"at most {bounds.XML_ELEMENTS} elements, {bounds.XML_DEPTH} deep"
            raise self.source.error("too much for one puzzle", line=self.line, expected=expected)
        self.open.append(Element(tag, attributes, self.line))

    def data(self, text: str) -> None:
        """Add text to the innermost element."""
        if self.open:
            self.open[-1].pieces.append(text)

    def end(self, tag: str) -> None:
        """Close the innermost element."""
        element = self.open.pop()
        if any(outer.tag in self.tags for outer in self.open):
            self.open[-1].children.append(element)
        elif tag in self.tags:
            self.finished.append(element)
            self.count = 0

    def close(self) -> None:
        """End the document; nothing is left to do."""
