"""Backend ``blocks``: forces what line solving forces, counts what it streams, stores nothing."""

from __future__ import annotations

import numpy as np
import psutil
import pytest

from nonocsp.backends.base import Answer, Limits, Outcome, Request, Task, Termination
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag, placement_count
from nonocsp.model import Clue, Grid, Puzzle
from nonocsp.testing import n_dom
from tests import oracle


def outcome_of(puzzle: Puzzle, spec: str = "blocks", **request: object) -> Outcome:
    return run_backend(create(spec), puzzle, Request(**request), StopFlag())  # type: ignore[arg-type]


def random_puzzles(count: int, size: int, colours: int) -> list[Puzzle]:
    random = np.random.default_rng([size, colours])
    shape = (count, size, size)
    filled = random.random(shape) < random.uniform(0.3, 0.8, (count, 1, 1))
    grids = random.integers(1, colours + 1, shape) * filled
    return [Puzzle.from_grid(Grid.from_cells(grid)) for grid in grids]


def unknown(puzzle: Puzzle) -> list[list[int]]:
    return Grid.unknown(*puzzle.shape, puzzle.palette).candidates.tolist()


@pytest.mark.parametrize("spec", ["blocks", "blocks:first=columns"])
@pytest.mark.parametrize("colours", [1, 2, 3])
def test_cells_painted_before_search_are_those_of_line_solving(spec: str, colours: int) -> None:
    searched = set()
    for puzzle in random_puzzles(12, 8, colours):
        stats = outcome_of(puzzle, spec, task=Task.SOLVE).stats
        grid, _ = oracle.fixpoint(puzzle, unknown(puzzle))
        assert grid is not None
        painted = sum(cell.bit_count() == 1 for row in grid for cell in row)
        assert stats["painted"] == painted
        assert (stats["nodes"] == 1) == (painted == 64)
        searched.add(painted < 64)
    assert searched == {False, True}


@pytest.mark.parametrize(
    ("row", "columns", "first", "lines", "placements"),
    [
        # the row, every column, and the row again
        ([1], [[], [], [1], [], []], "rows", 1 + 5 + 1, 5 + 5 + 1),
        # every column, and the row, which is then decided and touches nothing
        ([1], [[], [], [1], [], []], "columns", 5 + 1, 5 + 1),
        # four of the six placements use every candidate of the row
        ([1, 1], [[1], [], [1], [], []], "rows", 1 + 5 + 1, 4 + 5 + 1),
    ],
)
def test_visited_lines_and_placements_are_counted(
    row: list[int], columns: list[list[int]], first: str, lines: int, placements: int
) -> None:
    stats = outcome_of(Puzzle.from_clues([row], columns), f"blocks:first={first}").stats
    assert (stats["lines"], stats["placements"]) == (lines, placements)


def test_all_solutions_agree_with_those_of_sat_on_larger_grids() -> None:
    for puzzle in [*random_puzzles(15, 10, 1), *random_puzzles(15, 9, 3)]:
        found, expected = (
            set(outcome_of(puzzle, spec, task=Task.COUNT, bound=60).solutions) for spec in ("blocks", "sat")
        )
        assert found == expected or len(found) == len(expected) == 60


def test_both_sweep_orders_decide_a_puzzle_that_needs_search() -> None:
    for spec in ("blocks", "blocks:first=columns"):
        outcome = outcome_of(n_dom(5), spec)
        assert outcome.answer is Answer.UNIQUE
        assert outcome.stats["nodes"] > 1


def test_a_line_with_very_many_placements_runs_into_the_wall_limit_in_little_memory() -> None:
    ones = [1] * 40
    puzzle = Puzzle.from_clues([ones, []], [[1]] * 40 + [[]] * 80)
    assert placement_count(Clue.of(*ones), np.full(120, 3, np.uint64)) == 2**64 - 1
    process = psutil.Process()
    before = process.memory_info().rss
    outcome = outcome_of(puzzle, limits=Limits(wall=0.3))
    assert (outcome.answer, outcome.termination) == (Answer.UNKNOWN, Termination.WALL)
    assert outcome.stats["placements"] > 10_000
    assert process.memory_info().rss - before < 16 << 20
