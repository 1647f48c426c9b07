"""The cores that runs get, and disturbance by other processes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from nonocsp.model import UsageError
from nonocsp.runner import machine
from nonocsp.runner.machine import (
    SAMPLE_S,
    SLACK,
    Bystanders,
    busy_warning,
    choose_cores,
    cores_in_use,
    physical_cores,
    usable_cores,
)


class Clock:
    """A machine of two cores, on which we use `own` of each second and all others `others`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, own: float, others: float) -> None:
        self.now = 100.0
        self.own, self.others = own, others
        monkeypatch.setattr(machine, "perf_counter", lambda: self.now)
        monkeypatch.setattr(machine, "busy_s", lambda: (own + others) * self.now)

    def own_cpu_s(self) -> float:
        return self.own * self.now


@pytest.mark.parametrize(
    ("free", "own", "others", "disturb"),
    [
        (0, 2.0, 0.0, False),
        (0, 1.7, SLACK - 0.01, False),
        (0, 1.7, SLACK + 0.05, True),
        (1, 1.0, 1.0, False),
        (1, 0.5, 1.5, True),
    ],
)
def test_other_processes_disturb_if_they_use_more_than_the_free_cores(
    monkeypatch: pytest.MonkeyPatch, free: int, own: float, others: float, disturb: bool
) -> None:
    clock = Clock(monkeypatch, own, others)
    watch = Bystanders(free, clock.own_cpu_s)
    clock.now += SAMPLE_S / 2
    assert not watch.look()  # too soon to tell
    clock.now += SAMPLE_S
    assert watch.look() is watch.disturb is disturb


@pytest.fixture
def busy_process() -> Iterator[None]:
    """Another process that computes."""
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    time.sleep(0.2)
    yield
    process.kill()
    process.wait()


def test_a_busy_process_of_another_program_is_detected(busy_process: None) -> None:
    assert cores_in_use(0.5) > 0.3


@pytest.mark.parametrize(("others", "warns"), [(0.0, False), (physical_cores() + 0.0, True)])
def test_a_busy_machine_causes_a_warning(monkeypatch: pytest.MonkeyPatch, others: float, warns: bool) -> None:
    monkeypatch.setattr(machine, "cores_in_use", lambda seconds: others)
    warning = busy_warning(1)
    assert bool(warning) is warns
    if warns:
        assert f"{others:.1f} of {physical_cores()} cores" in warning


def test_cores_are_chosen_among_the_allowed_ones() -> None:
    cores = choose_cores(usable_cores())
    assert set(cores) == os.sched_getaffinity(0)
    assert len(cores) == usable_cores() >= physical_cores() >= 1


def test_more_jobs_than_cores_cannot_be_pinned() -> None:
    with pytest.raises(UsageError, match="cannot be pinned to a core each"):
        choose_cores(usable_cores() + 1)


@pytest.mark.parametrize(
    ("siblings", "chosen"),
    [(["0,2", "1,3", "0,2", "1,3"], [0, 1, 2]), (["0-1", "0-1", "2-3", "2-3"], [0, 2, 1])],
)
def test_every_core_is_used_before_a_second_thread_of_any(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, siblings: list[str], chosen: list[int]
) -> None:
    for core, text in enumerate(siblings):
        (tmp_path / str(core)).write_text(text)
    monkeypatch.setattr(machine, "_usable", lambda: {0, 1, 2, 3})
    monkeypatch.setattr(machine, "_SIBLINGS", f"{tmp_path}/{{}}")
    assert physical_cores() == 2
    assert choose_cores(3) == chosen
