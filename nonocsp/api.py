"""The one-call Python interface to the backends."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from nonocsp.backends import DEFAULT
from nonocsp.backends.base import Limits, Outcome, Request, Task
from nonocsp.backends.registry import create, is_program, portable
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag
from nonocsp.model import Puzzle
from nonocsp.model.puzzle import checked_puzzle

if TYPE_CHECKING:
    from nonocsp.backends.progress import Progress


def solve(
    puzzle: Puzzle,
    backend: str = DEFAULT,
    task: Task | str = Task.DECIDE,
    *,
    wall: float | None = None,
    memory: int | None = None,
    seed: int = 0,
    bound: int | None = None,
    progress: bool | Callable[[Progress], object] = False,
) -> Outcome:
    """Run a backend on a puzzle and return its verified outcome.

    Parameters
    ----------
    puzzle
        The clues.
    backend
        A spec: ``"sat"``, ``"sat:solver=cadical195"``, or the YAML file that declares a program,
        ``"./mine.yaml"``.
    task
        ``"solve"`` (one solution), ``"decide"`` (none, exactly one, or several) or ``"count"``.
    wall
        Seconds after which the search is asked to stop. The outcome keeps what was proved by then.
    memory
        Bytes of resident memory. The run then happens in a process of its own, because only from outside can
        a memory limit be enforced; that costs about half a second to start. A program always runs like this.
    seed
        For the backend's random choices.
    bound
        The most solutions that task ``"count"`` looks for, and lists. None: ``outcome.count`` is the number
        of all of them, and some are listed.
    progress
        Called with a `Progress` ten times a second, from another thread, while the search lasts; an exception
        that it raises ends the search and comes out of this call. True: a line on standard error shows it, if
        that is a terminal. Of a run in a process of its own, only the time is known.

    Raises
    ------
    UsageError
        For an unknown backend, option or task, and for a limit that is not above 0.
    BackendError
        If the backend is not available here.
    TypeError
        If `puzzle` is not a puzzle; `nonocsp.load` reads files.
    """
    if not isinstance(puzzle, Puzzle):
        checked_puzzle(puzzle)  # raises
    request = Request.of(task, Limits(wall=wall, memory=memory), seed, bound)
    if not progress:
        return _run(puzzle, backend, request, StopFlag())
    from nonocsp.backends.progress import line_on_terminal, watched

    stop = StopFlag()
    with ExitStack() as context:
        call = context.enter_context(line_on_terminal()) if progress is True else progress
        if call:
            context.enter_context(watched(stop, puzzle, wall, call))
        return _run(puzzle, backend, request, stop)


def _run(puzzle: Puzzle, backend: str, request: Request, stop: StopFlag) -> Outcome:
    """Run a backend in this process, or in another one if only that can enforce the limits."""
    if request.limits.memory is not None or is_program(backend):
        backend = portable(backend)
        create(backend)  # or an error before anything starts
        from nonocsp.run.jobs import Job
        from nonocsp.run.local import WarmExecutor

        with WarmExecutor(jobs=1) as executor:
            ((_, measurement),) = executor.run([Job(puzzle, backend, request)])
        return measurement.outcome
    return run_backend(create(backend), puzzle, request, stop)
