"""Limits: when a run is checked, which limit it reached, and the message."""

from __future__ import annotations

import pytest

from nonocsp.backends.base import Answer, Limits, Outcome, Termination
from nonocsp.runner import limits as module
from nonocsp.runner.limits import (
    COST,
    FASTEST,
    GRACE_S,
    POLL_S,
    LimitWatch,
    cut_off_if_late,
    is_claim_off,
    kill_message,
)
from nonocsp.runner.usage import Usage


class Run:
    """A slot whose run uses the amounts that a test sets, and a clock that only the test moves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        self.used = Usage(cpu_s=5.0, rss_bytes=0)
        self.shared: list[int] = []
        self.look_takes_s = 0.0
        monkeypatch.setattr(module.time, "perf_counter", lambda: self.now)

    def usage(self, shared_bytes: int) -> Usage:
        self.shared.append(shared_bytes)
        self.now += self.look_takes_s
        return self.used

    def watch(self, **limits: float | None) -> LimitWatch:
        watch = LimitWatch(self, Limits(**limits))  # type: ignore[arg-type]
        watch.start(cpu_before=5.0, shared_bytes=77)
        return watch


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    return Run(monkeypatch)


def test_a_run_may_use_its_limits_but_no_more(run: Run) -> None:
    watch = run.watch(wall=1.0, cpu=2.0, memory=1000)
    run.used = Usage(cpu_s=7.0, rss_bytes=1000)
    assert watch.look() is None
    assert (watch.cpu_s, watch.peak_rss_bytes, run.shared) == (2.0, 1000, [77])
    run.used = Usage(cpu_s=7.1, rss_bytes=900)
    assert watch.look() is Termination.CPU
    assert watch.peak_rss_bytes == 1000
    run.used = Usage(cpu_s=7.1, rss_bytes=1001)
    assert watch.look() is Termination.MEMORY
    run.now += 1.0 + GRACE_S
    assert watch.look() is Termination.WALL


def test_a_run_without_limits_is_never_cut_off(run: Run) -> None:
    watch = run.watch()
    run.now += 1e9
    run.used = Usage(cpu_s=1e9, rss_bytes=1 << 60)
    assert watch.look() is None
    assert watch.next_look == run.now + POLL_S


def test_a_backend_has_a_grace_period_after_its_wall_limit(run: Run) -> None:
    watch = run.watch(wall=1.0)
    assert watch.next_look == run.now + POLL_S
    run.now += 1.0 + GRACE_S - 0.001
    assert watch.look() is None
    assert watch.next_look == pytest.approx(100.0 + 1.0 + GRACE_S)
    run.now = watch.next_look
    assert watch.look() is Termination.WALL


@pytest.mark.parametrize(
    ("left_bytes", "pause_s"), [(10 * FASTEST, POLL_S), (FASTEST // 100, 0.01), (0, 0.0)]
)
def test_checks_are_more_frequent_as_memory_nears_its_limit(
    run: Run, left_bytes: int, pause_s: float
) -> None:
    watch = run.watch(memory=100 * FASTEST)
    run.used = Usage(cpu_s=5.0, rss_bytes=100 * FASTEST - left_bytes)
    assert watch.look() is None
    assert watch.next_look - run.now == pytest.approx(pause_s)


def test_a_slow_check_is_followed_by_a_pause(run: Run) -> None:
    watch = run.watch(memory=1 << 40)
    run.look_takes_s = 0.02
    assert watch.look() is None
    assert watch.next_look - run.now == pytest.approx(COST * 0.02)


def test_cpu_time_from_before_the_run_does_not_count(run: Run) -> None:
    watch = run.watch(cpu=1.0)
    assert (watch.cpu_s, watch.peak_rss_bytes) == (0.0, None)
    watch.count_total(8.5)
    assert watch.cpu_s == 3.5


@pytest.mark.parametrize(
    ("limits", "reached", "said"),
    [
        (Limits(wall=1.5), Termination.WALL, "killed: the wall limit of 1.5 s was reached"),
        (Limits(cpu=2.0), Termination.CPU, "killed: the CPU limit of 2 s was reached"),
        (Limits(memory=1 << 29), Termination.MEMORY, "killed: the memory limit of 512 MiB was reached"),
    ],
)
def test_a_killed_run_names_its_limit(limits: Limits, reached: Termination, said: str) -> None:
    assert kill_message(limits, reached) == said


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
def test_a_run_that_ended_after_its_limit_counts_as_cut_off(limits: Limits, termination: str) -> None:
    outcome = Outcome(Answer.UNIQUE, Termination.OK, wall_s=2.0, cpu_s=1.0)
    late = cut_off_if_late(outcome, limits)
    assert (late.termination, late.answer) == (termination, "unique")
    assert bool(late.message) == (termination != "ok")


def test_a_run_that_ended_for_another_reason_keeps_it() -> None:
    outcome = Outcome(Answer.UNKNOWN, Termination.MEMORY, wall_s=2.0)
    assert cut_off_if_late(outcome, Limits(wall=1.0)) is outcome


@pytest.mark.parametrize(
    ("measured", "claimed", "is_off"),
    [
        (0.5, None, False),
        (0.5, 0.5, False),
        (0.00109, 0.001, False),
        (0.5, 0.45, False),
        (0.5, 39e-6, True),
        (0.5, 0.7, True),
        (0.03, 0.001, True),
        (100.0, 91.0, False),
    ],
)
def test_a_claim_far_from_the_figure_from_outside_is_off(
    measured: float, claimed: float | None, is_off: bool
) -> None:
    assert is_claim_off(measured, claimed) is is_off
