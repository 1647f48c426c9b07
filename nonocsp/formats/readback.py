"""Compare what was written with what was meant, before anyone relies on the file.

A writer's puzzles pass through a `Ledger`, which notes a digest of everything that each puzzle has. The
file is then read back, puzzle by puzzle, and compared. Other clues are always an error. What a format has no
place for, such as a title or the goal, is an error, too, unless the user allows losses, which are then named.
Memory stays constant: the digests of a large set lie in a temporary file.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from tempfile import SpooledTemporaryFile

from nonocsp.formats.base import Format
from nonocsp.formats.palettes import colour_names
from nonocsp.formats.source import open_source
from nonocsp.late import numpy as np
from nonocsp.model import NonocspError, Palette, Puzzle, UsageError

_ASPECTS = ("clues", "colours", "names of colours", "title", "author", "licence", "source", "goal")
"""What a puzzle has, besides the characters that draw its colours."""
_RECORD = struct.Struct("16s" * len(_ASPECTS))
_NOTHING = bytes(16)
_SPOOLED = 1 << 20
"""Bytes of digests that are kept in memory."""


class Ledger:
    """The digests of the puzzles that pass through, to compare them with what was written."""

    def __init__(self, puzzles: Iterable[Puzzle]) -> None:
        self._puzzles = puzzles
        self._shapes: set[tuple[int, int]] = set()
        self._records = SpooledTemporaryFile(_SPOOLED)  # noqa: SIM115  (closed by __exit__)

    def __iter__(self) -> Iterator[Puzzle]:
        for puzzle in self._puzzles:
            self._records.write(_RECORD.pack(*_digests(puzzle)))
            if len(self._shapes) < 2:
                self._shapes.add(puzzle.shape)
            yield puzzle

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self._records.close()

    def losses(self, path: Path, format: Format, *, lossy: bool) -> list[str]:
        """Return what the puzzles of a file lack."""
        try:
            return self._compared(path, format, None, lossy=lossy)
        except NonocspError as error:
            if lossy and len(self._shapes) == 1:
                (shape,) = self._shapes
                with suppress(NonocspError):
                    lost = self._compared(path, format, shape, lossy=lossy)
                    return [*lost, f"size (read it with --size {shape[0]}x{shape[1]})"]
            raise self._other(format, error) from None

    def _compared(
        self, path: Path, format: Format, size: tuple[int, int] | None, *, lossy: bool
    ) -> list[str]:
        self._records.seek(0)
        lost: dict[str, None] = {}
        number = 0
        with open_source(path, size) as opened:
            source = opened.quietly()
            for number, puzzle in enumerate(format.read(source), start=1):
                source.next_puzzle()
                record = self._records.read(_RECORD.size)
                meant = _RECORD.unpack(record) if record else ()
                found = _digests(puzzle)
                if not meant or meant[0] != found[0]:
                    raise UsageError(f"puzzle {number} would be another one when it is read")
                pairs = zip(_ASPECTS, meant, found, strict=True)
                lost |= dict.fromkeys(name for name, a, b in pairs if a not in (b, _NOTHING))
                if lost and not lossy:
                    which = f" of puzzle {number}" if number > 1 else ""
                    raise UsageError(f"{format.name} has no place for the {listed(lost)}{which}")
        if self._records.read(1):
            raise UsageError(f"only {number} puzzles would be read")
        return list(lost)

    def _other(self, format: Format, error: NonocspError) -> UsageError:
        """Return the error for a file that does not hold what was meant."""
        if isinstance(error, UsageError) and "has no place" in str(error):
            return UsageError(f"{error}; --lossy writes it without, json keeps it")
        message = error if isinstance(error, UsageError) else getattr(error, "message", error)
        return UsageError(f"{format.name} cannot keep this: {message}; json keeps everything")


def listed(names: Iterable[str]) -> str:
    """Return names as a phrase: ``"title, author and goal"``."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _digests(puzzle: Puzzle) -> list[bytes]:
    """Return a digest for each of `_ASPECTS`; zeros for what a puzzle does not have.

    Colours are numbered as they first appear in the clues, so the order of a palette does not count, nor do
    colours that no clue has. A name says nothing if it is the colour's RGB value, or the name that the colour
    would get without one.
    """
    colours = np.concatenate([puzzle.flat_rows.colours, puzzle.flat_columns.colours])
    used, first = np.unique(colours, return_index=True)
    inks = used[np.argsort(first)].tolist()
    palette = puzzle.palette
    plain = _plain_names(palette)
    names = ["" if palette[ink].name in (palette[ink].rgb, plain[ink]) else palette[ink].name for ink in inks]
    goal = b""
    if puzzle.goal is not None:
        number = np.zeros(len(palette), np.uint8)
        number[inks] = np.arange(1, len(inks) + 1)
        goal = number[puzzle.goal.cells].tobytes()
    texts = (puzzle.title, puzzle.author, puzzle.licence, puzzle.source)
    return [
        bytes.fromhex(puzzle.canonical_hash)[:16],
        _digest(" ".join(palette[ink].rgb for ink in (0, *inks)).encode()),
        _digest("\0".join(names).encode() if any(names) else b""),
        *(_digest(text.encode("utf-8", "surrogatepass")) for text in texts),
        _digest(goal),
    ]


@lru_cache
def _plain_names(palette: Palette) -> list[str]:
    return colour_names([colour.rgb for colour in palette.colours])


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest() if data else _NOTHING
