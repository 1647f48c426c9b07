"""What an executor is: jobs in, measurements out.

An executor runs backends under limits that it enforces from outside, and tells how far its figures can be
trusted. Everything that crosses a process or a network does so as JSON (`nonocsp.runner.wire`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

from nonocsp.backends.base import Outcome, Request
from nonocsp.model import Puzzle


@dataclass(frozen=True, slots=True)
class Job:
    """One run to be measured.

    Parameters
    ----------
    backend
        A backend spec such as ``"sat:solver=cadical195"``.
    id
        What the caller knows the job by; executors only hand it through.
    """

    puzzle: Puzzle
    backend: str
    request: Request
    id: str = ""


@dataclass(frozen=True, slots=True)
class Conditions:
    """What the machine was like when a run started.

    Parameters
    ----------
    started
        When: ISO 8601, UTC, to the millisecond.
    core
        The core that the run was confined to; None if it could use any.
    load
        The load average of the minute before; None where the system does not tell.
    mhz
        The core's frequency, of the machine's first core if the run had none of its own; None likewise.
    host
        The machine's name in its network.
    """

    started: str
    core: int | None
    load: float | None
    mhz: float | None
    host: str


@dataclass(frozen=True, slots=True)
class Measurement:
    """What an executor saw of one run.

    Parameters
    ----------
    peak_rss_bytes
        The most resident memory that the run's processes had beyond what they share with their server; with
        executor ``cgroup`` all of it; None where nobody can tell.
    executor
        The executor's name.
    reliable
        Whether times may be compared with those of other runs: the run had a core to itself.
    conditions
        What the machine was like when it started.
    """

    outcome: Outcome
    peak_rss_bytes: int | None
    executor: str
    reliable: bool
    conditions: Conditions


class Executor(Protocol):
    """A way to measure jobs. A context manager: leaving it ends every process it started."""

    name: str

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Measurement]]:
        """Measure jobs and yield each as it ends; `jobs` is read only as fast as they are run."""
        ...
