"""Solve many puzzles on all cores: `solve_many`, and the same for any other work on puzzles.

The outcomes are an iterator that can also become a table of pandas, polars or Arrow.
"""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sized
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from nonocsp.backends import DEFAULT
from nonocsp.backends.base import Answer, Backend, Limits, Outcome, Request, Task, Termination
from nonocsp.backends.in_core import method_of, run_method_on_all
from nonocsp.backends.installed import registered
from nonocsp.backends.registry import create, is_program, name_of, portable
from nonocsp.backends.run import or_crashed, run_backend
from nonocsp.engine import StopFlag
from nonocsp.model import Puzzle, UsageError

if TYPE_CHECKING:
    import pandas
    import polars

    from nonocsp.run.pool import Result, Work

AHEAD = 256
"""How many puzzles, for each of several processes, are taken ahead of the first one without a result."""
PATIENCE_S = 0.2
"""How long this process works alone before it starts others, which takes as long."""
_COLUMNS = (
    *("title", "rows", "columns", "colours", "answer", "termination"),
    *("wall_s", "cpu_s", "solutions", "grid", "message"),
)
_LARGEST = 2**63 - 1  # number of a column


class Supply(Iterator[Puzzle]):
    """The puzzles to solve, checked; kept until their outcomes come if a table is made."""

    def __init__(self, puzzles: Iterable[Puzzle]) -> None:
        if isinstance(puzzles, Puzzle):
            raise TypeError("a Puzzle is not iterable; nonocsp.solve takes one puzzle")
        self._puzzles = enumerate(puzzles, start=1)
        self.is_started = False
        self.kept: deque[Puzzle] | None = None

    def __next__(self) -> Puzzle:
        self.is_started = True
        number, puzzle = next(self._puzzles)
        if not isinstance(puzzle, Puzzle):
            hint = "; nonocsp.load_all reads files" if isinstance(puzzle, str) else ""
            raise TypeError(f"item {number} is of type {type(puzzle).__name__}, not a Puzzle{hint}")
        if self.kept is not None:
            self.kept.append(puzzle)
        return puzzle


