"""Grids, partial or full: for every cell the set of colours it may still have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nonocsp.model.errors import PuzzleError
from nonocsp.model.palette import BLACK_AND_WHITE, MAX_COLOURS, UNKNOWN_CHAR, Palette


@dataclass(frozen=True, eq=False, slots=True)
class Grid:
    """A candidate set per cell; a cell with one candidate is decided.

    Parameters
    ----------
    candidates
        uint64, shape (rows, columns), bit c set = colour c is possible. Kept as a read-only copy.
    """

    candidates: NDArray[np.uint64]

    def __post_init__(self) -> None:
        candidates = np.array(self.candidates, np.uint64, order="C")
        if candidates.ndim != 2:
            raise PuzzleError(f"a grid has two dimensions, not {candidates.ndim}")
        candidates.flags.writeable = False
        object.__setattr__(self, "candidates", candidates)

    def __reduce__(self) -> tuple[type[Grid], tuple[NDArray[np.uint64]]]:
        """Pickle so that a copy is as read-only as the original."""
        return Grid, (self.candidates,)

    @classmethod
    def of_array(cls, candidates: NDArray[np.uint64]) -> Grid:
        """Return the grid that keeps this array without a copy: two dimensions, in C order, read-only."""
        grid = object.__new__(cls)
        object.__setattr__(grid, "candidates", candidates)
        return grid

    @classmethod
    def from_cells(cls, cells: ArrayLike) -> Grid:
        """Return the full grid with these colours, shape (rows, columns)."""
        array = np.asarray(cells)
        if array.size and not 0 <= int(array.min()) <= int(array.max()) <= MAX_COLOURS:
            raise PuzzleError(f"cells hold colours 0 to {MAX_COLOURS}")
        return cls(np.uint64(1) << array.astype(np.uint64))

    @classmethod
    def unknown(cls, rows: int, columns: int, palette: Palette = BLACK_AND_WHITE) -> Grid:
        """Return the grid in which every cell may have every colour.

        Parameters
        ----------
        rows, columns
            Shape of the grid.
        palette
            The colours.
        """
        every = np.uint64(2 ** len(palette) - 1)
        return cls(np.full((rows, columns), every, np.uint64))

    @classmethod
    def from_strings(cls, lines: Sequence[str], palette: Palette = BLACK_AND_WHITE) -> Grid:
        """Return the grid that strings describe, one character for each cell.

        Parameters
        ----------
        lines
            One string for each row, all of one length. ``?`` is an unknown cell.
        palette
            Gives the character of each colour.

        Raises
        ------
        PuzzleError
            If a character is unknown or the strings differ in length.
        """
        text, known = "".join(lines), _characters(palette)
        if unknown := {*text}.difference(known):
            first = min(unknown, key=text.index)
            raise PuzzleError(f"unknown cell {first!r}; the palette has {palette.chars!r}")
        if len({len(line) for line in lines}) > 1:
            raise PuzzleError("the lines of a grid have different lengths")
        codes = text.translate({ord(char): code for code, char in enumerate(known)}).encode("latin-1")
        sets = [1 << code for code in range(len(palette))] + [2 ** len(palette) - 1]
        cells = np.array(sets, np.uint64)[np.frombuffer(codes, np.uint8)]
        return cls(cells.reshape(len(lines), len(lines[0]) if lines else 0))

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        rows, columns = self.candidates.shape
        return rows, columns

    @property
    def decided(self) -> NDArray[np.bool_]:
        """Which cells have exactly one candidate, shape (rows, columns)."""
        counts: NDArray[np.uint8] = np.bitwise_count(self.candidates)
        single: NDArray[np.bool_] = counts == 1
        return single

    @property
    def is_full(self) -> bool:
        """Whether every cell is decided."""
        return bool(self.decided.all())

    @property
    def unknown_cells(self) -> int:
        """The number of cells that are not decided."""
        return int(self.candidates.size - np.count_nonzero(self.decided))

    @property
    def cells(self) -> NDArray[np.uint8]:
        """The colours of a full grid, uint8, shape (rows, columns); ValueError if a cell is undecided."""
        if not self.is_full:
            raise ValueError(f"the grid is partial: {self.unknown_cells} cells are undecided")
        return self.colours(unknown=0)

    def colours(self, *, unknown: int) -> NDArray[np.uint8]:
        """Return the colour of every decided cell and `unknown` elsewhere, uint8, shape (rows, columns)."""
        single: NDArray[np.uint8] = np.bitwise_count(self.candidates - np.uint64(1))
        if not (decided := self.decided).all():
            single[~decided] = unknown
        return single

    def strings(self, palette: Palette = BLACK_AND_WHITE) -> list[str]:
        """Return one string a row, one character a cell, ``?`` where undecided."""
        codes = self.colours(unknown=len(palette)).tobytes().decode("latin-1")
        text = codes.translate(_characters(palette))
        rows, columns = self.shape
        return [text[row * columns : (row + 1) * columns] for row in range(rows)]

    def transposed(self) -> Grid:
        """Return the grid with rows and columns exchanged."""
        return Grid(self.candidates.T)

    def reflected(self, *, left_right: bool = False, top_bottom: bool = False) -> Grid:
        """Return the mirror image.

        Parameters
        ----------
        left_right
            Exchange left and right.
        top_bottom
            Exchange top and bottom.
        """
        return Grid(self.candidates[:: -1 if top_bottom else 1, :: -1 if left_right else 1])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grid) and np.array_equal(self.candidates, other.candidates)

    def __hash__(self) -> int:
        return hash((self.candidates.shape, self.candidates.tobytes()))


def differing_cells(grids: Sequence[Grid]) -> NDArray[np.bool_]:
    """Return where two of some grids differ, shape (rows, columns); at least one, all of one shape."""
    differ = np.zeros(grids[0].shape, bool)
    for other in grids[1:]:
        differ |= other.candidates != grids[0].candidates
    return differ


@lru_cache(maxsize=64)
def _characters(palette: Palette) -> str:
    """Return the character of each colour, and that of an undecided cell, for `str.translate`."""
    return palette.chars + UNKNOWN_CHAR
