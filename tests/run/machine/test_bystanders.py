"""What other processes do on the cores of the runs, on a clock of our own and with real rivals."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nonocsp.run.machine import bystanders
from nonocsp.run.machine.bystanders import (
    FIRST_S,
    PINNED_SLACK,
    SAMPLE_S,
    SLACK,
    Bystanders,
    busy_by_thread,
    cores_in_use,
    has_escaped,
    is_delayed,
)
from tests.waiting import wait_until


class Machine:
    """A machine of some threads, each busy for a part of every second; of thread 0, `own` is ours."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, own: float, *busy: float) -> None:
        self.now = 100.0
        self.own, self.busy = own, busy
        monkeypatch.setattr(bystanders, "perf_counter", lambda: self.now)
        monkeypatch.setattr(bystanders, "busy_by_thread", self.busy_s)
        monkeypatch.setattr(bystanders, "sleep", self.sleep)

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def busy_s(self) -> dict[int, float]:
        return {thread: part * self.now for thread, part in enumerate(self.busy)}

    def own_cpu_s(self) -> float:
        return self.own * self.now


@pytest.mark.parametrize(
    ("free", "own", "busy", "disturb"),
    [
        (0, 2.0, (1.0, 1.0), False),
        (0, 1.7, (1.0, 0.7 + SLACK - 0.01), False),
        (0, 1.7, (1.0, 0.7 + SLACK + 0.05), True),
        (1, 1.0, (1.0, 1.0), False),
        (1, 0.5, (1.0, 1.0), True),
    ],
)
def test_others_disturb_if_they_use_more_than_the_free_cores(
    monkeypatch: pytest.MonkeyPatch, free: int, own: float, busy: tuple[float, ...], disturb: bool
) -> None:
    machine = Machine(monkeypatch, own, *busy)
    watch = Bystanders()
    watch.watch("all", [0, 1], free + SLACK, machine.own_cpu_s)
    machine.now += SAMPLE_S
    assert watch.look() == watch.disturbed == ({"all"} if disturb else set())
    machine.now += SAMPLE_S / 2
    assert not watch.look()  # too soon to tell
    machine.now += SAMPLE_S
    assert watch.look() == watch.disturbed == ({"all"} if disturb else set())


@pytest.mark.parametrize("passed_s", [0.0, 2 * FIRST_S])
def test_the_first_look_takes_a_moment_and_tells_who_disturbs(
    monkeypatch: pytest.MonkeyPatch, passed_s: float
) -> None:
    machine = Machine(monkeypatch, 0.5, 0.5, 0.4)
    watch = Bystanders()
    watch.watch("all", [0, 1], SLACK, machine.own_cpu_s)
    began = machine.now
    machine.now += passed_s
    assert watch.look() == {"all"}
    assert machine.now - began == max(FIRST_S, passed_s)
    assert not watch.look()
    assert machine.now - began == max(FIRST_S, passed_s)


@pytest.mark.parametrize(("idle_s", "waits_s", "disturbed"), [(600.0, FIRST_S, {"all"}), (0.0, 0.0, set())])
def test_runs_that_begin_after_a_long_pause_are_not_judged_by_it(
    monkeypatch: pytest.MonkeyPatch, idle_s: float, waits_s: float, disturbed: set[str]
) -> None:
    machine = Machine(monkeypatch, 0.0, 0.0)
    watch = Bystanders()
    watch.watch("all", [0], SLACK, machine.own_cpu_s)
    assert watch.look() == set()
    machine.now += idle_s
    watch.begin()
    began, machine.busy = machine.now, (1.0,)
    watch._places["all"].used_s += machine.now  # it was at rest until now
    assert watch.look() == disturbed
    assert machine.now - began == waits_s


def test_a_rival_disturbs_only_the_place_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, 0.5, 0.5, 0.9, 0.0, PINNED_SLACK - 0.02)
    watch = Bystanders()
    watch.watch("mine", [0], PINNED_SLACK, machine.own_cpu_s)
    watch.watch("rival", [1], PINNED_SLACK, lambda: 0.0)
    watch.watch("quiet", [2, 3], PINNED_SLACK, lambda: 0.0)
    machine.now += SAMPLE_S
    assert watch.look() == {"rival"}


