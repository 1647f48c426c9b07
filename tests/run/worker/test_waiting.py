"""How long processes were ready to run but had no core, as Linux counts it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from nonocsp.run.worker.usage import queued_s
from tests.waiting import wait_until

COMPUTE = "import os, time; os.sched_setaffinity(0, {{{}}})\nwhile time.process_time() < {}: pass\ninput()"


@pytest.fixture
def core() -> Iterator[int]:
    """Return a core on which another process computes, and nowhere else."""
    core = max(os.sched_getaffinity(0))
    with subprocess.Popen([sys.executable, "-c", COMPUTE.format(core, 600)]) as rival:
        yield core
        rival.kill()


def test_a_process_waits_for_a_core_that_a_rival_uses(core: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", COMPUTE.format(core, 0.4)], stdin=subprocess.PIPE
    ) as process:
        wait_until(lambda: queued_s([process.pid]) >= 0.1)


def test_processes_that_have_ended_have_not_waited() -> None:
    with subprocess.Popen(["true"]) as process:
        process.wait()
    assert queued_s([process.pid]) == queued_s([]) == 0.0


def test_all_processes_count() -> None:
    alone = queued_s([os.getpid()])
    assert queued_s([os.getpid(), os.getpid()]) >= 2 * alone > 0
