"""Backend ``sat``: every solver, labelled puzzles, colours, seeds and interruption."""

from __future__ import annotations

import csv
from contextlib import closing
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from pysat.solvers import SolverNames

from nonocsp.backends.base import Answer, Outcome, Request, Run, Task
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.backends.sat import claims, likely_colours
from nonocsp.backends.sat_solver import SatSolver, SolverName
from nonocsp.engine import LineSolver, StopFlag
from nonocsp.engine.encodings import Cnf
from nonocsp.formats import load
from nonocsp.model import Clue, Grid, Line, Puzzle, UsageError
from nonocsp.testing import n_dom, permutations, placements, solutions

SOLVERS = get_args(SolverName)


def outcome_of(puzzle: Puzzle, spec: str = "sat", task: Task = Task.DECIDE, seed: int = 0) -> Outcome:
    return run_backend(create(spec), puzzle, Request(task, seed=seed), StopFlag())


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_counts_and_proves(solver: str) -> None:
    spec = f"sat:solver={solver}"
    assert len(outcome_of(permutations(5), spec, Task.COUNT).solutions) == 120
    assert outcome_of(n_dom(4), spec).answer is Answer.UNIQUE


def test_all_but_three_of_pysats_solvers_are_offered() -> None:
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


def test_a_seed_changes_the_search_but_not_the_solutions() -> None:
    by_seed = [outcome_of(permutations(5), task=Task.COUNT, seed=seed).solutions for seed in range(3)]
    assert len({solutions[:3] for solutions in by_seed}) == 3
    assert len({frozenset(solutions) for solutions in by_seed}) == 1


def test_statistics_are_kept() -> None:
    stats = outcome_of(n_dom(4)).stats
    assert stats["cell_variables"] == 81
    assert stats["clauses"] > stats["variables"] > 81
    assert stats["conflicts"] > 0
    assert stats["solver_s"] > 0


@pytest.mark.parametrize("solver", [solver for solver in SOLVERS if solver != "cadical103"])
def test_a_solver_tries_the_preferred_values_first(solver: SolverName) -> None:
    some = Cnf(4, 1, np.array([1, 2, 3, 4, 0], np.int32))
    for preferred in ([1, -2, 3, -4], [-1, 2, -3, 4]):
        with closing(SatSolver(solver, some, Run(Request(), StopFlag()))) as sat:
            sat.set_phases(preferred)
            assert sat.solve(Run(Request(), StopFlag()))
            assert sat.model() == preferred


def test_a_preference_for_a_solver_without_phases_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="solver=cadical103 takes no hints"):
        create("sat:solver=cadical103,phase=likely")


@pytest.mark.parametrize(
    ("clue", "known", "expected"),
    [
        (Clue.of(3), "????", [[0.5, 0.5], [0, 1], [0, 1], [0.5, 0.5]]),
        (Clue.of(1), "?.?", [[0.5, 0.5], [1, 0], [0.5, 0.5]]),
        (Clue.of(1, (1, 2)), "???", [[1 / 2, 1 / 2, 0], [0, 1 / 2, 1 / 2], [1 / 2, 0, 1 / 2]]),
    ],
    ids=str,
)
def test_a_blocks_claim_to_a_cell_is_the_share_of_its_starts_that_cover_the_cell(
    clue: Clue, known: str, expected: list[list[float]]
) -> None:
    solver = LineSolver(Puzzle.from_grid(Grid.from_cells([next(placements(clue, len(known)))])))
    everything = 2 ** len(solver.puzzle.palette) - 1
    candidates = np.array([[1 if cell == "." else everything for cell in known]], np.uint64)
    assert np.allclose(claims(solver, Line("row", 0), candidates), expected)


@pytest.mark.parametrize("colours", [1, 3])
@pytest.mark.parametrize("encoding", ["order", "direct", "automaton"])
def test_a_hint_changes_the_search_but_not_the_solutions(encoding: str, colours: int) -> None:
    random = np.random.default_rng(colours)
    for seed in range(10):
        cells = random.integers(1, colours + 1, (5, 5)) * (random.random((5, 5)) < 0.5)
        puzzle = Puzzle.from_grid(Grid.from_cells(cells))
        found = outcome_of(puzzle, f"sat:encoding={encoding},phase=likely", Task.COUNT, seed)
        assert set(found.solutions) == set(solutions(puzzle))


def test_the_likely_colour_is_one_that_the_cell_can_have() -> None:
    random = np.random.default_rng(2)
    for _ in range(10):
        cells = random.integers(1, 3, (12, 12)) * (random.random((12, 12)) < 0.5)
        solver = LineSolver(Puzzle.from_grid(Grid.from_cells(cells)))
        candidates = solver.propagate().candidates
        likely = likely_colours(solver, candidates)
        assert (candidates >> likely.astype(np.uint64) & np.uint64(1) == 1).all()


def test_the_likely_colour_follows_from_the_claims_of_row_and_column() -> None:
    puzzle = Puzzle.from_clues([[4], [4], []], [[], [2], [2], [2], [2], []])
    everything = Grid.unknown(3, 6, puzzle.palette).candidates
    likely = likely_colours(LineSolver(puzzle), everything)
    assert likely.tolist() == [[0, 1, 1, 1, 1, 0], [0, 1, 1, 1, 1, 0], [0] * 6]
