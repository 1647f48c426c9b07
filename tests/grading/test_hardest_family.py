"""Theorem 4.5: the family needs the promised sweeps, and 18x18 is the figure of the paper."""

from __future__ import annotations

import pytest

import nonocsp
from nonocsp.grading.hardest_family import hardest, is_covered, sweeps_of_theorem
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
    puzzle = hardest(rows, columns)
    found = nonocsp.difficulty(puzzle, with_level=False)
    assert puzzle.shape == (rows, columns)
    assert puzzle.goal is not None
    assert nonocsp.verify(puzzle, puzzle.goal)
    assert (found.sweeps, found.label, sweeps_of_theorem(rows, columns)) == (sweeps, "simple", sweeps)


def test_the_18x18_puzzle_is_that_of_the_figure() -> None:
    puzzle = hardest(18, 18)
    rows = [(18,) if text == "18" else tuple(map(int, text)) for text in FIGURE_4_ROWS]
    assert [tuple(block.length for block in clue) for clue in puzzle.rows] == rows
    columns = [tuple(map(int, text)) for text in FIGURE_4_COLUMNS]
    assert [tuple(block.length for block in clue) for clue in puzzle.columns] == columns


@pytest.mark.parametrize("shape", [(10, 14), (18, 18)])
def test_the_reference_counts_the_same_sweeps(shape: tuple[int, int]) -> None:
    puzzle = hardest(*shape)
    assert oracle.fixpoint(puzzle, unknown(puzzle))[1] == sweeps_of_theorem(*shape)


@pytest.mark.parametrize("shape", [(2, 14), (10, 12), (10, 15), (12, 14), (17, 18), (18, 0)])
def test_other_sizes_are_an_error_that_lists_the_possible_sizes(shape: tuple[int, int]) -> None:
    assert not is_covered(*shape)
    with pytest.raises(UsageError, match=rf"no {shape[0]}x{shape[1]}; it has 8k \+ 2 rows"):
        hardest(*shape)
