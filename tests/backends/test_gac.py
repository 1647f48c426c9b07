"""Backend ``gac``: GAC from nothing is line solving, every order finds everything, counts, the cap, stops."""

from __future__ import annotations

from itertools import product
from math import comb, factorial

import numpy as np
import pytest

from nonocsp.backends.base import Answer, Limits, Outcome, Request, Task, Termination
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag
from nonocsp.model import Clue, Grid, Puzzle
from nonocsp.testing import n_dom, permutations, solutions
from tests import oracle

ORDERS = [
    f"gac:variable_order={variables},value_order={values},settle={settle}"
    for variables, values, settle in product(
        ("dom_wdeg", "domain", "first"), ("first", "support", "random"), ("yes", "no")
    )
]
SEARCHED = Puzzle.from_clues([[1], [2], [1, 1], [2]], [[1, 1], [1, 1], [1, 1], [1]])
"""Unique, not simple."""


def outcome_of(puzzle: Puzzle, spec: str = "gac", **request: object) -> Outcome:
    return run_backend(create(spec), puzzle, Request(**request), StopFlag())  # type: ignore[arg-type]


def random_puzzles(count: int, size: int, colours: int) -> list[Puzzle]:
    random = np.random.default_rng([size, colours])
    cells = [
        random.integers(1, colours + 1, (size, size))
        * (random.random((size, size)) < random.uniform(0.3, 0.8))
        for _ in range(count)
    ]
    return [Puzzle.from_grid(Grid.from_cells(grid)) for grid in cells]


def unknown(puzzle: Puzzle) -> list[list[int]]:
    return Grid.unknown(*puzzle.shape, puzzle.palette).candidates.tolist()


def fitting(clue: Clue, line: list[int]) -> int:
    return sum(
        all(candidates >> colour & 1 for candidates, colour in zip(line, cells, strict=True))
        for cells in oracle.placements(clue, len(line))
    )


@pytest.mark.parametrize("colours", [1, 2, 3])
def test_gac_from_the_clues_alone_paints_the_cells_of_line_solving(colours: int) -> None:
    outcomes = set()
    for puzzle in random_puzzles(12, 8, colours):
        stats = outcome_of(puzzle, "gac:settle=no", task=Task.SOLVE).stats
        grid, _ = oracle.fixpoint(puzzle, unknown(puzzle))
        assert grid is not None
        painted = sum(cell.bit_count() == 1 for row in grid for cell in row)
        assert stats["painted"] == painted
        assert stats["outcome"] == ("solved" if painted == 64 else "open")
        outcomes.add(stats["outcome"])
    assert len(outcomes) == 2


def test_the_domains_are_the_placements_that_fit_the_fixpoint() -> None:
    for puzzle in random_puzzles(10, 8, 2):
        for spec, grid in (
            ("gac", oracle.fixpoint(puzzle, unknown(puzzle))[0]),
            ("gac:settle=no", unknown(puzzle)),
        ):
            assert grid is not None
            sizes = [fitting(clue, row) for clue, row in zip(puzzle.rows, grid, strict=True)]
            sizes += [
                fitting(clue, list(column))
                for clue, column in zip(puzzle.columns, zip(*grid, strict=True), strict=True)
            ]
            stats = outcome_of(puzzle, spec, task=Task.SOLVE).stats
            assert (stats["placements"], stats["largest"]) == (sum(sizes), max(sizes))
            if stats["outcome"] == "solved":
                assert stats["removed"] == sum(sizes) - len(sizes)


@pytest.mark.parametrize(
    ("puzzle", "outcome", "answer"),
    [
        (Puzzle.from_clues([[3], [1], [3]], [[1, 1], [3], [1, 1]]), "solved", Answer.UNIQUE),
        (Puzzle.from_clues([[1, 1], [1, 1], []], [[2], [2], []]), "contradiction", Answer.UNSAT),
        (Puzzle.from_clues([[2], [1, 1], [2], [2]], [[1, 1], [2], [2], [1, 1]]), "open", Answer.UNSAT),
        (SEARCHED, "open", Answer.UNIQUE),
        (permutations(3), "open", Answer.MULTIPLE),
    ],
)
@pytest.mark.parametrize("settle", ["yes", "no"])
def test_the_root_ends_solved_open_or_contradictory_whatever_the_answer(
    puzzle: Puzzle, outcome: str, answer: Answer, settle: str
) -> None:
    found = outcome_of(puzzle, f"gac:settle={settle}")
    assert (found.answer, found.stats["outcome"]) == (answer, outcome)
    assert (found.stats["nodes"] == 1) == (outcome != "open")


