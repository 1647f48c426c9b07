"""The components of a puzzle: independent puzzles whose solutions multiply to those of the whole."""

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp.engine import LineSolver
from nonocsp.engine.line_solver import PuzzleClues
from nonocsp.engine.searches import search_by_blocks
from nonocsp.model import Grid, Palette, Puzzle
from nonocsp.testing import permutations, solutions

Cells = NDArray[np.uint64]


def random_puzzle(rng: np.random.Generator, shape: tuple[int, int], colours: int, density: float) -> Puzzle:
    cells = rng.integers(1, colours + 1, shape) * (rng.random(shape) < density)
    return Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(colours))


def diagonal(parts: list[NDArray[np.int64]]) -> Puzzle:
    """Return the puzzle of pictures of single cells that share no line, with two full lines between them."""
    size = sum(len(part) + 4 for part in parts)
    cells, at = np.zeros((size, size), np.int64), 0
    for part in parts:
        cells[at : at + len(part), at : at + len(part)] = part
        at += len(part) + 4
        cells[at - 3 : at - 1] = cells[:, at - 3 : at - 1] = 1
    return Puzzle.from_grid(Grid.from_cells(cells))


def settled(puzzle: Puzzle) -> Cells:
    return LineSolver(puzzle).propagate().candidates


def solutions_within(clues: PuzzleClues, candidates: Cells) -> Iterator[Cells]:
    """Yield the solutions of clues that candidates allow."""
    search = search_by_blocks(True).search(clues)
    while (cells := search.next(None, None)) is not None:
        if not (cells & ~candidates).any():
            yield cells


def products(puzzle: Puzzle) -> list[Grid]:
    candidates = settled(puzzle)
    parts = LineSolver(puzzle).compiled.components(candidates)
    found = []
    for chosen in product(*([*solutions_within(clues, cells)] for _, _, clues, cells in parts)):
        whole = candidates.copy()
        for (row, column, _, cells), solution in zip(parts, chosen, strict=True):
            assert np.array_equal(whole[row:, column:][: cells.shape[0], : cells.shape[1]], cells)
            whole[row:, column:][: cells.shape[0], : cells.shape[1]] = solution
        found.append(Grid(whole))
    return found


def puzzles(colours: int) -> Iterator[Puzzle]:
    """Yield random puzzles, and in one colour some that surely fall apart."""
    rng = np.random.default_rng(colours)
    for i in range(100):
        if colours == 1 and i % 4 == 0:
            yield diagonal([np.eye(2, dtype=np.int64), (rng.random((4, 4)) < 0.5).astype(np.int64)])
        yield random_puzzle(rng, tuple(rng.integers(3, 12, 2)), colours, float(rng.uniform(0.5, 0.8)))


@pytest.mark.parametrize("colours", [1, 2, 3])
def test_the_solutions_of_the_components_multiply_to_those_of_the_puzzle(colours):
    fell_apart = 0
    for puzzle in puzzles(colours):
        expected = [*solutions(puzzle)]
        if len(expected) <= 100:
            found = products(puzzle)
            assert len(found) == len(set(found))
            assert set(found) == set(expected)
            fell_apart += len(LineSolver(puzzle).compiled.components(settled(puzzle))) > 1
    assert fell_apart


def test_what_does_not_fall_apart_is_one_component_and_what_is_solved_none():
    for puzzle, shapes in ((permutations(5), [(5, 5)]), (Puzzle.from_clues([[2], [2]], [[2], [2]]), [])):
        parts = LineSolver(puzzle).compiled.components(settled(puzzle))
        assert [cells.shape for *_, cells in parts] == shapes
