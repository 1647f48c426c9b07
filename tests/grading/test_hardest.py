"""The constructions take the promised sweeps, and the search finds the maxima of the census."""

import itertools

import numpy as np
import pytest

import nonocsp
from nonocsp.backends.base import Request, Run
from nonocsp.engine import LineSolver, StopFlag
from nonocsp.engine.images import ImageSweeps
from nonocsp.grading.hardest_family import PATTERNS, Family, hardest, theorem_sweeps
from nonocsp.grading.hardest_search import search_hardest
from nonocsp.grading.sweeps import trace_sweeps
from nonocsp.model import UsageError
from tests import oracle
from tests.grading.plain import unknown

FIGURE_4_ROWS = (
    *("12111111", "21111112", "1", "2112121", "1112111", "1", "18", "11"),
    *("1212112", "1112111", "1", "2112121", "1112111", "1", "18", "11"),
    *("1212112", "1112111"),
)
"""As the figure prints them: digits side by side, but for the split rows."""
FIGURE_4_COLUMNS = ["32321", "1121121", *["1111111"] * 15, "21313"]


COUNTED = {
    Family.THEOREM: (
        *((10, 14, 47), (10, 16, 59), (10, 40, 203), (18, 14, 75), (18, 18, 115), (26, 26, 269)),
        *((34, 20, 235), (50, 50, 1115), (74, 14, 257), (74, 74, 2537)),
        *((10, 15, 61), (18, 19, 135), (26, 15, 129), (34, 21, 271)),
    ),
    Family.ZIGZAGS: ((11, 12, 75), (11, 20, 139), (17, 18, 182), (23, 20, 224), (59, 30, 936)),
    Family.SNAKES: ((6, 6, 19), (6, 14, 67), (6, 100, 583), (7, 14, 77), (8, 14, 93), (8, 100, 781)),
}
"""Rows, columns, and sweeps, counted by hand or seen by the search."""


@pytest.mark.parametrize("family", Family)
def test_the_constructions_take_the_sweeps_that_were_counted(family):
    for rows, columns, sweeps in COUNTED[family]:
        puzzle = hardest(rows, columns, family)
        found = nonocsp.difficulty(puzzle, with_level=False)
        assert (puzzle.shape, found.sweeps, found.label) == ((rows, columns), sweeps, "simple")
        assert puzzle.goal is not None
        assert nonocsp.verify(puzzle, puzzle.goal)
        assert family is not Family.THEOREM or theorem_sweeps(rows, columns) == sweeps
        assert rows * columns > 324 or oracle.fixpoint(puzzle, unknown(puzzle))[1] == sweeps


@pytest.mark.parametrize("pattern", [pattern for patterns in PATTERNS.values() for pattern in patterns])
def test_a_pattern_takes_the_promised_sweeps_from_its_least_size_on(pattern):
    strips, middles = pattern.least
    for more, wider in itertools.product((0, 1, 4), (0, 1, 2, 3, 9)):
        image = pattern.image(size := (strips + more * bool(pattern.strip)), middles + wider)
        assert image.shape == pattern.shape(size, middles + wider)
        assert pattern.largest(*image.shape) == (size, middles + wider)
        sweeps, unknown = ImageSweeps(*image.shape).grade(image[np.newaxis])
        assert (sweeps[0], unknown[0]) == (pattern.sweeps(size, middles + wider), 0)


def test_every_size_from_6x6_on_has_a_puzzle_no_easier_than_the_members_within():
    for rows, columns in itertools.product((6, 8, 10, 13, 17, 20), (6, 9, 14, 15, 21)):
        promised = [sweeps for family in Family for _, sweeps in family.members(rows, columns)]
        puzzle = hardest(rows, columns)
        sweeps = trace_sweeps(LineSolver(puzzle), Run(Request(), StopFlag())).rows_first
        assert sweeps >= max(promised)
        assert puzzle.title == f"{rows}x{columns}, {sweeps} sweeps"


def test_a_size_that_only_fits_turned_is_turned():
    assert hardest(20, 6).shape == (20, 6)
    assert hardest(20, 6).source == "snakes"
    with pytest.raises(UsageError):
        hardest(12, 10, Family.ZIGZAGS)
    assert hardest(12, 11, Family.ZIGZAGS).title == "12x11, 74 sweeps"


def test_the_18x18_puzzle_is_that_of_the_figure():
    puzzle = hardest(18, 18, Family.THEOREM)
    rows = [(18,) if text == "18" else tuple(map(int, text)) for text in FIGURE_4_ROWS]
    assert [tuple(block.length for block in clue) for clue in puzzle.rows] == rows
    columns = [tuple(map(int, text)) for text in FIGURE_4_COLUMNS]
    assert [tuple(block.length for block in clue) for clue in puzzle.columns] == columns


@pytest.mark.parametrize("shape", [(2, 14), (5, 12), (40, 5), (18, 0)])
def test_a_size_without_room_is_an_error_that_names_the_smallest_sizes(shape):
    with pytest.raises(UsageError, match=rf"no construction fits into {shape[0]}x{shape[1]}; "):
        hardest(*shape)


@pytest.mark.parametrize(
    ("size", "maximum", "trials"), [(2, 2, 5_000), (3, 3, 5_000), (4, 9, 50_000), (5, 17, 500_000)]
)
def test_the_search_finds_the_maximum_of_a_size(size, maximum, trials):
    *_, best = search_hardest(size, size, trials=trials)
    assert best.sweeps == maximum
    puzzle = best.puzzle()
    assert nonocsp.verify(puzzle, puzzle.goal)  # type: ignore[arg-type]
    found = nonocsp.difficulty(puzzle)
    assert (found.is_simple, found.sweeps) == (True, maximum)


def test_a_seed_and_a_number_of_trials_fix_the_result():
    *_, first = search_hardest(5, 6, seed=3, trials=60_000)
    *_, again = search_hardest(5, 6, seed=3, trials=60_000)
    assert (first.sweeps, first.trials) == (again.sweeps, again.trials)
    assert np.array_equal(first.image, again.image)
    *_, other = search_hardest(5, 6, seed=4, trials=60_000)
    assert not np.array_equal(first.image, other.image)


def test_the_search_starts_from_the_constructions_if_the_size_allows():
    for size in ((6, 9), (11, 15), (18, 18)):
        *_, best = search_hardest(*size, trials=200)
        assert best.trials >= 200
        assert best.sweeps >= trace_sweeps(LineSolver(hardest(*size)), Run(Request(), StopFlag())).rows_first


def test_the_best_puzzle_never_gets_worse_and_a_time_limit_ends_the_search():
    sweeps = [best.sweeps for best in itertools.islice(search_hardest(5, 5), 50)]
    assert sweeps == sorted(sweeps)
    assert len(list(search_hardest(9, 9, wall=1e-9))) == 1
