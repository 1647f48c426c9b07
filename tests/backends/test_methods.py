"""Backends of the core that do not learn: what their statistics count, and where their limits are."""

from collections import Counter
from math import comb, factorial

import numpy as np
import psutil
import pytest

from nonocsp.backends.base import LISTED, Answer, Limits, Task, Termination
from nonocsp.datasets import random_set
from nonocsp.engine import LineSolver, placement_count
from nonocsp.model import Clue, Grid, Puzzle
from nonocsp.testing import descriptions, n_dom, permutations
from tests import oracle
from tests.backends.asking import SEARCHED, outcome_of, random_puzzles

SIMPLE = Puzzle.from_clues([[3], [1], [3]], [[1, 1], [3], [1, 1]])
FLOATING = Puzzle.from_clues([[3], [], [1], [1]], [[1, 1], [1, 1], [1]])
CONTRADICTORY = Puzzle.from_clues([[1, 1], [1, 1], []], [[2], [2], []])
UNSAT = Puzzle.from_clues([[2], [1, 1], [2], [2]], [[1, 1], [2], [2], [1, 1]])


def unknown(puzzle: Puzzle) -> list[list[int]]:
    return Grid.unknown(*puzzle.shape, puzzle.palette).candidates.tolist()


@pytest.mark.parametrize("colours", [1, 2, 3])
@pytest.mark.parametrize(
    ("spec", "statistic"),
    [
        ("settle", "painted"),
        ("settle:order=sweeps", "painted"),
        ("settle:order=sweeps_columns_first", "painted"),
        ("blocks", "painted"),
        ("blocks:first=columns", "painted"),
        ("gac:settle=no", "painted"),
        ("segments", "painted"),
        ("twosat:search=no", "painted_by_settle"),
    ],
)
def test_the_cells_painted_before_search_are_those_of_line_solving(spec, statistic, colours):
    for puzzle in random_puzzles(8, colours):
        grid, _ = oracle.fixpoint(puzzle, unknown(puzzle))
        assert grid is not None
        painted = sum(cell.bit_count() == 1 for row in grid for cell in row)
        stats = outcome_of(puzzle, spec, Task.SOLVE).stats
        assert stats[statistic] == painted
        if spec.startswith("blocks"):
            assert (stats["nodes"] == 1) == (painted == 64)
        if spec.startswith("gac"):
            assert stats["outcome"] == ("solved" if painted == 64 else "open")


# settle


def test_all_orders_stop_at_the_same_grid_and_sweeps_are_counted():
    queue, sweeps = outcome_of(FLOATING, "settle"), outcome_of(FLOATING, "settle:order=sweeps")
    assert queue.answer is sweeps.answer is Answer.PARTIAL
    assert queue.partial == sweeps.partial == Grid.from_strings(["###", "...", "??.", "??."])
    assert "sweeps" not in queue.stats
    assert (sweeps.stats["sweeps"], sweeps.stats["cells_per_sweep"]) == (2, "6,2")
    contradiction = outcome_of(Puzzle.from_clues([[2], []], [[2], []]), "settle:order=sweeps")
    assert (contradiction.answer, contradiction.stats["settles"]) == (Answer.UNSAT, 3)


@pytest.mark.slow
def test_the_number_of_simple_4x4_descriptions_is_the_published_one():
    fixpoints = (LineSolver(puzzle).propagate().candidates for puzzle, _ in descriptions(4, 4))
    assert Counter(Grid(candidates).is_full for candidates in fixpoints) == {True: 51_234, False: 6_962}


# blocks


def test_a_line_with_very_many_placements_runs_into_the_wall_limit_in_little_memory():
    ones = [1] * 40
    puzzle = Puzzle.from_clues([ones, []], [[1]] * 40 + [[]] * 80)
    assert placement_count(Clue.of(*ones), np.full(120, 3, np.uint64)) == 2**64 - 1
    process = psutil.Process()
    before = process.memory_info().rss
    outcome = outcome_of(puzzle, "blocks", limits=Limits(wall=0.3))
    assert (outcome.answer, outcome.termination) == (Answer.UNKNOWN, Termination.WALL)
    assert outcome.stats["placements"] > 10_000
    assert process.memory_info().rss - before < 16 << 20


# gac


@pytest.mark.parametrize("settle", ["yes", "no"])
@pytest.mark.parametrize(
    ("puzzle", "outcome", "answer"),
    [
        (SIMPLE, "solved", Answer.UNIQUE),
        (CONTRADICTORY, "contradiction", Answer.UNSAT),
        (UNSAT, "open", Answer.UNSAT),
        (SEARCHED, "open", Answer.UNIQUE),
        (permutations(3), "open", Answer.MULTIPLE),
    ],
)
def test_the_root_ends_solved_open_or_contradictory_whatever_the_answer(puzzle, outcome, answer, settle):
    found = outcome_of(puzzle, f"gac:settle={settle}")
    assert (found.answer, found.stats["outcome"]) == (answer, outcome)
    assert (found.stats["nodes"] == 1) == (outcome != "open")


def test_weighted_degree_and_support_save_nodes_where_search_is_needed():
    orders = ("", ":variable_order=domain", ":variable_order=first,value_order=first")
    nodes = [int(outcome_of(n_dom(6), f"gac{order}").stats["nodes"]) for order in orders]
    assert nodes[0] < nodes[1] < nodes[2]


