"""One backend, one puzzle after the other: in this process, or in a guarded one if there are limits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Thread

from nonocsp.backends.base import Backend, Limits, Outcome, Request
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import StopFlag
from nonocsp.model import Puzzle


@contextmanager
def solver(spec: str, request: Request) -> Iterator[Callable[[Puzzle], Outcome]]:
    """Provide the function that solves a puzzle as requested.

    Without limits that happens in this process, which starts fastest; limits are enforced from outside, by
    ending the process that the backend runs in.
    """
    backend = create(spec)  # a wrong spec is an error before anything starts
    if request.limits == Limits():
        yield partial(_solve_here, backend, request)
        return
    from nonocsp.bench.executors.base import Job
    from nonocsp.bench.executors.local import LocalExecutor

    with LocalExecutor(jobs=1) as executor:

        def solve_guarded(puzzle: Puzzle) -> Outcome:
            [(_, measurement)] = executor.run([Job(puzzle, spec, request)])
            return measurement.outcome

        yield solve_guarded


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
