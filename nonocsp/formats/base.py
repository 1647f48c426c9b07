"""Describe a file format: its name, its suffixes, how to recognise it, and how to read and write it.

To add a format, write a module in ``nonocsp.formats.codecs`` with a tuple ``FORMATS`` and list it in
``nonocsp.formats.registry``. The registry does everything else once for all formats: gzip, standard input,
numbering, and refusing puzzles that a format cannot hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import BinaryIO, NamedTuple

from nonocsp.formats.source import Source
from nonocsp.model import Puzzle

Reader = Callable[[Source], Iterator[Puzzle]]
Writer = Callable[[Iterable[Puzzle], BinaryIO], None]


class Sureness(IntEnum):
    """How much the content of a file speaks for a format.

    ``NO``: something speaks against it. ``WEAK``: nothing does, but other texts look like that, too.
    ``STRONG``: the structure is that of the format. ``CERTAIN``: a mark that only this format has.
    """

    NO, WEAK, STRONG, CERTAIN = range(4)


class Evidence(NamedTuple):
    """What the content of a file says about a format."""

    sureness: Sureness
    """How much it speaks for the format."""
    why: str
    """The reason, as a phrase for people: ``"line 3 is 'ROWS'"``. Of `Sureness.NO`, what speaks against the
    format."""
    line: int = 0
    """The line that speaks against the format, 0 if there is none. If no format is recognised, the nearest
    one is that which agreed with the most lines."""


@dataclass(frozen=True, slots=True, eq=False)
class Format:
    """A file format."""

    name: str
    """As in ``format="nin"``."""
    suffixes: tuple[str, ...]
    """Lower case, with the dot; the first one is preferred. None if the format is only written by name."""
    summary: str
    """One line for help texts, naming the convention where there are several."""
    sniff: Callable[[bytes], Evidence]
    """What the first bytes of a file say about this format: at least `HEAD_BYTES` of them, or the whole file
    if it is shorter. Text comes in UTF-8."""
    read: Reader
    """Yields the puzzles of a source, lazily where the format allows; raises FormatError or PuzzleError."""
    write: Writer | None = None
    """Writes puzzles to a binary stream; None if the format is only read."""
    holds_many: bool = False
    holds_colours: bool = False
    """Whether a file can have several puzzles, and several colours."""
    is_asked_last: bool = False
    """Whether only files that no other format matches are of this one; `sniff` gets the whole file."""
    tells_axes: bool = True
    """Whether something in a file says which clues are those of the rows."""
    is_picture: bool = False
    """Whether a file is a drawing of the solution."""

    @property
    def can_write(self) -> bool:
        """Whether puzzles can be written in this format."""
        return self.write is not None


def text_writer(lines_of: Callable[[Puzzle], list[str]]) -> Writer:
    """Make the writer of a text format of the function that returns the lines of a puzzle."""

    def write(puzzles: Iterable[Puzzle], stream: BinaryIO) -> None:
        for puzzle in puzzles:
            stream.write(("\n".join(lines_of(puzzle)) + "\n").encode())

    return write
