"""Backend ``twosat``: compare Solver0 and Solver1 with plain versions that share nothing with the core."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp.backends.base import Answer, Capabilities
from nonocsp.backends.registry import create
from nonocsp.engine.images import ImageSweeps
from nonocsp.formats import load_all
from nonocsp.model import FlatClues, Grid, Palette, Puzzle
from nonocsp.testing import permutations, solutions
from tests import oracle
from tests.backends.asking import outcome_of

Sets = list[list[int]]
Literal = tuple[int, int, int]
"""A row, a column, and the candidates that the literal leaves the cell."""

SHAPES = [(1, 7, 1), (5, 5, 1), (7, 6, 1), (4, 5, 2), (5, 5, 2), (4, 4, 3), (5, 4, 3)]
"""Rows, columns, colours."""
RARE = [(5, 2, 612), (6, 2, 543), (6, 2, 871), (6, 3, 1138), (8, 2, 284), (8, 2, 752)]
"""Side, colours and seed of puzzles that keep fewer candidates because a literal implies a colour."""


def left_by(puzzle: Puzzle, level: int) -> Sets | None:
    """Return the candidates that the solver leaves; None at a contradiction."""
    outcome = outcome_of(puzzle, f"twosat:level={level},search=no")
    grids = [*outcome.solutions, *([outcome.partial] if outcome.partial else [])]
    assert len(grids) == (outcome.answer is not Answer.UNSAT)
    return grids[0].candidates.tolist() if grids else None


def random_puzzle(rows: int, columns: int, colours: int, seed: int) -> Puzzle:
    """Return the puzzle of a random image; with an odd seed two columns are swapped."""
    rng = np.random.default_rng([rows, columns, colours, seed])
    cells = rng.integers(1, colours + 1, (rows, columns)) * (rng.random((rows, columns)) < 0.5)
    puzzle = Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(colours))
    clues = list(puzzle.columns)
    if seed % 2:
        a, b = rng.choice(columns, 2, replace=False)
        clues[a], clues[b] = clues[b], clues[a]
    return Puzzle(puzzle.rows, tuple(clues), palette=puzzle.palette)


def literals_of(grid: Sets) -> list[Literal]:
    """Return "is" and "is not" for each candidate of each open cell."""
    return sorted(
        {
            (row, column, left)
            for row, cells in enumerate(grid)
            for column, candidates in enumerate(cells)
            for colour in range(candidates.bit_length())
            for left in (candidates & 1 << colour, candidates & ~(1 << colour))
            if left not in (0, candidates)
        }
    )


def implications(puzzle: Puzzle, grid: Sets, literals: list[Literal]) -> NDArray[np.bool_]:
    """Return the implications between literals: every placement of some line with the one has the other."""
    matrix = np.eye(len(literals), dtype=bool)
    lines = [(0, i, clue) for i, clue in enumerate(puzzle.rows)]
    lines += [(1, i, clue) for i, clue in enumerate(puzzle.columns)]
    for axis, i, clue in lines:
        cells = grid[i] if axis == 0 else [row[i] for row in grid]
        fitting = [
            placed
            for placed in oracle.placements(clue, len(cells))
            if all(candidates >> colour & 1 for candidates, colour in zip(cells, placed, strict=True))
        ]
        here = [n for n, literal in enumerate(literals) if literal[axis] == i]
        holds = np.array(
            [[literals[n][2] >> placed[literals[n][1 - axis]] & 1 for placed in fitting] for n in here]
        )
        if here:
            matrix[np.ix_(here, here)] |= holds @ (1 - holds).T == 0
    return matrix


def plain_two_sat(puzzle: Puzzle, grid: Sets) -> Sets | None:
    """Remove from a settled grid what the implications of all lines refute."""
    literals = literals_of(grid)
    reach = implications(puzzle, grid, literals).astype(np.float32)
    for _ in range(len(literals).bit_length()):
        reach = (reach @ reach > 0).astype(np.float32)
    number = {literal: n for n, literal in enumerate(literals)}
    narrowed = [list(row) for row in grid]
    for n, (row, column, left) in enumerate(literals):
        if reach[n, number[row, column, grid[row][column] & ~left]]:
            narrowed[row][column] &= ~left
    return narrowed if all(map(all, narrowed)) else None


def plain_solver0(puzzle: Puzzle, grid: Sets) -> Sets | None:
    while True:
        settled, _ = oracle.fixpoint(puzzle, grid)
        if settled is None:
            return None
        narrowed = plain_two_sat(puzzle, settled)
        if narrowed is None or narrowed == settled:
            return narrowed
        grid = narrowed


def plain_solver1(puzzle: Puzzle, grid: Sets) -> Sets | None:
    narrowed = plain_solver0(puzzle, grid)
    while narrowed is not None and narrowed != grid:
        grid = narrowed
        for row, column in product(range(len(grid)), range(len(grid[0]))):
            narrowed = narrowed and looked_ahead(puzzle, narrowed, row, column)
    return narrowed


def looked_ahead(puzzle: Puzzle, grid: Sets, row: int, column: int) -> Sets | None:
    """Return the candidates that remain for at least one value of the cell."""
    either = np.zeros(puzzle.shape, int)
    for colour in range(len(puzzle.palette)):
        assumed = [list(cells) for cells in grid]
        assumed[row][column] &= 1 << colour
        either |= np.array((assumed[row][column] and plain_solver0(puzzle, assumed)) or np.zeros_like(either))
    return either.tolist() if either.all() else None


@pytest.mark.parametrize(
    ("level", "rows", "columns", "colours", "seeds"),
    [
        *((0, *shape, range(8)) for shape in SHAPES),
        *((1, *shape, range(3)) for shape in SHAPES),
        *((0, side, side, colours, [seed]) for side, colours, seed in RARE),
    ],
)
def test_a_solver_leaves_the_candidates_of_the_plain_one_and_no_solution_is_lost(
    level, rows, columns, colours, seeds
):
    for seed in seeds:
        puzzle = random_puzzle(rows, columns, colours, seed)
        everything: Sets = Grid.unknown(*puzzle.shape, puzzle.palette).candidates.tolist()
        left = left_by(puzzle, level)
        assert left == (plain_solver1 if level else plain_solver0)(puzzle, everything)
        for grid in solutions(puzzle) if rows * columns < 36 else ():
            assert left is not None
            assert not (grid.candidates & ~np.array(left, np.uint64)).any()


def test_every_unique_4x4_description_that_is_not_simple_is_solved_without_search():
    images = (np.arange(2**16)[:, np.newaxis] >> np.arange(16) & 1).astype(np.uint8).reshape(-1, 4, 4)
    lines = images[:16].reshape(16, -1)[:, :4]
    clues, weights = FlatClues.of_cells(lines).clues(), np.array([1, 2, 4, 8])
    described = [
        tuple(clues[line] for line in numbers)
        for numbers in np.hstack([images @ weights, images.transpose(0, 2, 1) @ weights]).tolist()
    ]
    times = Counter(described)
    _, left = ImageSweeps(4, 4).grade(images)
    others = [found for found, cells in zip(described, left, strict=True) if cells and times[found] == 1]
    only = sum(count == 1 for count in times.values())
    assert (len(times), only, len(others)) == (58_196, 52_362, 1_128)  # OEIS A242876, A391619
    for found in others:
        assert outcome_of(Puzzle(found[:4], found[4:]), "twosat:search=no").answer is Answer.UNIQUE


def test_without_search_the_backend_says_that_it_is_incomplete():
    assert create("twosat").capabilities == Capabilities(complete=True)
    assert create("twosat:search=no").capabilities == Capabilities(complete=False)
    assert outcome_of(permutations(4), "twosat:search=no").answer is Answer.PARTIAL
    assert outcome_of(permutations(4), "twosat").answer is Answer.MULTIPLE


def test_the_mean_of_painted_cells_on_a_tournament_set_is_the_published_one(datasets):
    painted = [
        outcome_of(puzzle, "twosat:search=no").stats["painted"]
        for puzzle in load_all(datasets / "tournament" / "taai2011.txt")
    ]
    assert len(painted) == 1000
    assert round(sum(map(int, painted)) / 1000, 1) == 94.9
