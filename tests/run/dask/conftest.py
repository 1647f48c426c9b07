"""A scheduler in this process, and workers that are processes with an environment of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

_TRIES = 3


@pytest.fixture
def scheduler() -> Iterator[str]:
    """The address of a scheduler that has no workers yet."""
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 0, "dashboard_address": "127.0.0.1:0", "silence_logs": "CRITICAL"}
    for tries_left in reversed(range(_TRIES)):
        try:
            cluster = distributed.LocalCluster(**options)
            break
        except (OSError, RuntimeError, TimeoutError):  # on a busy machine dask may take too long for itself
            if not tries_left:
                raise
    with cluster:
        yield cluster.scheduler_address


@pytest.fixture
def start_worker(scheduler: str) -> Iterator[Callable[[str], subprocess.Popen[bytes]]]:
    """Start a worker with a PYTHONPATH; it ends with the test."""
    started = []

    def start(path: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", "-m", "distributed.cli.dask_worker", scheduler, "--no-nanny"]
        environment = {**os.environ, "PYTHONPATH": path}
        worker = subprocess.Popen(
            [*command, "--nthreads", "1", "--no-dashboard"], env=environment, stderr=subprocess.DEVNULL
        )
        started.append(worker)
        return worker

    yield start
    for worker in started:
        worker.kill()
        worker.wait()
