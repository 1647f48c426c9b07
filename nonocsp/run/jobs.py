"""Define jobs, measurements and executors, and how jobs travel.

An executor runs backends under limits that it enforces from outside, and says how far its figures can be
trusted.
"""

from __future__ import annotations

import pickle
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, Self

from nonocsp.backends.base import Limits, Outcome, Request, Task
from nonocsp.model import Puzzle, UsageError
from nonocsp.run.provenance import Provenance


@dataclass(frozen=True, slots=True)
class Job:
    """One run to be measured."""

    puzzle: Puzzle
    backend: str  # a spec such as ``"sat:solver=cadical195"``
    request: Request
    id: str = ""  # what the caller knows the job by; executors only hand it through


@dataclass(frozen=True, slots=True)
class Access:
    """What runs in a container may use besides reading files: the network, and folders to write in."""

    network: bool = False
    writable: tuple[str, ...] = ()  # absolute paths

    def check(self) -> None:
        """Raise `UsageError` if a folder is missing on this machine."""
        for folder in self.writable:
            if not Path(folder).is_dir():
                raise UsageError(f"writable: {folder} is no folder of this machine; make it, or leave it out")


NO_ACCESS = Access()


@dataclass(frozen=True, slots=True)
class Conditions:
    """State of the machine when a run started.

    Parameters
    ----------
    started
        Time of the start: ISO 8601, UTC, to the millisecond.
    cores
        The cores that the run was confined to; None if it could use any.
    load
        The load average of the minute before; None if the system does not say.
    mhz
        The frequency of the first of these cores, or of the machine's first if the run could use any; None if
        the system does not say.
    host
        The machine's name in its network.
    governor
        What decides on that frequency, such as ``performance``; None if the system does not say.
    """

    started: str
    cores: list[int] | None
    load: float | None
    mhz: float | None
    host: str
    governor: str | None = None

    def record(self) -> dict[str, Any]:
        """Return the values by name; `dataclasses.asdict` takes thirty times as long."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Measurement:
    """What an executor saw of one run; the figures of `outcome` are seen from outside."""

    outcome: Outcome
    peak_rss_bytes: int | None  # of all its processes, beyond what they began with; None if unknown
    executor: str
    reliable: bool  # times may be compared with those of other runs: the run had a core to itself
    conditions: Conditions
    claimed_wall_s: float | None = None  # what the run's own process says it took, if anything
    claimed_cpu_s: float | None = None
    left: tuple[str, ...] = ()  # processes, files, shared memory, in words; all of it was removed
    provenance: Provenance | None = None  # None if the executor does not know better than its caller


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether an executor can measure a backend."""

    provenances: tuple[Provenance, ...]  # what its measurements will say; several if it has several machines
    problem: str = ""  # why it cannot, and what to do


class Executor(Protocol):
    """A way to measure jobs. A context manager: leaving it ends every process it started."""

    name: str

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: Any) -> None: ...

    def readiness(self, backends: Collection[str]) -> dict[str, Readiness]:
        """Return for each backend spec whether it can be measured."""
        ...

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Measurement]]:
        """Measure jobs and yield each as it ends; `jobs` is read only as fast as they are run."""
        ...


def encode_job(job: Job) -> bytes:
    """Return the job, without its id and all of the puzzle that is not for a backend to see."""
    puzzle, clues = _last[0]
    if puzzle is not job.puzzle:  # campaigns run one puzzle with many backends
        clues = pickle.dumps(job.puzzle.clues_only(), pickle.HIGHEST_PROTOCOL)
        _last[0] = job.puzzle, clues
    request, limits = job.request, job.request.limits
    given = (str(request.task), limits.wall, limits.cpu, limits.memory)
    rest = (request.seed, request.bound, request.certify)
    return pickle.dumps((clues, job.backend, given + rest), pickle.HIGHEST_PROTOCOL)


_last: list[tuple[Puzzle | None, bytes]] = [(None, b"")]


def decode_job(encoded: bytes) -> Job:
    """Return the job that `encode_job` encoded."""
    puzzle, backend, (task, wall, cpu, memory, *rest) = pickle.loads(encoded)
    request = Request(Task(task), Limits(wall, cpu, memory), *rest)
    return Job(pickle.loads(puzzle), backend, request)
