"""Runs on cores of their own: confined to them, locked, and unreliable if a rival uses just one of them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from nonocsp.backends.base import Limits, Request
from nonocsp.model import Puzzle, UsageError
from nonocsp.run import create
from nonocsp.run.jobs import Executor, Job, Measurement
from nonocsp.run.machine.cores import physical_cores
from nonocsp.run.machine.locks import held_cores

pytestmark = pytest.mark.usefixtures("unruly")

DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)
several_cores = pytest.mark.skipif(physical_cores() < 2, reason="needs two cores")


@pytest.fixture(params=["fork", "warm"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def measure(executor: Executor, backend: str = "busy", runs: int = 1) -> list[Measurement]:
    job = Job(DOTS, backend, Request(limits=Limits(wall=30.0)))
    return [measurement for _, measurement in executor.run([job] * runs)]


def cores_of(measurement: Measurement) -> list[int]:
    assert measurement.conditions.cores
    return measurement.conditions.cores


@contextmanager
def rival_on(core: int) -> Iterator[None]:
    """Have another process compute on a core, and nowhere else."""
    program = f"import os; os.sched_setaffinity(0, {{{core}}})\nwhile True: pass"
    process = subprocess.Popen([sys.executable, "-c", program])
    try:
        yield
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("cores", [1, pytest.param(2, marks=several_cores)])
def test_a_run_may_use_its_cores_and_no_others(name: str, cores: int) -> None:
    with create(name, 1, pin=True, cores=cores) as executor:
        (measurement,) = measure(executor)
    assert len(cores_of(measurement)) == cores
    assert measurement.outcome.stats["cores"] == " ".join(map(str, sorted(cores_of(measurement))))


def test_an_unpinned_run_may_use_every_core(name: str) -> None:
    with create(name, 1, cores=2) as executor:
        (measurement,) = measure(executor)
    assert measurement.conditions.cores is None
    assert len(str(measurement.outcome.stats["cores"]).split()) >= physical_cores()


@several_cores
def test_two_executors_at_a_time_use_different_cores(name: str) -> None:
    with create(name, 1, pin=True) as first, create(name, 1, pin=True) as second:
        (one,), (other,) = measure(first), measure(second)
        assert not {*cores_of(one)} & {*cores_of(other)}
        assert len(held_cores()) == 2
        with pytest.raises(UsageError, match="others hold core"):
            create(name, physical_cores() - 1, pin=True)
    assert held_cores() == {}


def test_an_executor_that_fails_to_start_leaves_no_core_locked() -> None:
    with pytest.raises(UsageError):
        create("fork", 1, pin=True, cores=100_000)
    assert held_cores() == {}


@pytest.mark.slow
@several_cores
def test_one_rival_on_the_core_of_a_run_makes_it_unreliable(name: str) -> None:
    with create(name, 1, pin=True) as executor:
        (core,) = cores_of(*measure(executor))
        with rival_on(core):
            (measurement,) = measure(executor, "busy:seconds=2.5")
    assert not measurement.reliable


@several_cores
def test_one_rival_makes_short_runs_unreliable_too(name: str) -> None:
    with create(name, 1, pin=True) as executor:
        (core,) = cores_of(*measure(executor))
        with rival_on(core):
            measured = measure(executor, "busy:seconds=0.1", runs=10)
    assert not any(measurement.reliable for measurement in measured)


def test_runs_for_which_there_are_too_few_cores_are_unreliable(name: str) -> None:
    with create(name, 1, cores=physical_cores() + 1) as executor:
        (measurement,) = measure(executor)
    assert not measurement.reliable
