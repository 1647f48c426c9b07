"""Patterns of simple nonograms that take very many sweeps: rows of text whose middle two columns repeat.

In all of them, most cells are found one after the other, by a row and a column in turn.

The patterns are ours; `nonocsp.grading.hardest_family` has that of Batenburg et al. (2009).

- The zigzags have pairs of rows with a white row between two pairs. In each of the middle columns exactly one
  cell of a pair is black, and each sweep finds one cell of the pair: two thirds of a sweep for each cell.
- The snakes have 6 or 8 rows. In the middle each sweep finds one cell, in whole columns: nearly one sweep for
  each cell, the most that there can be.

`python -m tools.benchmarks families` proves the number of sweeps for all sizes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""Black and white, shape (rows, columns)."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A nonogram for each number of strips, and of repeats of the middle part of each row of text."""

    first: tuple[str, ...]
    strip: tuple[str, ...]
    last: tuple[str, ...]
    """Rows: the first ones, those that are repeated, and the last ones."""
    sweeps_of: tuple[int, int, int, int]
    """Sweeps for each column of each strip, each column, each strip, and the rest."""
    least: tuple[int, int] = (0, 0)
    """Repeats of the strip and of the middle from which on the sweeps hold."""

    @property
    def edges(self) -> tuple[int, int]:
        """The columns to the left and to the right of the middle."""
        left, _, right = (len(part) for part in self.first[0].split())
        return left, right

    @property
    def period(self) -> int:
        """The columns that are repeated."""
        return len(self.first[0].split()[1])

    def largest(self, rows: int, columns: int) -> tuple[int, int] | None:
        """Return the repeats of the strip and of the middle of the largest member within a size, if any."""
        spare = rows - len(self.first) - len(self.last)
        strips = spare // len(self.strip) if self.strip else min(spare, 0)
        middles = (columns - sum(self.edges)) // self.period
        least_strips, least_middles = self.least
        return (strips, middles) if strips >= least_strips and middles >= least_middles else None

    def shape(self, strips: int, middles: int) -> tuple[int, int]:
        """Return the rows and columns of a member."""
        rows = len(self.first) + strips * len(self.strip) + len(self.last)
        return rows, sum(self.edges) + middles * self.period

    def image(self, strips: int, middles: int) -> Image:
        """Return a member."""
        rows = [*self.first, *strips * self.strip, *self.last]
        cells = [left + middles * middle + right for left, middle, right in map(str.split, rows)]
        return np.array([[cell == "#" for cell in row] for row in cells], np.uint8)

    def sweeps(self, strips: int, middles: int) -> int:
        """Return the difficulty of a member."""
        _, columns = self.shape(strips, middles)
        both, column, strip, rest = self.sweeps_of
        return both * strips * columns + column * columns + strip * strips + rest


ZIGZAGS = (
    Pattern(
        (".#.## .# ....#", "###.. #. ##...", ".#... .. ##..#"),
        (
            *("..#.# .# ###..", "#.#.. #. .##.#", "#.... .. ....."),
            *("#..## .# #.#..", ".##.. #. .#..#", "..... .. ....."),
        ),
        ("##.#. .# ##...", "..#.# #. .#.##"),
        (4, 4, -28, -12),
        least=(1, 1),
    ),
    Pattern(
        (
            *("#..#. #. ##.#.", ".#..# .# .#.##", ".#... .. ...##"),
            *("#..#. .# #.##.", "#.#.# #. .#...", ".#.## .. ....."),
            *(".#.#. #. #..#.", ".##.# .# ...#.", "###.. .. ...##"),
            *("#..#. .# .#...", ".#..# #. ##..#"),
        ),
        (),
        (),
        (0, 8, 0, -21),
        least=(0, 1),
    ),
    Pattern(
        (
            *(".#.#. .# #.#..", "#.#.# #. .#..#", ".##.. .. ....."),
            *(".#... #. #.##.", "..### .# .#.#.", "..##. .. .###."),
            *("####. #. .#..#", "#.#.# .# #...#", "#..#. .. #..##"),
            *(".#... #. #.##.", "..### .# .#.#.", "..##. .. .###."),
            *("####. #. .#..#", "#.#.# .# #...#", "#..#. .. #..##"),
            *("##... #. #####", ".#.#. .# .##.."),
        ),
        (),
        (),
        (0, 12, 0, -34),
        least=(0, 1),
    ),
)
SNAKES = (
    Pattern(
        ("##.. .. .#", "##.. #. #.", ".##. #. #.", "#..# .# .#", "..## .# .#", ".##. .. .#"),
        (),
        (),
        (0, 6, 0, -17),
    ),
    Pattern(
        (
            ".##. .. ....",
            "..## .# .###",
            "#..# .# .#.#",
            ".##. #. #..#",
            "..#. #. #.#.",
            "#... #. #.#.",
            "##.. .. ...#",
        ),
        (),
        (),
        (0, 6, 0, -7),
    ),
    Pattern(
        (
            "#.#. .# .##.",
            "..#. .# .#.#",
            ".#.# #. #.#.",
            "##.. #. #.#.",
            "..## .. ....",
            "...# .# .#.#",
            "#.#. .# .#.#",
            "##.. #. #.##",
        ),
        (),
        (),
        (0, 8, 0, -19),
    ),
)
