"""Backends that cheat: the figures from outside are right, only their own run is affected, others are not."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from nonocsp.backends.base import Answer, Limits, Request, Termination
from nonocsp.model import Puzzle
from nonocsp.run import create
from nonocsp.run.jobs import Executor, Job, Measurement
from nonocsp.run.limits import is_claim_off

pytestmark = pytest.mark.usefixtures("unruly")

DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)
WORK_S = 0.3
"""How long a cheat works."""
REQUEST = Request(limits=Limits(wall=30.0))


@pytest.fixture(scope="module", params=["fork", "warm"])
def executor(request: pytest.FixtureRequest, unruly: None) -> Iterator[Executor]:
    with create(request.param, 1) as executor:
        yield executor


def measure(executor: Executor, *backends: str, request: Request = REQUEST) -> list[Measurement]:
    jobs = [Job(DOTS, backend, request) for backend in backends]
    return [measurement for _, measurement in executor.run(jobs)]


def test_a_patched_clock_changes_only_what_the_run_claims(executor: Executor) -> None:
    (found,) = measure(executor, "cheat:how=patch")
    assert found.outcome.wall_s >= WORK_S
    assert found.outcome.cpu_s >= WORK_S * 0.9
    assert found.claimed_wall_s is not None
    assert found.claimed_wall_s < WORK_S / 2
    assert is_claim_off(found.outcome.wall_s, found.claimed_wall_s)


def test_a_patched_clock_passes_no_limit(executor: Executor) -> None:
    (found,) = measure(executor, "cheat:how=patch", request=Request(limits=Limits(wall=WORK_S - 0.1)))
    assert found.outcome.termination is Termination.WALL


@pytest.mark.parametrize("how", ["negative", "nan"])
def test_a_time_that_is_none_is_no_claim(executor: Executor, how: str) -> None:
    (found,) = measure(executor, f"cheat:how={how}")
    assert found.claimed_wall_s is None
    assert found.outcome.wall_s > 0
    assert found.outcome.solutions or found.outcome.termination is Termination.CRASHED


@pytest.mark.parametrize("how", ["before", "after"])
def test_work_before_the_start_or_after_the_end_counts(executor: Executor, how: str) -> None:
    (found,) = measure(executor, f"cheat:how={how}")
    assert found.outcome.wall_s >= WORK_S - 0.01
    assert found.outcome.cpu_s >= WORK_S * 0.8


@pytest.mark.parametrize("how", ["before", "after"])
def test_work_before_the_start_or_after_the_end_meets_the_limits(executor: Executor, how: str) -> None:
    (found,) = measure(executor, f"cheat:how={how}", request=Request(limits=Limits(wall=0.1)))
    assert found.outcome.termination is Termination.WALL


@pytest.mark.parametrize("how", ["children", "ignored"])
def test_the_cpu_time_of_children_counts(executor: Executor, how: str) -> None:
    """That of ended children comes in hundredths of a second, rounded down."""
    (found,) = measure(executor, f"cheat:how={how}")
    assert 2 * WORK_S - 0.02 <= found.outcome.cpu_s <= 3 * WORK_S
    assert found.claimed_cpu_s is not None
    assert is_claim_off(found.outcome.cpu_s, found.claimed_cpu_s) is (how == "ignored")


@pytest.mark.parametrize("how", ["forge", "impersonate", "long"])
def test_a_run_that_speaks_out_of_turn_costs_only_itself(executor: Executor, how: str) -> None:
    first, bad, *others = measure(executor, "brute", f"cheat:how={how}", "brute", "settle", "brute")
    assert (bad.outcome.termination, bad.outcome.solutions) == (Termination.CRASHED, ())
    assert bad.outcome.message == "the backend's process sent an unexpected message"
    assert [other.outcome.answer for other in others] == [Answer.MULTIPLE, Answer.PARTIAL, Answer.MULTIPLE]
    assert others[0].outcome.solutions == first.outcome.solutions


def test_the_next_run_of_a_cheat_gets_a_fresh_process(executor: Executor) -> None:
    for found in measure(executor, *["cheat:how=forge"] * 2):
        assert found.outcome.message == "the backend's process sent an unexpected message"


def test_a_message_that_is_cut_short_is_a_crash(executor: Executor) -> None:
    bad, good = measure(executor, "cheat:how=half", "brute")
    assert (bad.outcome.termination, "exit code 5" in bad.outcome.message) == (Termination.CRASHED, True)
    assert good.outcome.answer is Answer.MULTIPLE


def test_what_a_thread_says_after_its_run_costs_no_run_of_others() -> None:
    with create("warm", 1) as executor:
        (first,) = measure(executor, "cheat:how=late")
        time.sleep(1.0)  # it would speak after .2 s, but stands still
        other, _, another = measure(executor, "brute", "cheat:how=late", "brute")
    assert first.outcome.termination is Termination.OK
    assert other.outcome.answer is another.outcome.answer is Answer.MULTIPLE


@pytest.mark.parametrize(("how", "said"), [("list", "'trace'"), ("surrogate", "name"), ("shout", "xxx")])
def test_what_no_row_can_hold_costs_only_its_run(executor: Executor, how: str, said: str) -> None:
    bad, good = measure(executor, f"cheat:how={how}", "brute")
    assert bad.outcome.termination is Termination.CRASHED
    assert said in bad.outcome.message
    assert len(bad.outcome.message) <= 10_000
    assert good.outcome.answer is Answer.MULTIPLE