class Outcomes(Iterator[Outcome]):
    """The outcomes of `nonocsp.solve_many`, in order, each once; or a table with a line for each (`columns`).

    ``.to_pandas()``, ``.to_polars()`` and ``polars.DataFrame(outcomes)`` solve all puzzles for the table.
    """

    def __init__(self, stream: Generator[Outcome, None, None], supply: Supply, task: Task) -> None:
        self._stream, self._supply, self._task = stream, supply, task

    def __next__(self) -> Outcome:
        return next(self._stream)

    def close(self) -> None:
        """End all work on the puzzles; there are no more outcomes."""
        self._stream.close()

    def columns(self) -> dict[str, list[Any]]:
        """Solve all puzzles and return a list of values for each column of their table.

        The columns are ``title``, ``rows``, ``columns``, ``colours`` (beside the background), ``answer``,
        ``termination``, ``wall_s``, ``cpu_s``, ``solutions`` (how many are listed), ``grid`` (the first
        solution, else the partial grid: a text for each row, or None), ``message``, ``stats.NAME``, and with
        task ``count`` also ``count`` (None beyond 63 bits) and ``count_at_least``. UsageError if some
        outcomes were already taken.
        """
        if self._supply.is_started:
            raise UsageError("some outcomes were already taken; make the table of a new solve_many(...)")
        puzzles = self._supply.kept = deque()
        lines = [self._line(puzzles.popleft(), outcome) for outcome in self._stream]
        names = dict.fromkeys([*_COLUMNS, *(name for line in lines for name in line)])
        return {name: [line.get(name) for line in lines] for name in names}

    def to_pandas(self) -> pandas.DataFrame:
        """Return the table as a ``pandas.DataFrame``."""
        return cast("pandas.DataFrame", _module("pandas").DataFrame(self.columns()))

    def to_polars(self) -> polars.DataFrame:
        """Return the table as a ``polars.DataFrame``."""
        make = _module("polars").DataFrame
        return cast("polars.DataFrame", make(self.columns(), strict=False, infer_schema_length=None))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the table for every library that takes Arrow data; needs the extra ``parquet``."""
        from nonocsp.extras import require

        require("parquet")
        return _module("pyarrow").table(self.columns()).__arrow_c_stream__(requested_schema)

    def _line(self, puzzle: Puzzle, outcome: Outcome) -> dict[str, Any]:
        grid = outcome.solutions[0] if outcome.solutions else outcome.partial
        values = (
            *(puzzle.title, *puzzle.shape, len(puzzle.palette) - 1),
            *(str(outcome.answer), str(outcome.termination), outcome.wall_s, outcome.cpu_s),
            *(len(outcome.solutions), grid.strings(puzzle.palette) if grid else None, outcome.message),
        )
        line = dict[str, Any](zip(_COLUMNS, values, strict=True))
        if self._task is Task.COUNT:
            line["count"] = outcome.count if (outcome.count or 0) <= _LARGEST else None
            line["count_at_least"] = min(outcome.count_at_least, _LARGEST)
        return line | {f"stats.{name}": value for name, value in outcome.stats.items()}


def _module(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise UsageError(f"{name} is not installed: pip install {name}") from None


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

    Parameters
    ----------
    puzzles
        Any iterable, even an endless one: it is read only some hundred puzzles ahead.
    jobs
        How many puzzles are solved at a time. None: one on each usable core. 1: in this thread. Backends of
        the core use threads of this process, all others use processes; with None, once these are worth it.
    progress
        Whether to draw a bar on standard error, if that is a terminal.
    backend, task, wall, memory, seed, bound
        For each puzzle, as for `nonocsp.solve`.

    Returns
    -------
    Outcomes
        One for each puzzle, or a table of them all (``.to_pandas()``); ``crashed``, with a message, where the
        backend raised an exception or killed its process. Closing the iterator, or any end of this process,
        ends all processes.

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
    """Yield outcomes as `solve_many` does; `enforced` limits end the process that exceeds them."""
    spec = portable(spec)
    backend = create(spec)  # a wrong spec is an error before anything starts
    if is_program(spec) or (enforced and not obeys_limits(backend, request)):
        return _in_executor(puzzles, spec, request, _workers(jobs))
    if (method := method_of(backend, request)) is not None:
        threads = _workers(jobs)
        return run_method_on_all(method, puzzles, request, threads=threads, ahead=AHEAD * threads)
    entry = registered().get(name_of(spec))
    # A backend of somebody else might bring this process down.
    is_ours = entry is not None and entry.module.startswith("nonocsp.")
    return work_on(puzzles, Solving(spec, request), jobs=jobs, begins_here=is_ours)


def obeys_limits(backend: Backend, request: Request) -> bool:
    """Return whether a backend keeps to the limits by itself: methods of the core keep to the wall limit."""
    has_others = request.limits.memory is not None or request.limits.cpu is not None
    return method_of(backend, request) is not None and not has_others


def work_on(
    puzzles: Iterable[Puzzle], work: Work[Result], *, jobs: int | None, begins_here: bool = False
) -> Generator[Result, None, None]:
    """Yield the result of work for each puzzle, in order, from `jobs` processes; 1: this process does it all.

    None: one on each usable core; if work `begins_here`, only once they are worth their start.
    """
    processes, supply = _workers(jobs), iter(puzzles)
    if processes == 1 or (jobs is None and begins_here):
        work_here, alone_until = work.start(), time.perf_counter() + PATIENCE_S
        for puzzle in supply:
            yield work_here(puzzle)
            if processes > 1 and time.perf_counter() > alone_until:
                break
        else:
            return
    from nonocsp.run.pool import Pool, Window

    window: Window[Result] = Window(supply, AHEAD * processes)
    with Pool(window, work, processes) as pool:
        yield from pool.run()


def _workers(jobs: int | None) -> int:
    """Return how many work at a time; None: one on each usable core."""
    if jobs:
        return jobs
    from nonocsp.run.cores import usable_cores

    return usable_cores()


def with_progress(results: Generator[Result, None, None], total: int | None) -> Generator[Result, None, None]:
    """Yield results, with a bar on standard error if that is a terminal; None is a `total` unknown."""
    if not sys.stderr.isatty():
        yield from results
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

    columns = BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(file=sys.stderr), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task("", total=total)
        try:
            for result in results:
                bar.advance(task)
                yield result
        finally:
            results.close()


def _in_executor(
    puzzles: Iterable[Puzzle], spec: str, request: Request, jobs: int
) -> Generator[Outcome, None, None]:
    """Yield outcomes as an executor measures them."""
    from nonocsp.run.jobs import Job
    from nonocsp.run.local import WarmExecutor
    from nonocsp.run.pool import Window

    window: Window[Outcome] = Window(puzzles, AHEAD * jobs if jobs > 1 else 1)

    def supply() -> Iterator[Job | None]:
        while not window.is_exhausted:
            task = window.take()
            yield Job(task[1], spec, request, id=str(task[0])) if task else None

    with WarmExecutor(jobs) as executor:
        while not window.has_ended():
            for job, measurement in executor.run(supply()):
                window.put(int(job.id), measurement.outcome)
                yield from window.ready()
