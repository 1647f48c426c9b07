"""A puzzle that shows a fault is shrunk to a smallest one that shows it."""

from itertools import pairwise

import pytest

from nonocsp.model import Grid, Palette, Puzzle
from tools.differential.shrinking import shrink

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
