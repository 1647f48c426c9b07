"""Limits: when a run is checked, which limit it reached, and the message."""

import pytest

from nonocsp.backends.base import Answer, Limits, Outcome, Termination
from nonocsp.run.limits import (
    GRACE_S,
    cut_off_if_late,
    reached,
)


@pytest.mark.parametrize(
    ("limits", "used", "limit"),
    [
        (Limits(wall=1.0, cpu=2.0, memory=1000), (1.0 + GRACE_S - 0.01, 2.0, 1000), None),
        (Limits(wall=1.0, cpu=2.0, memory=1000), (0.5, 2.1, 900), Termination.CPU),
        (Limits(wall=1.0, cpu=2.0, memory=1000), (0.5, 2.1, 1001), Termination.MEMORY),
        (Limits(wall=1.0, cpu=2.0, memory=1000), (1.0 + GRACE_S, 2.1, 1001), Termination.WALL),
        (Limits(), (1e9, 1e9, 1 << 60), None),
    ],
)
def test_a_run_may_use_its_limits_but_no_more(limits, used, limit):
    assert reached(limits, *used) is limit


@pytest.mark.parametrize(
    ("limits", "termination"),
    [
        (Limits(), "ok"),
        (Limits(wall=2.0, cpu=1.0), "ok"),
        (Limits(wall=1.999, cpu=0.5), "wall"),
        (Limits(wall=2.0, cpu=0.999), "cpu"),
    ],
)
def test_a_run_that_ended_after_its_limit_counts_as_cut_off(limits, termination):
    outcome = Outcome(Answer.UNIQUE, Termination.OK, wall_s=2.0, cpu_s=1.0)
    late = cut_off_if_late(outcome, limits)
    assert (late.termination, late.answer) == (termination, "unique")
    assert bool(late.message) == (termination != "ok")
