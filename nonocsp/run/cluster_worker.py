"""Measure batches of runs on a worker of a cluster, and say what is installed there.

Runs travel as pickles: workers trust their driver. Answers come back as JSON, whose types and grids the
driver checks. That protects against broken workers, not against hostile ones.
"""

from __future__ import annotations

import asyncio
import atexit
import ctypes
import pickle
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, NamedTuple, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import to_json

from nonocsp.backends.base import Answer, Outcome, Termination
from nonocsp.backends.run import WrongGrid, check_solution
from nonocsp.faults import first_fault
from nonocsp.model import Grid, NonocspError, PuzzleError, UsageError
from nonocsp.run import create, provenance
from nonocsp.run.jobs import Access, Conditions, Executor, Job, Measurement
from nonocsp.run.provenance import Offer, Provenance

if TYPE_CHECKING:
    from distributed import Worker

Document = TypeVar("Document")

IDLE_S = 10.0
"""How long executors wait for another batch before they end."""
CHECK_S = 1.0
"""How often to check that a driver still waits for a batch."""


class Campaign(NamedTuple):
    """Which driver asks, by a unique text, and the executor that it wants, as for `nonocsp.run.create`."""

    driver: str
    executor: str
    pin: bool
    cores: int
    access: Access


async def offers(backends: Sequence[str], campaign: Campaign) -> bytes:
    """Return what this worker offers for each backend."""
    return await asyncio.to_thread(_offers, backends, campaign)  # the worker talks on meanwhile


def _offers(backends: Sequence[str], campaign: Campaign) -> bytes:
    try:
        with _executors.lend(campaign):
            return to_json({backend: provenance.offer(backend) for backend in backends})
    except (NonocspError, OSError) as error:
        return to_json(dict.fromkeys(backends, Offer(None, "", "", f"cannot measure: {error}")))


def decode_offers(answer: bytes) -> dict[str, Offer]:
    """Return what `offers` returned; ValueError if it is anything else."""
    return _validated(TypeAdapter(dict[str, Offer]), answer)


def measure(batch: bytes, campaign: Campaign, stop_s: float) -> bytes:
    """Measure the runs of a batch; start none later than `stop_s` seconds, the driver sends them again."""
    began = before = time.monotonic()

    def jobs() -> Iterator[Job]:
        for number, run in enumerate(pickle.loads(batch)):
            if number and time.monotonic() - began > stop_s:
                return
            yield Job(*run)

    measured = []
    with _executors.lend(campaign) as executor, _interrupted_if_unwanted():
        for job, found in executor.run(jobs()):
            now = time.monotonic()
            measured.append((job, found, now - before))
            before = now
    return encode_reply(measured)


class _Executors:
    """The executors of this process that measure nothing now, by campaign; they keep what they started."""

    def __init__(self) -> None:
        self._idle: dict[Campaign, list[Executor]] = {}
        self._lock = threading.Lock()
        self._timer = threading.Timer(IDLE_S, self.end)
        self._loaded = ""

    @contextmanager
    def lend(self, campaign: Campaign) -> Iterator[Executor]:
        """Lend an executor; one that fails ends."""
        _, name, pin, cores, access = campaign
        with self._lock:
            self._timer.cancel()
            if campaign not in self._idle:
                self._begin()
            idle = self._idle.setdefault(campaign, [])
            executor = idle.pop() if idle else create(name, 1, pin=pin, cores=cores, access=access)
        try:
            yield executor
        except BaseException:
            executor.__exit__(None, None, None)
            raise
        with self._lock:
            self._idle.setdefault(campaign, []).append(executor)
            self._timer.cancel()
            self._timer = threading.Timer(IDLE_S, self.end)
            self._timer.daemon = True
            self._timer.start()

    def end(self) -> None:
        """End the executors that measure nothing."""
        with self._lock:
            self._end_all()

    def _begin(self) -> None:
        """Find out anew what is installed; other campaigns leave the cores that their executors hold."""
        self._end_all()
        provenance.forget()
        own = provenance.code("settle")
        self._loaded = self._loaded or own
        if own != self._loaded:
            raise UsageError("nonocsp has changed since this worker started; restart the worker")

    def _end_all(self) -> None:
        while self._idle:
            for executor in self._idle.popitem()[1]:
                executor.__exit__(None, None, None)


_executors = _Executors()
atexit.register(_executors.end)


class _Unwanted(BaseException):
    """Nobody waits for a batch any more."""


