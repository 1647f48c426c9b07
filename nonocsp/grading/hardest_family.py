"""Constructions of simple nonograms that take very many sweeps, for all sizes from 10x14 on.

Both have pairs of rows in which the cells are found one after the other, to and fro: in every column but
the outermost, exactly one of the two cells is black, and each sweep tells which in one more column.

Theorem 4.5 of Batenburg, Henstra, Kosters & Palenstijn (Constructing simple nonograms of varying difficulty,
2009): for m = 8k + 2 rows and an even number n >= 14 of columns there is a simple nonogram of difficulty
A(m, n), about half as many sweeps as cells. From top to bottom it is k pairs of a 5-strip and a 3-strip, and
a final 2-strip; a 5-strip has two pairs of rows, and split rows, full ones, keep the strips apart.

The zigzags are ours: 5-strips with a single white row between them, so that four of six rows belong to
pairs, not four of eight. For m = 6k + 5 rows and an even n >= 12 they take 4n(k + 1) - 28k - 12 sweeps, about
two thirds of the cells. The paper asks whether more than half is possible for large sizes.

Other sizes have the largest member that fits, with white rows below it and white columns beside it, which
change nothing; or that member of the transposed size, turned.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from nonocsp.engine import LineSolver
from nonocsp.engine.images import ImageSweeps
from nonocsp.model import BackendError, Grid, Puzzle, UsageError

Image = NDArray[np.uint8]
"""Black and white, shape (rows, columns)."""

ZIGZAG_FIRST = (".#.## .# ....#", "###.. #. ##...", ".#... .. ##..#")
ZIGZAG_STRIP = (
    *("..#.# .# ###..", "#.#.. #. .##.#", "#.... .. ....."),
    *("#..## .# #.#..", ".##.. #. .#..#", "..... .. ....."),
)
ZIGZAG_LAST = ("##.#. .# ##...", "..#.# #. .#.##")
"""Rows of the zigzags: above the 5-strips, a 5-strip and the white row below it, and the last pair.

The two cells in the middle of a row are repeated.
"""


class Family(StrEnum):
    """The constructions."""

    THEOREM = "theorem-4.5"
    ZIGZAGS = "zigzags"

    def largest(self, rows: int, columns: int) -> tuple[int, int] | None:
        """Return (rows, columns) of the largest member within a size; None if there is none.

        Parameters
        ----------
        rows, columns
            The size.
        """
        least_rows, step, least_columns = (10, 8, 14) if self is Family.THEOREM else (11, 6, 12)
        if rows < least_rows or columns < least_columns:
            return None
        return rows - (rows - least_rows) % step, columns - columns % 2

    def promised(self, rows: int, columns: int) -> int:
        """Return the difficulty of a member.

        Parameters
        ----------
        rows, columns
            The size of the member.
        """
        if self is Family.ZIGZAGS:
            k = rows // 6
            return 4 * columns * (k + 1) - 28 * k - 12
        return 6 * columns - 37 if rows == 10 else (rows + 2) * (2 * columns - 15) // 4 + 10

    def member(self, rows: int, columns: int) -> Image:
        """Return a member, proved to be simple and to have exactly the promised difficulty.

        Parameters
        ----------
        rows, columns
            The size of the member.

        Raises
        ------
        BackendError
            If it is not simple, or takes another number of sweeps.
        """
        image = (_theorem if self is Family.THEOREM else _zigzags)(rows, columns)
        sweeps, unknown = ImageSweeps(rows, columns).grade(image[np.newaxis])
        promised = self.promised(rows, columns)
        if unknown[0] or sweeps[0] != promised:
            raise BackendError(f"{rows}x{columns}: {sweeps[0]} sweeps, not {promised}")
        return image


def hardest(rows: int, columns: int, family: Family | None = None) -> Puzzle:
    """Return the simple nonogram with the most sweeps that a construction gives, proved by solving it.

    Parameters
    ----------
    rows, columns
        The size.
    family
        The construction; None for the one with the most sweeps.

    Raises
    ------
    UsageError
        If no member fits into the size.
    """
    families = list(Family) if family is None else [family]
    found = [(one, image) for one in families for image in _within(one, rows, columns)]
    if not found:
        raise UsageError(
            f"no construction fits into {rows}x{columns}; the smallest are 10x14 and 11x12; search (--search)"
        )
    sweeps, _ = ImageSweeps(rows, columns).grade(np.stack([image for _, image in found]))
    used, image = found[best := int(sweeps.argmax())]
    return Puzzle.from_grid(
        Grid.from_cells(image), title=f"{rows}x{columns}, {sweeps[best]} sweeps", source=str(used)
    )


def _within(family: Family, rows: int, columns: int) -> Iterator[Image]:
    """Yield the largest members within a size, with white rows and columns: upright, and turned.

    A member of exactly this size is the only one.
    """
    for is_turned, size in ((False, (rows, columns)), (True, (columns, rows))):
        if largest := family.largest(*size):
            image = family.member(*largest)
            padded = np.pad(image, [(0, whole - used) for whole, used in zip(size, largest, strict=True)])
            yield padded.T if is_turned else padded
            if largest == (rows, columns):
                return


def _zigzags(rows: int, columns: int) -> Image:
    """Return a member of the zigzags."""
    templates = [*ZIGZAG_FIRST, *(rows // 6) * ZIGZAG_STRIP, *ZIGZAG_LAST]
    middle = (columns - 10) // 2
    cells = [left + middle * repeated + right for left, repeated, right in map(str.split, templates)]
    return np.array([[cell == "#" for cell in row] for row in cells], np.uint8)


def _theorem(rows: int, columns: int) -> Image:
    """Return a member of theorem 4.5: the one solution of the clues that the paper gives."""
    k = rows // 8
    middle = [1] * (3 * k + 1)
    column_clues = [[*[3, 2] * k, 1], [*[1, 1, 2] * k, 1], *[middle] * (columns - 3), [2, *[1, 3] * k]]
    solved = LineSolver(Puzzle.from_clues(_row_clues(k, columns), column_clues)).propagate()
    return Grid(solved.candidates).cells


def _row_clues(k: int, columns: int) -> list[list[int]]:
    """Return k pairs of strips and the final 2-strip; only the first one begins another way.

    Parameters
    ----------
    k
        Pairs of strips.
    columns
        Columns of the nonogram.
    """

    def ones(count: int) -> list[int]:
        return [1] * count

    half = columns // 2
    first = [[1, 2, *ones(half - 3)], [2, *ones(half - 3), 2]]
    later = [[*[1, 2] * 2, *ones(half - 7), 2], [*ones(3), 2, *ones(half - 6)]]
    below = [[1], [2, *ones(half - 7), *[2, 1] * 2], [*ones(half - 6), 2, *ones(3)]]
    three_strip = [[1], [columns], [1, 1]]
    strips = [[*(later if i else first), *below, *three_strip] for i in range(k)]
    return [clue for strip in strips for clue in strip] + later
