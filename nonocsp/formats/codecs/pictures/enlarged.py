"""Find the cells of a drawing that is not one pixel a cell: enlarged, with grid lines, margins or soft edges.

The pixels are sorted into the main colours of the picture. Where these meet, cells meet: in a drawing with
cells of one size, on a comb. The colour of a cell is that of its middle. A comb counts only if the middles of
nearly all cells are of one colour each, so photographs and texts have none.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import reduce
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nonocsp.model import bounds

Pixels = NDArray[np.int32]
"""``0xrrggbb``, or a negative number where the picture is transparent; shape (rows, columns)."""
Kinds = NDArray[np.uint8]
"""The number of a colour for each pixel."""

_FEWEST = 3
"""Cells along a side, at least: a picture of fewer is more likely drawn as it is."""
_FEWEST_SOFT = 5
"""The same where blocks are not exact."""
_MOST_CELLS = 200
"""Cells along a side where blocks are not exact, at most."""
_LINED, _SOFT = 5.6, 3.9
"""Pixels along a side of a cell, at least, with lines between cells, and with soft edges."""
_THICKEST = 4
"""Pixels of a line between cells, at most."""
_NOISE = 12
"""Difference of a channel, of 255, that noise makes."""
_NEAR = 48
"""Difference of a channel between main colours, at least."""
_MAIN, _MIXED = 0.004, 0.05
"""Share of the even pixels that a main colour has, at least; and if it lies between two others."""
_MOST_MAIN, _MOST_EXACT, _FEWEST_MIXED = 16, 64, 12
_REACH = 0.22
"""How far from a line of the comb an edge may lie, in cells."""
_ON_COMB, _ON_SOFT_COMB = 0.93, 0.68
"""Share of the edges that lie there, at least: soft edges round off corners."""
_USED = 0.5
"""Share of the lines of the comb that have an edge, at least."""
_PLACES = np.array([0.3, 0.4, 0.5, 0.6, 0.7])
"""Where the middle of a cell is looked at, along each axis."""
_EDGE, _SOFT_EDGE = 0.2, 0.25
"""Share of a cell along each side that may belong to lines or soft edges."""
_CLEAN = 0.995
"""Share of the cells that must be of one colour between."""


class Cells(NamedTuple):
    """A drawing, one value for each cell."""

    colours: Pixels
    """As pixels."""
    size: tuple[float, float]
    """Rows and columns of pixels in a cell."""
    margins: tuple[int, int, int, int] = (0, 0, 0, 0)
    """Pixels left out at the top, bottom, left and right."""


def cells_of_size(pixels: Pixels, height: int, width: int) -> Cells | None:
    """Return the drawing with cells of a given size; None if that leaves a part of a cell."""
    if pixels.shape[0] % height or pixels.shape[1] % width:
        return None
    return Cells(pixels[height // 2 :: height, width // 2 :: width], (height, width))


def find_cells(pixels: Pixels) -> Cells | None:
    """Return the drawing if its cells have more than one pixel; None if each pixel is a cell."""
    side = _exact_side(pixels)
    reduced = pixels[::side, ::side]
    if min(reduced.shape) >= 2 * _FEWEST_SOFT and reduced.size <= bounds.IMAGE_PIXELS:
        for sorted_pixels in _sorted(reduced):
            if found := _on_comb(sorted_pixels, side):
                size = found.size[0] * side, found.size[1] * side
                top, bottom, left, right = (side * margin for margin in found.margins)
                return Cells(found.colours, size, (top, bottom, left, right))
    return Cells(reduced, (side, side)) if side > 1 else None


def _exact_side(pixels: Pixels) -> int:
    """Return the pixels along a side of the largest square blocks of one colour that make up a picture."""
    edges = [np.flatnonzero((np.diff(pixels, axis=axis) != 0).any(axis=1 - axis)) + 1 for axis in (0, 1)]
    side = reduce(math.gcd, np.concatenate(edges).tolist(), math.gcd(*pixels.shape))
    return side if min(pixels.shape) // side >= _FEWEST and any(map(len, edges)) else 1


class _Sorted(NamedTuple):
    """A picture, the kind of each pixel, and whether edges are soft."""

    pixels: Pixels
    kinds: Kinds
    is_soft: bool


def _sorted(pixels: Pixels) -> Iterator[_Sorted]:
    """Yield ways to sort pixels by colour: by each one if they are few, else by the nearest main colour.

    Main are the commonest colours of pixels that are like their neighbours. Where edges are soft, a rare
    colour between two others is first taken for a mixture of them.
    """
    found, inverse = np.unique(np.where(pixels < 0, -1, pixels & 0xF8F8F8), return_inverse=True)
    inverse = inverse.reshape(pixels.shape)
    if len(found) <= _MOST_EXACT:
        exact, kinds = np.unique(pixels, return_inverse=True)
        if len(exact) <= _MOST_EXACT:
            yield _Sorted(pixels, kinds.reshape(pixels.shape).astype(np.uint8), False)
    counts = np.bincount(inverse[_even(pixels)], minlength=len(found))
    colours = _channels(found.astype(np.int32)) + 4
    for least, is_soft in ((_MAIN, False), (_MIXED, True), (_MAIN, True)):
        if is_soft and len(found) < _FEWEST_MIXED:
            return
        main = _main_colours(colours, counts, least)
        distances = np.stack([np.abs(colours - colour).max(axis=1) for colour in main])
        yield _Sorted(pixels, distances.argmin(axis=0).astype(np.uint8)[inverse], is_soft)


def _even(pixels: Pixels) -> NDArray[np.bool_]:
    """Return which pixels are like those above and to the left."""
    parts = _channels(pixels)
    even = np.ones(pixels.shape, bool)
    even[1:] &= np.abs(np.diff(parts, axis=0)).max(axis=-1) <= _NOISE
    even[:, 1:] &= np.abs(np.diff(parts, axis=1)).max(axis=-1) <= _NOISE
    return even


def _channels(pixels: Pixels) -> NDArray[np.int16]:
    """Return red, green and blue; transparent pixels are far from all others."""
    parts = np.stack([pixels >> 16, pixels >> 8 & 255, pixels & 255], axis=-1).astype(np.int16)
    parts[pixels < 0] = -1024
    return parts


def _main_colours(
    colours: NDArray[np.int16], counts: NDArray[np.intp], least: float
) -> list[NDArray[np.int16]]:
    """Return the commonest colours that differ; those that lie between others if they are no mixtures."""
    main: list[NDArray[np.int16]] = []
    for i in np.argsort(-counts, kind="stable")[:256]:
        share = counts[i] / max(1, counts.sum())
        if len(main) == _MOST_MAIN or (main and share < _MAIN):
            break
        is_new = all(np.abs(colours[i] - other).max() >= _NEAR for other in main)
        if is_new and (share >= least or not _is_mixture(colours[i], main)):
            main.append(colours[i])
    return main


def _is_mixture(colour: NDArray[np.int16], main: list[NDArray[np.int16]]) -> bool:
    """Return whether a colour lies between two others."""
    for first, second in combinations([other.astype(float) for other in main], 2):
        way = second - first
        share = min(1.0, max(0.0, float((colour - first) @ way / (way @ way))))
        if np.abs(first + share * way - colour).max() < _NEAR / 2:
            return True
    return False


class _Comb(NamedTuple):
    """Equal cells along an axis: how many, where the first one starts, and how long each is."""

    cells: int
    start: float
    size: float

    def at(self, places: NDArray[np.float64] | float) -> NDArray[np.intp]:
        """Return the pixels at some places of each cell, from 0 to 1, shape (cells, places)."""
        wanted = np.arange(self.cells)[:, None] + np.atleast_1d(places)
        last = round(2 * self.start + self.cells * self.size) - 1
        found: NDArray[np.intp] = np.clip(self.start + wanted * self.size, 0, last).astype(np.intp)
        return found


def _on_comb(picture: _Sorted, side: int) -> Cells | None:
    """Return the drawing that a picture is, if it has clean cells; pixels are `side` pixels of the file."""
    top, bottom, left, right = _content(picture.kinds)
    kinds = picture.kinds[top:bottom, left:right]
    least = (_SOFT if picture.is_soft else _LINED) / side
    for combs in _combs(kinds, least, is_soft=picture.is_soft):
        own = kinds[np.ix_(*(comb.at(0.5).ravel() for comb in combs))]
        if not _is_clean(kinds, own, combs, least, is_soft=picture.is_soft):
            continue
        size = combs[0].size, combs[1].size
        spread = 17 + 400 / min(size) if picture.is_soft else 3 * _NOISE
        colours = _colours(picture.pixels[top:bottom, left:right], own, combs, spread)
        if colours is None:  # then those of parts of cells say nothing
            return None
        distances = top, len(picture.kinds) - bottom, left, picture.kinds.shape[1] - right
        added, margins = ((0,) * 4, distances) if _has_frame(kinds, size) else _outside(distances, size)
        ground = _colour(picture.pixels[picture.kinds == _rim(picture.kinds)]) if any(added) else 0
        whole = np.pad(colours, [added[:2], added[2:]], constant_values=ground)
        if min(whole.shape) >= _FEWEST_SOFT:
            return Cells(whole, size, margins)
    return None


def _content(kinds: Kinds) -> tuple[int, int, int, int]:
    """Return top, bottom, left and right of what is not of the colour along the rim of the picture."""
    inked = kinds != _rim(kinds)
    down, across = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
    if not len(down):
        return 0, kinds.shape[0], 0, kinds.shape[1]
    return int(down[0]), int(down[-1]) + 1, int(across[0]), int(across[-1]) + 1


def _rim(kinds: Kinds) -> int:
    """Return the commonest kind along the rim of a picture."""
    return int(np.bincount(np.concatenate([kinds[0], kinds[-1], kinds[:, 0], kinds[:, -1]])).argmax())


def _combs(kinds: Kinds, least: float, *, is_soft: bool) -> Iterator[tuple[_Comb, _Comb]]:
    """Yield combs of rows and columns whose borders lie where kinds meet, the fewest cells first."""
    height, width = kinds.shape
    down, across = (
        np.count_nonzero(np.diff(kinds.astype(np.int8), axis=axis), axis=1 - axis) for axis in (0, 1)
    )
    for columns in range(_FEWEST, min(_MOST_CELLS, width // 2) + 1):
        about = math.floor(height * columns / width)
        for rows in range(max(_FEWEST, about), min(_MOST_CELLS, about + 1) + 1):
            if abs(height * columns / (width * rows) - 1) > 0.06:
                continue
            first = _comb(down, rows, least, is_soft=is_soft)
            second = _comb(across, columns, least, is_soft=is_soft) if first else None
            if first and second:
                yield first, second


def _comb(edges: NDArray[np.intp], count: int, least: float, *, is_soft: bool) -> _Comb | None:
    """Return the comb on whose cells the edges lie, with lines as thick as `line` between, or None."""
    places, length = np.arange(1, len(edges) + 1), len(edges) + 1
    is_large = length / count >= least
    if is_soft and not is_large:
        return None
    best, cost = None, math.inf
    for line in sorted(range(-_THICKEST, _THICKEST + 1), key=abs) if is_large else [0]:
        comb = _Comb(count, line / 2, (length - line) / count)
        numbers = np.rint((places - comb.start) / comb.size)
        distances = np.abs(places - comb.start - numbers * comb.size)
        near = distances <= (max(1.0, _REACH * comb.size) if is_large else 0.51)
        used = np.unique(numbers[near & (edges > 0)])
        used = used[(used > 0) & (used < count)]
        share = _ON_SOFT_COMB if is_soft else _ON_COMB
        fits = edges[near].sum() >= share * edges.sum() and len(used) >= _USED * (count - 1)
        if fits and (edges * distances).sum() < cost:
            best, cost = comb, float((edges * distances).sum())
    return best


def _is_clean(kinds: Kinds, cells: Kinds, combs: tuple[_Comb, _Comb], least: float, *, is_soft: bool) -> bool:
    """Return whether all cells but a few are of one kind, without what lies near lines and soft edges."""
    if (cells == cells[0, 0]).all():
        return False
    edge = 0.0 if min(comb.size for comb in combs) < least else _SOFT_EDGE if is_soft else _EDGE
    inner, owner = [], []
    for length, comb in zip(kinds.shape, combs, strict=True):
        places = (np.arange(length) + 0.5 - comb.start) / comb.size
        inside = np.flatnonzero(np.abs(places % 1 - 0.5) <= 0.5 - edge)
        inner.append(inside)
        owner.append(np.clip(places[inside].astype(np.intp), 0, comb.cells - 1))
    wrong = kinds[np.ix_(*inner)] != cells[np.ix_(*owner)]
    starts = (np.flatnonzero(np.diff(own, prepend=-1)) for own in owner)
    counts = wrong.astype(np.int32)
    for axis, start in enumerate(starts):
        counts = np.add.reduceat(counts, start, axis=axis)
    pixels = wrong.size / cells.size
    return bool((counts > (max(1.0, 0.03 * pixels) if is_soft else 0)).mean() <= 1 - _CLEAN)


def _colours(pixels: Pixels, kinds: Kinds, combs: tuple[_Comb, _Comb], spread: float) -> Pixels | None:
    """Return the cells with one colour for each kind; None if those of a kind differ by more than noise."""
    found = pixels[np.ix_(*(comb.at(0.5).ravel() for comb in combs))]
    rows, columns = (comb.at(_PLACES) for comb in combs)
    seen = _channels(pixels[np.ix_(rows.ravel(), columns.ravel())])
    usual = np.median(seen.reshape(*rows.shape, *columns.shape, 3), axis=(1, 3))
    for kind in np.unique(kinds):
        if np.ptp(usual[kinds == kind], axis=0).max() > spread:
            return None
        found[kinds == kind] = _colour(found[kinds == kind])
    return found


def _colour(pixels: Pixels) -> int:
    """Return the colour that most pixels have, else the middle one; nearly white is white, so is black."""
    values, counts = np.unique(pixels, return_counts=True)
    if counts.max() > pixels.size / 2 or values[0] < 0:
        return int(values[counts.argmax()])
    red, green, blue = np.median(_channels(pixels), axis=0).round().astype(int).tolist()
    if max(red, green, blue) <= 2 * _NOISE or min(red, green, blue) >= 255 - 2 * _NOISE:
        return 0 if red <= 2 * _NOISE else 0xFFFFFF
    return int(red << 16 | green << 8 | blue)


def _has_frame(kinds: Kinds, size: tuple[float, float]) -> bool:
    """Return whether lines run along the rim of a drawing: on two sides at least, thinner than its cells."""
    down, across = int(size[0] / 2), int(size[1] / 2)
    sides = [(kinds[0], kinds[down]), (kinds[-1], kinds[-1 - down])]
    sides += [(kinds[:, 0], kinds[:, across]), (kinds[:, -1], kinds[:, -1 - across])]
    frames = [bool((rim == rim[0]).mean() > 0.95 and (rim == inside).mean() < 0.95) for rim, inside in sides]
    return sum(frames) >= 2


def _outside(
    distances: tuple[int, int, int, int], size: tuple[float, float]
) -> tuple[tuple[int, ...], tuple[int, int, int, int]]:
    """Return how many cells lie beyond the content on each side, and the margins beyond them.

    There are no margins if whole cells fill the picture. Otherwise all margins are as wide as the narrowest
    one; if no whole cells remain then, the drawing ends where its content does.
    """
    sides = size[0], size[0], size[1], size[1]
    for margin in (0, min(distances)):
        cells = [(distance - margin) / side for distance, side in zip(distances, sides, strict=True)]
        counts = tuple(round(cell) for cell in cells)
        if all(abs(cell - count) <= 0.15 for cell, count in zip(cells, counts, strict=True)):
            return counts, (margin,) * 4
    return (0,) * 4, distances
