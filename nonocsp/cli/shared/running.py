"""One backend on the puzzles of a command: in this process, or in others for limits and several jobs."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from threading import Thread
from typing import TypeVar

from nonocsp.backends.base import Backend, Limits, Outcome, Request
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag
from nonocsp.formats import NamedPuzzle
from nonocsp.model import Puzzle

Result = TypeVar("Result")


def solved(
    sources: Iterable[NamedPuzzle], spec: str, request: Request, jobs: int
) -> Generator[tuple[NamedPuzzle, Outcome], None, None]:
    """Yield the puzzles with their outcomes, in their order.

    Without limits and other jobs that happens in this process, which starts fastest; limits are enforced from
    outside, by ending the process that the backend runs in.
    """
    return beside(sources, lambda puzzles: _outcomes(puzzles, spec, request, jobs))


def beside(
    sources: Iterable[NamedPuzzle], run: Callable[[Iterator[Puzzle]], Generator[Result, None, None]]
) -> Generator[tuple[NamedPuzzle, Result], None, None]:
    """Yield the puzzles with what `run` makes of them, in their order."""
    waiting: deque[NamedPuzzle] = deque()

    def puzzles() -> Iterator[Puzzle]:
        for source in sources:
            waiting.append(source)
            yield source.puzzle

    with closing(run(puzzles())) as results:
        for result in results:
            yield waiting.popleft(), result


def _outcomes(
    puzzles: Iterable[Puzzle], spec: str, request: Request, jobs: int
) -> Generator[Outcome, None, None]:
    if jobs == 1 and request.limits == Limits():
        backend = create(spec)
        return (_solve_here(backend, request, puzzle) for puzzle in puzzles)
    from nonocsp.runner.many import run_many

    outcomes = run_many(puzzles, spec, request, jobs=jobs, enforced=request.limits != Limits())
    if jobs == 1 or sys.stdout.isatty():  # there the results show how far it is
        return outcomes
    from nonocsp.runner.many import with_progress

    return with_progress(outcomes, total=None)


def _solve_here(backend: Backend, request: Request, puzzle: Puzzle) -> Outcome:
    """Run the backend in a thread: the main one stays free to notice Ctrl-C during long calls into C++."""
    outcomes: list[Outcome] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            outcomes.append(run_backend(backend, puzzle, request, StopFlag()))
        except BaseException as error:  # whatever it is, the main thread raises it
            errors.append(error)

    thread = Thread(target=work, daemon=True)
    thread.start()
    thread.join()
    for error in errors:
        raise error
    return outcomes[0]
