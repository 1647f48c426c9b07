"""Changes of single cells of an image, and how visible they are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nonocsp.making.picture import Cells
from nonocsp.model import Palette


class CellChange(NamedTuple):
    """A cell in another colour; row and column count from 0."""

    row: int
    column: int
    before: int
    after: int

    def text(self, palette: Palette) -> str:
        """Return the change for people: ``row 3, column 5: white to black``, counted from 1."""
        colours = f"{palette[self.before].name} to {palette[self.after].name}"
        return f"row {self.row + 1}, column {self.column + 1}: {colours}"

    def record(self, palette: Palette) -> dict[str, Any]:
        """Return the JSON record; row and column count from 1."""
        return {
            "row": self.row + 1,
            "column": self.column + 1,
            "before": palette[self.before].name,
            "after": palette[self.after].name,
        }


def changed_cells(changes: Sequence[CellChange], shape: tuple[int, int]) -> NDArray[np.bool_]:
    """Return whether a cell is changed, shape (rows, columns)."""
    changed = np.zeros(shape, bool)
    for change in changes:
        changed[change.row, change.column] = True
    return changed


def differences(before: Cells, after: Cells) -> tuple[CellChange, ...]:
    """Return the cells in which two images of one shape differ, from top to bottom."""
    return tuple(
        CellChange(row, column, int(before[row, column]), int(after[row, column]))
        for row, column in np.argwhere(before != after).tolist()
    )


def visibility(cells: Cells, changes: Sequence[CellChange]) -> float:
    """Return how visible changes are, 0 if nobody would notice.

    It is the sum over the cells of the share of the eight neighbours that do not have the new colour, and of
    1 where something appears or vanishes, breaks apart or grows together: where the old colour, or the new
    one, is not in one run around the cell. Cells whose change does neither are the simple points of digital
    topology (Kong & Rosenfeld 1989). Outside the picture is background.
    """
    padded = np.pad(cells, 1)
    seen = 0.0
    for row, column, before, after in changes:
        around = [int(padded[row + 1 + down, column + 1 + right]) for down, right in _AROUND]
        is_smooth = _runs(around, before) == _runs(around, after) == 1
        seen += 1 - around.count(after) / len(around) + (not is_smooth)
    return seen


def visibilities(cells: Cells, before: Cells, colours: int) -> NDArray[np.float64]:
    """Return how visible the change of each cell to each colour is, shape (rows, columns, colours).

    The same as `visibility` says of one change, for all of them at once.
    """
    rows, columns = cells.shape
    padded = np.pad(cells, 1)
    around = np.stack([padded[1 + r : 1 + r + rows, 1 + c : 1 + c + columns] for r, c in _AROUND], axis=2)
    same = around[..., np.newaxis] == np.arange(colours)
    counts = same.sum(axis=2)
    runs = (same & ~np.roll(same, 1, axis=2)).sum(axis=2)
    in_one_run = (runs == 1) | (counts == len(_AROUND))
    lost = np.take_along_axis(in_one_run, before[..., np.newaxis].astype(np.intp), axis=2)
    seen: NDArray[np.float64] = 1 - counts / len(_AROUND) + ~(in_one_run & lost)
    return seen


_AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
"""The neighbours of a cell, clockwise: rows down, columns right."""


def _runs(around: Sequence[int], colour: int) -> int:
    """Return how many runs of a colour there are on the way round a cell."""
    if set(around) == {colour}:
        return 1
    return sum(here == colour != before for before, here in pairwise((around[-1], *around)))
