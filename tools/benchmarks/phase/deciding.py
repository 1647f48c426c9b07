"""Decide the images of a plan and keep every chunk in a ledger, so that a run goes on where it stopped.

A run ends after `CPU_S` of CPU time, so other work on the machine does not change what is decided. A run that
is cut off counts as harder than every other one. Its verdict may still be known: the image that the puzzle
was made of is one solution, and a switch in it leads to a second.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import cache, partial
from math import inf
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nonocsp import Answer, Grid, Puzzle
from nonocsp.backends.base import Request
from nonocsp.backends.in_core import method_of
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag
from nonocsp.engine.batch import End, run
from nonocsp.engine.images import ImageSweeps
from nonocsp.json_lines import JsonLines, Row, read_json_lines
from nonocsp.model import FlatClues
from tools.benchmarks.phase.plan import Chunk, Plan
from tools.benchmarks.phase.switches import switches

FILE = "chunks.jsonl"
CPU_S = 1.0
POLL_S = 0.02
"""Seconds between two looks at the CPU time."""
SIMPLE, UNIQUE, SEVERAL, UNDECIDED = "s", "u", "m", "?"
"""Verdicts: line solving suffices; one solution beyond that; several; cut off before it was known."""


class Decided(NamedTuple):
    """What a backend found: the number of solutions, 2 for several, None if it was cut off."""

    solutions: int | None
    stats: dict[str, Any]
    cpu_s: float


def decide(plan: Plan, folder: Path, *, jobs: int, minutes: float) -> None:
    """Decide the images of a plan that the ledger in a folder lacks.

    Parameters
    ----------
    plan
        What to decide.
    folder
        Holds the ledger; made if missing.
    jobs
        Processes.
    minutes
        No chunk starts later than this.
    """
    with JsonLines(folder / FILE) as ledger:
        done = {_key(row) for row in rows(folder)}
        missing = [chunk for chunk in plan.chunks() if _key(asdict(chunk)) not in done]
        task = partial(_decide_before, time.time() + 60 * minutes)
        with ProcessPoolExecutor(jobs) as pool:
            for row in pool.map(task, missing):
                if row:
                    ledger.append(row)


def rows(folder: Path) -> Iterator[Row]:
    """Yield the rows of the ledger in a folder: the verdict, work and time of each image of a chunk."""
    return read_json_lines(folder / FILE)


def _key(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in Chunk.__slots__)


def _decide_before(until: float, chunk: Chunk) -> Row | None:
    return decide_chunk(chunk) if time.time() < until else None


def decide_chunk(chunk: Chunk) -> Row:
    """Decide the images of a chunk and return its row; of a run that is cut off, work and time are None."""
    images = chunk.images()
    _, left = ImageSweeps(chunk.size, chunk.size, tables=False).grade(images)
    found = _decide(chunk.backend, images)
    is_done = [one.solutions is not None for one in found]
    return {
        **asdict(chunk),
        "verdicts": "".join(map(_verdict, images, found, left)),
        "open": left.tolist(),
        "work": [_work(one.stats) if done else None for one, done in zip(found, is_done, strict=True)],
        "cpu_us": [
            round(one.cpu_s * 1e6) if done else None for one, done in zip(found, is_done, strict=True)
        ],
    }


class _Watch(Thread):
    """Stops the runs of this process, one after the other, when they have used up their CPU time."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._run = StopFlag(), inf
        self.start()

    def begin(self) -> StopFlag:
        """Return the flag that will stop the run which begins now."""
        self._run = StopFlag(), time.process_time() + CPU_S
        return self._run[0]

    def run(self) -> None:
        """Look at the CPU time for ever."""
        while True:
            time.sleep(POLL_S)
            stop, until = self._run
            if time.process_time() > until:
                stop.set()


@cache
def _watch(process: int) -> _Watch:  # noqa: ARG001  # a thread does not survive a fork: one for each process
    return _Watch()


def _decide(name: str, images: NDArray[np.uint8]) -> Sequence[Decided]:
    """Decide images; methods of the core need no puzzle objects, which take ten times as long to make."""
    backend, request, watch = create(name), Request(), _watch(os.getpid())
    found = []
    if (method := method_of(backend, request)) is None:
        numbers = {Answer.UNIQUE: 1, Answer.MULTIPLE: 2}
        for image in images:
            puzzle = Puzzle.from_grid(Grid.from_cells(image))
            outcome = run_backend(backend, puzzle, request, watch.begin())
            if outcome.wrong:
                raise RuntimeError(f"{name}: {outcome.message}: {image.tolist()}")
            found.append(Decided(numbers.get(outcome.answer), dict(outcome.stats), outcome.cpu_s))
        return found
    for image in images:
        clues = FlatClues.of_cells(image), FlatClues.of_cells(image.T), 2
        solutions, _, _, exhausted, end, message, stats, _, cpu = run(
            method, clues, request.wanted, None, watch.begin()
        )
        if end not in (End.SETTLED, End.INTERRUPTED):
            raise RuntimeError(f"{name}: {message}: {image.tolist()}")
        number = len(solutions) if exhausted or len(solutions) > 1 else None
        found.append(Decided(number, stats, cpu))
    return found


def _verdict(image: NDArray[np.uint8], found: Decided, left: int) -> str:
    """Return what an image's puzzle is.

    Parameters
    ----------
    image, found
        The image and what the backend found.
    left
        Cells that line solving leaves open.
    """
    if found.solutions is None:
        verdict = SEVERAL if switches(image) else UNDECIDED
    elif found.solutions == 1:
        verdict = UNIQUE if left else SIMPLE
    else:
        verdict = SEVERAL
    if (left == 0) != (verdict == SIMPLE) or found.solutions == 0:
        raise RuntimeError(f"{left} cells left open, {found.solutions} solutions: {image.tolist()}")
    return verdict


def _work(stats: dict[str, Any]) -> int:
    """Return a count that does not depend on the machine: line visits; of sat, conflicts."""
    if "lines_settled" in stats or "probes" in stats:
        return int(stats["settles"]) + int(stats.get("lines_settled", 0))
    return int(stats.get("conflicts", 0))
