"""Solve many puzzles on all cores: `solve_many`, and the same for any other work on puzzles.

Results come in the order of the puzzles, each as soon as it and all before it are there. A puzzle that breaks
the backend costs no other puzzle. `window` keeps the order; `pool` does the work.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sized
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from nonocsp.backends import DEFAULT
from nonocsp.backends.base import Answer, Limits, Outcome, Request, Task, Termination
from nonocsp.backends.in_core import method_of, run_method_on_all
from nonocsp.backends.installed import registered
from nonocsp.backends.registry import create, is_program, name_of, portable
from nonocsp.backends.run import or_crashed, run_backend
from nonocsp.engine import StopFlag
from nonocsp.model import Puzzle, UsageError
from nonocsp.run.outcomes import Outcomes, Supply
from nonocsp.run.window import Result, Window

if TYPE_CHECKING:
    from nonocsp.run.pool import Work

AHEAD = 256
"""How many puzzles, for each of several processes, are taken ahead of the first one without a result."""


@dataclass(frozen=True, slots=True)
class Solving:
    """Running a backend, as the work of a pool; an exception becomes an outcome."""

    spec: str
    request: Request

    def start(self) -> Callable[[Puzzle], Outcome]:
        """Create the backend."""
        backend, stop = create(self.spec), StopFlag()
        return lambda puzzle: or_crashed(partial(run_backend, backend, puzzle, self.request, stop))

    def lost(self, how: str) -> Outcome:
        """Return a crash."""
        return Outcome(Answer.UNKNOWN, Termination.CRASHED, message=how)


def solve_many(
    puzzles: Iterable[Puzzle],
    backend: str = DEFAULT,
    task: Task | str = Task.DECIDE,
    *,
    jobs: int | None = None,
    wall: float | None = None,
    memory: int | None = None,
    seed: int = 0,
    bound: int | None = None,
    progress: bool = False,
) -> Outcomes:
    """Run a backend on many puzzles, several at a time; return an iterator of their outcomes, in order.

    ``solve_many(puzzles).to_pandas()`` is a table of them all, and so is ``.to_polars()``.

    Parameters
    ----------
    puzzles
        Any iterable, even an endless one: it is read only some hundred puzzles ahead.
    jobs
        How many puzzles are solved at a time. None: one on each usable core. 1: in this thread. Backends of
        the core use threads of this process, all others use processes. With None, those start only if the
        puzzles take longer than their start.
    progress
        Whether to draw a bar on standard error, if that is a terminal.
    backend, task, wall, memory, seed, bound
        For each puzzle, as for `nonocsp.solve`.

    Returns
    -------
    Outcomes
        One for each puzzle; ``crashed``, with a message, where the backend raised an exception or killed its
        process. Closing the iterator ends all processes; so does any end of this process.

    Raises
    ------
    UsageError
        At once, for an unknown backend, option or task, a limit that is not above 0, or fewer than one job.
    BackendError
        At once, if the backend is not available here.
    TypeError
        At once, if `puzzles` is not iterable; in its turn, if an item is not a puzzle. Exceptions of the
        iterable also come in their turn, after the outcomes of the puzzles before them.
    """
    if jobs is not None and jobs < 1:
        raise UsageError(f"{jobs} jobs; there must be at least one")
    request = Request.of(task, Limits(wall=wall, memory=memory), seed, bound)
    supply = Supply(puzzles)
    stream = run_many(supply, backend, request, jobs=jobs, enforced=memory is not None)
    if progress:
        stream = with_progress(stream, len(puzzles) if isinstance(puzzles, Sized) else None)
    return Outcomes(stream, supply, request.task)


def run_many(
    puzzles: Iterable[Puzzle], spec: str, request: Request, *, jobs: int | None, enforced: bool
) -> Generator[Outcome, None, None]:
    """Yield outcomes as `solve_many` does; `enforced` limits kill the process that exceeds them."""
    from nonocsp.run.cores import usable_cores

    spec = portable(spec)
    backend = create(spec)  # a wrong spec is an error before anything starts
    if not enforced and not is_program(spec):
        if (method := method_of(backend, request)) is None:
            return work_on(puzzles, Solving(spec, request), jobs=jobs, begins_here=_is_ours(spec))
        threads = jobs or usable_cores()
        return run_method_on_all(method, puzzles, request, threads=threads, ahead=AHEAD * threads)
    jobs = jobs or usable_cores()
    return _in_executor(Window(puzzles, AHEAD * jobs if jobs > 1 else 1), spec, request, jobs)


def _is_ours(spec: str) -> bool:
    """Return whether a backend is one of nonocsp's own, which do not bring this process down."""
    entry = registered().get(name_of(spec))
    return entry is not None and entry.module.partition(".")[0] == "nonocsp"


def work_on(
    puzzles: Iterable[Puzzle], work: Work[Result], *, jobs: int | None, begins_here: bool = False
) -> Generator[Result, None, None]:
    """Yield the result of the work for each puzzle, in their order.

    Parameters
    ----------
    puzzles, work
        The puzzles, and what to do with each; it can be pickled.
    jobs
        How many processes work at a time. None: one on each usable core. 1: this process does it all.
    begins_here
        Whether this process begins alone with `jobs` None. Then processes start only if it needs them.
    """
    from nonocsp.run.cores import usable_cores

    processes = jobs or usable_cores()
    if processes == 1:
        yield from map(work.start(), puzzles)
        return
    from nonocsp.run.pool import Pool

    window: Window[Result] = Window(puzzles, AHEAD * processes)
    with Pool(window, work, processes) as pool:
        if jobs is None and begins_here:
            yield from pool.begin()
        yield from pool.run()
    window.check()


def with_progress(results: Generator[Result, None, None], total: int | None) -> Generator[Result, None, None]:
    """Yield results and count them beside a bar on standard error, if that is a terminal; close them at last.

    Their `total` is None if nobody knows it.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

    columns = BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()
    console = Console(file=sys.stderr)
    hidden = not console.is_terminal
    with Progress(*columns, console=console, disable=hidden, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task("", total=total)
        try:
            for result in results:
                bar.advance(task)
                yield result
        finally:
            results.close()


def _in_executor(
    window: Window[Outcome], spec: str, request: Request, jobs: int
) -> Generator[Outcome, None, None]:
    from nonocsp.run.jobs import Job
    from nonocsp.run.local import WarmExecutor

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
