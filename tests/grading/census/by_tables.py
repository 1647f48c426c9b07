"""The difficulties of the images of a shard, in another way than the core's: ten seconds for one of 6x6.

What settling gives stands in tables that the reference solver fills. All images go through each sweep
together; those that are full, or stuck, leave.
"""

from __future__ import annotations

from functools import cache, reduce
from itertools import product
from operator import or_

import numpy as np
from numpy.typing import NDArray

from tests import oracle

Lines = list[NDArray[np.uint8]]
"""Bits of all images, an array for each line; bit p: cell p."""


def histogram(rows: int, columns: int, first: int, last: int) -> list[int]:
    """Return how many images with these outer lines are not simple, and of difficulty 1, 2, …

    The outer lines are rows, or columns if there are more of these.
    """
    length, count = sorted((rows, columns))
    inner = np.arange(2 ** (length * (count - 2)))
    counts = np.zeros(rows * columns + 2, np.int64)
    for some in np.array_split(inner, max(1, len(inner) >> 18)):
        middle = [(some >> length * i) % 2**length for i in range(count - 2)]
        lines = [np.full(len(some), first), *middle, np.full(len(some), last)]
        images = [line.astype(np.uint8) for line in lines]
        grade(images if rows == count else across(images, length), columns, counts)
    return np.trim_zeros(counts, "b").tolist()


def grade(images: Lines, columns: int, counts: NDArray[np.int64]) -> None:
    """Count the images by difficulty."""
    contents = images, across(images, columns)
    known = [np.zeros_like(row) for row in images]
    for sweeps in range(1, len(counts)):
        own = contents[(sweeps - 1) % 2]
        length = len(contents[sweeps % 2])
        before, known = known, [table(length)[line, seen] for line, seen in zip(own, known, strict=True)]
        full = np.logical_and.reduce([seen == 2**length - 1 for seen in known])
        # Nothing is new where the first sweep finds nothing, but then the second may.
        stuck = np.logical_and.reduce([a == b for a, b in zip(before, known, strict=True)]) & (sweeps > 1)
        counts[sweeps] += np.count_nonzero(full)
        counts[0] += np.count_nonzero(stuck & ~full)
        left = ~(full | stuck)
        contents = tuple([line[left] for line in lines] for lines in contents)
        known = across([seen[left] for seen in known], length)


def across(lines: Lines, length: int) -> Lines:
    """Return the lines of the other axis."""
    bits = ([(line >> i & 1) << number for number, line in enumerate(lines)] for i in range(length))
    return [np.bitwise_or.reduce(own).astype(np.uint8) for own in bits]


@cache
def table(length: int) -> NDArray[np.uint8]:
    """Return which cells are known after settling a line, by its content and the cells known before."""
    lines = list(product((0, 1), repeat=length))
    bits = {line: sum(cell << i for i, cell in enumerate(line)) for line in lines}
    known = np.zeros((2**length, 2**length), np.uint8)
    for line, content in bits.items():
        others = [bits[other] ^ content for other in oracle.placements(oracle.clue_of(line), length)]
        for seen in range(2**length):
            differing = reduce(or_, (other for other in others if not other & seen))
            known[content, seen] = 2**length - 1 & ~differing
    return known
