"""Runs that end by themselves, but after their limit."""

from __future__ import annotations

import pytest

from nonocsp.backends.base import Answer, Limits, Outcome, Termination
from nonocsp.runner.limits import cut_off_if_late


@pytest.mark.parametrize(
    ("limits", "termination"),
    [
        (Limits(), "ok"),
        (Limits(wall=2.0, cpu=1.0), "ok"),
        (Limits(wall=1.999, cpu=1.0), "wall"),
        (Limits(wall=2.0, cpu=0.999), "cpu"),
        (Limits(cpu=0.999), "cpu"),
        (Limits(wall=1.0, cpu=0.5), "wall"),
    ],
)
def test_what_ended_after_its_limit_was_ended_by_it(limits: Limits, termination: str) -> None:
    outcome = Outcome(Answer.UNIQUE, Termination.OK, wall_s=2.0, cpu_s=1.0)
    late = cut_off_if_late(outcome, limits)
    assert (late.termination, late.answer) == (termination, "unique")
    assert bool(late.message) == (termination != "ok")


def test_what_ended_otherwise_keeps_its_reason() -> None:
    outcome = Outcome(Answer.UNKNOWN, Termination.MEMORY, wall_s=2.0)
    assert cut_off_if_late(outcome, Limits(wall=1.0)) is outcome
