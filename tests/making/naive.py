"""The slow, obviously right Adapt, Generate and Vary: figures 7 to 9 of Batenburg et al. (2009) as written.

Every allowed change is tried, and the changed image is settled from its clues alone by `tests.oracle`.
Nothing here shares a line with `nonocsp.making` or the core, except the parameters of a `Scene`.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from nonocsp.making.draft import Scene
from nonocsp.model import Clue

from .. import oracle

Image = NDArray[np.uint8]
Change = tuple[int, int, int]
"""Row, column, new colour."""


@cache
def settled(clue: Clue, line: tuple[int, ...]) -> tuple[int, ...]:
    found = oracle.settle(clue, line)
    assert found is not None
    return tuple(found)


def full_settle(image: Image, colours: int) -> list[tuple[int, ...]]:
    """Return the candidate sets of the rows after FullSettle from the clues of an image alone."""
    rows = [oracle.clue_of(row) for row in image.tolist()]
    columns = [oracle.clue_of(column) for column in image.T.tolist()]
    before = None
    grid = [(2 ** (colours + 1) - 1,) * len(columns)] * len(rows)
    while grid != before:
        before = grid
        by_columns = zip(*map(settled, rows, grid), strict=True)
        grid = list(zip(*map(settled, columns, by_columns), strict=True))
    return grid


def open_cells(image: Image, colours: int) -> int:
    return sum(cell.bit_count() > 1 for row in full_settle(image, colours) for cell in row)


def after(image: Image, change: Change) -> Image:
    row, column, colour = change
    changed = image.copy()
    changed[row, column] = colour
    return changed


def first_of_the_least(values: Sequence[float]) -> int:
    best = 0
    for i, value in enumerate(values):
        if value < values[best]:
            best = i
    return best


class NaiveDraft:
    """An image that is changed step by step, each time by the best of all allowed changes."""

    def __init__(self, image: Image, scene: Scene, earlier: NDArray[np.int64], seed: int) -> None:
        self.image = image
        self.scene = scene
        self.earlier = earlier
        self.colours = scene.far.shape[2] - 1
        self.rng = np.random.default_rng(seed)
        self.done: set[tuple[int, int]] = set()

    def generate(self) -> Image:
        """Change open cells until FullSettle leaves none open: figure 7."""
        while is_open := self.open():
            self.adapt(is_open)
        return self.image

    def vary(self) -> Iterator[Image]:
        """Change any cell, again and again: figure 9."""
        rows, columns = self.image.shape
        everywhere = set(product(range(rows), range(columns)))
        while self.allowed(everywhere):
            self.adapt(everywhere)
            yield self.image

    def open(self) -> set[tuple[int, int]]:
        """Return the cells that FullSettle leaves open."""
        known = full_settle(self.image, self.colours)
        return {(r, c) for r, row in enumerate(known) for c, cell in enumerate(row) if cell.bit_count() > 1}

    def allowed(self, cells: set[tuple[int, int]]) -> list[Change]:
        other = [
            (row, column, colour)
            for row, column in sorted(cells)
            for colour in range(self.colours + 1)
            if colour != self.image[row, column]
        ]
        white = [(row, column, colour) for row, column, colour in other if self.image[row, column] == 0]
        unchanged = [(row, column, colour) for row, column, colour in other if (row, column) not in self.done]
        return (unchanged or white) if self.scene.clears else white

    def value(self, change: Change) -> float:
        """Return the value of a change: the cost of section 5, and the loss of what Init has drawn."""
        alpha, beta, gamma = (self.scene.weights.alpha, self.scene.weights.beta, self.scene.weights.gamma)
        row, column, colour = change
        far = self.scene.far[change]
        if self.scene.start[row, column] not in (0, colour):
            far += 255 / 2
        cost = beta * far + gamma * self.earlier[change]
        return float(alpha * open_cells(after(self.image, change), self.colours) + cost)

    def adapt(self, cells: set[tuple[int, int]]) -> None:
        """Make the best of all allowed changes, the first of several in random order: figure 8."""
        changes = self.rng.permutation(np.array(self.allowed(cells))).tolist()
        values = [self.value(tuple(change)) for change in changes]
        row, column, colour = changes[first_of_the_least(values)]
        self.image = after(self.image, (row, column, colour))
        self.done.add((row, column))
