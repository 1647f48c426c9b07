"""Backend ``probing``: its options, groups, statistics, and how it ends."""

from __future__ import annotations

from itertools import product
from typing import get_args, get_type_hints

import numpy as np
import pytest

from nonocsp.backends.base import Answer, Outcome, Request, Task, Termination
from nonocsp.backends.probing import ProbingOptions
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import LineSolver, StopFlag
from nonocsp.model import Grid, Puzzle
from nonocsp.testing import n_dom, permutations, solutions


def outcome_of(puzzle: Puzzle, spec: str = "probing", task: Task = Task.DECIDE, seed: int = 0) -> Outcome:
    return run_backend(create(spec), puzzle, Request(task, seed=seed, bound=1000), StopFlag())


def choices(option: str) -> tuple[str, ...]:
    return get_args(get_type_hints(ProbingOptions)[option])


def random_puzzles(count: int, colours: int) -> list[Puzzle]:
    random = np.random.default_rng(colours)
    shapes = random.integers(4, 7, (count, 2))
    cells = (random.integers(1, colours + 1, shape) * (random.random(shape) < 0.5) for shape in shapes)
    return [Puzzle.from_grid(Grid.from_cells(grid)) for grid in cells]


AMBIGUOUS = [permutations(5), *random_puzzles(4, 1), *random_puzzles(4, 2)]


@pytest.mark.parametrize("option", ["level", "score", "order"])
def test_every_choice_finds_the_same_solutions(option: str) -> None:
    for puzzle in AMBIGUOUS:
        expected = set(solutions(puzzle))
        for choice, groups in product(choices(option), ("gp=no", "gp=yes,min_group=2")):
            outcome = outcome_of(puzzle, f"probing:{option}={choice},{groups}", Task.COUNT)
            assert len(outcome.solutions) == len(expected)
            assert set(outcome.solutions) == expected


@pytest.mark.parametrize("colours", [1, 2, 3])
@pytest.mark.parametrize("level", ["fp1", "fp2", "fp3"])
def test_random_puzzles_have_the_enumerated_solutions(level: str, colours: int) -> None:
    for puzzle in random_puzzles(25, colours):
        found = outcome_of(puzzle, f"probing:level={level},gp=yes,min_group=2", Task.COUNT).solutions
        assert set(found) == set(solutions(puzzle))


def test_different_scores_and_orders_search_differently() -> None:
    specs = [
        f"probing:score={score},order={order}" for score in choices("score") for order in choices("order")
    ]
    ways = {outcome_of(permutations(6), spec, seed=1).solutions for spec in specs}
    assert len(ways) > 7


def test_a_seed_matters_only_to_the_random_order() -> None:
    def ways(order: str) -> set[tuple[Grid, ...]]:
        return {outcome_of(permutations(5), f"probing:order={order}", seed=i).solutions for i in range(6)}

    assert len(ways("random")) > 1
    assert len(ways("larger")) == 1


def test_groups_found_before_search_are_counted_if_they_reach_the_minimum_size() -> None:
    two_pairs = Puzzle.from_clues([[1, 1], [1, 1], [], [2]], [[2], [], [1], [2], [1]])
    for puzzle in (two_pairs, permutations(4)):
        for smallest in (2, 3, 5):
            stats = outcome_of(puzzle, f"probing:gp=yes,min_group={smallest}").stats
            groups = LineSolver(puzzle).probe(groups=True).groups
            assert groups is not None
            sizes = [int((abs(groups) == group).sum()) for group in range(1, groups.max() + 1)]
            kept = sorted((size for size in sizes if size >= smallest), reverse=True)
            assert stats["groups"] == len(kept)
            assert stats["group_sizes"] == " ".join(map(str, kept))


def test_groups_save_probes_but_no_nodes() -> None:
    saved = 0
    for seed in range(60):
        cells = np.random.default_rng(seed).random((12, 12)) < 0.45
        puzzle = Puzzle.from_grid(Grid.from_cells(cells.astype(np.uint8)))
        specs = "probing:gp=no", "probing:gp=yes,min_group=2"
        single, grouped = (outcome_of(puzzle, spec, Task.COUNT) for spec in specs)
        assert set(single.solutions) == set(grouped.solutions)
        assert single.stats["nodes"] == grouped.stats["nodes"]
        saved += int(single.stats["probes"]) - int(grouped.stats["probes"])
    assert saved > 0


def test_a_probe_can_complete_the_grid_far_from_its_cell() -> None:
    parts = [[1], [1], [(1, 2)], [(1, 2)]]
    outcome = outcome_of(Puzzle.from_clues(parts, parts), task=Task.COUNT)
    assert len(outcome.solutions) == 4
    assert outcome.stats["nodes"] == 3  # two branches for the one part; both ways of the other are probes


def test_a_large_grid_that_line_solving_completes_needs_no_probe() -> None:
    outcome = outcome_of(Puzzle.from_clues([[70]] * 70, [[70]] * 70), "probing:level=fp3")
    assert outcome.answer is Answer.UNIQUE
    assert outcome.stats["probes"] == 0


def test_too_many_open_candidates_for_fp2_are_refused_and_the_message_gives_the_number() -> None:
    wide = Puzzle.from_clues([[1]] * 65, [[1]] * 65)
    outcome = outcome_of(wide, "probing:level=fp2")
    assert outcome.termination is Termination.UNSUPPORTED
    assert outcome.message.endswith("at most 8192 open candidates; line solving leaves 8450")


def test_statistics_are_kept() -> None:
    stats = outcome_of(n_dom(4)).stats
    assert stats["painted"] == 81
    assert stats["nodes"] == 1
    assert 0 < stats["probes"] < stats["settles"]
    assert "groups" not in stats
