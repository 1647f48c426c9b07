"""Store the grids of a campaign as pictures for the page: each distinct one once, a few bits a cell.

A picture takes as many bits a cell as its characters need, packed row by row from the highest bit on, and
stands on the page in base64. Pictures beyond `MAX_BYTES` in all are left out and counted.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonocsp.model import UNKNOWN_CHAR, Palette
from nonocsp.model.palette import MAX_COLOURS

MAX_BYTES = 8 * 2**20

_DEFAULT = {colour.char: colour.rgb for colour in Palette.of(MAX_COLOURS).colours}
_STRANGE = "#808080"
"""A character that no palette explains."""

Alphabet = tuple[str, ...]


class Album:
    """Collects pictures, at most `max_bytes` when packed, and numbers those of each puzzle from 0."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self.left_out = 0
        self._room = max_bytes
        self._number_of: dict[tuple[int, str], int | None] = {}
        self._pictures: dict[int, list[tuple[int, str]]] = {}
        self._inks: dict[tuple[Alphabet, tuple[str, ...]], int] = {}

    def add(self, puzzle: int, lines: Sequence[str], colours: Mapping[str, str]) -> int | None:
        """Return the number of a grid's picture among those of its puzzle; None if there is no room."""
        text = "".join(lines)
        if (puzzle, text) in self._number_of:
            return self._number_of[puzzle, text]
        alphabet = tuple(sorted(set(text) | {"."}))
        codes = np.searchsorted(_points("".join(alphabet)), _points(text)).astype(np.uint8)
        places = np.arange(_bits(alphabet) - 1, -1, -1, dtype=np.uint8)
        block = np.packbits((codes[:, None] >> places & 1).ravel())
        if len(block) > self._room:
            self.left_out += 1
            self._number_of[puzzle, text] = None
            return None
        self._room -= len(block)
        known = {**_DEFAULT, **colours, UNKNOWN_CHAR: ""}  # the page draws an unknown cell in its own way
        rgb = tuple(known.get(char, _STRANGE) for char in alphabet)
        own = self._pictures.setdefault(puzzle, [])
        self._number_of[puzzle, text] = number = len(own)
        own.append(
            (
                self._inks.setdefault((alphabet, rgb), len(self._inks)),
                base64.b64encode(block.tobytes()).decode(),
            )
        )
        return number

    def columns(self, puzzles: int) -> dict[str, list[Any]]:
        """Return for each puzzle the cells of its pictures, and the inks that they are written in."""
        own = [self._pictures.get(puzzle, []) for puzzle in range(puzzles)]
        return {
            "pictures": [[cells for _, cells in pictures] for pictures in own],
            "inks": [[ink for ink, _ in pictures] for pictures in own],
        }

    def inks(self) -> list[dict[str, Any]]:
        """Return the alphabets that pictures are written in: bits a cell, characters, and their colours."""
        return [
            {"bits": _bits(alphabet), "chars": "".join(alphabet), "colours": list(colours)}
            for alphabet, colours in self._inks
        ]


def _points(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le"), np.uint32)


def _bits(alphabet: Alphabet) -> int:
    return max(1, (len(alphabet) - 1).bit_length())
