"""Read clues and cells from lists and NumPy arrays; an error names the line or the cell at fault."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import dropwhile
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

from nonocsp.late import numpy as np
from nonocsp.model.clue import Block, Clue, Line
from nonocsp.model.errors import PuzzleError
from nonocsp.model.palette import MAX_COLOURS

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

PlainBlock: TypeAlias = SupportsIndex | Iterable[SupportsIndex]
"""A length, or a pair of length and colour."""
PlainClues: TypeAlias = Iterable[Iterable[PlainBlock]]
"""A clue for each line; an array of shape (lines, blocks) or (lines, blocks, 2) is one, too."""

_EXAMPLE = "expected lengths such as [2, 1], or pairs of length and colour such as [(2, 1), (1, 3)]"


def clues_of(clues: PlainClues, axis: Any) -> tuple[Clue, ...]:
    """Return the clues of the rows or of the columns; `axis`, ``"row"`` or ``"column"``, is for errors.

    Zeros at the ends of a clue are padding, and so are values that are not a number (NaN): an array has
    clues of one length. Tables, such as those of pandas, are read row by row. PuzzleError if a clue has
    anything but whole numbers or pairs of them, or a zero between blocks.
    """
    if not isinstance(clues, np.ndarray) and hasattr(clues, "__array__"):
        clues = np.asarray(clues)
    if isinstance(clues, (str, bytes)) or not isinstance(clues, Iterable):
        raise PuzzleError(f"the clues of the {axis}s are {_shown(clues)}; expected a clue for each {axis}")
    return tuple(_clue(clue, Line(axis, i)) for i, clue in enumerate(clues))


def _clue(clue: Any, line: Line) -> Clue:
    try:
        blocks = [Block(value) if type(value) is int and value else _block(value) for value in clue]
    except TypeError:
        blocks = None
    if blocks is None or isinstance(clue, (str, bytes)):
        raise PuzzleError(f"{_shown(clue)} is no clue; {_EXAMPLE}", line=str(line))
    while blocks and blocks[-1] is None:
        blocks.pop()
    blocks = [*dropwhile(lambda block: block is None, blocks)]
    found = Clue(block for block in blocks if block is not None)
    if len(found) < len(blocks):
        raise PuzzleError("a zero stands between two blocks; expected zeros at the ends only", line=str(line))
    return found


def _block(value: Any) -> Block | None:
    """Return a block, or None for padding; TypeError for what is neither."""
    if isinstance(value, (list, tuple, np.ndarray)) and np.ndim(value) == 1:
        length, colour = map(_whole, value) if len(value) == 2 else (None, None)
        if length is None or colour is None:
            raise TypeError
        return Block(length, colour) if length else None
    length = _whole(value)
    return Block(length) if length else None


def _whole(value: Any) -> int:
    """Return a whole number, 0 for NaN; TypeError for any other value, truth values included."""
    if isinstance(value, (bool, np.bool_)):
        raise TypeError
    if isinstance(value, (float, np.floating)):
        if np.isnan(value):
            return 0
        if not value.is_integer():
            raise TypeError
        return int(value)
    return index(value)


def cells_of(cells: ArrayLike, *, unknown: int | None = None) -> NDArray[Any]:
    """Return the colours of cells as an array of integers, shape (rows, columns).

    Integers, truth values or whole floats; `unknown` stands for an undecided one.
    PuzzleError for any other values or another number of dimensions.
    """
    try:
        array = np.asarray(cells)
    except ValueError:
        raise PuzzleError("the rows of the cells have different lengths; expected equal ones") from None
    if array.dtype.kind in "US":
        raise PuzzleError("cells are numbers of colours, not text; Grid.from_strings reads text")
    if array.ndim != 2:
        advice = "; nonocsp.generate takes pictures" * (array.ndim == 3)
        raise PuzzleError(f"a grid has two dimensions, not {array.ndim}{advice}")
    if array.dtype.kind not in "biuf":
        raise PuzzleError(f"cells are of type {array.dtype}; expected integers from 0 to {MAX_COLOURS}")
    wrong = (array < 0) | (array > MAX_COLOURS)
    if array.dtype.kind == "f":
        wrong |= array != np.floor(array)
    if unknown is not None:
        wrong &= array != unknown
    for row, column in np.argwhere(wrong)[:1].tolist():
        value, more = array[row, column], "" if unknown is None else f", or {unknown} where undecided"
        raise PuzzleError(
            f"row {row + 1}, column {column + 1} is {value}; cells hold colours 0 to {MAX_COLOURS}{more}"
        )
    return array


def _shown(value: object, most: int = 60) -> str:
    text = repr(value)
    return text if len(text) <= most else f"{text[:most]}…"
