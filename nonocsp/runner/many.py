"""Many puzzles, all cores: `solve_many` and what is behind it.

The outcomes come in the order of the puzzles, each as soon as it and all before it are there, and one puzzle
that a backend breaks on costs no other. `window` keeps the order, `pool` and `worker` do the work.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sized
from typing import Any

from nonocsp.backends import DEFAULT
from nonocsp.backends.base import Limits, Outcome, Request, Task
from nonocsp.backends.registry import create
from nonocsp.model import Puzzle, UsageError
from nonocsp.runner.window import Window
from nonocsp.runner.work import Result, Solving, Work

AHEAD = 256
"""Puzzles that are taken, per process if there are several, ahead of the first one without an outcome."""


def solve_many(
    puzzles: Iterable[Puzzle],
    backend: str = DEFAULT,
    task: Task | str = Task.DECIDE,
    *,
    jobs: int | None = None,
    wall: float | None = None,
    memory: int | None = None,
    seed: int = 0,
    bound: int = 1000,
    progress: bool = False,
) -> Generator[Outcome, None, None]:
    """Run a backend on many puzzles, in several processes, and yield their outcomes in the same order.

    Parameters
    ----------
    puzzles
        Any iterable, endless ones too: it is read only some hundred puzzles ahead.
    jobs
        How many puzzles are solved at a time, each in a process of its own. None: as many as there are
        usable cores. 1: in this process, without any that must start first.
    progress
        Whether to draw a bar on standard error, if that is a terminal.
    backend, task, wall, memory, seed, bound
        For each puzzle, as for `nonocsp.solve`.

    Yields
    ------
    Outcome
        One a puzzle. ``crashed``, with a message, where the backend raised an exception or took its process
        with it. Closing the iterator ends all processes; so does the end of this process, however it comes.

    Raises
    ------
    UsageError
        At once, for an unknown backend, option or task, or less than one job.
    BackendError
        At once, if the backend is not available here.
    TypeError
        At once, if `puzzles` is no iterable; in its turn, if something in it is no puzzle. Whatever the
        iterable raises also comes in its turn, behind the outcomes of the puzzles before it.
    """
    if jobs is not None and jobs < 1:
        raise UsageError(f"{jobs} jobs; there must be at least one")
    request = Request.of(task, Limits(wall=wall, memory=memory), seed, bound)
    outcomes = run_many(_checked(iter(puzzles)), backend, request, jobs=jobs, enforced=memory is not None)
    if not progress:
        return outcomes
    from nonocsp.runner.many_progress import with_progress

    return with_progress(outcomes, len(puzzles) if isinstance(puzzles, Sized) else None)


def run_many(
    puzzles: Iterable[Puzzle], spec: str, request: Request, *, jobs: int | None, enforced: bool
) -> Generator[Outcome, None, None]:
    """Yield the outcomes of puzzles in their order; errors are those of `solve_many`.

    Parameters
    ----------
    enforced
        Whether limits are enforced from outside, by ending the process of a backend.
    """
    create(spec)  # a wrong spec is an error before anything starts
    if not enforced:
        return work_on(puzzles, Solving(spec, request), jobs=jobs)
    jobs = jobs or _every_core()
    return _in_executor(_window(puzzles, jobs), spec, request, jobs)


def work_on(
    puzzles: Iterable[Puzzle], work: Work[Result], *, jobs: int | None
) -> Generator[Result, None, None]:
    """Yield what the work makes of each puzzle, in their order; in this process if there is one job."""
    jobs = jobs or _every_core()
    return _here(puzzles, work) if jobs == 1 else _in_pool(_window(puzzles, jobs), work, jobs)


def _every_core() -> int:
    from nonocsp.runner.cores import usable_cores

    return usable_cores()


def _window(puzzles: Iterable[Puzzle], jobs: int) -> Window[Any]:
    return Window(puzzles, AHEAD * jobs if jobs > 1 else 1)


def _checked(puzzles: Iterator[Puzzle]) -> Iterator[Puzzle]:
    for number, puzzle in enumerate(puzzles, start=1):
        if not isinstance(puzzle, Puzzle):
            hint = "; nonocsp.load_all reads files" if isinstance(puzzle, str) else ""
            raise TypeError(f"item {number} is of type {type(puzzle).__name__}, not a Puzzle{hint}")
        yield puzzle


def _here(puzzles: Iterable[Puzzle], work: Work[Result]) -> Generator[Result, None, None]:
    yield from map(work.start(), puzzles)


def _in_pool(window: Window[Result], work: Work[Result], jobs: int) -> Generator[Result, None, None]:
    from nonocsp.runner.pool import Pool

    with Pool(work, jobs) as pool:
        yield from pool.run(window)
    window.check()


def _in_executor(
    window: Window[Outcome], spec: str, request: Request, jobs: int
) -> Generator[Outcome, None, None]:
    from nonocsp.runner.jobs import Job
    from nonocsp.runner.warm import WarmExecutor

    def supply() -> Iterator[Job | None]:
        while not window.is_exhausted:
            numbered = window.take()
            yield numbered and Job(numbered[1], spec, request, id=str(numbered[0]))

    with WarmExecutor(jobs) as executor:
        while not window.is_done:
            for job, measurement in executor.run(supply()):
                window.put(int(job.id), measurement.outcome)
                yield from window.ready()
    window.check()
