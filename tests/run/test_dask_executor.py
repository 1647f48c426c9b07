"""Executor dask: a cluster gives the same verdicts as this machine, even if it loses workers."""

from __future__ import annotations

import importlib
import os
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import resource_tracker
from threading import Thread
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from nonocsp.backends.base import Answer, Limits, Outcome, Request, Task, Termination
from nonocsp.datasets.tcga import tournament_set
from nonocsp.model import BackendError, Puzzle, UsageError, WorkerWarning
from nonocsp.processes.starting import NO_ACCESS
from nonocsp.run import create
from nonocsp.run.cores import physical_cores
from nonocsp.run.dask import roster, worker
from nonocsp.run.dask.connection import AHEAD
from nonocsp.run.dask.executor import DaskExecutor, _Lost
from nonocsp.run.jobs import Job
from nonocsp.run.locks import held_cores
from tests.waiting import AMPLE_S, wait_for_ends, wait_until

if TYPE_CHECKING:
    from distributed import LocalCluster

pytestmark = pytest.mark.usefixtures("unruly")

DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)
KILLER = Puzzle.from_clues([[2], []], [[1], [1]])


@pytest.fixture(scope="module")
def started(unruly: None) -> Iterator[LocalCluster]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, dashboard_address=":0", silence_logs="CRITICAL"
    ) as cluster:
        yield cluster


@pytest.fixture
def cluster(started: LocalCluster) -> LocalCluster:
    """A cluster of three workers; those that an earlier test has killed are there again."""
    wait_until(lambda: len(started.scheduler.workers) == 3)
    return started


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


@pytest.mark.parametrize("failure", ["KilledWorker", "_Lost"])
def test_a_batch_whose_reply_is_lost_is_measured_again(
    cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch, failure: str
) -> None:
    from distributed import Future, KilledWorker

    failures = [KilledWorker("measure", None, 3) if failure == "KilledWorker" else _Lost()]

    async def reply(executor: DaskExecutor, future: Future[bytes]) -> bytes:
        if failures:
            raise failures.pop()
        return await fetched(executor, future)

    fetched = DaskExecutor._reply
    monkeypatch.setattr(DaskExecutor, "_reply", reply)
    with create("dask", 3, address=cluster.scheduler_address) as executor:
        measured = [*executor.run(Job(DOTS, "brute", Request(), id=str(number)) for number in range(20))]
    assert not failures
    assert sorted((job.id for job, _ in measured), key=int) == [str(number) for number in range(20)]
    assert {one.outcome.termination for _, one in measured} == {Termination.OK}


@contextmanager
def frozen(process: psutil.Process) -> Iterator[None]:
    process.suspend()
    try:
        yield
    finally:
        process.resume()


def test_a_worker_that_does_not_answer_holds_up_no_other(
    cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roster, "GRACE_S", 0.1)
    with (
        frozen(psutil.Process(cluster.workers[0].pid)),
        create("dask", 3, address=cluster.scheduler_address) as executor,
    ):
        assert not executor.readiness(["brute"])["brute"].problem
        assert len([*executor.run(Job(DOTS, "brute", Request()) for _ in range(20))]) == 20


@pytest.mark.slow
def test_the_runs_of_a_worker_that_falls_silent_go_to_others_with_a_warning(
    cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(roster, "_LOOK_S", 0.5)
    monkeypatch.setattr(roster, "GRACE_S", AMPLE_S)
    with ExitStack() as stack:
        executor = stack.enter_context(create("dask", 3, address=cluster.scheduler_address))
        assert len(executor.readiness(["brute"])["brute"].provenances) == 3
        monkeypatch.setattr(roster, "SILENT_S", 5.0)
        measured = executor.run(Job(DOTS, "brute:sleep=0.05", Request(), id=f"{n}") for n in range(60))
        seen = [next(measured)[0].id]
        stack.enter_context(frozen(psutil.Process(cluster.workers[0].pid)))
        with pytest.warns(WorkerWarning, match=r"worker tcp.* has sent no heartbeat for 5 s"):
            seen += [job.id for job, _ in measured]
    assert sorted(seen, key=int) == [str(number) for number in range(60)]


def test_a_worker_that_fails_leaves_its_runs_to_the_others(
    cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "measure", importlib.import_module("unruly").fail_on_one)
    with (
        create("dask", 3, address=cluster.scheduler_address) as executor,
        pytest.warns(WorkerWarning, match="failed: OSError: No space left on device; others get its runs"),
    ):
        assert len([*executor.run(Job(DOTS, "brute", Request()) for _ in range(40))]) == 40


def test_workers_that_all_fail_are_an_error_that_names_them(
    cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "measure", importlib.import_module("unruly").missing_here)
    monkeypatch.setattr("nonocsp.run.dask.executor.JOIN_S", 0.1)
    with (
        create("dask", 3, address=cluster.scheduler_address) as executor,
        pytest.warns(WorkerWarning, match="others get its runs"),
        pytest.raises(BackendError, match=f"no worker of {cluster.scheduler_address} .*failed.*No module"),
    ):
        list(executor.run([Job(DOTS, "brute", Request())]))


def test_a_reply_of_none_is_an_error(cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "measure", importlib.import_module("unruly").reply_nothing)
    with (
        create("dask", 3, address=cluster.scheduler_address) as executor,
        pytest.raises(BackendError, match="sent an invalid reply"),
    ):
        list(executor.run([Job(DOTS, "brute", Request())]))


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="only Linux pins")
def test_a_worker_whose_cores_do_not_suffice_says_so_before_it_gets_runs(cluster: LocalCluster) -> None:
    options = {"pin": True, "cores": physical_cores() + 1}
    with create("dask", 3, address=cluster.scheduler_address, **options) as executor:
        problem = executor.readiness(["brute"])["brute"].problem
    assert "cannot measure: " in problem


def test_backends_on_workers_are_not_told_where_the_cluster_is(cluster: LocalCluster) -> None:
    with create("dask", 3, address=cluster.scheduler_address) as executor:
        executor.readiness(["brute"])
        assert isinstance(executor, DaskExecutor)
        left = executor._client.run(lambda: [name for name in os.environ if name[:5] == "DASK_"])
    assert [*left.values()] == [[]] * 3


def test_workers_keep_their_servers_until_another_campaign_begins() -> None:
    idle, kind = worker._Idle(), ("fork", False, 1, NO_ACCESS)
    idle.begin("one")
    with idle.lend(kind) as first:
        pass
    idle.begin("one")
    with idle.lend(kind) as second:
        assert second is first
    idle.begin("two")
    with idle.lend(kind) as third:
        assert third is not first
        idle.begin("three")  # of another driver
    with idle.lend(kind) as fourth:
        assert fourth is not third
    idle.begin("")


def test_a_worker_whose_nonocsp_was_replaced_asks_for_a_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    idle = worker._Idle()
    idle.begin("one")
    monkeypatch.setattr("nonocsp.run.provenance.code", lambda name: "0123456789abcdef")
    with pytest.raises(UsageError, match="nonocsp has changed since this worker started; restart the worker"):
        idle.begin("one")


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
    monkeypatch.setattr("nonocsp.run.dask.connection.JOIN_S", 1.0)
    with pytest.raises(UsageError, match=said):
        create("dask", 1, **options)


def test_a_server_that_is_no_scheduler_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("nonocsp.run.dask.connection.JOIN_S", 5.0)

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
