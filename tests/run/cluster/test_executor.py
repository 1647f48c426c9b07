"""Executor dask: a cluster gives the same verdicts as this machine, even if it loses workers."""

import importlib
from multiprocessing import resource_tracker

import psutil
import pytest

from nonocsp.backends.base import Limits, Outcome, Request, Task, Termination
from nonocsp.datasets import tournament_set
from nonocsp.model import BackendError, Puzzle, UsageError, WorkerWarning
from nonocsp.run import cluster_worker, create, dask_executor
from nonocsp.run.jobs import Job
from tests.waiting import wait_for_ends

pytestmark = pytest.mark.usefixtures("unruly")

DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)
KILLER = Puzzle.from_clues([[2], []], [[1], [1]])


def plain(count: int, spec: str = "brute") -> list[Job]:
    return [Job(DOTS, spec, Request(), id=str(number)) for number in range(count)]


def mixed() -> list[Job]:
    """Return runs of all kinds: decided, partial, crashed and cut off."""
    puzzles = [DOTS, *tournament_set(5, count=4, rows=12, columns=12)]
    request = Request(Task.COUNT, bound=5)
    pairs = [(puzzle, spec) for puzzle in puzzles for spec in ("probing", "settle", "unruly:how=segfault")]
    hang = Job(DOTS, "unruly:how=hang", Request(limits=Limits(wall=0.3)), id="hang")
    return [hang, *(Job(puzzle, spec, request, str(number)) for number, (puzzle, spec) in enumerate(pairs))]


def verdict(outcome: Outcome) -> tuple[object, ...]:
    """Return the values that two measurements of one run must share."""
    why = outcome.message.partition(";")[0]  # without addresses in memory
    return (outcome.answer, outcome.termination, outcome.solutions, outcome.partial, why)


@pytest.mark.slow
def test_a_cluster_gives_the_local_verdicts_even_if_a_worker_is_killed(cluster):
    with create("fork", 1) as executor:
        expected = {job.id: verdict(measurement.outcome) for job, measurement in executor.run(mixed())}
    seen = {}
    with create("dask", 3, address=cluster.scheduler_address) as executor:
        for job, measurement in executor.run(mixed()):
            assert job.id not in seen
            assert measurement.executor == "dask"
            assert measurement.provenance
            seen[job.id] = verdict(measurement.outcome)
            if len(seen) == 3:
                worker = psutil.Process(cluster.workers[1].pid)
                left = worker.children(recursive=True)
                worker.kill()
    assert seen == expected
    wait_for_ends(left)
    assert {termination for _, termination, *_ in seen.values()} >= {"ok", "crashed", "wall"}


def test_without_an_address_workers_start_on_this_machine_and_end_with_the_executor():
    pytest.importorskip("distributed")
    resource_tracker.ensure_running()  # it is one for all clusters of this process, and stays
    children = set(psutil.Process().children(recursive=True))
    with create("dask", 1, inner="warm") as executor:
        measured = [measurement for _, measurement in executor.run(plain(200))]
        started = set(psutil.Process().children(recursive=True)) - children
    assert {(m.outcome.answer, m.executor) for m in measured} == {("multiple", "dask:warm")}
    wait_for_ends(started)


@pytest.mark.slow
def test_a_run_that_brings_its_workers_down_is_the_only_one_that_is_killed(cluster, monkeypatch):
    monkeypatch.setattr(cluster_worker, "measure", importlib.import_module("unruly").take_worker_along)
    quick = plain(60)
    killer = Job(KILLER, "brute", Request(), id="killer")
    with create("dask", 3, address=cluster.scheduler_address) as executor:
        seen = {job.id: m for job, m in executor.run([*quick[:30], killer, *quick[30:]])}
    assert len(seen) == 61
    assert not seen["killer"].reliable
    assert seen.pop("killer").outcome.termination is Termination.KILLED
    assert {m.outcome.termination for m in seen.values()} == {Termination.OK}


@pytest.mark.slow
def test_a_worker_that_does_not_answer_holds_up_no_other(cluster, monkeypatch):
    monkeypatch.setattr(dask_executor, "ANSWER_S", 5.0)
    frozen = psutil.Process(cluster.workers[0].pid)
    frozen.suspend()
    try:
        with create("dask", 3, address=cluster.scheduler_address) as executor:
            assert not executor.readiness(["brute"])["brute"].problem
            assert len([*executor.run(plain(20))]) == 20
    finally:
        frozen.resume()


def test_a_worker_that_fails_leaves_its_runs_to_the_others(cluster, monkeypatch):
    monkeypatch.setattr(cluster_worker, "measure", importlib.import_module("unruly").fail_on_one)
    with create("dask", 3, address=cluster.scheduler_address) as executor:
        executor.readiness(["brute"])  # waits for the answers of all
        with pytest.warns(WorkerWarning, match="no runs of brute: it failed .OSError..No space left on"):
            assert len([*executor.run(plain(40))]) == 40


@pytest.mark.slow
def test_workers_that_all_fail_are_an_error_that_names_them(cluster, monkeypatch):
    monkeypatch.setattr(dask_executor, "JOIN_S", 5.0)
    with (
        create("dask", 3, address=cluster.scheduler_address, pin=True, cores=10_000) as executor,
        pytest.warns(WorkerWarning, match="gets no runs of brute"),
        pytest.raises(BackendError, match=f"no worker of {cluster.scheduler_address} .*failed.*cores"),
    ):
        list(executor.run(plain(1)))


def test_what_cannot_be_is_said_at_once(monkeypatch):
    with pytest.raises(UsageError, match=r"executor of a cluster's workers.*inline"):
        create("dask", 1, inner="inline")
    monkeypatch.setattr("nonocsp.extras.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'nonocsp\[cluster\]'"):
        create("dask", 1)
