"""The censuses of the core, against the reference solver on every image of a size and published counts."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from nonocsp.engine import Interrupted, StopFlag
from nonocsp.engine.images import SolutionCensus, SweepCensus
from nonocsp.model import Grid, Palette, Puzzle
from tests import oracle

SIZES = [(1, 1), (1, 4), (4, 1), (2, 3), (3, 2), (3, 3), (2, 4), (4, 2)]


def histogram(rows: int, columns: int) -> list[int]:
    census = SweepCensus(rows, columns)
    shards = census.shards()
    counts: np.ndarray = sum(shard[2] * census.count(shard, None, None) for shard in shards)  # type: ignore[assignment]
    return np.trim_zeros(counts, "b").tolist()


def solutions(rows: int, columns: int) -> tuple[int, int, int, int]:
    census = SolutionCensus(rows, columns)
    counted = [(weight, census.count((*outer, weight), None, None)) for *outer, weight in census.shards()]
    images, descriptions, unique = (sum(weight * own[i] for weight, own in counted) for i in range(3))
    return images, descriptions, unique, max(own[3] for _, own in counted)


def every_puzzle(rows: int, columns: int) -> list[Puzzle]:
    images = product((0, 1), repeat=rows * columns)
    grids = (Grid.from_cells(np.reshape(image, (rows, columns))) for image in images)
    return [Puzzle.from_grid(grid, palette=Palette.of(1)) for grid in grids]


def difficulty(puzzle: Puzzle) -> int:
    grid, sweeps = oracle.fixpoint(puzzle, [[3] * puzzle.shape[1] for _ in range(puzzle.shape[0])])
    assert grid is not None
    return sweeps if all(cell in (1, 2) for row in grid for cell in row) else 0


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_every_image_is_graded_like_the_reference(rows, columns):
    seen = Counter(map(difficulty, every_puzzle(rows, columns)))
    assert histogram(rows, columns) == [seen[i] for i in range(max(seen) + 1)]


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_images_with_the_same_description_are_counted_as_its_solutions(rows, columns):
    seen = Counter((puzzle.rows, puzzle.columns) for puzzle in every_puzzle(rows, columns))
    unique = sum(count == 1 for count in seen.values())
    assert solutions(rows, columns) == (2 ** (rows * columns), len(seen), unique, max(seen.values()))


@pytest.mark.parametrize(
    ("rows", "columns", "simple"),
    [(2, 6, 3178), (3, 4, 3116), (3, 5, 24052), (3, 6, 188042), (4, 5, 801832), (5, 4, 801832),
     (4, 6, 12560410), (2, 10, 736786), (10, 2, 736786), (3, 7, 1457710), (3, 8, 11284750)],
)  # fmt: skip
def test_the_number_of_simple_images_is_the_published_one(rows, columns, simple):
    assert sum(histogram(rows, columns)[1:]) == simple


@pytest.mark.parametrize(("rows", "columns"), [(3, 8), (5, 5), (8, 3), (11, 2), (2, 11)])
def test_one_sweep_solves_the_images_whose_rows_leave_no_choice(rows, columns):
    fibonacci = [0, 1]
    while len(fibonacci) <= columns:
        fibonacci.append(fibonacci[-2] + fibonacci[-1])
    # A line leaves no choice if it is empty or all gaps inside are single cells.
    assert histogram(rows, columns)[1] == (fibonacci[columns] + 1) ** rows


@pytest.mark.parametrize("census", [SweepCensus, SolutionCensus])
@pytest.mark.parametrize(("rows", "columns"), [(0, 3), (3, 0), (19, 2), (2, 19), (9, 9)])
def test_sizes_too_large_to_count_are_refused(census, rows, columns):
    with pytest.raises(ValueError):
        census(rows, columns)


@pytest.mark.parametrize("census", [SweepCensus(8, 8), SolutionCensus(7, 7)])
def test_a_shard_can_be_interrupted_and_counted_again(census):
    stop = StopFlag()
    stop.set()
    with pytest.raises(Interrupted):
        census.count((9, 9, 1), stop, None)
    with pytest.raises(Interrupted):
        census.count((9, 9, 1), None, 0.02)
