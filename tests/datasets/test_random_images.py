"""Random images have the requested size, density and colours; a seed fixes them."""

import math
from itertools import islice

import numpy as np
import pytest

from nonocsp.datasets import random_set
from nonocsp.model import verify


@pytest.mark.parametrize(("rows", "columns", "colours"), [(1, 1, 1), (3, 7, 1), (6, 5, 3)])
def test_every_puzzle_has_its_size_and_colours_and_its_image_as_goal(rows, columns, colours):
    puzzles = list(random_set(5, count=20, rows=rows, columns=columns, colours=colours))
    assert len(puzzles) == 20
    for puzzle in puzzles:
        assert puzzle.shape == (rows, columns)
        assert len(puzzle.palette) == colours + 1
        assert puzzle.goal is not None
        assert verify(puzzle, puzzle.goal)


@pytest.mark.parametrize("density", [0.2, 0.5, 1.0])
@pytest.mark.parametrize("colours", [1, 3])
def test_each_colour_fills_its_share_of_the_cells(density, colours):
    cells = np.stack(
        [
            puzzle.goal.cells
            for puzzle in random_set(1, count=50, rows=20, columns=20, density=density, colours=colours)
        ]
    )
    for colour in range(1, colours + 1):
        share = density / colours
        deviation = math.sqrt(share * (1 - share) / cells.size)
        assert abs((cells == colour).mean() - share) <= 5 * deviation


def test_a_seed_fixes_the_set_and_a_longer_set_begins_the_same():
    def made(seed: int, count: int = 4) -> list[object]:
        return list(islice(random_set(seed, count=count, rows=9, columns=9), 4))

    assert made(1) == made(1) == made(1, count=7)
    assert made(1) != made(2)
