"""Executor inline: the limit that it enforces, and what it does not promise."""

import pytest

from nonocsp.backends.base import Answer, Limits, Request, Termination
from nonocsp.model import Puzzle, UsageError
from nonocsp.run import create
from nonocsp.run.jobs import Job, Measurement
from nonocsp.testing import n_dom

pytestmark = pytest.mark.usefixtures("unruly")

DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)


def measure(backend: str, limits: Limits, puzzle: Puzzle = DOTS) -> Measurement:
    with create("inline", 1) as executor:
        ((_, measurement),) = executor.run([Job(puzzle, backend, Request(limits=limits))])
    return measurement


def test_a_run_in_this_process_is_measured():
    measurement = measure("brute", Limits(wall=10.0))
    assert (measurement.outcome.answer, measurement.executor) == (Answer.MULTIPLE, "inline")
    assert measurement.outcome.wall_s > 0
    assert (measurement.peak_rss_bytes, measurement.reliable) == (None, False)  # nobody watches the machine


@pytest.mark.parametrize(("backend", "puzzle"), [("probing", n_dom(24)), ("flagged", DOTS)])
def test_the_wall_limit_sets_the_stop_flag_of_a_search(backend, puzzle):
    outcome = measure(backend, Limits(wall=0.2), puzzle).outcome
    assert outcome.termination is Termination.WALL
    assert "wall limit of 0.2 s" in outcome.message


@pytest.mark.parametrize(
    ("name", "jobs", "options", "said"),
    [
        ("nonesuch", 1, {}, "there are inline, fork"),
        ("inline", 2, {}, "one job at a time"),
        ("inline", 1, {"pin": True}, "does not pin"),
        ("fork", 0, {}, "at least one"),
        ("warm", 100_000, {"pin": True}, "do not fit on"),
        ("fork", 1, {"address": "tcp://localhost:8786"}, "no cluster's address"),
    ],
)
def test_unsupported_requests_to_an_executor_are_errors(name, jobs, options, said):
    with pytest.raises(UsageError, match=said):
        create(name, jobs, **options)  # type: ignore[arg-type]
