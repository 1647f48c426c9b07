"""``python -m tools.differential interruption``: interrupt long calls of the engine at random moments.

A stop flag set by another thread, a deadline, or Ctrl-C interrupts a call. The same call must then give the
same result as in a fresh process (checked after every twentieth moment, since it takes the whole time). No
thread and no open file may be left, and memory must not grow. Prints a Markdown table; the exit code is 1 if
anything is left behind.
"""

from __future__ import annotations

import gc
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Annotated
from unittest.mock import patch

import numpy as np
import psutil
import typer

from nonocsp.engine import Interrupted, StopFlag
from tools.differential.interruption_calls import CALLS, Call

MEBIBYTE = 2**20
MOST_LEFT = 16 * MEBIBYTE
"""Memory that may stay: the allocator keeps some of what is freed."""
REPEAT_EVERY = 20
"""The whole call is repeated after this many moments."""


@dataclass
class Record:
    """The results of interrupting one call.

    Parameters
    ----------
    whole
        Seconds of the call when nothing cuts it off.
    late
        Milliseconds from a moment to the end of the call, for each interrupted call.
    faults
        Wrong results and leftovers.
    """

    whole: float
    moments: int = 0
    late: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def row(self, name: str) -> str:
        """Return the row of a Markdown table."""
        late = f"{median(self.late):.1f} | {max(self.late):.1f}" if self.late else "|"
        faults = "; ".join(dict.fromkeys(self.faults)) or "nothing"
        return f"| {name} | {1e3 * self.whole:.0f} | {self.moments} | {len(self.late)} | {late} | {faults} |"


def main(
    *,
    moments: Annotated[int, typer.Option(min=1, help="Of each call.")] = 300,
    seed: Annotated[int, typer.Option(min=0, help="Of the moments.")] = 0,
    calls: Annotated[str, typer.Option(help="Names; default: all.")] = "",
) -> None:
    """Cut long calls off at random moments and look for what they leave behind."""
    print(
        "| call | ms | moments | cut off | ms to its end, median | most | left behind |\n" + "|---" * 7 + "|"
    )
    has_fault = False
    for name in calls.split(",") if calls else CALLS:
        record = cut_off(name, moments, seed)
        has_fault |= bool(record.faults)
        print(record.row(name), flush=True)
    raise typer.Exit(1 if has_fault else 0)


def cut_off(name: str, moments: int, seed: int = 0) -> Record:
    """Cut a call off at random moments of the time that it takes."""
    call, expected, random = CALLS[name], in_fresh_process(name), np.random.default_rng(seed)
    call(None, None)  # makes its puzzle
    started = time.perf_counter()
    first = call(None, None)
    record = Record(time.perf_counter() - started, faults=["another result"] * (first != expected))
    memory = 0
    with _traces_noted(record):
        for number in range(moments):
            after = float(random.uniform(0, record.whole))
            cut_off_once(call, list(WAYS)[number % len(WAYS)], after, expected, record)
            if number % REPEAT_EVERY == 0:
                record.faults += ["another result"] * (call(None, None) != expected)
                memory = memory or _memory()
        grown = _memory() - memory
        record.faults += [f"{grown / MEBIBYTE:.0f} MiB"] * (grown > MOST_LEFT)
    return record


def cut_off_once(call: Call, way: str, after: float, expected: bytes, record: Record) -> None:
    """Interrupt a call after some seconds; note how much later it ended."""
    record.moments += 1
    started = time.perf_counter()
    try:
        with WAYS[way](after) as (stop, seconds):
            result = call(stop, seconds)
        record.faults += ["a wrong result"] * (result != expected)
    except (Interrupted, KeyboardInterrupt):
        record.late.append(1e3 * max(0.0, time.perf_counter() - started - after))


def in_fresh_process(name: str) -> bytes:
    """Return the result of a call in a fresh process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_whole, name).result()


def _whole(name: str) -> bytes:
    return CALLS[name](None, None)


@contextmanager
def _by_flag(after: float) -> Iterator[tuple[StopFlag | None, float | None]]:
    stop = StopFlag()
    timer = threading.Timer(after, stop.set)
    timer.start()
    try:
        yield stop, None
    finally:
        timer.cancel()
        timer.join()


@contextmanager
def _by_deadline(after: float) -> Iterator[tuple[StopFlag | None, float | None]]:
    yield None, after


@contextmanager
def _by_signal(after: float) -> Iterator[tuple[StopFlag | None, float | None]]:
    """Raise KeyboardInterrupt in the main thread, as Ctrl-C does.

    No garbage is collected meanwhile: in a callback of the collector, as Hypothesis has one, Python would
    swallow the exception.
    """
    gc.disable()
    kept = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, max(after, 1e-6))
    try:
        yield None, None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, kept)
        gc.enable()


WAYS = {"flag": _by_flag, "deadline": _by_deadline, "signal": _by_signal}


@contextmanager
def _traces_noted(record: Record) -> Iterator[None]:
    """Note leftovers: threads, open files, temporary files."""
    with TemporaryDirectory() as folder, patch.object(tempfile, "tempdir", folder):
        before = _traces(folder)
        yield
        record.faults += [f"left: {trace}" for trace in sorted(_traces(folder) - before)]


def _traces(folder: str) -> set[str]:
    process = psutil.Process()
    threads = {f"thread {thread.id}" for thread in process.threads()}
    opened = {f"open file {file.path}" for file in process.open_files()}
    return threads | opened | {f"file {path.name}" for path in Path(folder).iterdir()}


def _memory() -> int:
    gc.collect()
    return psutil.Process().memory_info().rss
