"""What a run tells of itself while it lasts, and calls that hand it on several times a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread

from nonocsp.engine import StopFlag
from nonocsp.model import Puzzle

EVERY_S = 0.1
"""Seconds from one call to the next."""
SHOWN_AFTER_S = 0.5
"""Seconds after which `line_on_terminal` shows a run."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come. Nobody knows how long a search still takes, so this estimates no time.

    Parameters
    ----------
    stage
        What the backend does: ``searching``, ``encoding`` (it makes a model for another solver),
        ``backtracking``, ``probing``, ``learning`` (from conflicts) or ``counting``.
    seconds
        Since the start.
    limit
        Wall limit in seconds; None without one.
    conflicts
        Dead ends from which the search has learnt.
    open_cells
        Cells that no stage has decided yet, for good; None if the backend does not tell.
    cells
        Cells of the puzzle.
    share
        Share of the search tree that is done, from 0 to 1, if all branches of a node were alike; None for
        searches without such a tree. They seldom are alike, so it says little about the time.
    """

    stage: str
    seconds: float
    limit: float | None
    conflicts: int
    open_cells: int | None
    cells: int
    share: float | None

    @classmethod
    def of(cls, stop: StopFlag, puzzle: Puzzle, seconds: float, limit: float | None) -> Progress:
        """Return what a run tells through its stop flag."""
        stage, conflicts, open_cells, share = stop.progress
        rows, columns = puzzle.shape
        return cls(stage.name.lower(), seconds, limit, conflicts, open_cells, rows * columns, share)

    def __str__(self) -> str:
        parts = []
        if self.conflicts:
            parts.append(f"{self.conflicts:,} conflicts".replace(",", " "))
        if self.share is not None and self.stage == "searching":
            parts.append(f"{self.share:.1%} of the tree")
        if self.open_cells is not None:
            parts.append(f"{self.open_cells} of {self.cells} cells open")
        limit = "" if self.limit is None else f" of at most {_clock(self.limit)}"
        return f"{self.stage}: {', '.join([*parts, _clock(self.seconds) + limit])}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


@contextmanager
def watched(
    stop: StopFlag, puzzle: Puzzle, limit: float | None, call: Callable[[Progress], object]
) -> Iterator[None]:
    """Call a function with a run's progress from another thread; its exception stops the run."""
    ended, started, faults = Event(), time.perf_counter(), []

    def watch() -> None:
        try:
            while not ended.wait(EVERY_S):
                call(Progress.of(stop, puzzle, time.perf_counter() - started, limit))
        except BaseException as error:
            faults.append(error)
            stop.set()

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
    for fault in faults:
        raise fault


@contextmanager
def line_on_terminal() -> Iterator[Callable[[Progress], None] | None]:
    """Provide what shows a long run's progress in a line on standard error; None if that is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    status = Console(file=sys.stderr).status("")

    def show(progress: Progress) -> None:
        if progress.seconds >= SHOWN_AFTER_S:
            status.update(str(progress))
            status.start()

    try:
        yield show
    finally:
        status.stop()