@contextmanager
def _interrupted_if_unwanted() -> Iterator[None]:
    """Interrupt this thread once nobody waits for its task; dask forgets the task, but its thread goes on."""
    from distributed import get_worker

    worker = get_worker()
    task = worker.state.tasks[worker.get_current_task()]
    thread, lock, is_over = threading.get_ident(), threading.Lock(), threading.Event()

    def watch() -> None:
        while not is_over.wait(CHECK_S):
            with lock:
                if task.state == "cancelled" and not is_over.is_set():
                    interrupt = ctypes.pythonapi.PyThreadState_SetAsyncExc
                    interrupt(ctypes.c_ulong(thread), ctypes.py_object(_Unwanted))
                    return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        with lock:
            is_over.set()


def dask_setup(_worker: Worker) -> None:
    """Leave Ctrl-C in the terminal to the driver; dask calls this in workers that the driver started."""
    signal.signal(signal.SIGINT, lambda *_: None)  # not SIG_IGN, which runs would inherit
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def encode_batch(jobs: Sequence[Job]) -> bytes:
    """Return the jobs without their ids and goals; a puzzle that several of them share is there once."""
    clues = {id(job.puzzle): job.puzzle.clues_only() for job in jobs}
    runs = [(clues[id(job.puzzle)], job.backend, job.request) for job in jobs]
    return pickle.dumps(runs, pickle.HIGHEST_PROTOCOL)


Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class _Run(BaseModel):
    """A measurement as it travels: grids are lines of characters, partial ones their candidate sets."""

    model_config = ConfigDict(strict=True, extra="forbid")
    answer: Answer
    termination: Termination
    solutions: list[list[str]]
    partial: list[list[int]] | None
    stats: dict[str, int | float | str]
    wall_s: Seconds
    cpu_s: Seconds
    message: str
    wrong: bool
    count: int | None
    count_at_least: int
    peak_rss_bytes: int | None
    reliable: bool
    conditions: Conditions
    claimed_wall_s: Seconds | None
    claimed_cpu_s: Seconds | None
    left: tuple[str, ...]
    spent_s: Seconds
    """With everything around the measured time."""


class _Reply(BaseModel):
    runs: list[_Run] = Field(min_length=1)
    provenances: dict[str, Provenance | None]


_OF_OUTCOME, _OF_MEASUREMENT = (
    [name for name in _Run.model_fields if name in kind.__slots__] for kind in (Outcome, Measurement)
)


def encode_reply(measured: Sequence[tuple[Job, Measurement, float]]) -> bytes:
    """Return the measurements of a batch, in its order, with the seconds that each took in all."""
    runs = []
    for job, found, spent_s in measured:
        run = {name: getattr(found.outcome, name) for name in _OF_OUTCOME}
        run |= {name: getattr(found, name) for name in _OF_MEASUREMENT}
        run["solutions"] = [grid.strings(job.puzzle.palette) for grid in found.outcome.solutions]
        run["partial"] = found.outcome.partial.candidates.tolist() if found.outcome.partial else None
        run["left"] = [one.encode(errors="replace").decode() for one in found.left]  # names of files
        runs.append({**run, "spent_s": spent_s})
    provenances = {job.backend: found.provenance for job, found, _ in measured}
    return to_json({"runs": runs, "provenances": provenances})


def decode_reply(reply: bytes, jobs: Sequence[Job], executor: str) -> list[tuple[Measurement, float]]:
    """Return the measurements of the first jobs of a batch, at least one, with the seconds that each took.

    ValueError if the reply is not what `encode_reply` returned, or a grid is no solution.
    """
    found = _validated(TypeAdapter(_Reply), reply)
    if len(found.runs) > len(jobs):
        raise ValueError(f"{len(found.runs)} measurements of {len(jobs)} runs")
    try:
        return [
            (_measurement(run, job, executor, found.provenances[job.backend]), run.spent_s)
            for run, job in zip(found.runs, jobs, strict=False)
        ]
    except (KeyError, OverflowError, TypeError, PuzzleError, WrongGrid) as error:
        raise ValueError(f"{type(error).__name__}: {error}") from error


def _validated(kind: TypeAdapter[Document], document: bytes) -> Document:
    try:
        return kind.validate_json(document)
    except ValidationError as error:
        raise ValueError(first_fault(error, "reply")) from None


def _measurement(run: _Run, job: Job, executor: str, where: Provenance | None) -> Measurement:
    outcome = {name: getattr(run, name) for name in _OF_OUTCOME}
    outcome["solutions"] = tuple(Grid.from_strings(lines, job.puzzle.palette) for lines in run.solutions)
    outcome["partial"] = Grid(np.array(run.partial, np.uint64)) if run.partial is not None else None
    for grid in outcome["solutions"]:
        check_solution(job.puzzle, grid)
    told = {name: getattr(run, name) for name in _OF_MEASUREMENT}
    return Measurement(Outcome(**outcome), executor=executor, provenance=where, **told)
