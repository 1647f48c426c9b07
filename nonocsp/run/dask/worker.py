"""What runs on the workers of a cluster: say what is installed, and measure batches.

Both functions return JSON. dask looks them up by name on the worker, so a worker without nonocsp
answers with an error, and one with another version says so.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import json
import os
import signal
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING

from nonocsp.model import NonocspError, UsageError
from nonocsp.run import create, provenance
from nonocsp.run.dask.batches import decode_batch, decode_provenance, encode_results
from nonocsp.run.jobs import Access, Executor, Job, Measurement
from nonocsp.run.provenance import Offer, offer

if TYPE_CHECKING:
    from distributed import Worker

Kind = tuple[str, bool, int, Access]
"""What measures: the name of an executor, whether it pins, how many cores each run may use, and what else."""
CHECK_S = 1.0
"""How often to check that a driver still waits for a batch."""


async def offers(backends: list[str], kind: Kind, session: str = "") -> bytes:
    """Return what this worker offers, as a JSON list in the order of the backends.

    Parameters
    ----------
    backends
        Specs.
    kind
        What is to measure them.
    session
        Which driver asks. A new one finds what is installed now.
    """
    return await asyncio.to_thread(_offers, backends, kind, session)  # the worker talks on meanwhile


def _offers(backends: list[str], kind: Kind, session: str) -> bytes:
    _hide_cluster()
    try:
        _idle.begin(session)
        _idle.try_out(kind)
        found = [offer(backend) for backend in backends]
    except (NonocspError, OSError) as error:
        found = [Offer(None, "", "", f"cannot measure: {error}") for _ in backends]
    return json.dumps([asdict(one) for one in found]).encode()


def decode_offers(reply: bytes) -> list[Offer]:
    """Return what `offers` returned.

    Raises
    ------
    ValueError
        If it is anything else.
    """
    try:
        found, document = [], json.loads(reply)
        if not isinstance(document, list):
            raise TypeError("not a list")
        for one in document:
            texts = one["source"], one["platform"], one["problem"]
            known = one["provenance"] and decode_provenance(json.dumps(one["provenance"]))
            if not all(isinstance(text, str) for text in texts) or (known is None and not texts[2]):
                raise TypeError("an offer needs a provenance or a problem")
            found.append(Offer(known, *texts))
        return found
    except (AttributeError, KeyError, RecursionError, TypeError) as error:
        raise ValueError(f"{type(error).__name__}: {error}") from error


def measure(batch: bytes, kind: Kind, stop_s: float) -> bytes:
    """Measure the runs of a batch.

    Executors are kept for later batches. When the worker ends, guards end the servers.

    Parameters
    ----------
    batch
        What `nonocsp.run.dask.batches.encode_batch` returned.
    kind
        What measures.
    stop_s
        When to start no further run; the driver sends the rest again.
    """
    _hide_cluster()
    try:
        with _idle.lend(kind) as measuring, _abandoned_if_unwanted():
            return run_batch(batch, measuring, stop_s)
    except _Abandoned:
        return b""  # nobody reads it


def run_batch(batch: bytes, executor: Executor, stop_s: float) -> bytes:
    """Measure the runs of a batch with an executor; as `measure`."""
    began = before = time.monotonic()

    def jobs() -> Iterator[Job]:
        for number, job in enumerate(decode_batch(batch)):
            if number and time.monotonic() - began > stop_s:
                return
            yield job

    results: list[tuple[Job, Measurement, float]] = []
    for job, measurement in executor.run(jobs()):
        now = time.monotonic()
        results.append((job, measurement, now - before))
        before = now
    if not results:
        raise UsageError("a batch without runs")
    return encode_results(results)


class _Idle:
    """The executors that measure nothing now; they keep their servers and, if they pin, their cores."""

    def __init__(self) -> None:
        self._executors: defaultdict[Kind, list[Executor]] = defaultdict(list)
        self._lent: Counter[Kind] = Counter()
        self._lock = threading.Lock()
        self._session = self._loaded = ""

    def begin(self, session: str) -> None:
        """For a new session, forget which packages there were, and end the servers that have loaded them.

        Raises
        ------
        UsageError
            If nonocsp itself was replaced: this process has loaded it.
        """
        with self._lock:
            if session != self._session:
                self._session = session
                self._end_all()
                provenance.forget()
            own = provenance.code("settle")
            self._loaded = self._loaded or own
        if own != self._loaded:
            raise UsageError("nonocsp has changed since this worker started; restart the worker")

    def try_out(self, kind: Kind) -> None:
        """Raise what keeps executors of a kind from measuring here; keep none."""
        with self._lock:
            if not self._executors[kind] and not self._lent[kind]:
                self._new(kind).__exit__(None, None, None)

    @contextmanager
    def lend(self, kind: Kind) -> Iterator[Executor]:
        """Lend an executor of a kind; one that fails is not lent again."""
        with self._lock:
            session = self._session
            executor = self._executors[kind].pop() if self._executors[kind] else self._new(kind)
            self._lent[kind] += 1
        is_fine = False
        try:
            yield executor
            is_fine = True
        finally:
            with self._lock:
                self._lent[kind] -= 1
                if is_fine and session == self._session:
                    self._executors[kind].append(executor)
                else:
                    executor.__exit__(None, None, None)

    def _new(self, kind: Kind) -> Executor:
        """Return a new executor; idle ones of other kinds leave their cores to it."""
        self._end_all()
        name, pin, cores, access = kind
        executor = create(name, 1, pin=pin, cores=cores, access=access)
        gc.collect()
        gc.freeze()  # or every collection would walk through all that dask has loaded
        return executor

    def _end_all(self) -> None:
        for executors in self._executors.values():
            while executors:
                executors.pop().__exit__(None, None, None)


_idle = _Idle()


def _hide_cluster() -> None:
    """Remove from the environment what names the scheduler and the keys: backends would inherit it.

    dask has read it when it was imported.
    """
    for name in [*os.environ]:
        if name.startswith("DASK_") or name == "NONOCSP_SCHEDULER":
            del os.environ[name]


class _Abandoned(BaseException):
    """Nobody waits for a batch any more."""


@contextmanager
def _abandoned_if_unwanted() -> Iterator[None]:
    """Interrupt this thread, as Ctrl-C does a driver's, once nobody waits for its task any more.

    dask frees a task that is cancelled, or whose driver is gone, but lets its thread go on. The context ends
    only after the exception, if there is one.
    """
    from distributed import get_worker

    worker = get_worker()
    task = worker.state.tasks[worker.get_current_task()]
    thread, lock, is_over = threading.get_ident(), threading.Lock(), threading.Event()

    def watch() -> None:
        while not is_over.wait(CHECK_S):
            with lock:
                if task.state == "cancelled" and not is_over.is_set():
                    interrupt(ctypes.c_ulong(thread), ctypes.py_object(_Abandoned))
                    return

    interrupt = ctypes.pythonapi.PyThreadState_SetAsyncExc
    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        with lock:
            is_over.set()


def dask_setup(_worker: Worker) -> None:
    """Leave Ctrl-C in the terminal to the driver; dask calls this in workers that were started by it."""
    signal.signal(signal.SIGINT, lambda *_: None)  # not SIG_IGN, which servers would inherit
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
