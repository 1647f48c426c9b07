"""Run one backend on one puzzle, verify every grid, and turn what it enumerates into an answer."""

from __future__ import annotations

import math
import resource
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from nonocsp.backends.base import (
    MOST_COUNTED,
    Answer,
    Backend,
    Counting,
    Interrupted,
    Outcome,
    Request,
    Run,
    Statistic,
    Task,
    Termination,
    Unsupported,
)
from nonocsp.backends.in_core import method_of, run_method, run_with_proof
from nonocsp.engine import StopFlag
from nonocsp.engine.verification import wrong_lines
from nonocsp.formats.json_text import is_unicode
from nonocsp.late import numpy as np
from nonocsp.model import BackendError, Grid, Puzzle, PuzzleError, bounds, mismatches
from nonocsp.model.clue import Line
from nonocsp.model.puzzle import mismatches_of_cells

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST, NAME_CHARS, TEXT_CHARS = 256, 100, 10_000
"""The most statistics of a run, and the longest name and text of one."""


class WrongGrid(Exception):
    """A backend returned a grid that does not solve the puzzle, or one twice, or counted otherwise."""


@dataclass(slots=True)
class _Clock:
    """Adds up wall and CPU seconds, those of ended children too, of the spans in which the backend works."""

    wall: float = 0.0
    cpu: float = 0.0
    _started: tuple[float, float] = field(default=(0.0, 0.0))

    def __enter__(self) -> None:
        self._started = time.perf_counter(), _cpu_s()

    def __exit__(self, *_: object) -> None:
        wall, cpu = self._started
        self.wall += time.perf_counter() - wall
        self.cpu += _cpu_s() - cpu


def _cpu_s() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


@dataclass(slots=True)
class _Found:
    """What a search has shown so far."""

    listed: int  # the most solutions to keep
    solutions: dict[Grid, None] = field(default_factory=dict)  # an ordered set
    others: set[bytes] = field(default_factory=set)  # digests of the solutions beyond those
    partial: Grid | None = None
    exhausted: bool = False
    count: int | None = None

    @property
    def number(self) -> int:
        return len(self.solutions) + len(self.others)

    def add(self, grid: Grid) -> None:
        digest = b""
        if len(self.solutions) == self.listed:
            from hashlib import blake2b

            digest = blake2b(grid.candidates.tobytes(), digest_size=16).digest()
        if grid in self.solutions or digest in self.others:
            raise WrongGrid("the same solution came twice")
        if digest:
            self.others.add(digest)
        else:
            self.solutions[grid] = None

    def end(self, count: int | None) -> None:
        """Take the end of the search; it may have counted more solutions than it returned."""
        self.count = self.number if count is None else count
        if count is not None and not (count if count <= self.listed else 2) <= self.number <= count:
            raise WrongGrid(f"{count} solutions were counted and {self.number} returned")
        self.exhausted = self.count == self.number

    def answer(self, task: Task) -> Answer:
        count = len(self.solutions)
        if count >= 2:
            return Answer.MULTIPLE
        if count == 1:
            return Answer.UNIQUE if self.exhausted and task is not Task.SOLVE else Answer.SOLVED
        if self.exhausted:
            return Answer.UNSAT
        return Answer.PARTIAL if self.partial else Answer.UNKNOWN


def run_backend(
    backend: Backend, puzzle: Puzzle, request: Request, stop: StopFlag, *, verify: bool = True
) -> Outcome:
    """Run `backend` in this process and return a verified outcome.

    The wall limit is a courtesy here: the search is asked to stop. `nonocsp bench` and the command line
    enforce limits from outside, by killing. `stop` ends the run early, as ``killed``. A grid that fails
    verification, or comes twice, ends it as ``crashed`` without an answer; any other exception of the backend
    propagates. Without `verify`, the caller must check every grid (`check_solution`). A proof that the
    outcome holds is not verified yet (`nonocsp.certificates.checking`).
    """
    if (proving := run_with_proof(backend, puzzle, request, stop)) is not None:
        return proving
    if (method := method_of(backend, request)) is not None:
        return run_method(method, puzzle, request, stop)
    wall = request.limits.wall
    run = Run(request, stop, None if wall is None else time.perf_counter() + wall)
    found, clock = _Found(request.listed), _Clock()
    termination, message, wrong = Termination.OK, "", False
    try:
        if not puzzle.palette.is_one_colour and not backend.capabilities.colours:
            raise Unsupported("the backend takes puzzles of one colour only")
        _enumerate(backend, puzzle, run, found, clock, verify=verify)
        if found.count is not None and found.count > MOST_COUNTED:
            run.at_least, found.count = MOST_COUNTED, None
            raise Unsupported(f"the number of solutions has more than {bounds.COUNT_DIGITS} digits")
    except Interrupted:
        stopped = stop.is_set()
        termination = Termination.KILLED if stopped else Termination.WALL
        message = "stopped on request" if stopped else f"the wall limit of {wall} s was reached"
    except Unsupported as error:
        termination, message = Termination.UNSUPPORTED, str(error)
    except MemoryError as error:
        termination, message = Termination.MEMORY, str(error) or "the backend ran out of memory"
    except WrongGrid as error:
        found, run.at_least = _Found(request.listed), 0
        termination, message, wrong = Termination.CRASHED, f"wrong answer: {error}", True
    stats, note = usable(run.stats)
    answer = found.answer(request.task)
    return Outcome(
        answer=answer,
        termination=termination,
        solutions=tuple(found.solutions),
        partial=found.partial,
        stats=stats,
        wall_s=clock.wall,
        cpu_s=clock.cpu,
        message="; ".join(filter(None, [message, note])),
        wrong=wrong,
        palette=puzzle.palette,
        proof=run.proof if answer in (Answer.UNIQUE, Answer.UNSAT) else None,
        **_counted(found, run),
    )


