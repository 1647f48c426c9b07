"""Backend ``hybrid``: the hand-over from probing to learning, guidance, limits and statistics."""

import threading

import pytest

from nonocsp.backends.base import Answer, Limits, Request, Task, Termination
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import LineSolver, StopFlag
from nonocsp.model import Puzzle, UsageError
from nonocsp.testing import n_dom, permutations, solutions
from tests.backends.asking import outcome_of

LEARNING = "hybrid:backtracking=no,budget=0"


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


def test_a_budget_counts_probes_and_grows_with_removed_candidates():
    puzzle = permutations(5)
    root = LineSolver(puzzle).probe()
    assert root.candidates.tolist() == LineSolver(puzzle).propagate().candidates.tolist()  # nothing is earned
    for budget, probes in ((7, 7), (root.probes + 3, 2 * root.probes + 3)):
        of_large_board = budget * 2500 // 25
        found = outcome_of(puzzle, f"hybrid:backtracking=no,budget={of_large_board}", Task.COUNT)
        assert found.stats["probes"] == probes


@pytest.mark.parametrize("spec", ["hybrid", LEARNING, f"{LEARNING},threads=3"])
def test_a_wall_limit_and_a_stop_end_a_search(spec):
    assert outcome_of(n_dom(20), spec, limits=Limits(wall=0.3)).termination is Termination.WALL
    stop = StopFlag()
    timer = threading.Timer(0.3, stop.set)
    timer.start()
    outcome = run_backend(create(spec), n_dom(20), Request(), stop)
    timer.join()
    assert (outcome.answer, outcome.termination) == (Answer.UNKNOWN, Termination.KILLED)


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
