"""The constructions need the promised sweeps, and 18x18 by theorem 4.5 is the figure of the paper."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import nonocsp
from nonocsp import Puzzle
from nonocsp.backends.base import Request, Run
from nonocsp.engine import LineSolver, StopFlag
from nonocsp.engine.images import ImageSweeps
from nonocsp.grading.hardest_family import PATTERNS, Family, hardest, theorem_sweeps
from nonocsp.grading.hardest_patterns import Pattern
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


@pytest.mark.parametrize(
    ("rows", "columns", "sweeps"),
    [
        (10, 14, 47), (10, 16, 59), (10, 18, 71), (10, 40, 203), (18, 14, 75), (18, 18, 115), (18, 30, 235),
        (26, 14, 101), (26, 26, 269), (34, 20, 235), (50, 50, 1115), (74, 14, 257), (74, 74, 2537),
    ],
)  # fmt: skip
def test_the_theorem_holds_for_sweeps_counted_by_hand(rows: int, columns: int, sweeps: int) -> None:
    assert_simple(hardest(rows, columns, Family.THEOREM), (rows, columns), sweeps)
    assert theorem_sweeps(rows, columns) == sweeps


@pytest.mark.parametrize(
    ("rows", "columns", "sweeps"),
    [(11, 12, 75), (11, 20, 139), (17, 18, 182), (23, 20, 224), (59, 30, 936), (95, 100, 5968)],
)
def test_the_zigzags_take_as_many_sweeps_as_the_search_saw(rows: int, columns: int, sweeps: int) -> None:
    assert_simple(hardest(rows, columns, Family.ZIGZAGS), (rows, columns), sweeps)


@pytest.mark.parametrize(
    ("rows", "columns", "sweeps"),
    [(6, 6, 19), (6, 14, 67), (6, 100, 583), (7, 14, 77), (8, 14, 93), (8, 100, 781)],
)
def test_the_snakes_take_nearly_as_many_sweeps_as_they_have_cells(
    rows: int, columns: int, sweeps: int
) -> None:
    assert_simple(hardest(rows, columns, Family.SNAKES), (rows, columns), sweeps)


@pytest.mark.parametrize("pattern", [pattern for patterns in PATTERNS.values() for pattern in patterns])
def test_a_pattern_takes_the_promised_sweeps_from_its_least_size_on(pattern: Pattern) -> None:
    strips, middles = pattern.least
    for more, wider in itertools.product((0, 1, 4), (0, 1, 2, 3, 9)):
        image = pattern.image(size := (strips + more * bool(pattern.strip)), middles + wider)
        assert image.shape == pattern.shape(size, middles + wider)
        assert pattern.largest(*image.shape) == (size, middles + wider)
        sweeps, unknown = ImageSweeps(*image.shape).grade(image[np.newaxis])
        assert (sweeps[0], unknown[0]) == (pattern.sweeps(size, middles + wider), 0)


def test_every_size_from_6x6_on_has_a_puzzle_no_easier_than_the_members_within() -> None:
    for rows, columns in itertools.product((6, 8, 10, 13, 17, 20), (6, 9, 14, 15, 21)):
        promised = [sweeps for family in Family for _, sweeps in family.members(rows, columns)]
        puzzle = hardest(rows, columns)
        sweeps = trace_sweeps(LineSolver(puzzle), Run(Request(), StopFlag())).rows_first
        assert sweeps >= max(promised)
        assert puzzle.title == f"{rows}x{columns}, {sweeps} sweeps"


def test_a_size_that_only_fits_turned_is_turned() -> None:
    assert hardest(20, 6).shape == (20, 6)
    assert hardest(20, 6).source == "snakes"
    with pytest.raises(UsageError):
        hardest(12, 10, Family.ZIGZAGS)
    assert hardest(12, 11, Family.ZIGZAGS).title == "12x11, 74 sweeps"


def assert_simple(puzzle: Puzzle, shape: tuple[int, int], sweeps: int) -> None:
    found = nonocsp.difficulty(puzzle, with_level=False)
    assert puzzle.shape == shape
    assert puzzle.goal is not None
    assert nonocsp.verify(puzzle, puzzle.goal)
    assert (found.sweeps, found.label) == (sweeps, "simple")


def test_the_18x18_puzzle_is_that_of_the_figure() -> None:
    puzzle = hardest(18, 18, Family.THEOREM)
    rows = [(18,) if text == "18" else tuple(map(int, text)) for text in FIGURE_4_ROWS]
    assert [tuple(block.length for block in clue) for clue in puzzle.rows] == rows
    columns = [tuple(map(int, text)) for text in FIGURE_4_COLUMNS]
    assert [tuple(block.length for block in clue) for clue in puzzle.columns] == columns


@pytest.mark.parametrize(
    ("shape", "family"),
    [
        ((10, 14), Family.THEOREM),
        ((18, 18), Family.THEOREM),
        ((11, 12), Family.ZIGZAGS),
        ((17, 18), Family.ZIGZAGS),
        ((6, 13), Family.SNAKES),
        ((7, 14), Family.SNAKES),
        ((8, 14), Family.SNAKES),
    ],
)
def test_the_reference_counts_the_same_sweeps(shape: tuple[int, int], family: Family) -> None:
    puzzle = hardest(*shape, family)
    promised = max(sweeps for _, sweeps in family.members(*shape))
    assert oracle.fixpoint(puzzle, unknown(puzzle))[1] == promised


@pytest.mark.parametrize("shape", [(2, 14), (5, 12), (40, 5), (18, 0)])
def test_a_size_without_room_is_an_error_that_names_the_smallest_sizes(shape: tuple[int, int]) -> None:
    with pytest.raises(UsageError, match=rf"no construction fits into {shape[0]}x{shape[1]}; "):
        hardest(*shape)
