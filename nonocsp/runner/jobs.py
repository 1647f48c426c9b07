"""Define jobs, measurements and executors, and the JSON in which they travel.

An executor runs backends under limits that it enforces from outside, and says how far its figures can be
trusted. Whatever crosses a process or a network does so as one line of JSON (``encode_…`` and ``decode_…``).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any, Protocol, Self

from nonocsp.backends.base import Answer, Limits, Outcome, Request, Task, Termination
from nonocsp.formats.codecs.project_json import decode as from_json
from nonocsp.formats.codecs.project_json import encode as to_json
from nonocsp.model import Grid, Palette, Puzzle, PuzzleError
from nonocsp.runner.provenance import Provenance


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
    isolated
        Whether the run could reach no other process (`nonocsp.runner.namespace`).
    """

    started: str
    cores: list[int] | None
    load: float | None
    mhz: float | None
    host: str
    governor: str | None = None
    isolated: bool = False

    def record(self) -> dict[str, Any]:
        """Return the values by name; `dataclasses.asdict` takes thirty times as long."""
        return {name: getattr(self, name) for name in self.__slots__}


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
    claimed_wall_s, claimed_cpu_s
        Seconds that the run's own process says it took; the figures of `outcome` are seen from outside. None
        if it did not say.
    left
        What the run left behind (processes, files, shared memory), each in words; all of it was removed.
    provenance
        What ran where; None if the executor does not know better than its caller.
    """

    outcome: Outcome
    peak_rss_bytes: int | None
    executor: str
    reliable: bool
    conditions: Conditions
    claimed_wall_s: float | None = None
    claimed_cpu_s: float | None = None
    left: tuple[str, ...] = ()
    provenance: Provenance | None = None


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether an executor can measure a backend.

    Parameters
    ----------
    provenances
        What its measurements will say; several if it has several machines.
    problem
        Why it cannot, and what to do; empty if it can.
    """

    provenances: tuple[Provenance, ...]
    problem: str = ""


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

    def readiness(self, backends: Collection[str]) -> dict[str, Readiness]:
        """Return for each backend spec whether it can be measured."""
        ...

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Measurement]]:
        """Measure jobs and yield each as it ends; `jobs` is read only as fast as they are run."""
        ...


def encode_job(job: Job) -> bytes:
    """Return the job, without its id and an end of line."""
    request, limits = job.request, job.request.limits
    return _compact(
        {
            "puzzle": to_json(job.puzzle, with_goal=False),  # which is not for a backend to see
            "backend": job.backend,
            "task": request.task,
            "limits": [limits.wall, limits.cpu, limits.memory],
            "seed": request.seed,
            "bound": request.bound,
        }
    )


def decode_job(line: bytes) -> Job:
    """Return the job that `encode_job` wrote."""
    document = json.loads(line)
    request = Request(
        Task(document["task"]), Limits(*document["limits"]), document["seed"], document["bound"]
    )
    return Job(from_json(document["puzzle"]), document["backend"], request)


def encode_reply(outcome: Outcome, puzzle: Puzzle, peak_rss_bytes: int | None, *, is_last: bool) -> bytes:
    """Return what a worker reports of one run, without an end of line.

    Parameters
    ----------
    outcome, puzzle
        What came back, for which puzzle.
    peak_rss_bytes
        Peak memory of the run; None if unknown.
    is_last
        Whether the process ends after this run.
    """
    reply = {"outcome": _outcome(outcome, puzzle), "peak_rss_bytes": peak_rss_bytes, "is_last": is_last}
    return _compact(reply)


def decode_reply(line: bytes, palette: Palette) -> tuple[Outcome, int | None, bool]:
    """Return the outcome, the peak memory and whether it was the last, as `encode_reply` wrote them.

    Parameters
    ----------
    line
        What `encode_reply` returned.
    palette
        The puzzle's.

    Raises
    ------
    ValueError
        If that is no such line.
    """
    try:
        reply = json.loads(line)
        return _outcome_of(reply["outcome"], palette), reply["peak_rss_bytes"], reply["is_last"]
    except (KeyError, TypeError, PuzzleError) as error:
        raise ValueError(f"no reply: {error}") from error


def encode_measurement(measurement: Measurement, puzzle: Puzzle) -> bytes:
    """Return a measurement of a run of a puzzle, without the executor's name.

    Parameters
    ----------
    measurement
        Of one run.
    puzzle
        The run's puzzle.
    """
    return _compact(
        {
            "outcome": _outcome(measurement.outcome, puzzle),
            "peak_rss_bytes": measurement.peak_rss_bytes,
            "reliable": measurement.reliable,
            "conditions": measurement.conditions.record(),
            "claimed": [measurement.claimed_wall_s, measurement.claimed_cpu_s],
            "left": measurement.left,
            "provenance": None if measurement.provenance is None else asdict(measurement.provenance),
        }
    )


def decode_measurement(line: bytes, palette: Palette, executor: str) -> Measurement:
    """Return the measurement that `encode_measurement` wrote, as one of an executor.

    Parameters
    ----------
    line
        What `encode_measurement` returned.
    palette
        The puzzle's.
    executor
        The executor's name.
    """
    document = json.loads(line)
    claimed_wall_s, claimed_cpu_s = document["claimed"]
    provenance = document["provenance"]
    return Measurement(
        outcome=_outcome_of(document["outcome"], palette),
        peak_rss_bytes=document["peak_rss_bytes"],
        executor=executor,
        reliable=document["reliable"],
        conditions=Conditions(**document["conditions"]),
        claimed_wall_s=claimed_wall_s,
        claimed_cpu_s=claimed_cpu_s,
        left=tuple(document["left"]),
        provenance=None if provenance is None else Provenance(**provenance),
    )


def _outcome(outcome: Outcome, puzzle: Puzzle) -> dict[str, Any]:
    """Return an outcome as it is reported, but a partial grid as its candidate sets; none may be lost."""
    partial = {"partial": outcome.partial.candidates.tolist()} if outcome.partial else {}
    return {**outcome.record(puzzle), **partial}


def _outcome_of(record: dict[str, Any], palette: Palette) -> Outcome:
    return Outcome(
        answer=Answer(record["answer"]),
        termination=Termination(record["termination"]),
        solutions=tuple(Grid.from_strings(lines, palette) for lines in record["solutions"]),
        partial=Grid(record["partial"]) if "partial" in record else None,
        stats=record["stats"],
        wall_s=record["wall_s"],
        cpu_s=record["cpu_s"],
        message=record.get("message", ""),
        wrong=record.get("wrong", False),
    )


def _compact(document: dict[str, Any]) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()
