"""Grids, partial or full: for every cell the set of colours it may still have.

To NumPy a full grid is the array of its colours. A partial grid is none: its undecided cells have no colour.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from nonocsp.late import numpy as np
from nonocsp.late import shown
from nonocsp.model.errors import PuzzleError
from nonocsp.model.numbers import cells_of
from nonocsp.model.palette import BLACK_AND_WHITE, UNKNOWN_CHAR, Palette

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, DTypeLike, NDArray


class Grid:
    """A candidate set per cell; a cell with one candidate is decided.

    ``np.asarray(grid)`` is `cells`. ``grid == other`` compares two grids, or a full grid with an array or
    nested lists of colours, as a whole: the result is True or False. ``np.asarray(grid) == other`` compares
    cell by cell.

    Parameters
    ----------
    candidates
        uint64, shape (rows, columns), bit c set = colour c is possible. A copy of their bytes is kept.
    """

    __slots__ = ("_bytes", "_shape")

    __array_priority__: ClassVar[float] = 1.0
    """Lets ``array == grid`` be ``grid == array``."""

    def __init__(self, candidates: NDArray[np.uint64]) -> None:
        array = np.asarray(candidates, np.uint64)
        if array.ndim != 2:
            raise PuzzleError(f"a grid has two dimensions, not {array.ndim}")
        self._bytes: bytes = array.tobytes()
        self._shape: tuple[int, int] = array.shape

    def __reduce__(self) -> tuple[Any, ...]:
        return Grid.of_bytes, (self._bytes, self._shape)

    @classmethod
    def of_bytes(cls, candidates: bytes, shape: tuple[int, int]) -> Grid:
        """Return the grid whose candidates are these 64-bit words, row by row."""
        grid = object.__new__(cls)
        grid._bytes, grid._shape = candidates, shape
        return grid

    @property
    def candidates(self) -> NDArray[np.uint64]:
        """The candidate sets, shape (rows, columns), read-only."""
        return np.frombuffer(self._bytes, np.uint64).reshape(self._shape)

    @classmethod
    def from_cells(
        cls, cells: ArrayLike, *, unknown: int | None = None, palette: Palette = BLACK_AND_WHITE
    ) -> Grid:
        """Return the grid with these colours; the inverse of `cells` and of `colours`.

        Parameters
        ----------
        cells
            The number of each cell's colour, shape (rows, columns); 0 is the background.
        unknown
            A value that stands for an undecided cell, such as 255; None: the grid is full.
        palette
            The colours that an undecided cell may have.

        Raises
        ------
        PuzzleError
            For anything but whole numbers in two dimensions, or a colour above 63.
        """
        array = cells_of(cells, unknown=unknown)
        if unknown is None:
            return cls(np.uint64(1) << array.astype(np.uint64))
        is_open = array == unknown
        colours = np.where(is_open, 0, array).astype(np.uint64)
        return cls(np.where(is_open, np.uint64(2 ** len(palette) - 1), np.uint64(1) << colours))

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
        return self._shape

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
            raise ValueError(
                f"the grid is partial, {self.unknown_cells} cells are undecided; Grid.colours(unknown=255) "
                "gives them a number, and Grid.candidates has the colours that each may have"
            )
        return self.colours(unknown=0)

    def colours(self, *, unknown: int) -> NDArray[np.uint8]:
        """Return the colour of every decided cell and `unknown` elsewhere, uint8, shape (rows, columns)."""
        single: NDArray[np.uint8] = np.bitwise_count(self.candidates - np.uint64(1))
        if not (decided := self.decided).all():
            single[~decided] = unknown
        return single

    def strings(self, palette: Palette = BLACK_AND_WHITE) -> list[str]:
        """Return one string a row, one character a cell, ``?`` where undecided."""
        if table := _ascii_of_sets(palette):
            text = self._bytes[_LOWEST::8].translate(table).decode()
        else:
            cells = memoryview(self._bytes).cast("Q")
            text = "".join(map(_characters_of_sets(palette).__getitem__, cells))
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

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """Return `cells`; ValueError for a partial grid."""
        if copy is False:
            raise ValueError("an array of the cells is always a copy")
        cells = self.cells
        return cells if dtype is None else cells.astype(dtype)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Grid):
            return self._shape == other._shape and self._bytes == other._bytes
        if type(other).__hash__ is not None:  # what is equal would need the same hash
            return NotImplemented
        if not (isinstance(other, list) or hasattr(other, "__array__")) or not self.is_full:
            return False
        try:
            return np.array_equal(self.cells, cells_of(other))
        except PuzzleError:
            return False

    def __hash__(self) -> int:
        return hash((self._shape, self._bytes))

    def __str__(self) -> str:
        """Return the rows as text, in the characters of a palette with as many colours as there are."""
        return "\n".join(self.strings(self._palette))

    def __repr__(self) -> str:
        rows, columns = self.shape
        if self.candidates.size > _MOST_IN_REPR:
            state = "full" if self.is_full else f"{self.unknown_cells} cells undecided"
            return f"<Grid {rows}x{columns}, {state}>"
        palette = "" if self._palette.is_one_colour else f", Palette.of({len(self._palette) - 1})"
        return f"Grid.from_strings({str(self).splitlines()}{palette})"

    def _repr_svg_(self) -> str:
        """Return the picture that a notebook shows."""
        return shown("grid_svg", self, self._palette)

    @property
    def _palette(self) -> Palette:
        """A palette that has all colours of the grid; their names and looks are not the puzzle's."""
        highest = int(self.candidates.max(initial=0)).bit_length() - 1
        return Palette.of(max(1, highest))


_LOWEST = 0 if sys.byteorder == "little" else 7
"""Where the lowest byte of a 64-bit word stands."""
_MOST_IN_REPR = 1024
"""Cells of a grid that `repr` shows."""


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


class _CharacterOfSet(dict[int, str]):
    """The character of each set of one colour; any other set is an undecided cell."""

    def __missing__(self, _: int) -> str:
        return UNKNOWN_CHAR


@lru_cache(maxsize=64)
def _characters_of_sets(palette: Palette) -> _CharacterOfSet:
    return _CharacterOfSet((1 << code, char) for code, char in enumerate(palette.chars))


@lru_cache(maxsize=64)
def _ascii_of_sets(palette: Palette) -> bytes:
    """Return the character of each set of at most 8 colours, for `bytes.translate`; nothing for others."""
    few = palette.chars.isascii() and len(palette) <= 8
    return "".join(map(_characters_of_sets(palette).__getitem__, range(256))).encode() if few else b""