def test_a_rival_on_the_other_thread_of_the_core_disturbs(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, 1.0, 1.0, 0.3)
    watch = Bystanders()
    watch.watch("core", [0, 1], PINNED_SLACK, machine.own_cpu_s)
    machine.now += SAMPLE_S
    assert watch.look() == {"core"}


def test_a_place_whose_threads_the_system_does_not_list_counts_as_disturbed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    machine = Machine(monkeypatch, 0.0, 0.0, 0.0)
    watch = Bystanders()
    watch.watch("listed", [0, 1], PINNED_SLACK, machine.own_cpu_s)
    watch.watch("partly", [1, 2], PINNED_SLACK, machine.own_cpu_s)
    watch.watch("missing", [10], PINNED_SLACK, machine.own_cpu_s)
    machine.now += SAMPLE_S
    assert watch.look() == {"partly", "missing"}


def test_a_place_that_has_just_begun_needs_more_than_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, 0.0, 0.5)
    watch = Bystanders()
    machine.now += SAMPLE_S
    watch.watch("new", [0], PINNED_SLACK, machine.own_cpu_s)
    machine.now += 0.02
    assert watch.look() == set()
    machine.now += SAMPLE_S
    assert watch.look() == {"new"}


@pytest.mark.parametrize("part", ["core", "package"])
def test_a_core_that_became_too_hot_disturbs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, part: str
) -> None:
    count = tmp_path / "cpu" / "cpu1" / "thermal_throttle" / f"{part}_throttle_count"
    count.parent.mkdir(parents=True)
    count.write_text("7\n")
    machine = Machine(monkeypatch, 0.0, 0.0, 0.0)
    watch = Bystanders(tmp_path)
    watch.watch("cool", [0], PINNED_SLACK, machine.own_cpu_s)
    watch.watch("hot", [1], PINNED_SLACK, machine.own_cpu_s)
    machine.now += SAMPLE_S
    assert watch.look() == set()
    count.write_text("8\n")
    machine.now += SAMPLE_S
    assert watch.look() == {"hot"}


@pytest.fixture
def rival() -> Iterator[int]:
    """Return a thread on which another process computes, and nowhere else."""
    thread = max(os.sched_getaffinity(0))
    program = f"import os; os.sched_setaffinity(0, {{{thread}}})\nwhile True: pass"
    process = subprocess.Popen([sys.executable, "-c", program])
    yield thread
    process.kill()
    process.wait()


def test_a_real_rival_keeps_its_thread_busy(rival: int) -> None:
    before = busy_by_thread()[rival]
    wait_until(lambda: busy_by_thread()[rival] - before > 0.5)
    wait_until(lambda: cores_in_use(0.5) > 0.3)


def test_the_threads_of_this_machine_are_known_by_their_numbers() -> None:
    assert set(busy_by_thread()) >= os.sched_getaffinity(0)


def test_a_system_without_proc_is_measured_too(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    linux = busy_by_thread()
    monkeypatch.setattr(bystanders, "_STATISTICS", tmp_path / "missing")
    elsewhere = busy_by_thread()
    assert elsewhere.keys() == linux.keys()


@pytest.mark.parametrize(
    ("queued", "wall", "cpu", "delayed"),
    [
        (0.0, 1.0, 1.0, False),
        (0.02, 1.0, 0.98, False),
        (0.5, 1.0, 0.5, True),
        (0.004, 0.01, 0.006, True),
        (0.0003, 0.001, 0.0007, False),
        (0.5, 1.0, 0.99, False),  # its own threads wait for each other on one core
        (2.0, 1.0, 3.5, False),  # several threads on several cores
        (0.0, 1.0, 0.1, False),  # it slept
    ],
)
def test_a_run_is_delayed_if_it_waits_and_does_not_compute(
    queued: float, wall: float, cpu: float, delayed: bool
) -> None:
    assert is_delayed(queued, wall, cpu) is delayed


@pytest.mark.parametrize(
    ("cores", "cpu", "escaped"),
    [([3], 1.05, False), ([3], 1.5, True), ([3, 4], 1.9, False), ([3, 4], 2.5, True), (None, 9.0, False)],
)
def test_a_run_that_used_more_than_its_cores_has_escaped(
    cores: list[int] | None, cpu: float, escaped: bool
) -> None:
    assert has_escaped(cores, 1.0, cpu) is escaped
