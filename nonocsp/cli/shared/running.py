"""Run a backend on the puzzles of a command: in this process, or in others for limits and several jobs."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, nullcontext
from functools import partial
from threading import Thread
from typing import TypeVar

from nonocsp.backends.base import Backend, Limits, Outcome, Request
from nonocsp.backends.progress import line_on_terminal, watched
from nonocsp.backends.registry import create, is_program
from nonocsp.backends.run import run_backend
from nonocsp.cli.shared.endings import left_at_once
from nonocsp.engine import StopFlag
from nonocsp.formats import NamedPuzzle
from nonocsp.model import Puzzle

Result = TypeVar("Result")


def solved(
    sources: Iterable[NamedPuzzle], spec: str, request: Request, jobs: int
) -> Generator[tuple[NamedPuzzle, Outcome], None, None]:
    """Yield the puzzles with their outcomes, in order.

    One job without limits runs in this process, which starts fastest. Limits are enforced from outside, by
    ending the process that the backend runs in; a program is ended with it.

    Parameters
    ----------
    sources
        The puzzles; they are read one by one.
    spec
        The backend with its options.
    request
        The task, the seed and the limits of each run.
    jobs
        Largest number of runs at the same time.
    """

    def outcomes(puzzles: Iterator[Puzzle]) -> Generator[Outcome, None, None]:
        if jobs == 1 and request.limits == Limits() and not is_program(spec):
            return _solved_here(create(spec), request, puzzles)
        from nonocsp.run.many import run_many, with_progress

        found = run_many(puzzles, spec, request, jobs=jobs, enforced=request.limits != Limits())
        if jobs == 1 or sys.stdout.isatty():  # the results themselves show the progress
            return found
        return with_progress(found, total=None)

    return beside(sources, outcomes)


def beside(
    sources: Iterable[NamedPuzzle], run: Callable[[Iterator[Puzzle]], Generator[Result, None, None]]
) -> Generator[tuple[NamedPuzzle, Result], None, None]:
    """Yield the puzzles with their results, in order.

    Parameters
    ----------
    sources
        The puzzles; they are read one by one.
    run
        The function that yields a result for each puzzle, in order. It may read puzzles ahead.
    """
    waiting: deque[NamedPuzzle] = deque()

    def puzzles() -> Iterator[Puzzle]:
        for source in sources:
            waiting.append(source)
            yield source.puzzle

    with closing(run(puzzles())) as results:
        for result in results:
            yield waiting.popleft(), result


def _solved_here(
    backend: Backend, request: Request, puzzles: Iterator[Puzzle]
) -> Generator[Outcome, None, None]:
    """Run the backend in a thread: the main one stays free to notice Ctrl-C during long calls into C++."""
    with left_at_once():
        for puzzle in puzzles:
            sys.stdout.flush()  # what is found must not be lost
            stop = StopFlag()
            with line_on_terminal() as show, watched(stop, puzzle, None, show) if show else nullcontext():
                outcome = _in_thread(partial(run_backend, backend, puzzle, request, stop))
            yield outcome


def _in_thread(work: Callable[[], Outcome]) -> Outcome:
    outcomes: list[Outcome] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            outcomes.append(work())
        except BaseException as error:  # whatever it is, the main thread raises it
            errors.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join()
    for error in errors:
        raise error
    return outcomes[0]
