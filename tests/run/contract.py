"""What executors promise, and how tests start them, give them jobs and find what is left of these."""

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from nonocsp.backends.base import Limits, Request, Task
from nonocsp.model import Puzzle, UsageError
from nonocsp.run import create
from nonocsp.run.jobs import Executor, Job, Measurement
from tests.waiting import AMPLE_S, wait_until

ROWS = "what a backend yields, counts and raises becomes a row, and no wrong grid becomes an answer"
ENDS = "a backend that breaks or leaves its process, or never ends, ends its own run only"
LIMITS = "limits hold for all processes of a run, and its figures are seen from outside"
FRESH = "no run notices what an earlier one has changed"
CLEAN = "nothing that a run leaves is there after it"
NAMES = "`left` says what that was"
PROMISES: dict[str, set[str]] = {
    "inline": {ROWS},  # and the wall limit of a backend that looks at it
    "fork": {ROWS, ENDS, LIMITS, FRESH, CLEAN, NAMES},
    "warm": {ROWS, ENDS, LIMITS, FRESH, CLEAN, NAMES},
    "benchexec": {ROWS, ENDS, LIMITS, FRESH, CLEAN},  # its container ends with all that is in it
    "dask": {ROWS, ENDS, LIMITS, FRESH, CLEAN, NAMES},  # those of `fork`, which measures on its workers
}
DOTS = Puzzle.from_clues([[1]] * 3, [[1]] * 3)
RING = Puzzle.from_clues([[5], [1, 1], [1, 1], [1, 1], [5]], [[5], [1, 1], [1, 1], [1, 1], [5]])
MIB = 1 << 20
AMPLE = Limits(wall=AMPLE_S)


@dataclass(frozen=True)
class Session:
    """An executor at work, and how to find what its runs have left."""

    name: str
    executor: Executor
    mark: str
    calm: Mapping[str, Any]
    honest: tuple[object, ...]

    def measure(self, *jobs: Job) -> list[Measurement]:
        found = {job.id: measurement for job, measurement in self.executor.run(jobs)}
        return [found[job.id] for job in jobs]


@contextmanager
def opened(name: str, temporary: Path) -> Iterator[Session]:
    """Start an executor; at its end, nothing that its runs left may be there."""
    mark = uuid4().hex
    with pytest.MonkeyPatch.context() as patch:
        for variable in ("TMPDIR", "TEMP", "TMP"):
            patch.setenv(variable, str(temporary))
        patch.setattr(tempfile, "tempdir", None)
        patch.setenv("CARELESS_MARK", mark)
        with make(name) as executor:
            calm = Session(name, executor, mark, {}, ())
            first, second = calm.measure(job("calm", RING), job("hybrid", RING))
            yield Session(name, executor, mark, first.outcome.stats, facts(second))
        wait_until(lambda: not [*marked(mark), *temporary.glob("nonocsp*"), *shared_memory(mark)])


def make(name: str) -> Executor:
    """Return an executor, or skip the test with the reason why it cannot measure here."""
    if name == "dask":
        pytest.importorskip("distributed")
    try:
        return create(name, 1)
    except UsageError as error:
        if name != "benchexec":
            raise
        pytest.skip(str(error))


def job(backend: str, puzzle: Puzzle, limits: Limits = AMPLE) -> Job:
    return Job(puzzle, backend, Request(Task.COUNT, limits), id=f"{backend} {puzzle.shape}")


def facts(measurement: Measurement) -> tuple[object, ...]:
    """Return what two measurements of one run share."""
    outcome = measurement.outcome
    return outcome.answer, outcome.termination, outcome.solutions, outcome.message, measurement.left


def marked(mark: str) -> list[str]:
    """Return the names of the processes with the mark in their environment, but this one's tracker."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with suppress(OSError):
                if f"CARELESS_MARK={mark}".encode() not in (entry / "environ").read_bytes():
                    continue
                if b"multiprocessing.resource_tracker" not in (entry / "cmdline").read_bytes():
                    found.append((entry / "comm").read_text().strip())
    return found


def shared_memory(mark: str) -> list[str]:
    return [name for name in os.listdir("/dev/shm") if mark in name]  # noqa: PTH208
