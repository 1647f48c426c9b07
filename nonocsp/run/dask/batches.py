"""Put runs together into batches, by the time that they will take, and take the replies apart.

Sending a batch costs the scheduler some milliseconds, whatever it holds. So runs of a millisecond travel by
the hundred, and slow runs alone. A reply is lines of JSON: a head, then a line for each measurement. A worker
that finds a batch too long returns early, and the rest is sent again.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache

from nonocsp.model import Puzzle, PuzzleError
from nonocsp.run.jobs import Job, Measurement, decode_measurement, encode_measurement
from nonocsp.run.provenance import Provenance

TARGET_S = 1.0
"""How long a batch should take on a small cluster. A lost worker loses at most twice as much and one run."""
BATCHES_PER_S = 100
"""How many batches dask's scheduler should have to deal with; it can do twice as many."""
MAX_RUNS = 1000
_MEMORY = 0.995
"""Factor by which each later run shrinks a run's weight in its backend's mean."""


def target_s(threads: int) -> float:
    """Return how long a batch should take on a cluster with some threads."""
    return max(TARGET_S, threads / BATCHES_PER_S)


@dataclass(slots=True, eq=False)
class Batch:
    """Runs that travel together.

    Parameters
    ----------
    expected_s
        How long they will probably take.
    losses
        How many workers were lost while they had these runs.
    """

    jobs: list[Job]
    expected_s: float
    losses: int = 0


class Pace:
    """The mean time of a run, for each backend, from the runs so far; recent ones count more."""

    def __init__(self) -> None:
        self._sums: dict[str, tuple[float, float]] = {}

    def expected_s(self, backend: str) -> float:
        """Return how long a run will take; a backend that is not known yet gets a batch for each run."""
        seconds, runs = self._sums.get(backend, (TARGET_S, 1.0))
        return seconds / runs

    def learn(self, backend: str, seconds: float) -> None:
        """Take the time of a run into account.

        Parameters
        ----------
        backend
            Its spec.
        seconds
            With everything around the measured time.
        """
        before, runs = self._sums.get(backend, (0.0, 0.0))
        self._sums[backend] = _MEMORY * before + seconds, _MEMORY * runs + 1.0


def encode_batch(jobs: Sequence[Job]) -> bytes:
    """Return the jobs without their ids; a puzzle that several of them share is there once.

    It is a pickle, as jobs are on one machine: workers trust the driver.
    """
    clues: dict[int, Puzzle] = {}
    for job in jobs:
        if id(job.puzzle) not in clues:
            clues[id(job.puzzle)] = job.puzzle.clues_only()
    runs = [(clues[id(job.puzzle)], job.backend, job.request) for job in jobs]
    return pickle.dumps(runs, pickle.HIGHEST_PROTOCOL)


def decode_batch(batch: bytes) -> list[Job]:
    """Return the jobs that `encode_batch` wrote."""
    return [Job(*run) for run in pickle.loads(batch)]


def encode_results(results: Sequence[tuple[Job, Measurement, float]]) -> bytes:
    """Return measurements, with the seconds that each took in all; a provenance is there once.

    Parameters
    ----------
    results
        In the order of the batch.
    """
    found = {job.backend: m.provenance for job, m, _ in results if m.provenance is not None}
    head = {
        "seconds": [round(seconds, 6) for _, _, seconds in results],
        "provenances": {backend: asdict(provenance) for backend, provenance in found.items()},
    }
    lines = (encode_measurement(m, job.puzzle) for job, m, _ in results)
    return b"\n".join((_line(head), *lines))


def decode_results(
    reply: bytes, jobs: Sequence[Job], executor: str
) -> tuple[list[tuple[Job, Measurement]], list[float]]:
    """Return the jobs that were measured, with their measurements, and the seconds that each took in all.

    Parameters
    ----------
    reply
        What `encode_results` returned, or anything else: a worker may be broken.
    jobs
        Those of the batch.
    executor
        The name that the measurements get.

    Raises
    ------
    ValueError
        If the reply is not what `encode_results` returns.
    """
    try:
        first, *lines = reply.split(b"\n")
        head = json.loads(first)
        seconds = [float(value) for value in head["seconds"]]
        if len(seconds) != len(lines) or not 0 < len(lines) <= len(jobs):
            raise ValueError(f"{len(lines)} measurements and {len(seconds)} times of {len(jobs)} runs")
        if not all(0 <= value < float("inf") for value in seconds):
            raise ValueError("a time is negative or not finite")
        provenances = {
            name: decode_provenance(json.dumps(found)) for name, found in head["provenances"].items()
        }
        measured = []
        for job, line in zip(jobs, lines, strict=False):
            measurement = decode_measurement(line, job.puzzle.palette, executor, provenances[job.backend])
            outcome = measurement.outcome
            if not all(0 <= value < float("inf") for value in (outcome.wall_s, outcome.cpu_s)):
                raise ValueError("a measured time is negative or not finite")
            measured.append((job, measurement))
        return measured, seconds
    except (ArithmeticError, AttributeError, KeyError, TypeError, RecursionError, PuzzleError) as error:
        raise ValueError(f"{type(error).__name__}: {error}") from error


@lru_cache(maxsize=4096)
def decode_provenance(document: str) -> Provenance:
    """Return a provenance all of whose values are texts; equal ones are one object."""
    found = json.loads(document)
    texts = [found["machine"], found["code"], *found["versions"], *found["versions"].values()]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("a provenance holds values that are not texts")
    return Provenance(found["versions"], found["machine"], found["code"])


def _line(document: object) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()
