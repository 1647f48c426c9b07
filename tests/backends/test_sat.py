"""Backend ``sat``: every solver, labelled puzzles, colours, seeds and interruption."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from pysat.solvers import SolverNames

from nonocsp.backends.base import Answer, Outcome, Request, Task
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.backends.sat_solver import SolverName
from nonocsp.engine import StopFlag
from nonocsp.formats import load
from nonocsp.model import Grid, Puzzle, UsageError
from nonocsp.testing import n_dom, permutations, solutions

SOLVERS = get_args(SolverName)


def outcome_of(puzzle: Puzzle, spec: str = "sat", task: Task = Task.DECIDE, seed: int = 0) -> Outcome:
    return run_backend(create(spec), puzzle, Request(task, seed=seed), StopFlag())


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_counts_and_proves(solver: str) -> None:
    spec = f"sat:solver={solver}"
    assert len(outcome_of(permutations(5), spec, Task.COUNT).solutions) == 120
    assert outcome_of(n_dom(4), spec).answer is Answer.UNIQUE


def test_all_of_python_sats_solvers_are_offered_but_for_three() -> None:
    known = {name for name in vars(SolverNames) if not name.startswith("_")}
    assert known - set(SOLVERS) == {"cryptosat", "ergo", "kissat404"}


def test_an_unknown_solver_is_a_usage_error_that_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"solver=glucose5 does not fit.*glucose4\|glucose42"):
        create("sat:solver=glucose5")


@pytest.mark.parametrize("label", ["jwilk", "mikix", "lqmon_easy", "lqmon_medium", "lqmon_hard"])
def test_labelled_puzzles_have_one_or_several_solutions_as_labelled(datasets: Path, label: str) -> None:
    answers = {"1": Answer.UNIQUE, "2+": Answer.MULTIPLE, "0": Answer.UNSAT}
    with (datasets / f"labels/{label}.csv").open() as file:
        for row in csv.DictReader(file):
            assert outcome_of(load(datasets / row["name"])).answer is answers[row["solutions"]], row["name"]


@pytest.mark.parametrize("colours", [2, 3])
def test_coloured_puzzles_have_the_enumerated_solutions(colours: int) -> None:
    random = np.random.default_rng(colours)
    for _ in range(30):
        shape = random.integers(4, 7, 2)
        cells = random.integers(1, colours + 1, shape) * (random.random(shape) < 0.6)
        puzzle = Puzzle.from_grid(Grid.from_cells(cells))
        found = run_backend(create("sat"), puzzle, Request(Task.COUNT, bound=10_000), StopFlag())
        assert set(found.solutions) == set(solutions(puzzle))


def test_a_seed_changes_the_course_but_not_the_solutions() -> None:
    by_seed = [outcome_of(permutations(5), task=Task.COUNT, seed=seed).solutions for seed in range(3)]
    assert len({solutions[:3] for solutions in by_seed}) == 3
    assert len({frozenset(solutions) for solutions in by_seed}) == 1


def test_statistics_are_kept() -> None:
    stats = outcome_of(n_dom(4)).stats
    assert stats["cell_variables"] == 81
    assert stats["clauses"] > stats["variables"] > 81
    assert stats["conflicts"] > 0
    assert stats["solver_s"] > 0
