"""Backends that yield what is no solution, or too many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from hostile.base import CRASHED, OK, Hostile, solutions

from nonocsp.backends.base import Run
from nonocsp.model import Grid, Puzzle


class YieldsAWrongGrid(Hostile):
    """Yields a grid of background."""

    becomes = (CRASHED,)
    says = "wrong answer"

    def attack(self, puzzle: Puzzle, run: Run) -> list[Grid]:
        return [Grid.from_cells(np.zeros(puzzle.shape, np.uint8))]


class YieldsAnotherSize(Hostile):
    """Yields a grid of another size."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> list[Grid]:
        return [Grid.from_cells(np.ones((7, 9), np.uint8))]


class YieldsAHugeGrid(Hostile):
    """Yields a grid of 900x900."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> list[Grid]:
        return [Grid.from_cells(np.ones((900, 900), np.uint8))]


class YieldsAPartialGridOfAnotherSize(Hostile):
    """Yields an undecided grid of another size."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> list[Grid]:
        return [Grid.unknown(1, 1)]


class YieldsNoCandidates(Hostile):
    """Yields a grid whose cells have no colour at all."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> list[Grid]:
        return [Grid(np.zeros(puzzle.shape, np.uint64))]


class YieldsColour60(Hostile):
    """Yields a grid in a colour that the puzzle does not have."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> list[Grid]:
        return [Grid.from_cells(np.full(puzzle.shape, 60))]


class YieldsAnArray(Hostile):
    """Yields arrays of real numbers in place of grids."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> Any:
        return [np.full(puzzle.shape, 0.5)]


class YieldsATextForAGrid(Hostile):
    """Yields texts in place of grids."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> Any:
        return ["###"]


class YieldsItTwice(Hostile):
    """Yields its first solution twice."""

    becomes = (CRASHED,)
    says = "came twice"

    def attack(self, puzzle: Puzzle, run: Run) -> list[Grid]:
        first = next(solutions(puzzle))
        return [first, Grid(first.candidates)]


class ChangesItsGrids(Hostile):
    """Changes a solution after it was taken."""

    becomes = (CRASHED,)
    says = "wrong answer"

    def attack(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        grid = next(solutions(puzzle))
        yield grid
        object.__setattr__(grid, "candidates", np.ones(puzzle.shape, np.uint64))


class EqualsNothing(Hostile):
    """Yields one solution for ever, as grids that equal no other."""

    becomes = (CRASHED,)

    def attack(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        class Unequal(Grid):
            def __eq__(self, other: object) -> bool:
                return False

            def __hash__(self) -> int:
                return id(self)

        first = next(solutions(puzzle))
        while True:
            yield Unequal(first.candidates)


class DeniesEverything(Hostile):
    """Says of every puzzle that it has no solution, by an iterator that ends at once."""

    becomes = (OK,)

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        return iter(())


class ReturnsNoIterator(Hostile):
    """Returns a number in place of an iterator."""

    becomes = (CRASHED,)

    def search(self, puzzle: Puzzle, run: Run) -> Any:
        return 5
