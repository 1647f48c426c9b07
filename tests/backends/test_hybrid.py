"""Backend ``hybrid``: the hand-over from probing to learning, guidance, limits and statistics."""

import threading

import pytest

from nonocsp.backends.base import Answer, Limits, Request, Task, Termination
from nonocsp.backends.registry import canonical_spec, create, info
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag
from nonocsp.engine.searches import search_parameters
from nonocsp.model import Puzzle, UsageError
from nonocsp.testing import n_dom, solutions
from tests.backends.asking import outcome_of, random_puzzles

LEARNING = "hybrid:backtracking=no,budget=0"


def test_easy_puzzles_need_no_learning_and_hard_ones_are_proved_by_it():
    for puzzle in random_puzzles(5, 1, 10, 10):
        stats = outcome_of(puzzle, "hybrid").stats
        assert stats["handed_over"] == stats["conflicts"] == stats["dives"] == 0
    outcome = outcome_of(n_dom(8), "hybrid:budget=10")
    assert (outcome.answer, outcome.stats["handed_over"]) == (Answer.UNIQUE, 1)
    assert outcome.stats["conflicts"] > 100


def test_a_seed_repeats_a_search_and_others_search_differently():
    first, second = (outcome_of(n_dom(7), LEARNING, seed=7) for _ in range(2))
    assert (first.solutions, first.stats) == (second.solutions, second.stats)
    assert len({outcome_of(n_dom(8), LEARNING, seed=seed).stats["conflicts"] for seed in range(4)}) > 1


@pytest.mark.parametrize(("n", "conflicts", "decisions"), [(8, 1293, 2479), (10, 5242, 9477)])
def test_a_search_takes_the_same_course_on_every_machine(n, conflicts, decisions, repository):
    """Beliefs are floating-point numbers: another rounding anywhere soon leads to another conflict."""
    stats = outcome_of(n_dom(n), LEARNING).stats
    assert (stats["conflicts"], stats["decisions"]) == (conflicts, decisions)
    assert "-ffp-contract=off" in (repository / "CMakeLists.txt").read_text()


def test_the_memory_of_the_learning_searches_is_bounded_and_reported():
    free, bounded = (
        outcome_of(n_dom(13), f"hybrid:budget=0,clause_memory={memory},search=reduce_first=1000000")
        for memory in (64, 1)
    )
    assert free.answer is bounded.answer is Answer.UNIQUE
    searches, cells = 2, 27 * 27
    bound = searches * 2**20 + 1000 * cells  # of clauses, and of all else
    assert free.stats["reductions"] == 0
    assert bounded.stats["reductions"] > 0
    assert 1000 * cells < bounded.stats["learning_bytes"] < min(bound, free.stats["learning_bytes"])


def test_expert_parameters_change_the_search_but_not_the_answer():
    plain = outcome_of(n_dom(8), LEARNING)
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
        outcome = outcome_of(n_dom(8), f"{LEARNING},search={search}")
        assert outcome.answer is plain.answer is Answer.UNIQUE, search
        assert outcome.stats["decisions"] != plain.stats["decisions"], search


def test_both_learning_searches_have_turns_and_each_alone_gives_the_same_answer():
    spec = f"{LEARNING},search=cells_first=1+dive_interval=20"
    both = outcome_of(n_dom(8), spec)
    assert both.stats["turns_cells"] > 1
    assert both.stats["turns_starts"] > 1
    for model, idle in (("cells", "turns_starts"), ("starts", "turns_cells")):
        alone = outcome_of(n_dom(8), f"{spec}+model={model}")
        assert alone.stats[idle] == 0
        assert (alone.answer, alone.solutions) == (Answer.UNIQUE, both.solutions)


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ([[1], [1], [1, 1], [1]], [[], [1], [1], [], [1, 1], [], [1]]),
        ([[1, 1], [1], [1, 1], [1, 1]], [[], [1], [1, 1], [1], [1, 1], [1], []]),
    ],
)
def test_solutions_that_probing_took_from_the_root_are_not_mixed_with_others(rows, columns):
    puzzle = Puzzle.from_clues(rows, columns)
    assert {*outcome_of(puzzle, "hybrid:backtracking=no", Task.COUNT).solutions} == {*solutions(puzzle)}


@pytest.mark.parametrize("spec", ["hybrid", LEARNING, f"{LEARNING},threads=3"])
def test_a_wall_limit_and_a_stop_end_a_search(spec):
    assert outcome_of(n_dom(20), spec, limits=Limits(wall=0.3)).termination is Termination.WALL
    stop = StopFlag()
    timer = threading.Timer(0.3, stop.set)
    timer.start()
    outcome = run_backend(create(spec), n_dom(20), Request(), stop)
    timer.join()
    assert (outcome.answer, outcome.termination) == (Answer.UNKNOWN, Termination.KILLED)


def test_a_canonical_search_spec_is_sorted_and_leaves_out_defaults():
    spec = canonical_spec("hybrid:search=restart=luby + reduce_first=2000 + decay=.8")
    assert spec == "hybrid:search=decay=0.8+restart=luby" == canonical_spec(spec)
    texts = [
        f"{each.name}={each.choices[int(each.default)] if each.choices else each.default}"
        for each in search_parameters()
    ]
    assert canonical_spec(f"hybrid:search={'+'.join(texts)}") == "hybrid"


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
def test_a_wrong_search_parameter_is_a_usage_error_that_says_what_is_allowed(search, message):
    with pytest.raises(UsageError) as error:
        create(f"hybrid:search={search}")
    assert message in str(error.value)


def test_only_the_page_for_experts_has_every_parameter_and_statistic(repository):
    assert "search" not in [option.name for option in info("hybrid").options()]
    page = (repository / "docs/explanation/backends/hybrid.md").read_text()
    for parameter in search_parameters():
        text = parameter.choices[int(parameter.default)] if parameter.choices else f"{parameter.default:g}"
        assert f"| `{parameter.name}` | {text} |" in page, parameter.name
    for name in outcome_of(n_dom(7), "hybrid:budget=0").stats:
        assert f"`{name}`" in page, name
