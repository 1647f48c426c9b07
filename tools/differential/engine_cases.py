"""Random lines and grids for the engine: small ones, with partial knowledge, contradictions and all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nonocsp.model import Clue, Grid, Palette, Puzzle

MOST_LINES, MOST_COLOURS = 6, 3

Candidates = NDArray[np.uint64]


class FaultError(Exception):
    """The engine gave a wrong result."""


def require(holds: bool, what: str, *evidence: object) -> None:
    """Raise a fault with its evidence unless a condition holds."""
    if not holds:
        raise FaultError("; ".join([what, *(repr(item) for item in evidence)]))


def random_cells(random: np.random.Generator, shape: tuple[int, ...], colours: int) -> NDArray[np.intp]:
    """Return colours of any density."""
    return random.integers(1, colours + 1, shape) * (random.random(shape) < random.random())


def random_sets(random: np.random.Generator, shape: tuple[int, ...], colours: int) -> Candidates:
    """Return candidate sets: most are full, some have one colour, a few are empty."""
    full = 2 ** (colours + 1) - 1
    sets = np.full(shape, full, np.uint64)
    narrowed = random.random(shape) < random.random() ** 2
    drawn = random.integers(1, full + 1, shape, dtype=np.uint64)
    sets[narrowed] = drawn[narrowed]
    sets[random.random(shape) < 0.002] = 0
    return sets


def random_puzzle(random: np.random.Generator) -> Puzzle:
    """Return a puzzle of up to 6x6; two in five take their columns from a rearranged image."""
    rows, columns = (int(side) for side in random.integers(1, MOST_LINES + 1, 2))
    colours = int(random.integers(1, MOST_COLOURS + 1))
    cells = random_cells(random, (rows, columns), colours)
    puzzle, moved = (puzzle_of(image, colours) for image in (cells, random.permuted(cells)))
    return puzzle if random.random() < 0.6 else Puzzle(puzzle.rows, moved.columns, palette=puzzle.palette)


def puzzle_of(cells: NDArray[np.intp], colours: int) -> Puzzle:
    """Return the puzzle of an image, without a goal."""
    puzzle = Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(colours))
    return Puzzle(puzzle.rows, puzzle.columns, palette=puzzle.palette)


def random_clue(random: np.random.Generator, length: int, colours: int) -> Clue:
    """Return the clue of a random line, of another length now and then."""
    if random.random() < 0.1:
        length += int(random.integers(1, 3))
    return puzzle_of(random_cells(random, (1, length), colours), colours).rows[0]
