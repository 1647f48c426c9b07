"""Executors fork and warm: limits, crashes and noise of backends, and leftover processes."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from threading import Thread
from typing import Any
from uuid import uuid4

import psutil
import pytest
from nonocsp.run.slot import Slot

from nonocsp.backends.base import Answer, Limits, Request, Task, Termination
from nonocsp.model import BackendError, Puzzle
from nonocsp.processes.starting import can_isolate
from nonocsp.run import create
from nonocsp.run.cores import usable_threads
from nonocsp.run.jobs import Executor, Job, Measurement
from nonocsp.run.local import LocalExecutor
from nonocsp.testing import n_dom
from tests.waiting import AMPLE_S, wait_for_ends

pytestmark = pytest.mark.usefixtures("unruly")

SERVER = "nonocsp.run.worker.server"
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


@pytest.mark.parametrize(
    ("how", "limits", "termination", "said"),
    [
        ("hang", Limits(wall=0.3), Termination.WALL, "wall limit of 0.3 s"),
        ("spin", Limits(cpu=0.3, wall=AMPLE_S), Termination.CPU, "CPU limit of 0.3 s"),
        ("allocate", Limits(memory=300 * MIB, wall=AMPLE_S), Termination.MEMORY, "memory limit of 300 MiB"),
        ("hold", Limits(wall=0.3), Termination.WALL, "wall limit of 0.3 s"),
        ("segfault", AMPLE, Termination.CRASHED, "died of SIGSEGV"),
        ("abort", AMPLE, Termination.CRASHED, "died of SIGABRT"),
        ("kill", AMPLE, Termination.KILLED, "with SIGKILL"),
        ("close", AMPLE, Termination.CRASHED, "exit code 1"),
        ("exit", AMPLE, Termination.CRASHED, "exit code 7"),
        ("quit", AMPLE, Termination.CRASHED, "SystemExit: enough"),
        ("raise", AMPLE, Termination.CRASHED, "RuntimeError: no idea"),
        ("lie", AMPLE, Termination.CRASHED, "wrong answer"),
        ("shout", AMPLE, Termination.CRASHED, "wrong answer"),
        ("fork", Limits(wall=0.5), Termination.WALL, "wall limit of 0.5 s"),
        ("breed", Limits(wall=0.3), Termination.WALL, "wall limit of 0.3 s"),
        ("leave", AMPLE, Termination.CRASHED, "wrong answer"),
    ],
)
def test_a_misbehaving_backend_ends_only_its_own_run(
    name: str, how: str, limits: Limits, termination: Termination, said: str
) -> None:
    before = descendants()
    with create(name, 1) as executor:
        bad = measure(executor, f"unruly:how={how}", limits)
        started = descendants() - before
        good = measure(executor, "brute")
    assert (bad.outcome.termination, bad.outcome.answer) == (termination, Answer.UNKNOWN)
    assert said in bad.outcome.message
    assert not bad.outcome.solutions
    assert good.outcome.answer is Answer.MULTIPLE
    wait_for_ends(started)


@pytest.mark.parametrize(("how", "termination"), [("fork", "wall"), ("leave", "crashed")])
def test_no_process_that_a_backend_started_survives_its_run(
    executor: Executor, how: str, termination: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNRULY_MARK", mark := uuid4().hex)
    assert measure(executor, f"unruly:how={how}", Limits(wall=0.5)).outcome.termination == termination
    assert not [process for process in psutil.process_iter() if mark in "".join(_command(process))]


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


@pytest.mark.parametrize("wall", [0.1, 0.5])
def test_a_run_is_cut_off_after_the_wall_limit_and_not_before(executor: Executor, wall: float) -> None:
    started = time.perf_counter()
    measurement = measure(executor, "unruly:how=hang", Limits(wall=wall))
    assert wall <= measurement.outcome.wall_s <= time.perf_counter() - started


def test_an_answer_that_comes_after_the_limit_counts_as_cut_off(executor: Executor) -> None:
    measurement = measure(executor, "brute:sleep=0.2", Limits(wall=0.1))
    assert measurement.outcome.termination is Termination.WALL


def test_the_workers_findings_come_back_unchanged(executor: Executor) -> None:
    job = Job(DOTS, "brute", Request(Task.COUNT), id="mine")
    ((returned, measurement),) = executor.run([job])
    outcome = measurement.outcome
    assert returned is job
    assert (outcome.answer, len(outcome.solutions), outcome.stats) == (Answer.MULTIPLE, 6, {"found": 6})
    assert outcome.wall_s > 0
    assert outcome.cpu_s > 0


def test_peak_memory_is_that_of_the_run_itself(executor: Executor) -> None:
    small = measure(executor, "brute").peak_rss_bytes
    big = measure(executor, "unruly:how=hoard").peak_rss_bytes
    again = measure(executor, "brute").peak_rss_bytes
    if small is None or again is None:
        pytest.skip("this kernel cannot reset a process's peak memory")
    assert big is not None
    assert 270 * MIB <= big <= 320 * MIB  # of 300; a forked process may use free memory of its parent
    assert max(small, again) < 20 * MIB


def test_shared_memory_counts_once(executor: Executor) -> None:
    measurement = measure(executor, "unruly:how=share", Limits(wall=AMPLE_S, memory=300 * MIB))
    assert measurement.outcome.termination is Termination.CRASHED  # the answer is wrong: it came to its end
    assert measurement.peak_rss_bytes
    assert 190 * MIB <= measurement.peak_rss_bytes <= 250 * MIB


def test_memory_shared_with_the_server_does_not_count(name: str) -> None:
    with create(name, 1) as executor:
        heavy = measure(executor, "cpsat", Limits(wall=AMPLE_S, memory=512 * MIB))
        light = measure(executor, "settle", Limits(wall=AMPLE_S, memory=20 * MIB))
    assert heavy.outcome.termination is light.outcome.termination is Termination.OK


def test_eight_workers_of_cpsat_stay_below_512_mib() -> None:
    puzzle = n_dom(6)
    with create("fork", 1) as executor:
        request = Request(limits=Limits(wall=AMPLE_S, memory=512 * MIB))
        ((_, measurement),) = executor.run([Job(puzzle, "cpsat:workers=8", request)])
    assert measurement.outcome.answer is Answer.UNIQUE
    assert measurement.peak_rss_bytes


def kill_servers(count: int) -> None:
    """Kill the servers of this process's executor, one after the other, as each has a run.

    Other children of this process, such as a browser for other tests, are left alone.
    """
    killed: set[psutil.Process] = set()
    while len(killed) < count:
        for server in set(psutil.Process().children()) - killed:
            with suppress(psutil.Error):
                if SERVER not in server.cmdline():
                    continue
                hosts = len(server.children(recursive=True)) - can_isolate()
                if hosts > 0:
                    time.sleep(0.5)  # now the host has a run
                    server.kill()
                    killed.add(server)


def test_a_run_whose_server_was_killed_gets_a_second_try(executor: Executor) -> None:
    Thread(target=kill_servers, args=(1,)).start()
    job, hurried = Job(DOTS, "brute:sleep=2", Request(Task.COUNT)), Job(DOTS, "brute", Request())
    (_, first), (_, second) = executor.run([job, hurried])
    assert len(first.outcome.solutions) == 6
    assert second.outcome.answer is Answer.MULTIPLE


def test_a_run_whose_server_was_killed_twice_is_killed(executor: Executor) -> None:
    Thread(target=kill_servers, args=(2,)).start()
    jobs = [Job(DOTS, "unruly:how=sleep", Request(limits=AMPLE)), Job(DOTS, "brute", Request())]
    killed, good = executor.run(jobs)
    assert killed[1].outcome.termination is Termination.KILLED
    assert good[1].outcome.answer is Answer.MULTIPLE


def test_a_job_longer_than_a_pipe_arrives(executor: Executor) -> None:
    ((_, measurement),) = executor.run([Job(COMB, "settle", Request(limits=AMPLE))])
    assert measurement.outcome.answer is Answer.UNIQUE


def test_a_server_that_stands_still_and_takes_no_job_is_replaced(
    executor: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure(executor, "brute")
    monkeypatch.setattr("nonocsp.run.local.SILENCE_S", 0.5)
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):  # such as one that has just ended
            if SERVER in process.cmdline():
                process.suspend()
    kill = Slot.kill

    def kill_and_be_patient(slot: Slot) -> None:
        monkeypatch.setattr("nonocsp.run.local.SILENCE_S", AMPLE_S)
        kill(slot)

    monkeypatch.setattr(Slot, "kill", kill_and_be_patient)
    ((_, measurement),) = executor.run([Job(COMB, "settle", Request(limits=AMPLE))])
    assert measurement.outcome.answer is Answer.UNIQUE


@pytest.mark.parametrize("fails", [0, 1])
def test_a_job_waits_if_no_server_can_be_started_for_it(
    name: str, fails: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = []
    popen = subprocess.Popen.__init__

    def refuse(self: Any, command: Any, *rest: Any, **options: Any) -> None:
        if SERVER in command:
            started.append(command)
            if len(started) == 2 and fails == 0:
                raise BlockingIOError("Resource temporarily unavailable")
            if len(started) == 2:
                command = ["false"]
        popen(self, command, *rest, **options)

    with create(name, 2) as executor:
        monkeypatch.setattr("subprocess.Popen.__init__", refuse)
        jobs = [Job(DOTS, "brute", Request(limits=AMPLE), id=str(number)) for number in range(6)]
        measured = [(job.id, measurement.outcome.answer) for job, measurement in executor.run(jobs)]
    assert sorted(measured) == [(job.id, Answer.MULTIPLE) for job in jobs]
    assert len(started) == 3


def test_a_campaign_ends_with_the_reason_if_no_server_can_be_started(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("nonocsp.run.process.PYTHON", ("false",))
    with (
        create(name, 2) as executor,
        pytest.raises(BackendError, match=r"cannot start a worker: .* exit code 1"),
    ):
        list(executor.run([Job(DOTS, "brute", Request())] * 3))


def test_an_executor_works_on_when_its_guard_is_killed(name: str) -> None:
    with create(name, 1) as executor:
        assert isinstance(executor, LocalExecutor)
        executor._guard._process.kill()
        executor._guard._process.wait()
        assert measure(executor, "brute").outcome.answer is Answer.MULTIPLE


@pytest.mark.parametrize("refused", [3, 10**9])
def test_an_executor_ends_even_if_no_process_can_be_started_to_clear_up(
    name: str, refused: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, tries = subprocess.run, []

    def refuse(command: Any, **options: Any) -> Any:
        tries.append(command)
        if len(tries) <= refused:
            raise BlockingIOError("Resource temporarily unavailable")
        return run(command, **options)

    monkeypatch.setattr("nonocsp.processes.guard._RETRY_S", 0.001)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with create(name, 1) as executor:
        measure(executor, "brute")
        monkeypatch.setattr("subprocess.run", refuse)
    assert len(tries) > 3
    assert bool([*tmp_path.iterdir()]) is (refused > 3)


def test_the_first_runs_of_an_executor_are_unreliable_beside_busy_programs(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "nonocsp.run.conditions.busy_by_thread",
        lambda: dict.fromkeys(usable_threads(), 9 * time.perf_counter()),
    )
    with create(name, 1) as executor:
        measured = [each for _, each in executor.run([Job(DOTS, "brute", Request(limits=AMPLE))] * 3)]
    assert not any(measurement.reliable for measurement in measured)


def test_an_unknown_backend_is_a_crash_with_a_clear_message(executor: Executor) -> None:
    outcome = measure(executor, "nonesuch").outcome
    assert outcome.termination is Termination.CRASHED
    assert "unknown backend 'nonesuch'" in outcome.message


def test_an_executor_reads_jobs_only_as_fast_as_it_runs_them(
    name: str,
) -> None:
    read: list[int] = []

    def jobs() -> Iterator[Job]:
        for number in range(50):
            read.append(number)
            yield Job(DOTS, "brute", Request())

    with create(name, 2) as executor:
        ended = executor.run(jobs())
        next(ended)
        assert len(read) <= 4


@pytest.mark.skipif(sys.platform != "linux", reason="others have no such timers")
def test_a_host_that_a_timer_wakes_disturbs_no_run_of_others(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = tmp_path / "notes"
    notes.touch()
    monkeypatch.setenv("WAKING", str(notes))
    monkeypatch.setattr("nonocsp.run.slot.can_isolate", lambda: False)  # its runs write there
    jobs = [Job(DOTS, backend, Request(limits=AMPLE)) for backend in ("waking", "brute:sleep=1")]
    with create(name, 1) as executor:
        *_, (_, alone) = executor.run(jobs)
    assert alone.conditions.started is not None
    begin = datetime.fromisoformat(alone.conditions.started).timestamp()
    noted = [float(line) for line in notes.read_text().splitlines()]
    assert noted
    assert max(noted) < begin + 0.2


def test_two_jobs_run_at_a_time(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEETING", str(tmp_path))
    monkeypatch.setattr("nonocsp.run.slot.can_isolate", lambda: False)  # its runs write there
    with create(name, 2) as executor:
        measured = [each for _, each in executor.run([Job(DOTS, "meeting", Request(limits=AMPLE))] * 2)]
    assert [each.outcome.termination for each in measured] == [Termination.OK] * 2


def test_leaving_the_executor_early_ends_its_workers(
    name: str,
) -> None:
    before = descendants()
    with create(name, 2) as executor:
        ended = executor.run([Job(DOTS, "brute", Request()), *[Job(DOTS, "unruly:how=hang", Request())] * 3])
        next(ended)
        started = descendants() - before
        assert started
    wait_for_ends(started)


def test_a_run_that_crashes_starts_no_collector_of_cores(name: str) -> None:
    job = Job(DOTS, "busy:seconds=0.001", Request(limits=AMPLE))
    with create(name, 1) as executor:
        ((_, measurement),) = executor.run([job])
    assert measurement.outcome.stats["core_bytes"] == 1  # what tells Linux to start none, as core(5) says
