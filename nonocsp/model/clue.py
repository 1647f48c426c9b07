"""Lines, blocks and clues: what is written beside a row or a column."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

from nonocsp.late import late
from nonocsp.late import numpy as np
from nonocsp.model.palette import Palette

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


_INT_BYTES = 4


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
    """The clues of all rows (or all columns) in flat arrays of int32, kept as their bytes.

    Line i has the blocks ``offsets[i]:offsets[i + 1]``; `lengths` and `colours` have one entry a block.
    """

    offset_bytes: bytes
    length_bytes: bytes
    colour_bytes: bytes

    @property
    def offsets(self) -> NDArray[np.int32]:
        """The first block of each line, and behind them the number of all blocks."""
        return np.frombuffer(self.offset_bytes, np.int32)

    @property
    def lengths(self) -> NDArray[np.int32]:
        """The length of each block."""
        return np.frombuffer(self.length_bytes, np.int32)

    @property
    def colours(self) -> NDArray[np.int32]:
        """The colour of each block."""
        return np.frombuffer(self.colour_bytes, np.int32)

    @property
    def line_count(self) -> int:
        """The number of clues."""
        return len(self.offset_bytes) // _INT_BYTES - 1

    @property
    def colours_used(self) -> set[int]:
        """The colours of all blocks."""
        return {*memoryview(self.colour_bytes).cast("i")}

    @classmethod
    def of_arrays(cls, *arrays: ArrayLike) -> FlatClues:
        """Return the clues that offsets, lengths and colours describe."""
        return cls(*(np.asarray(numbers, np.int32).tobytes() for numbers in arrays))

    @classmethod
    def of(cls, clues: Iterable[Clue]) -> FlatClues:
        """Flatten `clues`."""
        clues = tuple(clues)
        offsets = array("i", accumulate(map(len, clues), initial=0))
        numbers = array("i", chain.from_iterable(chain.from_iterable(clues)))
        return cls(offsets.tobytes(), numbers[::2].tobytes(), numbers[1::2].tobytes())

    @classmethod
    def of_numbers(cls, clues: object, *, pairs: bool = True) -> FlatClues | None:
        """Flatten lists or tuples of lengths, or of pairs of length and colour; None for anything else."""
        flat = late("engine.lines", "flat_clues")(clues, pairs)
        return cls(*flat) if flat else None

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
        return cls.of_arrays(offsets, lengths, colours[first])

    def pairs(self) -> list[list[tuple[int, int]]]:
        """Return length and colour of each block of each line."""
        offsets, lengths, colours = (memoryview(ints).cast("i") for ints in self)
        pairs = list(zip(lengths, colours, strict=True))
        return [pairs[a:b] for a, b in pairwise(offsets)]

    def clues(self) -> tuple[Clue, ...]:
        """Return the clues as objects."""
        lines = self.pairs()
        made = {pair: Block(*pair) for line in lines for pair in line}  # few: half the time, no garbage
        return tuple(Clue(map(made.__getitem__, line)) for line in lines)

    def differing_lines(self, other: FlatClues) -> list[int]:
        """Return the indices of the lines whose clues differ; both have the same number of lines."""
        if self == other:
            return []
        pairs = zip(self.clues(), other.clues(), strict=True)
        return [i for i, (mine, theirs) in enumerate(pairs) if mine != theirs]
