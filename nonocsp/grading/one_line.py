"""One line by itself: what its clue leaves of its cells, where each block can be, and every possibility.

Functions nonovector, nonoblocks and pvector of Paddy McCarthy (Nonogram puzzle solver, 2014) do the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from string import ascii_uppercase
from typing import Any

import numpy as np

from nonocsp.engine.lines import COUNTLESS, Candidates, block_starts, placement_count, placements, settle
from nonocsp.model import UNKNOWN_CHAR, Clue, UsageError
from nonocsp.model.marks import MARKS, plain_marks

EMPTY = "."
LONGEST = 4096
"""Most cells of a line."""


@dataclass(frozen=True, slots=True)
class OneLine:
    """A line."""

    clue: Clue  # its blocks
    cells: Candidates  # candidate sets, uint64, shape (length,)
    chars: str  # a character for each colour, the background first

    @classmethod
    def read(cls, clue: str, cells: str) -> OneLine:
        """Return the line that is written like this; `nonocsp.model.marks` says which cells are open."""
        words = [word for word in re.split(r"[\s,]+", clue) if word]
        blocks = [re.fullmatch(r"([0-9]{1,6})([a-wyzA-WYZ]?)", word) for word in words]
        for word, block in zip(words, blocks, strict=True):
            if block is None:
                raise UsageError(
                    f"clue: {word!r} is not a length such as 3, nor a length and a colour such as 3r"
                )
        pairs = [(int(block[1]), block[2] or "#") for block in blocks if block and int(block[1])]
        if len(pairs) < len(words) and len(words) > 1:
            raise UsageError("clue: 0 stands alone, for a line without blocks")
        chars = EMPTY + ("".join(dict.fromkeys(letter for _, letter in pairs)) or "#")
        if not 1 <= len(cells) <= LONGEST:
            raise UsageError(f"a line has 1 to {LONGEST} cells, not {len(cells)}")
        sets = {letter: 1 << colour for colour, letter in enumerate(chars)}
        sets[UNKNOWN_CHAR] = 2 ** len(chars) - 1
        (plain,) = plain_marks([cells], chars)
        for place, char in enumerate(plain, start=1):
            if char not in sets:
                known = " ".join([*sets, *MARKS.replace(EMPTY, "").replace(" ", "")])
                raise UsageError(f"cell {place} is {char!r}; expected one of {known} or a blank")
        read = np.array([sets[char] for char in plain], np.uint64)
        return cls(Clue.of(*((length, chars.index(letter)) for length, letter in pairs)), read, chars)

    def settled(self) -> str | None:
        """Return what all possibilities have in common, one character a cell; None if there is none."""
        found = settle(self.clue, self.cells)
        if found is None:
            return None
        shown = {1 << colour: letter for colour, letter in enumerate(self.chars)}
        return "".join(shown.get(cell, UNKNOWN_CHAR) for cell in found.tolist())

    def possibilities(self) -> Iterator[str]:
        """Yield every way to fill the line, blocks as far to the left as possible first."""
        return self._drawn([self.chars[block.colour] for block in self.clue])

    def lettered(self) -> Iterator[str]:
        """Yield the same ways with a letter for each block, small and ``_`` in given cells: ``Aa_B.``."""
        is_given = np.bitwise_count(self.cells) == 1
        for line in self._drawn([ascii_uppercase[i % 26] for i in range(len(self.clue))]):
            marked = zip(line.lower().replace(EMPTY, "_"), line, is_given, strict=True)
            yield "".join(given if known else char for given, char, known in marked)

    def _drawn(self, letters: Sequence[str]) -> Iterator[str]:
        """Yield every way to fill the line, with the letter of each block in its cells."""
        for starts in placements(self.clue, self.cells):
            line = [EMPTY] * len(self.cells)
            for block, letter, start in zip(self.clue, letters, starts.tolist(), strict=True):
                line[start : start + block.length] = letter * block.length
            yield "".join(line)

    def count(self) -> int | None:
        """Return the number of possibilities; None if it needs more than 64 bits."""
        found = placement_count(self.clue, self.cells)
        return None if found == COUNTLESS else found

    def blocks(self) -> list[dict[str, Any]]:
        """Return length, colour and starts, counted from 1, of each block as plain JSON values."""
        starts = block_starts(self.clue, self.cells) or []
        return [
            {"length": block.length, "colour": self.chars[block.colour], "starts": (found + 1).tolist()}
            for block, found in zip(self.clue, starts, strict=False)
        ]


def ranges(numbers: list[int]) -> str:
    """Return sorted numbers for people: ``1 to 3, 7``."""
    breaks = [0, *(i for i, (a, b) in enumerate(pairwise(numbers), 1) if b > a + 1), len(numbers)]
    runs = [numbers[start:end] for start, end in pairwise(breaks)]
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)
