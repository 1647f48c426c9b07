"""Lines, blocks and clues: what is written beside a row or a column."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate, chain, pairwise
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nonocsp.late import late
from nonocsp.model.palette import Palette


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

    def named(self, palette: Palette) -> str:
        """Return the clue for people: lengths, with the names of their colours if the palette has several."""
        if palette.is_one_colour:
            return str(self)
        return " ".join(f"{length} {palette[colour].name}" for length, colour in self) or "0"

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
        offsets = np.array([0, *accumulate(map(len, clues))], np.int32)
        numbers = np.fromiter(chain.from_iterable(chain.from_iterable(clues)), np.int32)
        return cls(offsets, numbers[::2].copy(), numbers[1::2].copy())

    @classmethod
    def of_numbers(cls, clues: object, *, pairs: bool = True) -> FlatClues | None:
        """Flatten lists or tuples of lengths, or of pairs of length and colour; None for anything else."""
        arrays = late("engine.lines", "flat_clues")(clues, pairs)
        return cls(*(np.frombuffer(array, np.int32) for array in arrays)) if arrays else None

    @classmethod
    def of_cells(cls, cells: NDArray[np.uint8]) -> FlatClues:
        """Derive the clues of the rows of a full grid: the maximal runs of one colour other than 0."""
        lines, length = cells.shape
        flat = np.zeros(1 + lines * (length + 1), np.uint8)  # a background cell ends each line's last run
        flat[1:].reshape(lines, length + 1)[:, :length] = cells
        changes = (flat[1:] != flat[:-1]).nonzero()[0]
        colours = flat[1:][changes]
        (first,) = colours.nonzero()  # a change to a colour; the one after it ends the block
        starts = changes[first]
        lengths = changes[1:][first] - starts
        offsets = starts.searchsorted(np.arange(lines + 1) * (length + 1))
        return cls(offsets.astype(np.int32), lengths.astype(np.int32), colours[first].astype(np.int32))

    @property
    def min_lengths(self) -> NDArray[np.int64]:
        """`Clue.min_length` of every line, shape (lines,)."""
        needs = np.zeros(len(self.lengths) + 1, np.int64)  # before each block, counted from the first line
        needs[1:-1] = self.colours[1:] == self.colours[:-1]
        needs[self.offsets] = 0  # a line's first block touches nothing of that line
        needs[1:] += self.lengths
        before: NDArray[np.int64] = needs.cumsum()[self.offsets]
        return before[1:] - before[:-1]

    def clues(self) -> tuple[Clue, ...]:
        """Return the clues as objects."""
        pairs = list(zip(self.lengths.tolist(), self.colours.tolist(), strict=True))
        made = {pair: Block(*pair) for pair in set(pairs)}  # few different ones: half the time, no garbage
        blocks = [made[pair] for pair in pairs]
        return tuple(Clue(blocks[a:b]) for a, b in pairwise(self.offsets.tolist()))

    def differing_lines(self, other: FlatClues) -> list[int]:
        """Return the indices of the lines whose clues differ; both have the same number of lines."""
        if all(a.tobytes() == b.tobytes() for a, b in zip(self, other, strict=True)):
            return []
        pairs = zip(self.clues(), other.clues(), strict=True)
        return [i for i, (mine, theirs) in enumerate(pairs) if mine != theirs]
