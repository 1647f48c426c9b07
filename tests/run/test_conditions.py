"""The state of the machine, warnings before a campaign, and what others do on the cores of runs."""

import os
from pathlib import Path

import pytest

from nonocsp.run import conditions as module
from nonocsp.run.conditions import (
    PINNED_SLACK,
    SAMPLE_S,
    SLACK,
    Bystanders,
    disturbances,
    frequency_warning,
    governor,
    is_delayed,
)
from nonocsp.run.cores import physical_cores
from nonocsp.run.locks import VARIABLE, reserve


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "locks"))


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_a_busy_machine_and_cores_that_are_held_cause_warnings(monkeypatch):
    everything = physical_cores()
    monkeypatch.setattr(module, "frequency_warning", lambda: "")
    monkeypatch.setattr(module, "cores_in_use", lambda seconds: float(everything))
    (busy,) = disturbances(1, 1, pin=True)
    assert f"{everything:.1f} of {everything} cores busy" in busy
    monkeypatch.setattr(module, "cores_in_use", lambda seconds: 0.0)
    assert disturbances(1, everything, pin=False) == []
    reservation = reserve(1)
    (held,) = disturbances(1, everything, pin=False)
    assert "pinned runs hold core" in held
    assert f"{everything - 1} are free" in held
    assert disturbances(1, everything, pin=True) == disturbances(1, everything - 1, pin=False) == []
    reservation.release()


@pytest.mark.parametrize(
    ("name", "value", "warning"),
    [
        ("cpufreq/boost", "1", "turbo is on"),
        ("intel_pstate/no_turbo", "0", "turbo is on"),
        ("intel_pstate/no_turbo", "1", ""),
        ("cpu{}/cpufreq/scaling_governor", "powersave\n", "the governor is powersave"),
    ],
)
def test_a_frequency_that_varies_causes_a_warning(tmp_path, name, value, warning):
    mine = max(os.sched_getaffinity(0))
    for thread in range(mine + 1):
        write(tmp_path / "cpu" / f"cpu{thread}" / "cpufreq" / "scaling_governor", "performance\n")
    assert frequency_warning(tmp_path) == frequency_warning(tmp_path / "nothing") == ""
    write(tmp_path / "cpu" / name.format(mine), value)
    said = frequency_warning(tmp_path)
    assert warning in said
    assert bool(said) == bool(warning)
    assert governor(mine, tmp_path) == ("powersave" if "governor" in name else "performance")
    assert governor(9999, tmp_path) is None


class Machine:
    """A machine of some threads, each busy for a part of every second, on a clock of our own."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *busy: float) -> None:
        self.now, self.busy = 100.0, busy
        monkeypatch.setattr(module, "perf_counter", lambda: self.now)
        monkeypatch.setattr(module, "busy_by_thread", self.busy_s)
        monkeypatch.setattr(module, "sleep", self.sleep)

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def busy_s(self) -> dict[int, float]:
        return {thread: part * self.now for thread, part in enumerate(self.busy)}


@pytest.mark.parametrize(
    ("busy", "own", "allowed", "disturb"),
    [
        ((1.0, 1.0), 2.0, SLACK, False),
        ((1.0, 0.7 + SLACK + 0.05), 1.7, SLACK, True),
        ((1.0, 1.0), 1.0, 1 + SLACK, False),
        ((1.0, 0.3), 1.0, PINNED_SLACK, True),  # on the other thread of the core
        ((1.0,), 1.0, SLACK, True),  # the system does not tell of thread 1
    ],
)
def test_others_disturb_if_they_use_more_than_they_may(monkeypatch, busy, own, allowed, disturb):
    machine, watch = Machine(monkeypatch, *busy), Bystanders()
    watch.watch("all", [0, 1], allowed, lambda: own * machine.now)
    watch.watch("none", [], allowed, lambda: 0.0)
    for passed_s in (SAMPLE_S, SAMPLE_S):
        machine.now += passed_s
        assert watch.look() == watch.disturbed == ({"all"} if disturb else set())
        machine.now += SAMPLE_S / 2
        assert not watch.look()  # too soon to tell


@pytest.mark.parametrize(
    ("queued", "wall", "cpu", "delayed"),
    [
        (0.02, 1.0, 0.98, False),
        (0.5, 1.0, 0.5, True),
        (0.0003, 0.001, 0.0007, False),
        (0.5, 1.0, 0.99, False),  # its own threads wait for each other on one core
        (2.0, 1.0, 3.5, False),  # several threads on several cores
        (0.0, 1.0, 0.1, False),  # it slept
    ],
)
def test_a_run_is_delayed_if_it_waits_and_does_not_compute(queued, wall, cpu, delayed):
    assert is_delayed(queued, wall, cpu) is delayed
