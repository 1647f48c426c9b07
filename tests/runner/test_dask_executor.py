"""Executor dask: a cluster gives the same verdicts as this machine, even if it loses workers."""

from __future__ import annotations

import importlib
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import resource_tracker
from threading import Thread
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from nonocsp.backends.base import Answer, Limits, Outcome, Request, Task, Termination
from nonocsp.datasets.tcga import tournament_set
from nonocsp.model import BackendError, Puzzle, UsageError
from nonocsp.runner import create
from nonocsp.runner.dask import worker
from nonocsp.runner.dask.connection import AHEAD
from nonocsp.runner.dask.executor import DaskExecutor
from nonocsp.runner.jobs import Job
from nonocsp.runner.machine.cores import physical_cores
from nonocsp.runner.machine.locks import held_cores
from tests.waiting import wait_for_ends, wait_until

if TYPE_CHECKING:
    from distributed import LocalCluster

pytestmark = pytest.mark.usefixtures("unruly")

DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)
KILLER = Puzzle.from_clues([[2], []], [[1], [1]])


@pytest.fixture(scope="module")
def cluster(unruly: None) -> Iterator[LocalCluster]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, dashboard_address=":0", silence_logs="CRITICAL"
    ) as cluster:
        yield cluster


def jobs() -> list[Job]:
    """Return runs of all kinds: decided, partial, crashed and cut off."""
    puzzles = [DOTS, *tournament_set(5, count=4, rows=12, columns=12)]
    specs = ("probing", "settle", "unruly:how=segfault", "brute:sleep=0.05")
    request = Request(Task.COUNT, bound=5)
    pairs = [(puzzle, spec) for puzzle in puzzles for spec in specs if puzzle is DOTS or spec[:5] != "brute"]
    hang = Job(DOTS, "unruly:how=hang", Request(limits=Limits(wall=0.3)), id="hang")
    return [
        hang,
        *(Job(puzzle, spec, request, id=str(number)) for number, (puzzle, spec) in enumerate(pairs)),
    ]


def verdict(outcome: Outcome) -> tuple[object, ...]:
    """Return the values that two measurements of one run must share."""
    return (outcome.answer, outcome.termination, outcome.solutions, outcome.partial, outcome.message)


@pytest.mark.slow
def test_a_cluster_gives_the_local_verdicts_even_if_a_worker_is_killed(cluster: LocalCluster) -> None:
    with create("fork", 1) as executor:
        expected = {job.id: verdict(measurement.outcome) for job, measurement in executor.run(jobs())}
    seen = {}
    with create("dask", 3, address=cluster.scheduler_address) as executor:
        for job, measurement in executor.run(jobs()):
            assert job.id not in seen
            assert measurement.executor == "dask"
            seen[job.id] = verdict(measurement.outcome)
            if len(seen) == 3:
                worker = psutil.Process(cluster.workers[1].pid)
                left = worker.children(recursive=True)
                worker.kill()
    assert seen == expected
    wait_for_ends(left)
    assert {termination for _, termination, *_ in seen.values()} >= {"ok", "crashed", "wall"}


def test_without_an_address_workers_start_on_this_machine() -> None:
    pytest.importorskip("distributed")
    resource_tracker.ensure_running()  # it is one for all clusters of this process, and stays
    children = set(psutil.Process().children(recursive=True))
    with create("dask", 1) as executor:
        ((_, measurement),) = executor.run([Job(DOTS, "brute", Request())])
        started = set(psutil.Process().children(recursive=True)) - children
    assert measurement.outcome.answer is Answer.MULTIPLE
    assert measurement.conditions.host
    wait_for_ends(started)


@pytest.mark.skipif(physical_cores() < 3, reason="needs two cores, and a third")
def test_pinned_workers_of_one_machine_lock_a_core_each() -> None:
    pytest.importorskip("distributed")
    seen = set()
    with create("dask", 2, pin=True) as executor:
        busy = [Job(DOTS, "busy:seconds=0.2", Request(), id=str(number)) for number in range(12)]
        for _, measurement in executor.run(busy):
            (core,) = measurement.conditions.cores or ()
            assert measurement.outcome.stats["cores"] == str(core)
            seen.add(core)
        assert len(seen) == len(held_cores()) == 2
        with pytest.raises(UsageError, match=r"others hold core.* by process"):
            create("fork", physical_cores() - 1, pin=True)
    assert held_cores() == {}


