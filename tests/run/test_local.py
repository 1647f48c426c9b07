"""Executors fork and warm, beyond the contract: memory, templates that die, slots, and how jobs are read."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread

import psutil
import pytest

from nonocsp.backends.base import Answer, Limits, Request, Task, Termination
from nonocsp.model import BackendError, Puzzle
from nonocsp.run import create
from nonocsp.run.cores import usable_threads
from nonocsp.run.jobs import Executor, Job, Measurement
from nonocsp.testing import n_dom
from tests.waiting import AMPLE_S, wait_for_ends

pytestmark = pytest.mark.usefixtures("unruly")

DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)
COMB = Puzzle.from_clues([[1] * 300] * 600, [[600], []] * 300)
"""A puzzle whose job is longer than a pipe holds."""
MIB = 2**20
AMPLE = Limits(wall=AMPLE_S)


@pytest.fixture(params=["fork", "warm"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def executor(name: str) -> Iterator[Executor]:
    with create(name, 1) as executor:
        yield executor


def measure(executor: Executor, backend: str, limits: Limits = AMPLE) -> Measurement:
    ((_, measurement),) = executor.run([Job(DOTS, backend, Request(limits=limits))])
    return measurement


def descendants() -> set[psutil.Process]:
    return set(psutil.Process().children(recursive=True))


def test_findings_come_back_unchanged(executor: Executor) -> None:
    job = Job(DOTS, "brute", Request(Task.COUNT), id="mine")
    ((returned, measurement),) = executor.run([job])
    outcome = measurement.outcome
    assert returned is job
    assert (outcome.answer, len(outcome.solutions), outcome.stats) == (Answer.MULTIPLE, 6, {"found": 6})
    assert min(outcome.wall_s, outcome.cpu_s) > 0


def test_a_job_longer_than_a_pipe_arrives(executor: Executor) -> None:
    ((_, measurement),) = executor.run([Job(COMB, "settle", Request(limits=AMPLE))])
    assert measurement.outcome.answer is Answer.UNIQUE


def test_peak_memory_is_that_of_the_run_itself(executor: Executor) -> None:
    small, big, again = (
        measure(executor, spec).peak_rss_bytes for spec in ("brute", "unruly:how=hoard", "brute")
    )
    assert small is not None
    assert big is not None
    assert again is not None
    assert 270 * MIB <= big <= 320 * MIB  # of 300; a forked process may use free memory of its parent
    assert max(small, again) < 20 * MIB


def test_memory_that_processes_share_counts_once(executor: Executor) -> None:
    measurement = measure(executor, "unruly:how=share", Limits(wall=AMPLE_S, memory=300 * MIB))
    assert measurement.outcome.termination is Termination.CRASHED  # the answer is wrong: it came to its end
    assert measurement.peak_rss_bytes
    assert 190 * MIB <= measurement.peak_rss_bytes <= 250 * MIB


def test_what_loading_takes_does_not_count(executor: Executor) -> None:
    heavy = measure(executor, "cpsat", Limits(wall=AMPLE_S, memory=512 * MIB))
    light = measure(executor, "settle", Limits(wall=AMPLE_S, memory=20 * MIB))
    assert heavy.outcome.termination is light.outcome.termination is Termination.OK


def test_eight_workers_of_cpsat_stay_below_512_mib() -> None:
    request = Request(limits=Limits(wall=AMPLE_S, memory=512 * MIB))
    with create("fork", 1) as executor:
        ((_, measurement),) = executor.run([Job(n_dom(6), "cpsat:workers=8", request)])
    assert measurement.outcome.answer is Answer.UNIQUE
    assert measurement.peak_rss_bytes


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


@pytest.mark.parametrize(("times", "termination"), [(1, Termination.OK), (2, Termination.KILLED)])
def test_a_run_whose_template_is_killed_gets_a_second_try_and_no_third(
    executor: Executor, times: int, termination: Termination
) -> None:
    Thread(target=kill_templates, args=(times,)).start()
    jobs = [Job(DOTS, "brute:sleep=3", Request(Task.COUNT)), Job(DOTS, "brute", Request())]
    (_, first), (_, second) = executor.run(jobs)
    assert first.outcome.termination is termination
    assert second.outcome.answer is Answer.MULTIPLE


def test_a_campaign_ends_with_the_reason_if_the_fork_server_is_killed(executor: Executor) -> None:
    measure(executor, "settle")
    for child in psutil.Process().children():
        if "nonocsp.run.fork_server" in child.cmdline():
            child.kill()
            child.wait()
    with pytest.raises(BackendError, match="the process that starts measured runs has ended"):
        measure(executor, "brute")


def test_a_backend_that_cannot_be_loaded_costs_only_its_own_runs(executor: Executor) -> None:
    jobs = [Job(DOTS, spec, Request(limits=AMPLE)) for spec in ("nonesuch", "brute", "nonesuch")]
    measured = [(job.backend, measurement.outcome) for job, measurement in executor.run(jobs)]
    assert sorted(backend for backend, _ in measured) == ["brute", "nonesuch", "nonesuch"]
    for backend, outcome in measured:
        assert (outcome.termination is Termination.OK) is (backend == "brute")
        assert backend == "brute" or "unknown backend 'nonesuch'" in outcome.message


def test_an_executor_reads_jobs_only_as_fast_as_it_runs_them(name: str) -> None:
    read: list[int] = []

    def jobs() -> Iterator[Job]:
        for number in range(50):
            read.append(number)
            yield Job(DOTS, "brute", Request())

    with create(name, 2) as executor:
        next(iter(executor.run(jobs())))
        assert len(read) <= 4


def test_two_jobs_run_at_a_time(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEETING", str(tmp_path))
    with create(name, 2) as executor:
        measured = [each for _, each in executor.run([Job(DOTS, "meeting", Request(limits=AMPLE))] * 2)]
    assert [each.outcome.termination for each in measured] == [Termination.OK] * 2


def test_leaving_the_executor_early_ends_its_processes(name: str) -> None:
    before = descendants()
    with create(name, 2) as executor:
        next(
            iter(
                executor.run([Job(DOTS, "brute", Request()), *[Job(DOTS, "unruly:how=hang", Request())] * 3])
            )
        )
        started = descendants() - before
        assert started
    wait_for_ends(started)


def test_the_first_runs_are_unreliable_beside_busy_programs(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy = "nonocsp.run.conditions.busy_by_thread"
    monkeypatch.setattr(busy, lambda: dict.fromkeys(usable_threads(), 9 * time.perf_counter()))
    with create(name, 1) as executor:
        measured = [each for _, each in executor.run([Job(DOTS, "brute", Request(limits=AMPLE))] * 3)]
    assert not any(measurement.reliable for measurement in measured)


def test_a_run_that_crashes_starts_no_collector_of_cores(executor: Executor) -> None:
    stats = measure(executor, "busy:seconds=0.001").outcome.stats
    assert stats["core_bytes"] == 1  # what tells Linux to start none, as core(5) says
