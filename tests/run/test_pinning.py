"""Runs on cores of their own: confined to them, locked, and unreliable if a rival uses just one of them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from nonocsp.backends.base import Limits, Request
from nonocsp.model import Puzzle, UsageError
from nonocsp.run import create
from nonocsp.run.cores import physical_cores
from nonocsp.run.jobs import Executor, Job, Measurement
from nonocsp.run.locks import held_cores

pytestmark = pytest.mark.usefixtures("unruly")

DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)
several_cores = pytest.mark.skipif(physical_cores() < 2, reason="needs two cores")


@pytest.fixture(params=["fork", "warm"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def measure(executor: Executor, backend: str = "busy", runs: int = 1) -> list[Measurement]:
    job = Job(DOTS, backend, Request(limits=Limits(wall=30.0)))
    return [measurement for _, measurement in executor.run([job] * runs)]


@pytest.mark.parametrize("cores", [None, 1, pytest.param(2, marks=several_cores)])
def test_a_pinned_run_may_use_its_cores_and_others_all(name: str, cores: int | None) -> None:
    with create(name, 1, pin=cores is not None, cores=cores or 2) as executor:
        (measurement,) = measure(executor)
    used, own = str(measurement.outcome.stats["cores"]).split(), measurement.conditions.cores
    assert used == list(map(str, sorted(own))) if own else len(used) >= physical_cores()
    assert (len(own) if own else None) == cores


@several_cores
def test_two_executors_at_a_time_use_different_cores_and_give_them_back(name: str) -> None:
    with create(name, 1, pin=True) as first, create(name, 1, pin=True) as second:
        (one,), (other,) = measure(first), measure(second)
        assert not {*(one.conditions.cores or ())} & {*(other.conditions.cores or ())}
        assert len(held_cores()) == 2
        with pytest.raises(UsageError, match="others hold core"):
            create(name, physical_cores() - 1, pin=True)
    assert held_cores() == {}


@several_cores
def test_one_rival_on_the_core_of_runs_makes_them_unreliable(name: str) -> None:
    with create(name, 1, pin=True) as executor:
        (core,) = measure(executor)[0].conditions.cores or ()
        program = f"import os; os.sched_setaffinity(0, {{{core}}})\nwhile True: pass"
        with subprocess.Popen([sys.executable, "-c", program]) as rival:
            measured = [
                *measure(executor, "busy:seconds=0.1", runs=10),
                *measure(executor, "busy:seconds=2.5"),
            ]
            rival.kill()
    assert not any(measurement.reliable for measurement in measured)


def test_runs_for_which_there_are_too_few_cores_are_unreliable(name: str) -> None:
    with create(name, 1, cores=physical_cores() + 1) as executor:
        (measurement,) = measure(executor)
    assert not measurement.reliable