def _counted(found: _Found, run: Run) -> dict[str, Any]:
    """Return what the run proved about the number of solutions, if that was the task."""
    if run.request.task is not Task.COUNT:
        return {}
    at_least = max(found.number, min(run.at_least, MOST_COUNTED))
    return {"count": found.count, "count_at_least": at_least if found.count is None else found.count}


def or_crashed(run: Callable[[], Outcome]) -> Outcome:
    """Return what `run` returns; whatever the backend raises, except Ctrl-C, is a ``crashed`` outcome."""
    clock = _Clock()
    try:
        with clock:
            return run()
    except (Exception, SystemExit) as error:
        return Outcome(
            Answer.UNKNOWN,
            Termination.CRASHED,
            wall_s=clock.wall,
            cpu_s=clock.cpu,
            message=str(error) if isinstance(error, BackendError) else raised(error),
        )


def raised(error: BaseException) -> str:
    """Say what a backend has raised; an exception may even fail to say that."""
    said = ""
    with suppress(Exception):
        said = str(error)
    return f"the backend raised {type(error).__name__}: {said}"


def check_solution(puzzle: Puzzle, grid: Grid) -> None:
    """Raise `WrongGrid` unless a grid solves a puzzle."""
    same_shape = grid.shape == puzzle.shape
    if same_shape and not wrong_lines(puzzle.flat_rows, puzzle.flat_columns, grid.candidates):
        return
    try:
        _refuse(puzzle, mismatches(puzzle, grid))
    except PuzzleError as error:
        raise WrongGrid(str(error)) from error


def check_cells(puzzle: Puzzle, cells: NDArray[np.uint8]) -> None:
    """Raise `WrongGrid` unless the colours of a grid of the right shape solve a puzzle."""
    _refuse(puzzle, mismatches_of_cells(puzzle, cells))


def _refuse(puzzle: Puzzle, wrong: list[Line]) -> None:
    if wrong:
        clue = puzzle.line_clue(wrong[0]).named(puzzle.palette)
        raise WrongGrid(f"{wrong[0]} does not have the clue {clue}")


def _enumerate(
    backend: Backend, puzzle: Puzzle, run: Run, found: _Found, clock: _Clock, *, verify: bool
) -> None:
    """Take solutions until the task is settled or the search ends."""
    request, counts = run.request, False
    grids: Iterator[Grid]
    with clock:
        if request.counts_all and isinstance(backend, Counting):
            grids, counts = backend.count(puzzle, run), True
        else:
            grids = backend.search(puzzle, run)
    try:
        while request.counts_all or found.number < request.wanted:
            try:
                with clock:
                    grid = next(grids)
            except StopIteration as end:
                found.end(end.value if counts else None)
                return
            if not isinstance(grid, Grid):
                what = f"search yielded a value of type {type(grid).__name__}"
                raise BackendError(f"{what}: yield a Grid, such as Grid.from_cells(array)")
            if not grid.is_full and grid.shape == puzzle.shape:
                found.partial = None if found.solutions else grid  # after solutions: there may be more
                return
            if verify or grid.shape != puzzle.shape:
                check_solution(puzzle, grid)
            found.add(grid)
    finally:
        if isinstance(grids, Generator):
            with clock, suppress(RuntimeError):  # what the backend started ends now, and its CPU time counts
                grids.close()  # which raises if the backend ignores it


def usable(stats: object) -> tuple[dict[str, Statistic], str]:
    """Return the statistics that a row can hold, with NumPy's scalars as numbers, and a note about others."""
    if not isinstance(stats, Mapping):
        return {}, f"its statistics are a {type(stats).__name__}; expected a dict"
    kept: dict[str, Statistic] = {}
    dropped: list[str] = []
    for name, value in stats.items():
        plain = value.item() if isinstance(value, np.generic) else value
        if not (isinstance(name, str) and 0 < len(name) <= NAME_CHARS and is_unicode(name)):
            dropped.append(f"a statistic's name is no text of 1 to {NAME_CHARS} characters")
        elif not _can_be_stored(plain):
            dropped.append(f"its statistic {name!r} is {_described(plain)}")
        elif len(kept) == MOST:
            return kept, f"it has {len(stats)} statistics; the first {MOST} were kept"
        else:
            kept[name] = plain
    if not dropped:
        return kept, ""
    expected = f"expected a finite number of at most 64 bits or a text of at most {TEXT_CHARS} characters"
    return kept, f"{dropped[0]}; {expected}"


def _can_be_stored(value: Any) -> bool:
    match value:
        case int():
            return -(1 << 63) <= value < 1 << 63
        case float():
            return math.isfinite(value)
        case str():
            return len(value) <= TEXT_CHARS and is_unicode(value)
    return False


def _described(value: object) -> str:
    """Return a number, or the type of anything else, which says more."""
    return f"{value}" if isinstance(value, float) else f"a value of type {type(value).__name__}"
