"""Executors fork and warm beyond the contract: memory, templates that die, slots, and cores of their own.

What they share, which is nearly all, is tested with `warm` alone.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from threading import Thread

import psutil
import pytest

from nonocsp.backends.base import Answer, Limits, Request, Task, Termination
from nonocsp.model import BackendError, Puzzle, UsageError
from nonocsp.run import create
from nonocsp.run.cores import physical_cores, usable_threads
from nonocsp.run.jobs import Executor, Job, Measurement
from nonocsp.run.locks import held_cores
from tests.waiting import AMPLE_S

pytestmark = pytest.mark.usefixtures("unruly")

DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)
MIB = 2**20
AMPLE = Limits(wall=AMPLE_S)
several_cores = pytest.mark.skipif(physical_cores() < 2, reason="needs two cores")


@pytest.fixture(params=["warm"])
def name(request) -> str:
    return str(request.param)


@pytest.fixture
def executor(name) -> Iterator[Executor]:
    with create(name, 1) as executor:
        yield executor


def measure(executor: Executor, backend: str, limits: Limits = AMPLE) -> Measurement:
    ((_, measurement),) = executor.run([Job(DOTS, backend, Request(limits=limits))])
    return measurement


def test_what_loading_takes_does_not_count(executor):
    heavy = measure(executor, "cpsat", Limits(wall=AMPLE_S, memory=512 * MIB))
    light = measure(executor, "settle", Limits(wall=AMPLE_S, memory=20 * MIB))
    assert heavy.outcome.termination is light.outcome.termination is Termination.OK


def kill_templates(count: int) -> None:
    """Kill the processes that have loaded a backend, one after the other, as each has a run."""
    killed: set[int] = set()
    while len(killed) < count:
        for server in psutil.Process().children():
            with suppress(psutil.Error):
                for template in server.children() if "nonocsp.run.fork_server" in server.cmdline() else ():
                    if template.pid not in killed and template.children():
                        time.sleep(0.5)  # now the run has begun
                        template.kill()
                        killed.add(template.pid)


@pytest.mark.parametrize(
    ("name", "times", "termination"),
    [("fork", 1, Termination.OK), ("warm", 2, Termination.KILLED)],
    indirect=["name"],
)
def test_a_run_whose_template_is_killed_gets_a_second_try_and_no_third(executor, times, termination):
    Thread(target=kill_templates, args=(times,)).start()
    jobs = [Job(DOTS, "brute:sleep=3", Request(Task.COUNT)), Job(DOTS, "brute", Request())]
    (_, first), (_, second) = executor.run(jobs)
    assert first.outcome.termination is termination
    assert second.outcome.answer is Answer.MULTIPLE


def test_a_campaign_ends_with_the_reason_if_the_fork_server_is_killed(executor):
    measure(executor, "settle")
    for child in psutil.Process().children():
        if "nonocsp.run.fork_server" in child.cmdline():
            child.kill()
            child.wait()
    with pytest.raises(BackendError, match="the process that starts measured runs has ended"):
        measure(executor, "brute")


def test_two_jobs_run_at_a_time(name, tmp_path, monkeypatch):
    monkeypatch.setenv("MEETING", str(tmp_path))
    with create(name, 2) as executor:
        measured = [each for _, each in executor.run([Job(DOTS, "meeting", Request(limits=AMPLE))] * 2)]
    assert [each.outcome.termination for each in measured] == [Termination.OK] * 2


def test_the_first_runs_are_unreliable_beside_busy_programs(name, monkeypatch):
    busy = "nonocsp.run.conditions.busy_by_thread"
    monkeypatch.setattr(busy, lambda: dict.fromkeys(usable_threads(), 9 * time.perf_counter()))
    with create(name, 1) as executor:
        measured = [each for _, each in executor.run([Job(DOTS, "brute", Request(limits=AMPLE))] * 3)]
    assert not any(measurement.reliable for measurement in measured)


def test_a_run_that_crashes_starts_no_collector_of_cores(executor):
    stats = measure(executor, "busy:seconds=0.001").outcome.stats
    assert stats["core_bytes"] == 1  # what tells Linux to start none, as core(5) says


@pytest.mark.parametrize("cores", [None, 1, pytest.param(2, marks=several_cores)])
def test_a_pinned_run_may_use_its_cores_and_others_all(name, cores):
    with create(name, 1, pin=cores is not None, cores=cores or 2) as executor:
        measurement = measure(executor, "busy")
    used, own = str(measurement.outcome.stats["cores"]).split(), measurement.conditions.cores
    assert used == list(map(str, sorted(own))) if own else len(used) >= physical_cores()
    assert (len(own) if own else None) == cores


@several_cores
def test_two_executors_at_a_time_use_different_cores_and_give_them_back(name):
    with create(name, 1, pin=True) as first, create(name, 1, pin=True) as second:
        one, other = measure(first, "busy"), measure(second, "busy")
        assert not {*(one.conditions.cores or ())} & {*(other.conditions.cores or ())}
        assert len(held_cores()) == 2
        with pytest.raises(UsageError, match="others hold core"):
            create(name, physical_cores() - 1, pin=True)
    assert held_cores() == {}


@several_cores
def test_one_rival_on_the_core_of_runs_makes_them_unreliable(name):
    with create(name, 1, pin=True) as executor:
        (core,) = measure(executor, "busy").conditions.cores or ()
        program = f"import os; os.sched_setaffinity(0, {{{core}}})\nwhile True: pass"
        with subprocess.Popen([sys.executable, "-c", program]) as rival:
            measured = [measure(executor, f"busy:seconds={s}") for s in (0.1, 0.1, 0.1, 0.1, 2.5)]
            rival.kill()
    assert not any(measurement.reliable for measurement in measured)
