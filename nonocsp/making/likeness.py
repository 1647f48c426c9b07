"""Compare images: which cells differ, how visible changes are, and how much images look alike.

The likeness is structural similarity (SSIM; Wang, Bovik, Sheikh & Simoncelli 2004) in OKLab. That of image
libraries is made for photos in grey. Here a colour is one vector, because channels of black and white never
differ. Means are compared by their squared distance, because OKLab is even already. A window is a cell and
its neighbours, mirrored beyond the rim. The result is the mean of three views, of blocks of 1, 2x2 and 4x4
cells, because dithering looks like the picture only from afar (Wang, Simoncelli & Bovik 2003).

In drawings of 20x20, 1 % of changed cells cost .04, 3 % cost .10, more in empty areas than along edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from nonocsp.making.cells import Cells, Mask, Values
from nonocsp.making.picture import Picture
from nonocsp.model import Palette
from nonocsp.model.oklab import Lab, oklab, rgb_of

_VIEWS = (1, 2, 4)
"""Sides of the blocks of cells that are compared."""
_WINDOW = 3
_STABILISER = 0.03**2
"""Variances far below this one do not show; the paper's constant, for lightness from 0 to 1."""
_GREYISH = 0.02
"""Colours at most this far from grey look grey."""

_AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
"""The neighbours of a cell, clockwise: rows down, columns right."""


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


def changed_cells(changes: Sequence[CellChange], shape: tuple[int, int]) -> Mask:
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
    """Return how visible changes are, 0 if nobody would notice; outside the picture is background.

    It is the sum over the cells of the share of the eight neighbours that do not have the new colour, and of
    1 where the old colour, or the new one, is not in one run around the cell: something appears, vanishes,
    breaks apart or grows together (no simple point, Kong & Rosenfeld 1989).
    """
    padded = np.pad(cells, 1)
    seen = 0.0
    for row, column, before, after in changes:
        around = [int(padded[row + 1 + down, column + 1 + right]) for down, right in _AROUND]
        is_smooth = _runs(around, before) == _runs(around, after) == 1
        seen += 1 - around.count(after) / len(around) + (not is_smooth)
    return seen


def visibilities(cells: Cells, before: Cells, colours: int) -> Values:
    """Return the `visibility` of changing each cell to each colour, shape (rows, columns, colours)."""
    rows, columns = cells.shape
    padded = np.pad(cells, 1)
    around = np.stack([padded[1 + r : 1 + r + rows, 1 + c : 1 + c + columns] for r, c in _AROUND], axis=2)
    same = around[..., np.newaxis] == np.arange(colours)
    counts = same.sum(axis=2)
    runs = (same & ~np.roll(same, 1, axis=2)).sum(axis=2)
    in_one_run = (runs == 1) | (counts == len(_AROUND))
    lost = np.take_along_axis(in_one_run, before[..., np.newaxis].astype(np.intp), axis=2)
    seen: Values = 1 - counts / len(_AROUND) + ~(in_one_run & lost)
    return seen


def _runs(around: Sequence[int], colour: int) -> int:
    """Return how many runs of a colour there are on the way round a cell."""
    if set(around) == {colour}:
        return 1
    return sum(here == colour != before for before, here in pairwise((around[-1], *around)))


def likeness(image: Cells, reference: Cells | Picture, palette: Palette) -> float:
    """Return how much an image looks like a reference of its shape, from 0 to 1 (equal).

    If the palette has no hues, only the lightness of a picture counts, stretched from black to white: puzzles
    in black and white cannot show more.
    """
    if image.shape != reference.shape:
        raise ValueError(f"an image of shape {image.shape} and a reference of shape {reference.shape}")
    colours = oklab(rgb_of(palette))
    seen = colours[image]
    if isinstance(reference, Picture):
        wanted = oklab(reference.colours)
        if np.abs(colours[:, 1:]).max() <= _GREYISH:
            wanted = _stretched(wanted)
    else:
        wanted = colours[reference]
    return similarity(seen, wanted)


def similarity(one: Lab, other: Lab) -> float:
    """Return how much two images look alike, from 0 to 1."""
    views = [n for n in _VIEWS if n <= min(one.shape[:2])]
    return max(0.0, float(np.mean([_similarity(_in_blocks(one, n), _in_blocks(other, n)) for n in views])))


def _stretched(lab: Lab) -> Lab:
    """Return the lightness alone, from 0 to 1; one shade stays as it is."""
    shades = lab[..., 0]
    grey = np.zeros_like(lab)
    grey[..., 0] = (shades - shades.min()) / np.ptp(shades) if np.ptp(shades) else shades
    return grey


def _in_blocks(lab: Lab, side: int) -> Lab:
    """Return the means of blocks of cells; those at the lower and right rim may be smaller."""
    starts = [np.arange(0, length, side) for length in lab.shape[:2]]
    sums = np.add.reduceat(np.add.reduceat(lab, starts[0], axis=0), starts[1], axis=1)
    sizes = [np.diff(start, append=length) for start, length in zip(starts, lab.shape, strict=False)]
    blocks: Lab = sums / np.multiply.outer(*sizes)[..., np.newaxis]
    return blocks


def _similarity(one: Lab, other: Lab) -> float:
    """Return the mean structural similarity of the windows around all cells."""
    from scipy.ndimage import uniform_filter

    def mean(values: Values) -> Values:
        means: Values = uniform_filter(values, (_WINDOW, _WINDOW, 0), mode="reflect")
        return means

    means = mean(one), mean(other)
    variances = ((mean(one**2) - means[0] ** 2) + (mean(other**2) - means[1] ** 2)).sum(axis=2)
    covariance = (mean(one * other) - means[0] * means[1]).sum(axis=2)
    structure = (2 * covariance + _STABILISER) / (variances + _STABILISER)
    nearness = 1 - ((means[0] - means[1]) ** 2).sum(axis=2)
    return float((nearness * structure).mean())
