"""A puzzle that shows a fault is shrunk to a smallest one that shows it."""

from __future__ import annotations

from itertools import islice, pairwise

import pytest

from nonocsp.model import Grid, Palette, Puzzle
from nonocsp.testing import solutions
from tools.differential.puzzles import random_puzzles
from tools.differential.shrinking import shrink, simpler_puzzles

IMAGE = Grid.from_cells([[0, 1, 1, 0, 3], [2, 2, 0, 1, 1], [0, 0, 0, 2, 0], [1, 0, 1, 0, 1]])
PUZZLE = Puzzle.from_grid(IMAGE, palette=Palette.of(3))


def colours(puzzle: Puzzle) -> set[int]:
    return {block.colour for clue in puzzle.rows for block in clue}


def two_colours_in_a_row(puzzle: Puzzle) -> bool:
    return any(len({block.colour for block in clue}) > 1 for clue in puzzle.rows)


def two_blocks_of_a_colour(puzzle: Puzzle) -> bool:
    return any(one.colour == other.colour for clue in puzzle.rows for one, other in pairwise(clue))


@pytest.mark.parametrize(
    ("fails", "smallest"),
    [
        (lambda puzzle: True, [([[]], [[]])]),
        (lambda puzzle: bool(colours(puzzle)), [([[1]], [[1]])]),
        (lambda puzzle: 2 in colours(puzzle), [([[(1, 2)]], [[(1, 2)]])]),
        (
            two_colours_in_a_row,
            [([[1, (1, 2)]], [[1], [(1, 2)]]), ([[(1, 2), 1]], [[(1, 2)], [1]])],
        ),
        (two_blocks_of_a_colour, [([[1, 1]], [[1], [], [1]])]),
        (lambda puzzle: puzzle.shape[0] >= 3, [([[], [], []], [[]])]),
    ],
)
def test_a_shrunk_puzzle_keeps_only_the_cause_of_the_fault(fails, smallest):
    shrunk = shrink(PUZZLE, fails)
    expected = [Puzzle.from_clues(*clues) for clues in smallest]
    assert (shrunk.rows, shrunk.columns) in [(puzzle.rows, puzzle.columns) for puzzle in expected]


def filled_cells(puzzle: Puzzle) -> int:
    return sum(block.length for clue in puzzle.rows for block in clue)


def test_a_puzzle_without_solution_shrinks_to_a_small_one_without_solution():
    def has_none(puzzle: Puzzle) -> bool:
        return not solutions(puzzle)

    several = (p for p in random_puzzles(9) if max(p.shape) == 5 and min(p.shape) > 2 and has_none(p))
    for puzzle in islice(several, 5):
        shrunk = shrink(puzzle, has_none)
        assert has_none(shrunk)
        assert not any(has_none(simpler) for simpler in simpler_puzzles(shrunk))
        assert filled_cells(shrunk) <= filled_cells(puzzle)
