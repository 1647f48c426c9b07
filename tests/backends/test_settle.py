"""Backend ``settle``: what line solving can know, and its statistics."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from nonocsp.backends.base import Answer, Outcome, Request
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import LineSolver, Order, StopFlag
from nonocsp.formats import load
from nonocsp.model import Grid, Puzzle
from nonocsp.testing import descriptions, n_dom


def outcome_of(puzzle: Puzzle, spec: str = "settle") -> Outcome:
    return run_backend(create(spec), puzzle, Request(), StopFlag())


SIMPLE = Puzzle.from_clues([[3], [1], [3]], [[1, 1], [3], [1, 1]])
MIXED = Puzzle.from_clues([[3], [1], [1]], [[1], [1], [3]])
FLOATING = Puzzle.from_clues([[3], [], [1], [1]], [[1, 1], [1, 1], [1]])


@pytest.mark.parametrize("spec", ["settle", "settle:order=sweeps", "settle:order=sweeps_columns_first"])
@pytest.mark.parametrize(
    ("puzzle", "answer", "painted"),
    [
        (SIMPLE, Answer.UNIQUE, 9),
        (MIXED, Answer.UNIQUE, 9),
        (FLOATING, Answer.PARTIAL, 8),
        (n_dom(3), Answer.PARTIAL, 5),
    ],
)
def test_the_answer_and_the_painted_cells_are_those_of_line_solving(
    spec: str, puzzle: Puzzle, answer: Answer, painted: int
) -> None:
    outcome = outcome_of(puzzle, spec)
    assert outcome.answer is answer
    assert outcome.stats["painted"] == painted


def test_both_orders_stop_at_the_same_grid_and_sweeps_are_counted() -> None:
    queue, sweeps = outcome_of(FLOATING), outcome_of(FLOATING, "settle:order=sweeps")
    assert queue.partial == sweeps.partial == Grid.from_strings(["###", "...", "??.", "??."])
    assert "sweeps" not in queue.stats
    assert (sweeps.stats["sweeps"], sweeps.stats["cells_per_sweep"]) == (2, "6,2")


def test_sweeps_are_counted_and_paint_cells_as_defined() -> None:
    random = np.random.default_rng(3)
    for colours in (1, 2) * 15:
        shape = random.integers(1, 13, 2)
        cells = random.integers(1, colours + 1, shape) * (random.random(shape) < 0.6)
        puzzle = Puzzle.from_grid(Grid.from_cells(cells))
        rows_first = outcome_of(puzzle, "settle:order=sweeps").stats
        columns_first = outcome_of(puzzle, "settle:order=sweeps_columns_first").stats
        engine = [
            LineSolver(way).propagate(order=Order.SWEEPS).sweeps for way in (puzzle, puzzle.transposed())
        ]
        assert [rows_first["sweeps"], columns_first["sweeps"]] == engine
        assert abs(engine[0] - engine[1]) <= 1
        for stats in (rows_first, columns_first):
            painted = [int(cells) for cells in str(stats["cells_per_sweep"]).split(",")]
            assert (len(painted), sum(painted)) == (stats["sweeps"], stats["painted"])


def test_a_contradiction_ends_the_sweeps() -> None:
    outcome = outcome_of(Puzzle.from_clues([[2], []], [[2], []]), "settle:order=sweeps")
    assert outcome.answer is Answer.UNSAT
    assert outcome.stats["settles"] == 3


def test_a_large_grid_is_propagated_in_a_thread_with_the_same_result() -> None:
    cells = np.random.default_rng(1).random((120, 120)) < 0.7
    puzzle = Puzzle.from_grid(Grid.from_cells(cells))
    outcome = outcome_of(puzzle)
    assert (outcome.partial or outcome.solutions[0]) == Grid(LineSolver(puzzle).propagate().candidates)


@pytest.mark.parametrize("label", ["jwilk", "mikix", "lqmon_easy", "lqmon_medium", "lqmon_hard"])
def test_labelled_puzzles_are_line_solvable_as_labelled(datasets: Path, label: str) -> None:
    with (datasets / f"labels/{label}.csv").open() as file:
        for row in csv.DictReader(file):
            outcome = outcome_of(load(datasets / row["name"]))
            assert (outcome.answer is Answer.UNIQUE) == (row["line_solvable"] == "1"), row["name"]
            unknown = outcome.partial.unknown_cells if outcome.partial else 0
            assert unknown == int(row["unknown_after_line_solving"]), row["name"]


@pytest.mark.slow
def test_the_number_of_simple_4x4_descriptions_is_the_published_one() -> None:
    fixpoints = (LineSolver(puzzle).propagate().candidates for puzzle, _ in descriptions(4, 4))
    assert Counter(Grid(candidates).is_full for candidates in fixpoints) == {True: 51_234, False: 6_962}
