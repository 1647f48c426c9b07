"""Backend ``hybrid``: the hand-over from probing to learning, guidance, limits and statistics."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from nonocsp.backends.base import Answer, Limits, Outcome, Request, Task, Termination
from nonocsp.backends.registry import canonical_spec, create, info
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag
from nonocsp.engine.searches import search_parameters
from nonocsp.model import Grid, Palette, Puzzle, UsageError
from nonocsp.testing import n_dom, permutations, solutions

LEARNING = ("none", "beliefs", "dives")


def outcome_of(puzzle: Puzzle, spec: str = "hybrid", task: Task = Task.DECIDE, seed: int = 0) -> Outcome:
    return run_backend(create(spec), puzzle, Request(task, seed=seed, bound=1000), StopFlag())


def random_puzzle(shape: tuple[int, int], colours: int, seed: int, density: float = 0.5) -> Puzzle:
    random = np.random.default_rng(seed)
    cells = random.integers(1, colours + 1, shape) * (random.random(shape) < density)
    return Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(colours))


@pytest.mark.parametrize("colours", [1, 2, 3])
@pytest.mark.parametrize("budget", [0, 50, 100, 200, 400])  # 0 to 4 probes on these boards
@pytest.mark.parametrize("backtracking", ["yes", "no"])
def test_the_stages_together_find_every_solution_once(backtracking: str, budget: int, colours: int) -> None:
    for seed in range(25):
        puzzle = random_puzzle((5, 6), colours, seed)
        outcome = outcome_of(puzzle, f"hybrid:backtracking={backtracking},budget={budget}", Task.COUNT)
        assert len(outcome.solutions) == len(set(outcome.solutions))
        assert set(outcome.solutions) == set(solutions(puzzle))


@pytest.mark.parametrize("guidance", LEARNING)
def test_learning_enumerates_permutations(guidance: str) -> None:
    outcome = outcome_of(permutations(6), f"hybrid:backtracking=no,budget=0,guidance={guidance}", Task.COUNT)
    assert len(set(outcome.solutions)) == 720
    assert outcome.stats["handed_over"] == 1


@pytest.mark.parametrize("guidance", LEARNING)
@pytest.mark.parametrize("colours", [1, 2, 3])
def test_hybrid_gives_the_verdicts_of_sat(colours: int, guidance: str) -> None:
    for seed in range(4):
        puzzle = random_puzzle((12, 14), colours, seed, density=0.4)
        assert (
            outcome_of(puzzle, f"hybrid:backtracking=no,budget=0,guidance={guidance}").answer
            is outcome_of(puzzle, "sat").answer
        )


@pytest.mark.parametrize("shape", [(1, 90), (90, 1), (70, 9), (3, 130)])
@pytest.mark.parametrize("colours", [1, 2])
def test_lines_longer_than_a_machine_word_are_solved(shape: tuple[int, int], colours: int) -> None:
    puzzle = random_puzzle(shape, colours, seed=5, density=0.6)
    outcome = outcome_of(puzzle, "hybrid:backtracking=no,budget=0")
    assert outcome.answer is outcome_of(puzzle, "sat").answer
    assert outcome.termination is Termination.OK


def test_easy_puzzles_need_no_learning() -> None:
    stats = outcome_of(random_puzzle((10, 10), 1, seed=3, density=0.7)).stats
    assert stats["handed_over"] == stats["conflicts"] == stats["dives"] == 0


def test_a_hard_unique_puzzle_is_proved_by_learning() -> None:
    outcome = outcome_of(n_dom(8), "hybrid:budget=10")
    assert outcome.answer is Answer.UNIQUE
    assert outcome.stats["handed_over"] == 1
    assert outcome.stats["conflicts"] > 100


@pytest.mark.parametrize("seed", [0, 7])
def test_a_seed_repeats_the_same_search(seed: int) -> None:
    first, second = (outcome_of(n_dom(7), "hybrid:backtracking=no,budget=0", seed=seed) for _ in range(2))
    assert first.solutions == second.solutions
    assert first.stats == second.stats


def test_different_seeds_search_differently() -> None:
    conflicts = {
        outcome_of(n_dom(8), "hybrid:backtracking=no,budget=0", seed=seed).stats["conflicts"]
        for seed in range(4)
    }
    assert len(conflicts) > 1


def test_little_memory_gives_the_same_answer() -> None:
    little, much = (
        outcome_of(n_dom(8), f"hybrid:backtracking=no,budget=0,clause_memory={memory}") for memory in (1, 256)
    )
    assert little.answer is much.answer is Answer.UNIQUE


def test_the_memory_of_the_learning_searches_is_bounded_and_reported() -> None:
    free, bounded = (
        outcome_of(n_dom(13), f"hybrid:budget=0,clause_memory={memory},search=reduce_first=1000000")
        for memory in (64, 1)
    )
    searches, cells = 2, 27 * 27
    bound = searches * 2**20 + 1000 * cells  # of clauses, and of all else
    assert free.stats["reductions"] == 0
    assert bounded.stats["reductions"] > 0
    assert 1000 * cells < bounded.stats["learning_bytes"] < min(bound, free.stats["learning_bytes"])


def test_expert_parameters_change_the_search_but_not_the_answer() -> None:
    plain = outcome_of(n_dom(8), "hybrid:backtracking=no,budget=0")
    for search in (
        "decay=.8",
        "restart=luby+luby_unit=10",
        "restart_margin=1.1+restart_interval=2",
        "reduce_first=50+reduce_interval=20+reduce_fraction=.8",
        "phase=saved",
        "model=starts",
        "cells_first=1",
        "phase=fixed",
        "dive_first=0+dive_interval=50+dive_conflicts=20+dive_cells=1",
    ):
        outcome = outcome_of(n_dom(8), f"hybrid:backtracking=no,budget=0,search={search}")
        assert outcome.answer is plain.answer is Answer.UNIQUE, search
        assert outcome.stats["decisions"] != plain.stats["decisions"], search


def test_both_learning_searches_have_turns_and_each_alone_gives_the_same_answer() -> None:
    spec = "hybrid:backtracking=no,budget=0,search=cells_first=1+dive_interval=20"
    both = outcome_of(n_dom(8), spec)
    assert both.stats["turns_cells"] > 1
    assert both.stats["turns_starts"] > 1
    for model, idle in (("cells", "turns_starts"), ("starts", "turns_cells")):
        alone = outcome_of(n_dom(8), f"{spec}+model={model}")
        assert alone.stats[idle] == 0
        assert alone.answer is both.answer is Answer.UNIQUE
        assert alone.solutions == both.solutions


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ([[1], [1], [1, 1], [1]], [[], [1], [1], [], [1, 1], [], [1]]),
        ([[1, 1], [1], [1, 1], [1, 1]], [[], [1], [1, 1], [1], [1, 1], [1], []]),
    ],
)
def test_solutions_that_probing_took_from_the_root_are_not_mixed_with_others(
    rows: list[list[int]], columns: list[list[int]]
) -> None:
    puzzle = Puzzle.from_clues(rows, columns)
    outcome = outcome_of(puzzle, "hybrid:backtracking=no", Task.COUNT)
    assert set(outcome.solutions) == set(solutions(puzzle))


def test_searches_in_turn_give_every_solution_once() -> None:
    for turn in (1, 7):
        spec = f"hybrid:backtracking=no,budget=0,search=cells_first=1+dive_interval={turn}+dive_first={turn}"
        solutions = outcome_of(permutations(5), spec, Task.COUNT).solutions
        assert len(solutions) == len(set(solutions)) == 120


def test_racing_threads_give_the_answers_and_the_solutions_of_one() -> None:
    spec = "hybrid:backtracking=no,budget=0,threads=3,search=cells_first=1+dive_interval=5+dive_first=5"
    assert outcome_of(n_dom(8), spec).answer is Answer.UNIQUE
    solutions = outcome_of(permutations(5), spec, Task.COUNT).solutions
    assert len(solutions) == len(set(solutions)) == 120
    for seed in range(20):
        puzzle = random_puzzle((9, 9), 1 + seed % 2, seed, 0.4)
        alone = outcome_of(puzzle, "hybrid", Task.COUNT)
        assert set(outcome_of(puzzle, spec, Task.COUNT).solutions) == set(alone.solutions)


def test_a_stop_and_a_wall_limit_end_racing_threads() -> None:
    spec = "hybrid:backtracking=no,budget=0,threads=3"
    outcome = run_backend(create(spec), n_dom(20), Request(limits=Limits(wall=0.3)), StopFlag())
    assert outcome.termination is Termination.WALL
    stop = StopFlag()
    timer = threading.Timer(0.3, stop.set)
    timer.start()
    outcome = run_backend(create(spec), n_dom(20), Request(), stop)
    timer.join()
    assert outcome.termination is Termination.KILLED


def test_extreme_parameters_find_the_same_solutions() -> None:
    puzzle = permutations(5)
    for parameter in search_parameters():
        for value in (parameter.least, min(parameter.most, 1000)):
            text = parameter.choices[int(value)] if parameter.choices else value
            spec = f"hybrid:backtracking=no,budget=0,search={parameter.name}={text}"
            assert len(set(outcome_of(puzzle, spec, Task.COUNT).solutions)) == 120, spec


def test_every_search_default_is_within_its_bounds_and_changes_nothing() -> None:
    texts = [
        f"{each.name}={each.choices[int(each.default)] if each.choices else each.default}"
        for each in search_parameters()
    ]
    assert canonical_spec(f"hybrid:search={'+'.join(texts)}") == "hybrid"


def test_a_canonical_search_spec_is_sorted_and_leaves_out_defaults() -> None:
    spec = canonical_spec("hybrid:search=restart=luby + reduce_first=2000 + decay=.8")
    assert spec == "hybrid:search=decay=0.8+restart=luby" == canonical_spec(spec)


@pytest.mark.parametrize(
    ("search", "message"),
    [
        ("decy=.9", "unknown search parameter 'decy' (did you mean 'decay'?); there are "),
        ("decay", "search: 'decay' is not of the form name=value"),
        ("decay=2", "search parameter decay=2 does not fit; expected a number from 0.5 to 1"),
        ("decay=nan", "search parameter decay=nan does not fit; expected a number from 0.5 to 1"),
        ("reduce_first=1.5", "parameter reduce_first=1.5 does not fit; expected a whole number from 1 to "),
        ("restart=1", "search parameter restart=1 does not fit; expected glue|luby"),
    ],
)
def test_a_wrong_search_parameter_is_a_usage_error_that_says_what_is_allowed(
    search: str, message: str
) -> None:
    with pytest.raises(UsageError) as error:
        create(f"hybrid:search={search}")
    assert message in str(error.value)


def test_help_lists_the_everyday_options_only() -> None:
    assert "search" not in [option.name for option in info("hybrid").options()]


def test_the_page_for_experts_has_every_parameter_and_statistic(repository: Path) -> None:
    page = (repository / "docs/explanation/backends/hybrid.md").read_text()
    for parameter in search_parameters():
        text = parameter.choices[int(parameter.default)] if parameter.choices else f"{parameter.default:g}"
        assert f"| `{parameter.name}` | {text} |" in page, parameter.name
    for name in outcome_of(n_dom(7), "hybrid:budget=0").stats:
        assert f"`{name}`" in page, name


def test_statistics_of_the_search_agree_with_each_other() -> None:
    stats = outcome_of(n_dom(10), "hybrid:backtracking=no,budget=0,guidance=none").stats
    assert stats["decisions"] < stats["propagations"]
    assert 0 < stats["learnt"] <= stats["learnt_most"] <= stats["conflicts"]
    assert 1 <= stats["glue_fast"] <= stats["learnt_literals"]
    assert 1 <= stats["glue_slow"] <= stats["learnt_literals"]
    assert stats["lines_settled"] <= stats["settles"]
    assert stats["lines_explained"] > 0
    assert stats["minimized_literals"] > 0
    assert stats["problem_clauses"] == 0  # one colour: clauses of two and three literals


def test_reductions_delete_learnt_clauses_but_no_blocking_clauses() -> None:
    few = "reduce_first=20+reduce_interval=1+reduce_fraction=1+model=starts"
    outcome = outcome_of(
        permutations(5), f"hybrid:backtracking=no,budget=0,guidance=none,search={few}", Task.COUNT
    )
    assert outcome.stats["reductions"] > 0
    assert outcome.stats["learnt"] < outcome.stats["learnt_most"]
    assert len(outcome.solutions) == len(set(outcome.solutions)) == 120


def test_a_stop_ends_the_learning_search_soon() -> None:
    stop = StopFlag()
    timer = threading.Timer(0.3, stop.set)
    timer.start()
    outcome = run_backend(create("hybrid:backtracking=no,budget=0"), n_dom(20), Request(), stop)
    timer.join()
    assert outcome.termination is Termination.KILLED
    assert outcome.answer is Answer.UNKNOWN


def test_the_wall_limit_ends_it() -> None:
    outcome = run_backend(create("hybrid"), n_dom(20), Request(limits=Limits(wall=0.3)), StopFlag())
    assert outcome.termination is Termination.WALL
