"""The state of the machine when a run starts, and the warnings before a campaign."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nonocsp.run.machine import conditions as conditions_module
from nonocsp.run.machine.conditions import (
    busy_warning,
    conditions,
    disturbances,
    frequency_warning,
    governor,
    lock_warning,
)
from nonocsp.run.machine.cores import physical_cores
from nonocsp.run.machine.locks import VARIABLE, reserve


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a folder of locks of one's own."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "locks"))


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """Return a description of a machine whose frequency does not vary."""
    for thread in range(max(os.sched_getaffinity(0)) + 2):
        place = tmp_path / "cpu" / f"cpu{thread}" / "cpufreq"
        place.mkdir(parents=True)
        (place / "scaling_governor").write_text("performance\n")
    return tmp_path


def test_conditions_name_the_cores_of_the_run() -> None:
    now = conditions((2, 3))
    assert now.cores == [2, 3]
    assert now.host
    assert conditions(None).cores is None


@pytest.mark.parametrize(("thread", "mhz"), [(0, 1000.0), (1, None), (2, 3000.0), (3, 4000.0), (4, None)])
def test_the_frequency_is_that_of_the_thread_though_others_are_offline(
    tmp_path: Path, thread: int, mhz: float | None
) -> None:
    described = [f"processor\t: {n}\nphysical id\t: 0\ncpu MHz\t\t: {n + 1}000.000\n" for n in (0, 2, 3)]
    processors = tmp_path / "cpuinfo"
    processors.write_text("\n".join([*described, "processor\t: 4\n"]))
    assert conditions_module._nominal_mhz(thread, processors) == mhz


@pytest.mark.parametrize(
    "text", ["", "cpu MHz : 7", "processor : x\ncpu MHz : 7", "processor : 0\ncpu MHz : -"]
)
def test_a_description_of_processors_that_says_nothing_useful_has_no_frequency(
    tmp_path: Path, text: str
) -> None:
    (tmp_path / "cpuinfo").write_text(text)
    assert conditions_module._nominal_mhz(0, tmp_path / "cpuinfo") is None
    assert conditions_module._nominal_mhz(0, tmp_path / "missing") is None


@pytest.mark.parametrize(("others", "warns"), [(0.0, False), (physical_cores() + 0.0, True)])
def test_a_busy_machine_causes_a_warning(monkeypatch: pytest.MonkeyPatch, others: float, warns: bool) -> None:
    monkeypatch.setattr(conditions_module, "cores_in_use", lambda seconds: others)
    warning = busy_warning(1)
    assert bool(warning) is warns
    if warns:
        assert f"{others:.1f} of {physical_cores()} cores" in warning


def test_unpinned_runs_are_warned_of_cores_that_are_held() -> None:
    everything = physical_cores()
    assert lock_warning(everything) == ""
    reservation = reserve(1)
    warning = lock_warning(everything)
    assert "pinned runs hold core" in warning
    assert f"{everything - 1} are free" in warning
    assert lock_warning(everything - 1) == ""
    assert warning in disturbances(1, everything, pin=False)
    assert warning not in disturbances(1, everything, pin=True)
    reservation.release()


def test_a_system_that_does_not_vary_or_does_not_tell_causes_no_warning(system: Path, tmp_path: Path) -> None:
    assert frequency_warning(system) == ""
    assert frequency_warning(tmp_path / "nothing") == ""


def test_another_governor_causes_a_warning(system: Path) -> None:
    mine = max(os.sched_getaffinity(0))
    (system / "cpu" / f"cpu{mine}" / "cpufreq" / "scaling_governor").write_text("powersave\n")
    assert "the governor is powersave" in frequency_warning(system)
    assert governor(mine, system) == "powersave"
    assert governor(mine + 1, system) == "performance"
    assert governor(9999, system) is None


@pytest.mark.parametrize(
    ("name", "value", "warns"),
    [
        ("cpufreq/boost", "1", True),
        ("cpufreq/boost", "0", False),
        ("intel_pstate/no_turbo", "0", True),
        ("intel_pstate/no_turbo", "1", False),
    ],
)
def test_turbo_causes_a_warning(system: Path, name: str, value: str, warns: bool) -> None:
    (system / "cpu" / name).parent.mkdir(exist_ok=True)
    (system / "cpu" / name).write_text(value)
    assert ("turbo is on" in frequency_warning(system)) is warns