def test_a_cluster_reads_jobs_only_as_fast_as_it_runs_them(cluster: LocalCluster) -> None:
    taken = []

    def many() -> Iterator[Job]:
        for number in range(10_000):
            taken.append(number)
            yield Job(DOTS, "brute:sleep=0.1", Request(), id=str(number))

    with create("dask", 3, address=cluster.scheduler_address) as executor:
        measured = executor.run(many())
        next(measured)
        measured.close()
    assert 3 * AHEAD <= len(taken) < 50


@pytest.mark.slow
def test_a_run_that_brings_its_workers_down_is_the_only_one_that_is_killed(
    cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "measure", importlib.import_module("unruly").take_worker_along)
    quick = [Job(DOTS, "brute", Request(), id=str(number)) for number in range(60)]
    killer = Job(KILLER, "brute", Request(), id="killer")
    with create("dask", 3, address=cluster.scheduler_address) as executor:
        seen = {job.id: m for job, m in executor.run([*quick[:30], killer, *quick[30:]])}
    assert len(seen) == 61
    assert not seen["killer"].reliable
    assert seen.pop("killer").outcome.termination is Termination.KILLED
    assert {m.outcome.termination for m in seen.values()} == {Termination.OK}


@pytest.mark.slow
def test_runs_whose_worker_dies_after_it_measured_them_are_measured_again(cluster: LocalCluster) -> None:
    with create("dask", 3, address=cluster.scheduler_address) as executor:
        measured = executor.run(Job(DOTS, "brute", Request(), id=str(number)) for number in range(100))
        assert isinstance(executor, DaskExecutor)
        seen = [next(measured)[0].id]
        futures = [*executor._holders]
        wait_until(lambda: all(future.status == "finished" for future in futures))
        for each in cluster.workers.values():
            psutil.Process(each.pid).kill()
        wait_until(lambda: not any(future.status == "finished" for future in futures))
        executor._refreshed = time.monotonic()  # as if it had asked for workers just before they died
        seen += [job.id for job, _ in measured]
    assert sorted(seen, key=int) == [str(number) for number in range(100)]


def test_a_batch_that_fails_while_its_reply_is_awaited_is_measured_again(
    cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import Future, KilledWorker

    failures = [KilledWorker("measure", None, 3)]

    def result(future: Future[bytes], timeout: float | None = None) -> bytes:
        if failures:
            raise failures.pop()
        return awaited(future, timeout)

    awaited = Future.result
    monkeypatch.setattr(Future, "result", result)
    with create("dask", 3, address=cluster.scheduler_address) as executor:
        measured = [*executor.run(Job(DOTS, "brute", Request(), id=str(number)) for number in range(20))]
    assert not failures
    assert sorted((job.id for job, _ in measured), key=int) == [str(number) for number in range(20)]
    assert {one.outcome.termination for _, one in measured} == {Termination.OK}


def test_a_worker_that_cannot_measure_is_an_error_that_names_the_cluster(
    cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "measure", importlib.import_module("unruly").missing_here)
    with (
        create("dask", 3, address=cluster.scheduler_address) as executor,
        pytest.raises(BackendError, match=f"worker tcp.* of {cluster.scheduler_address} failed.*No module"),
    ):
        list(executor.run([Job(DOTS, "brute", Request())]))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"address": "tcp://127.0.0.1:9"}, "no cluster with workers at tcp://127.0.0.1:9"),
        ({"address": "nonsense://x"}, "no cluster with workers at nonsense://x"),
    ],
)
def test_unsupported_requests_to_dask_are_errors(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], said: str
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("nonocsp.runner.dask.connection.JOIN_S", 1.0)
    with pytest.raises(UsageError, match=said):
        create("dask", 1, **options)


def test_a_server_that_is_no_scheduler_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("nonocsp.runner.dask.connection.JOIN_S", 5.0)

    def greet() -> None:
        with suppress(OSError):
            while True:
                with server.accept()[0] as connection:
                    connection.sendall(b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n")  # which dask reads as a length

    with socket.create_server(("127.0.0.1", 0)) as server:
        Thread(target=greet, daemon=True).start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(UsageError, match=f"no cluster with workers at {address}"):
            create("dask", 1, address=address)
        server.shutdown(socket.SHUT_RDWR)


def test_without_distributed_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonocsp.extras.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'nonocsp\[cluster\]'"):
        create("dask", 1)
