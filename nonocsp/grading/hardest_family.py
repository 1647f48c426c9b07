"""Constructions of simple nonograms that take very many sweeps, for all sizes from 6x6 on.

Theorem 4.5 of Batenburg, Henstra, Kosters & Palenstijn (Constructing simple nonograms of varying difficulty,
2009): for m = 8k + 2 rows and an even number n >= 14 of columns there is a simple nonogram of difficulty
A(m, n), about half as many sweeps as cells. From top to bottom it is k pairs of a 5-strip and a 3-strip, and
a final 2-strip; a 5-strip has two pairs of rows, and split rows, full ones, keep the strips apart. The paper
leaves odd widths open: our column before the last one gives A(m, n + 2) sweeps, and two more for k = 1. It
asks whether more than half is possible for large sizes. Our zigzags and snakes have more.

Other sizes have the largest member that fits, with white rows below it and white columns beside it, which
lose nothing; or the member of the transposed size, turned, which may take one sweep more.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import numpy as np

from nonocsp.engine import LineSolver
from nonocsp.engine.images import ImageSweeps
from nonocsp.grading.hardest_patterns import SNAKES, ZIGZAGS, Image
from nonocsp.model import BackendError, Grid, Puzzle, UsageError

PATTERNS = {"zigzags": ZIGZAGS, "snakes": SNAKES}


class Family(StrEnum):
    """The constructions."""

    THEOREM = "theorem-4.5"
    ZIGZAGS = "zigzags"
    SNAKES = "snakes"

    def members(self, rows: int, columns: int) -> Iterator[tuple[Image, int]]:
        """Yield the largest members within a size, each with its promised difficulty."""
        if self is Family.THEOREM:
            if rows >= 10 and columns >= 14:
                size = rows - (rows - 10) % 8, columns
                yield _theorem(*size), theorem_sweeps(*size)
            return
        for pattern in PATTERNS[self]:
            if repeats := pattern.largest(rows, columns):
                yield pattern.image(*repeats), pattern.sweeps(*repeats)


def hardest(rows: int, columns: int, family: Family | None = None) -> Puzzle:
    """Return the simple nonogram with the most sweeps that a construction gives, proved by solving it."""
    families = list(Family) if family is None else [family]
    found = [
        (one, *made) for one in families for made in _within(one, rows, columns, upright=family is not None)
    ]
    if not found:
        raise UsageError(
            f"no construction fits into {rows}x{columns}; the smallest are 6x6 (snakes), 11x12 (zigzags) "
            f"and 10x14 (theorem 4.5); search (--search)"
        )
    sweeps, unknown = ImageSweeps(rows, columns).grade(np.stack([image for _, image, _ in found]))
    for (one, _, promised), used, left in zip(found, sweeps.tolist(), unknown.tolist(), strict=True):
        if left or used < promised:
            raise BackendError(f"{one} in {rows}x{columns}: {left} open cells, {used} sweeps, not {promised}")
    made, image, _ = found[best := int(sweeps.argmax())]
    return Puzzle.from_grid(
        Grid.from_cells(image), title=f"{rows}x{columns}, {sweeps[best]} sweeps", source=str(made)
    )


def theorem_sweeps(rows: int, columns: int) -> int:
    """Return the difficulty of a member: A(m, n) of theorem 4.5, or what an odd column more makes of it."""
    odd = columns % 2
    return 6 * columns - 37 + 8 * odd if rows == 10 else (rows + 2) * (2 * columns + 2 * odd - 15) // 4 + 10


def _within(family: Family, rows: int, columns: int, *, upright: bool) -> Iterator[tuple[Image, int]]:
    """Yield the largest members within a size, with white rows and columns: upright, and turned."""
    is_exact = False
    for image, promised in family.members(rows, columns):
        yield _padded(image, rows, columns), promised  # or more sweeps, by the white columns
        is_exact |= image.shape == (rows, columns)
    if upright and is_exact:
        return
    for image, promised in family.members(columns, rows):
        yield _padded(image, columns, rows).T, promised - 1  # it starts with its columns


def _padded(image: Image, rows: int, columns: int) -> Image:
    """Return an image with white rows below it and white columns beside it."""
    return np.pad(image, [(0, rows - image.shape[0]), (0, columns - image.shape[1])])


def _theorem(rows: int, columns: int) -> Image:
    """Return a member of theorem 4.5: the solution of the paper's clues, with our column in odd widths."""
    k, odd = rows // 8, columns % 2
    middle = [1] * (3 * k + 1)
    column_clues = [[*[3, 2] * k, 1], [*[1, 1, 2] * k, 1], *[middle] * (columns - odd - 3), [2, *[1, 3] * k]]
    solved = LineSolver(Puzzle.from_clues(_row_clues(k, columns - odd), column_clues)).propagate()
    column = [int(cell) for cell in "10000100" + "01001100" * (k - 1) + "01"]
    return np.insert(Grid(solved.candidates).cells, [columns - 2] * odd, np.c_[column], axis=1)


def _row_clues(k: int, columns: int) -> list[list[int]]:
    """Return k pairs of strips and the final 2-strip; only the first one begins another way."""

    def ones(count: int) -> list[int]:
        return [1] * count

    half = columns // 2
    first = [[1, 2, *ones(half - 3)], [2, *ones(half - 3), 2]]
    later = [[*[1, 2] * 2, *ones(half - 7), 2], [*ones(3), 2, *ones(half - 6)]]
    below = [[1], [2, *ones(half - 7), *[2, 1] * 2], [*ones(half - 6), 2, *ones(3)]]
    three_strip = [[1], [columns], [1, 1]]
    strips = [[*(later if i else first), *below, *three_strip] for i in range(k)]
    return [clue for strip in strips for clue in strip] + later