@pytest.mark.parametrize(
    ("clue", "length", "figure"),
    [([1] * 10, 50, comb(41, 10)), ([1] * 1000, 4000, "more than 1.8e19")],
)
def test_a_line_with_too_many_placements_is_refused_and_the_message_gives_the_number(clue, length, figure):
    columns = [[1]] * len(clue) + [[]] * (length - len(clue))
    outcome = outcome_of(Puzzle.from_clues([[], clue, []], columns), "gac:settle=no")
    assert (outcome.answer, outcome.termination) == (Answer.UNKNOWN, Termination.UNSUPPORTED)
    assert f"row 2 has {figure} placements, more than max_placements=1000000" in outcome.message


# probing


def test_groups_are_counted_from_a_size_and_save_probes_but_no_nodes():
    saved, smallest = 0, 100
    for puzzle in random_set(1, count=30, rows=12, columns=12, density=0.4):
        single, grouped, large = (
            outcome_of(puzzle, f"probing:{groups}", Task.COUNT, bound=1000)
            for groups in ("gp=no", "gp=yes,min_group=2", "gp=yes,min_group=5")
        )
        assert set(single.solutions) == set(grouped.solutions)
        assert single.stats["nodes"] == grouped.stats["nodes"]
        saved += int(single.stats["probes"]) - int(grouped.stats["probes"])
        sizes = [*map(int, str(grouped.stats["group_sizes"]).split())]
        assert grouped.stats["groups"] == len(sizes)
        assert large.stats["group_sizes"] == " ".join(str(size) for size in sizes if size >= 5)
        smallest = min([smallest, *sizes])
    assert saved > 0
    assert 2 <= smallest < 5


def test_probing_at_higher_levels_takes_few_open_candidates_and_says_how_many_there_are():
    full = outcome_of(Puzzle.from_clues([[70]] * 70, [[70]] * 70), "probing:level=fp3")
    assert (full.answer, full.stats["probes"]) == (Answer.UNIQUE, 0)
    outcome = outcome_of(Puzzle.from_clues([[1]] * 65, [[1]] * 65), "probing:level=fp2")
    assert outcome.termination is Termination.UNSUPPORTED
    assert outcome.message.endswith("at most 8192 open candidates; line solving leaves 8450")


# mdd, and the count of hybrid

BOTH = pytest.mark.parametrize("backend", ["mdd", "hybrid"])


@BOTH
@pytest.mark.parametrize(("size", "listed"), [(5, 120), (6, 720), (7, 2)])
def test_all_solutions_are_listed_only_if_they_are_few(backend, size, listed):
    outcome = outcome_of(permutations(size), backend, Task.COUNT)
    assert outcome.count == factorial(size)
    assert len(outcome.solutions) == listed <= LISTED


@BOTH
def test_a_count_that_runs_out_of_memory_or_time_keeps_a_lower_bound(backend):
    option = {"mdd": "memory", "hybrid": "count_memory"}[backend]
    outcome = outcome_of(permutations(14), f"{backend}:{option}=1", Task.COUNT)
    assert (outcome.termination, outcome.count) == (Termination.MEMORY, None)
    assert "do not fit into 1 MiB" in outcome.message or "than fit into 1 MiB" in outcome.message
    assert LISTED < outcome.count_at_least < factorial(14)
    outcome = outcome_of(permutations(24), backend, Task.COUNT, limits=Limits(wall=0.3))
    assert outcome.termination is Termination.WALL
    assert 1 <= outcome.count_at_least < factorial(24)


# segments


@pytest.mark.parametrize(
    ("puzzle", "task", "category", "answer"),
    [
        (SIMPLE, Task.SOLVE, "simple", Answer.SOLVED),
        (SIMPLE, Task.DECIDE, "simple", Answer.UNIQUE),
        (permutations(2), Task.DECIDE, "ambiguous", Answer.MULTIPLE),
        (permutations(2), Task.SOLVE, "unknown", Answer.SOLVED),
        (n_dom(3), Task.DECIDE, "needs search", Answer.UNIQUE),
        (n_dom(3), Task.SOLVE, "unknown", Answer.SOLVED),
        (permutations(4), Task.COUNT, "ambiguous", Answer.MULTIPLE),
        (CONTRADICTORY, Task.DECIDE, "contradictory", Answer.UNSAT),
        (UNSAT, Task.DECIDE, "contradictory", Answer.UNSAT),
    ],
)
def test_the_category_claims_only_what_the_run_proved(puzzle, task, category, answer):
    outcome = outcome_of(puzzle, "segments", task)
    assert (outcome.stats["category"], outcome.answer) == (category, answer)


def test_segments_that_run_out_of_time_or_memory_claim_nothing():
    outcome = outcome_of(n_dom(14), "segments", limits=Limits(wall=0.05))
    assert (outcome.termination, outcome.stats["category"]) == (Termination.WALL, "unknown")
    outcome = outcome_of(Puzzle.from_grid(Grid.from_cells(np.tile([1, 0], (4096, 20)))), "segments")
    assert outcome.termination is Termination.UNSUPPORTED
    assert "MiB, more than 256" in outcome.message