@pytest.mark.parametrize("spec", ORDERS)
def test_every_order_finds_every_solution_once(spec: str) -> None:
    for puzzle in (SEARCHED, permutations(4), *random_puzzles(4, 5, 2), *random_puzzles(4, 6, 1)):
        expected = solutions(puzzle)
        outcome = outcome_of(puzzle, spec, task=Task.COUNT)
        assert outcome.termination is Termination.OK
        assert set(outcome.solutions) == set(expected)


def test_all_solutions_agree_with_those_of_sat_on_larger_grids() -> None:
    for puzzle in [*random_puzzles(15, 11, 1), *random_puzzles(15, 9, 3)]:
        counted = [
            set(outcome_of(puzzle, spec, task=Task.COUNT, bound=60).solutions) for spec in ("gac", "sat")
        ]
        assert counted[0] == counted[1] or len(counted[0]) == len(counted[1]) == 60


def test_weighted_degree_and_support_save_nodes_where_search_is_needed() -> None:
    nodes = {
        spec: int(outcome_of(n_dom(6), spec).stats["nodes"])
        for spec in ("gac", "gac:variable_order=domain", "gac:variable_order=first,value_order=first")
    }
    assert (
        nodes["gac"]
        < nodes["gac:variable_order=domain"]
        < nodes["gac:variable_order=first,value_order=first"]
    )


def test_a_seed_changes_only_the_order_of_random_placements() -> None:
    spec = "gac:value_order=random"
    found = [outcome_of(permutations(4), spec, task=Task.COUNT, seed=seed).solutions for seed in (0, 0, 1)]
    assert found[0] == found[1] != found[2]
    assert set(found[0]) == set(found[2])
    assert len(found[0]) == factorial(4)


@pytest.mark.parametrize(("values", "row"), [("first", [1, 0, 0]), ("support", [0, 0, 1])])
def test_the_first_placement_is_the_leftmost_or_the_best_supported(values: str, row: list[int]) -> None:
    """A third of the placements of the last column begin in row 1, and a quarter of those of the others."""
    puzzle = Puzzle.from_clues([[1]] * 4, [[1], [1], [2]])
    spec = f"gac:variable_order=first,value_order={values}"
    assert outcome_of(puzzle, spec).solutions[0].cells[0].tolist() == row


@pytest.mark.parametrize(
    ("clue", "length", "figure"),
    [([1] * 10, 50, comb(41, 10)), ([1] * 1000, 4000, "more than 1.8e19")],
)
def test_a_line_with_too_many_placements_is_refused_and_the_message_gives_the_number(
    clue: list[int], length: int, figure: int | str
) -> None:
    columns = [[1]] * len(clue) + [[]] * (length - len(clue))
    outcome = outcome_of(Puzzle.from_clues([[], clue, []], columns), "gac:settle=no")
    assert outcome.termination is Termination.UNSUPPORTED
    assert outcome.answer is Answer.UNKNOWN
    assert f"row 2 has {figure} placements, more than max_placements=1000000" in outcome.message


def test_a_domain_as_large_as_the_cap_is_accepted_and_a_larger_one_refused() -> None:
    puzzle = n_dom(4)
    largest = outcome_of(puzzle).stats["largest"]
    assert outcome_of(puzzle, f"gac:max_placements={largest}").answer is Answer.UNIQUE
    refused = outcome_of(puzzle, f"gac:max_placements={int(largest) - 1}")
    assert refused.termination is Termination.UNSUPPORTED


def test_a_stop_ends_the_listing_of_placements() -> None:
    puzzle = Puzzle.from_clues([[1] * 8, [], [1] * 8], [[1, 1]] * 8 + [[]] * 26)
    outcome = outcome_of(puzzle, "gac:settle=no,max_placements=3000000", limits=Limits(wall=0.03))
    assert outcome.termination is Termination.WALL
    assert "outcome" not in outcome.stats
