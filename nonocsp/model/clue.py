"""Lines, blocks and clues: what is written beside a row or a column."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, pairwise
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Line(NamedTuple):
    """A row or a column; prints as people count, ``row 1`` first."""

    axis: Literal["row", "column"]
    position: int

    def __str__(self) -> str:
        return f"{self.axis} {self.position + 1}"


class Block(NamedTuple):
    """A run of `length` cells of one `colour` (an index into the palette)."""

    length: int
    colour: int = 1

    def __str__(self) -> str:
        return str(self.length) if self.colour == 1 else f"{self.length}:{self.colour}"


class Clue(tuple[Block, ...]):
    """The ordered blocks of a line; empty for a line of background only."""

    __slots__ = ()

    @classmethod
    def of(cls, *blocks: int | tuple[int, int]) -> Clue:
        """Return a clue from lengths (colour 1) and (length, colour) pairs."""
        return cls(Block(block) if isinstance(block, int) else Block(*block) for block in blocks)

    @property
    def min_length(self) -> int:
        """Cells that the clue needs: its blocks, and one background cell between two of one colour."""
        touching = sum(a.colour == b.colour for a, b in pairwise(self))
        return sum(block.length for block in self) + touching

    def reversed(self) -> Clue:
        """Return the clue of the line read backwards."""
        return Clue(self[::-1])

    def __str__(self) -> str:
        return " ".join(map(str, self)) or "0"


class FlatClues(NamedTuple):
    """The clues of all rows (or all columns) in flat arrays.

    Line i has the blocks ``offsets[i]:offsets[i + 1]``; `lengths` and `colours` have one entry a block.
    All arrays are int32.
    """

    offsets: NDArray[np.int32]
    lengths: NDArray[np.int32]
    colours: NDArray[np.int32]

    @classmethod
    def of(cls, clues: Iterable[Clue]) -> FlatClues:
        """Flatten `clues`."""
        clues = tuple(clues)
        offsets = np.zeros(len(clues) + 1, np.int32)
        np.cumsum([len(clue) for clue in clues], out=offsets[1:])
        numbers = np.fromiter(chain.from_iterable(chain.from_iterable(clues)), np.int32)
        return cls(offsets, numbers[::2].copy(), numbers[1::2].copy())

    @classmethod
    def of_cells(cls, cells: NDArray[np.uint8]) -> FlatClues:
        """Derive the clues of the rows of a full grid: the maximal runs of one colour other than 0.

        Parameters
        ----------
        cells
            Colours, shape (lines, length).
        """
        lines, length = cells.shape
        padded = np.zeros((lines, length + 1), np.uint8)  # a background cell ends each line's last run
        padded[:, :length] = cells
        flat = padded.ravel()
        changes = np.flatnonzero(np.diff(flat, prepend=np.uint8(0)))
        starts = changes[flat[changes] != 0]
        ends = changes[np.searchsorted(changes, starts) + 1]
        offsets = np.searchsorted(starts, np.arange(lines + 1) * (length + 1)).astype(np.int32)
        return cls(offsets, (ends - starts).astype(np.int32), flat[starts].astype(np.int32))

    @property
    def min_lengths(self) -> NDArray[np.int64]:
        """`Clue.min_length` of every line, shape (lines,)."""
        needs = np.zeros(len(self.lengths) + 1, np.int64)  # before each block, counted from the first line
        np.cumsum(self.lengths, out=needs[1:])
        touching = np.zeros(len(self.lengths) + 1, np.int64)
        touching[1:-1] = self.colours[1:] == self.colours[:-1]
        touching[self.offsets] = 0  # a line's first block touches nothing of that line
        return np.diff((needs + np.cumsum(touching))[self.offsets])

    def clues(self) -> tuple[Clue, ...]:
        """Return the clues as objects."""
        blocks = [Block(*pair) for pair in zip(self.lengths.tolist(), self.colours.tolist(), strict=True)]
        return tuple(Clue(blocks[a:b]) for a, b in pairwise(self.offsets.tolist()))

    def differing_lines(self, other: FlatClues) -> list[int]:
        """Return the indices of the lines whose clues differ; both have the same number of lines."""
        if all(np.array_equal(a, b) for a, b in zip(self, other, strict=True)):
            return []
        pairs = zip(self.clues(), other.clues(), strict=True)
        return [i for i, (mine, theirs) in enumerate(pairs) if mine != theirs]
