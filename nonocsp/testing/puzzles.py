"""Small puzzles: some that solvers get wrong, families of known size, and all solutions of any of them.

`solutions` uses no backend: slow, and plainly right. It lays every placement of every row and keeps what the
columns can still complete. `descriptions` puts the images of a size with the same clues together; NumPy does
the 65 536 images of 4x4 in a fifth of a second, once in a process.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import groupby, product

import numpy as np
from numpy.typing import NDArray

from nonocsp.model import Clue, Grid, Puzzle


def permutations(size: int) -> Puzzle:
    """Return the puzzle whose solutions are the size! permutation matrices."""
    return Puzzle.from_clues([[1]] * size, [[1]] * size, title=f"permutations of {size}")


def coloured_permutations(size: int) -> Puzzle:
    """Return two permutations side by side, each in a colour of its own: (size!)^2 solutions."""
    lines = [[(1, colour)] for colour in (1, 2) for _ in range(size)]
    return Puzzle.from_clues(lines, lines, title=f"permutations of {size} in each of two colours")


SMALL = (
    Puzzle.from_clues([[]], [[]], title="one empty cell"),
    Puzzle.from_clues([[1]], [[1]], title="one full cell"),
    Puzzle.from_clues([[2, 1]], [[1], [1], [], [1], []], title="one row"),
    Puzzle.from_clues([[1], [], [1], [1], []], [[1, 2]], title="one column"),
    Puzzle.from_clues([[]] * 3, [[]] * 4, title="empty grid"),
    Puzzle.from_clues([[4]] * 3, [[3]] * 4, title="full grid"),
    Puzzle.from_clues([[1]] * 2, [[1]] * 2, title="two solutions"),
    permutations(4),
    Puzzle.from_clues([[1], [2], [1, 1], [2]], [[1, 1], [1, 1], [1, 1], [1]], title="unique, not simple"),
    Puzzle.from_clues([[1, 1], [1, 1], []], [[2], [2], []], title="unsatisfiable, by line solving"),
    Puzzle.from_clues([[2], [1, 1], [2], [2]], [[1, 1], [2], [2], [1, 1]], title="unsatisfiable, by search"),
)

SMALL_IN_COLOUR = (
    Puzzle.from_clues([[(1, 2)]], [[(1, 2)]], title="one cell in the second of two colours"),
    Puzzle.from_clues([[1, (1, 2)]], [[1], [(1, 2)]], title="colours that touch"),
    Puzzle.from_clues([[1], [(1, 2)], [(1, 3)]], [[1, (1, 2), (1, 3)]], title="three colours that touch"),
    Puzzle.from_clues([[(3, 2)]] * 2, [[(2, 2)]] * 3, title="full grid in one colour of two"),
    Puzzle.from_clues([[1, (1, 2), 1]], [[1], [(1, 2)], [], [1]], title="colours that touch or not"),
    Puzzle.from_clues([[1], [1], [(1, 2)], [(1, 2)]], [[1, (1, 2)]] * 2, title="four solutions in colour"),
    Puzzle.from_clues(
        [[1, (1, 2)], [1, 1], [2]], [[2], [1], [(1, 2), 1], [1]], title="unique, not simple, in colour"
    ),
    Puzzle.from_clues([[1, (1, 2)]] * 2, [[1, (1, 2)], [(1, 2), 1]], title="unsatisfiable in colour"),
    Puzzle.from_clues(
        [[(2, 2)], [(1, 2)], [(1, 2), (1, 2)], [(1, 2), 1]],
        [[(1, 2)], [(2, 2)], [(2, 2)], [(1, 2), 1]],
        title="unsatisfiable in colour, by search",
    ),
)


def solutions(puzzle: Puzzle) -> list[Grid]:
    """Return all solutions of a small puzzle."""
    columns = [set[tuple[int, ...]]() for _ in puzzle.columns]
    for beginnings, clue in zip(columns, puzzle.columns, strict=True):
        for line in placements(clue, puzzle.shape[0]):
            beginnings.update(line[:i] for i in range(len(line) + 1))
    grids: list[list[tuple[int, ...]]] = [[]]
    for clue in puzzle.rows:
        grids = [
            [*grid, line]
            for grid, line in product(grids, list(placements(clue, puzzle.shape[1])))
            if all(tuple(column) in columns[i] for i, column in enumerate(zip(*grid, line, strict=True)))
        ]
    return [Grid.from_cells(grid) for grid in grids]


def placements(clue: Clue, length: int) -> Iterator[tuple[int, ...]]:
    """Yield every line of a length that has a clue, as colours of its cells."""
    if not clue:
        yield (0,) * length
        return
    block, rest = clue[0], Clue(clue[1:])
    gap = 1 if rest and rest[0].colour == block.colour else 0
    for start in range(length - block.length - gap - rest.min_length + 1):
        used = start + block.length + gap
        for tail in placements(rest, length - used):
            yield (0,) * start + (block.colour,) * block.length + (0,) * gap + tail


def descriptions(rows: int, columns: int, *, sample: int = 1) -> Iterator[tuple[Puzzle, list[Grid]]]:
    """Yield every `sample`-th description in one colour that has a solution, with all its solutions."""
    images = _images(rows, columns)
    for same in _images_by_clues(rows, columns)[::sample]:
        cells = images[same]
        puzzle = Puzzle(_clues(cells[0]), _clues(cells[0].T))
        yield puzzle, [Grid.from_cells(image) for image in cells]


@cache
def _images(rows: int, columns: int) -> NDArray[np.uint8]:
    """Return every black-and-white image, shape (2 ** cells, rows, columns)."""
    cells = np.arange(rows * columns).reshape(rows, columns)
    numbers = np.arange(2**cells.size)[:, np.newaxis, np.newaxis]
    return (numbers >> cells & 1).astype(np.uint8)


@cache
def _images_by_clues(rows: int, columns: int) -> list[NDArray[np.intp]]:
    """Return for each description the indices of the images that it describes."""
    images = _images(rows, columns)
    clues = np.hstack([_clue_numbers(images), _clue_numbers(images.transpose(0, 2, 1))])
    _, description, count = np.unique(clues, axis=0, return_inverse=True, return_counts=True)
    return np.split(np.argsort(description.ravel(), kind="stable"), np.cumsum(count)[:-1])


def _clue_numbers(images: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return for every row of every image which clue it has, by a number, shape (images, rows)."""
    length = images.shape[2]
    number: dict[Clue, int] = {}
    lines = [tuple(line >> i & 1 for i in range(length)) for line in range(2**length)]
    of_line = np.array([number.setdefault(_clue(line), len(number)) for line in lines], np.uint8)
    return of_line[images @ (1 << np.arange(length))]


def _clues(cells: NDArray[np.uint8]) -> tuple[Clue, ...]:
    return tuple(_clue(tuple(line)) for line in cells.tolist())


@cache
def _clue(line: tuple[int, ...]) -> Clue:
    """Return the clue of a line in one colour."""
    return Clue.of(*(len(list(run)) for black, run in groupby(line) if black))
