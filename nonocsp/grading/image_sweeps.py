"""The sweeps of many images of one size at once, for searches that try millions of them.

Up to 8x8 settle is a table, from the clue and the candidates of a line to what is left of them, and NumPy
looks up the lines of thousands of images together: 1 to 2 µs an image. Larger images go through the core one
by one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from nonocsp.engine import sweep_image
from nonocsp.model import FlatClues

MAX_TABLE = 8
"""Cells of the longest line that has a table: of 4^8 states for each of 88 clues."""

Images = NDArray[np.uint8]
"""Black and white, shape (images, rows, columns)."""
Figures = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Of each image: sweeps until nothing changes, rows first, and the cells that stay open."""
Trial = Callable[[Images], Figures]


@lru_cache(maxsize=1)
def trial(rows: int, columns: int) -> Trial:
    """Return what tries images of a size; its tables take up to a second to make."""
    return _ByTable(rows, columns) if max(rows, columns) <= MAX_TABLE else _one_by_one


def _one_by_one(images: Images) -> Figures:
    found = [sweep_image(image) for image in images]
    sweeps = np.array([propagation.sweeps for propagation in found])
    unknown = [np.count_nonzero(np.bitwise_count(propagation.candidates) > 1) for propagation in found]
    return sweeps, np.array(unknown)


class _ByTable:
    """Tries images of one size; a line is an integer, two bits a cell: may be background, may be black."""

    def __init__(self, rows: int, columns: int) -> None:
        self._lines = _LineTable(columns), _LineTable(rows)
        self._crossing = _Crossing(columns, rows), _Crossing(rows, columns)

    def __call__(self, images: Images) -> Figures:
        clues = [self._lines[0].clues(images), self._lines[1].clues(images.transpose(0, 2, 1))]
        sweeps, unknown = np.zeros((2, len(images)), np.int64)
        active = np.arange(len(images))
        state = np.full(clues[0].shape, self._lines[0].states - 1, np.int64)
        number = 0
        while len(active):
            table, crossing = self._lines[number % 2], self._crossing[number % 2]
            settled = table.settled.take(clues[number % 2] + state)
            changed = (settled != state).any(axis=0)
            number += 1
            sweeps[active[changed]] = number
            if number > 1 and not changed.all():
                done = ~changed
                unknown[active[done]] = np.bitwise_count(settled[:, done]).sum(axis=0) - images[0].size
                active, settled = active[changed], settled[:, changed]
                clues = [part[:, changed] for part in clues]
            state = crossing(settled)
        return sweeps, unknown


class _LineTable:
    """Settle for all lines of one length: ``settled[clue + state]``, clues counted in steps of `states`."""

    def __init__(self, length: int) -> None:
        self._length = length
        self.states = 4**length

    def clues(self, images: Images) -> NDArray[np.int64]:
        """Return the clue of each row of each image, shape (rows, images)."""
        lines: NDArray[np.int64] = images @ (1 << np.arange(self._length))
        return self._clue_of_line.take(lines.T)

    @cached_property
    def settled(self) -> NDArray[np.int64]:
        """What is left of each state with each clue."""
        table = np.zeros((self._clue_of_line.max() // self.states + 1, self.states), np.int64)
        state = np.arange(self.states)
        for line, clue in enumerate(self._clue_of_line // self.states):
            cells = sum(1 << 2 * i + (line >> i & 1) for i in range(self._length))
            table[clue] |= np.where(state & cells == cells, cells, 0)
        return table.ravel()

    @cached_property
    def _clue_of_line(self) -> NDArray[np.int64]:
        cells = np.arange(2**self._length)[:, np.newaxis] >> np.arange(self._length) & 1
        numbers: dict[object, int] = {}
        found = [
            numbers.setdefault(clue, len(numbers))
            for clue in FlatClues.of_cells(cells.astype(np.uint8)).clues()
        ]
        clues: NDArray[np.int64] = np.array(found) * self.states
        return clues


class _Crossing:
    """From the lines of one axis to those of the other, through tables that spread a line over words."""

    def __init__(self, length: int, crossing: int) -> None:
        self._width = 2 * crossing
        self._crossing = crossing
        self._parts = [range(length)[i : i + 64 // self._width] for i in range(0, length, 64 // self._width)]
        state = np.arange(4**length, dtype=np.uint64)
        self._spread = [
            np.bitwise_or.reduce(
                [(state >> np.uint64(2 * j) & np.uint64(3)) << self._shift(j - part[0]) for j in part]
            )
            for part in self._parts
        ]

    def __call__(self, lines: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the crossing lines, shape (length, images), of lines of shape (crossing, images)."""
        mask, crossing = np.uint64(2**self._width - 1), []
        for part, spread in zip(self._parts, self._spread, strict=True):
            word = np.zeros(lines.shape[1], np.uint64)
            for i, line in enumerate(lines):
                word |= spread.take(line) << np.uint64(2 * i)
            crossing += [word >> self._shift(j - part[0]) & mask for j in part]
        return np.array(crossing).astype(np.int64)

    def _shift(self, place: int) -> np.uint64:
        return np.uint64(self._width * place)
