"""Run one backend on one puzzle, verify every grid, and turn what it enumerates into an answer."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nonocsp.backends.base import (
    Answer,
    Backend,
    Interrupted,
    Outcome,
    Request,
    Run,
    Task,
    Termination,
    Unsupported,
)
from nonocsp.engine import StopFlag
from nonocsp.model import BackendError, Grid, Puzzle, PuzzleError, mismatches
from nonocsp.model.clue import Line
from nonocsp.model.puzzle import mismatches_of_cells


class WrongGrid(Exception):
    """A backend returned a grid that does not solve the puzzle, or the same grid twice."""


@dataclass(slots=True)
class _Clock:
    """Adds up wall and CPU seconds of the spans in which the backend works (CPU: of this process)."""

    wall: float = 0.0
    cpu: float = 0.0
    _started: tuple[float, float] = field(default=(0.0, 0.0))

    def __enter__(self) -> None:
        self._started = time.perf_counter(), time.process_time()

    def __exit__(self, *_: object) -> None:
        wall, cpu = self._started
        self.wall += time.perf_counter() - wall
        self.cpu += time.process_time() - cpu


@dataclass(slots=True)
class _Found:
    """What a search has shown so far."""

    solutions: dict[Grid, None] = field(default_factory=dict)  # an ordered set
    partial: Grid | None = None
    exhausted: bool = False

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
    enforce limits from outside, by killing.

    Parameters
    ----------
    backend
        It is asked for solutions until the task is settled.
    puzzle
        The clues; puzzles beyond the backend end as ``unsupported``.
    request
        Task, limits and seed.
    stop
        Ends the run early when another thread sets it; termination is then ``killed``.
    verify
        Whether every grid is checked against the clues; if not, the caller must do that
        (`check_solution`).

    Returns
    -------
    Outcome
        A grid that fails verification, or comes twice, ends the run as ``crashed`` without an answer.
        Any other exception of the backend propagates.
    """
    wall = request.limits.wall
    run = Run(request, stop, None if wall is None else time.perf_counter() + wall)
    found, clock = _Found(), _Clock()
    termination, message, wrong = Termination.OK, "", False
    try:
        if not puzzle.palette.is_one_colour and not backend.capabilities.colours:
            raise Unsupported("the backend takes puzzles of one colour only")
        _enumerate(backend, puzzle, run, found, clock, verify=verify)
    except Interrupted:
        stopped = stop.is_set()
        termination = Termination.KILLED if stopped else Termination.WALL
        message = "stopped on request" if stopped else f"the wall limit of {wall} s was reached"
    except Unsupported as error:
        termination, message = Termination.UNSUPPORTED, str(error)
    except MemoryError:
        termination, message = Termination.MEMORY, "the backend ran out of memory"
    except WrongGrid as error:
        found = _Found()
        termination, message, wrong = Termination.CRASHED, f"wrong answer: {error}", True
    return Outcome(
        answer=found.answer(request.task),
        termination=termination,
        solutions=tuple(found.solutions),
        partial=found.partial,
        stats=run.stats,
        wall_s=clock.wall,
        cpu_s=clock.cpu,
        message=message,
        wrong=wrong,
    )


def or_crashed(run: Callable[[], Outcome]) -> Outcome:
    """Return what `run` returns; whatever the backend raises in it becomes a ``crashed`` outcome.

    Only Ctrl-C passes through: of several puzzles, one that a backend breaks on must not cost the others.
    """
    wall, cpu = time.perf_counter(), time.process_time()
    try:
        return run()
    except (Exception, SystemExit) as error:
        return Outcome(
            Answer.UNKNOWN,
            Termination.CRASHED,
            wall_s=time.perf_counter() - wall,
            cpu_s=time.process_time() - cpu,
            message=str(error)
            if isinstance(error, BackendError)
            else f"the backend raised {type(error).__name__}: {error}",
        )


def check_solution(puzzle: Puzzle, grid: Grid) -> None:
    """Raise `WrongGrid` unless a grid solves a puzzle.

    Parameters
    ----------
    puzzle
        The clues.
    grid
        Any grid.
    """
    try:
        _refuse(puzzle, mismatches(puzzle, grid))
    except PuzzleError as error:
        raise WrongGrid(str(error)) from error


def check_cells(puzzle: Puzzle, cells: NDArray[np.uint8]) -> None:
    """Raise `WrongGrid` unless the colours of a grid of the right shape solve a puzzle.

    Parameters
    ----------
    puzzle
        The clues.
    cells
        The colours.
    """
    _refuse(puzzle, mismatches_of_cells(puzzle, cells))


def _refuse(puzzle: Puzzle, wrong: list[Line]) -> None:
    if wrong:
        raise WrongGrid(f"{wrong[0]} does not have the clue {puzzle.line_clue(wrong[0])}")


def _enumerate(
    backend: Backend, puzzle: Puzzle, run: Run, found: _Found, clock: _Clock, *, verify: bool
) -> None:
    """Take solutions until the task is settled or the search ends."""
    with clock:
        grids = backend.search(puzzle, run)
    while len(found.solutions) < run.request.wanted:
        with clock:
            grid = next(grids, None)
        if grid is None:
            found.exhausted = True
            return
        if not grid.is_full and grid.shape == puzzle.shape:
            found.partial = None if found.solutions else grid  # after solutions: there may be more
            return
        if verify or grid.shape != puzzle.shape:
            check_solution(puzzle, grid)
        if grid in found.solutions:
            raise WrongGrid("the same solution came twice")
        found.solutions[grid] = None
