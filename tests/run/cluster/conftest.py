"""Clusters of processes with an environment of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.waiting import wait_until

if TYPE_CHECKING:
    from distributed import LocalCluster

_INHERITED = os.environ.get("PYTHONPATH")  # without the test backends


@pytest.fixture(scope="module")
def started(unruly) -> Iterator[LocalCluster]:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, dashboard_address=":0", silence_logs="CRITICAL"
    ) as cluster:
        yield cluster


@pytest.fixture
def cluster(started) -> LocalCluster:
    """A cluster of three workers; those that an earlier test has killed are there again."""
    wait_until(lambda: len(started.scheduler.workers) == 3)
    return started


@pytest.fixture
def scheduler() -> Iterator[str]:
    """The address of a scheduler that has no workers yet."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=0, dashboard_address="127.0.0.1:0", silence_logs="CRITICAL"
    ) as cluster:
        yield cluster.scheduler_address


@pytest.fixture
def start_worker(scheduler) -> Iterator[Callable[[str], subprocess.Popen[bytes]]]:
    """Start a worker with a PYTHONPATH, and wait until it has joined; it ends with the test."""
    from distributed import Client

    started: list[subprocess.Popen[bytes]] = []

    def start(path: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", "-m", "distributed.cli.dask_worker", scheduler, "--no-nanny"]
        worker = subprocess.Popen(
            [*command, "--nthreads", "1", "--no-dashboard"],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [path, _INHERITED]))},
            stderr=subprocess.DEVNULL,
        )
        started.append(worker)
        with Client(scheduler, set_as_default=False) as client:
            before = len(client.nthreads())
            wait_until(lambda: len(client.nthreads()) > before or worker.poll() is not None)
        return worker

    yield start
    for worker in started:
        worker.kill()
        worker.wait()
