"""Describe a file format: its name, its suffixes, how to recognise it, and how to read and write it.

To add a format, write a module in ``nonocsp.formats.codecs`` with a tuple ``FORMATS`` and list it in
``nonocsp.formats.registry``. The registry does everything else once for all formats: gzip, standard input,
numbering, and refusing puzzles that a format cannot hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from nonocsp.formats.source import Source
from nonocsp.model import Puzzle

Reader = Callable[[Source], Iterator[Puzzle]]
Writer = Callable[[Iterable[Puzzle], BinaryIO], None]


@dataclass(frozen=True, slots=True)
class Format:
    """A file format.

    Parameters
    ----------
    name
        As in ``format="nin"``.
    suffixes
        Lower case, with the dot; the first one is preferred. None if the format is only written by name.
    summary
        One line for help texts, naming the convention where there are several.
    sniff
        Whether a file that starts with these bytes is in this format.
    read
        Yields the puzzles of a source, lazily where the format allows; raises FormatError or PuzzleError.
    write
        Writes puzzles to a binary stream; None if the format is only read.
    holds_many, holds_colours
        Whether a file can have several puzzles, and several colours.
    """

    name: str
    suffixes: tuple[str, ...]
    summary: str
    sniff: Callable[[bytes], bool]
    read: Reader
    write: Writer | None = None
    holds_many: bool = False
    holds_colours: bool = False

    @property
    def can_write(self) -> bool:
        """Whether puzzles can be written in this format."""
        return self.write is not None
