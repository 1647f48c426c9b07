"""Run backends that are methods of the core: on one puzzle, or on many in threads.

The core searches, verifies each grid and takes the time; this module makes outcomes of what it finds. They
equal those of `nonocsp.backends.run`, which runs other backends, and tasks that want many solutions.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import TypeAlias

from nonocsp.backends.base import Answer, Backend, Outcome, Proof, Request, Run, Statistic, Task, Termination
from nonocsp.backends.interruption import solutions
from nonocsp.engine import LineSolver, StopFlag
from nonocsp.engine.searches import Batch, End, Method, ProofLog, run
from nonocsp.model import FlatClues, Grid, Puzzle, bounds, mismatches

MethodResult: TypeAlias = tuple[
    list[bytes], bytes | None, bytes | None, bool, End, str, dict[str, Statistic], float, float
]
"""What `nonocsp.engine.searches.run` returns."""

MOST_WANTED = 128
"""Solutions of a puzzle that the core returns at once; it compares each one with those before."""
AT_ONCE = 32
"""Puzzles that are handed to the core at once, and results that are taken from it."""
FEW = 16
"""Waiting puzzles, for each thread, below which more are handed over."""
READING_S = 0.002
"""How long puzzles are read before the results so far are handed on."""


class MethodBackend(Backend):
    """A backend that is a method of the core."""

    @abstractmethod
    def method(self, seed: int) -> Method:
        """Return the core's method with the options of the backend."""

    def proving_method(self, seed: int, proof: ProofLog) -> Method | None:
        """Return the method that writes a proof over the formula of certificates; None if there is none."""
        del seed, proof
        return None

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        """Yield all solutions; without search the grid that the method leaves, full or partial."""
        yield from solutions(self.method(run.request.seed).search(LineSolver(puzzle).compiled), run)


def method_of(backend: Backend, request: Request) -> Method | None:
    """Return the core's method that answers a request as a backend would; None if the core has none."""
    if not isinstance(backend, MethodBackend) or request.counts_all or request.wanted > MOST_WANTED:
        return None
    return backend.method(request.seed)


def run_with_proof(backend: Backend, puzzle: Puzzle, request: Request, stop: StopFlag) -> Outcome | None:
    """Run the method that writes a proof, which the outcome holds; None if the backend has no such method."""
    if not isinstance(backend, MethodBackend) or not request.certify or request.wanted > 2:
        return None
    log = ProofLog(bounds.PROOF_BYTES)
    if (method := backend.proving_method(request.seed, log)) is None:
        return None
    outcome = run_method(method, puzzle, request, stop)
    is_needed = outcome.termination is Termination.OK and outcome.answer in (Answer.UNIQUE, Answer.UNSAT)
    return replace(outcome, proof=Proof(log.content)) if is_needed else outcome


def run_method(method: Method, puzzle: Puzzle, request: Request, stop: StopFlag) -> Outcome:
    """Run a method on a puzzle, in this thread; RuntimeError if the search raises an exception."""
    result = run(method, _flat(puzzle), request.wanted, request.limits.wall, stop)
    outcome = _outcome(puzzle, request, result, stopped=stop.is_set())
    if outcome.termination is Termination.CRASHED and not outcome.wrong:
        raise RuntimeError(result[5])
    return outcome


def run_method_on_all(
    method: Method, puzzles: Iterable[Puzzle], request: Request, *, threads: int, ahead: int
) -> Generator[Outcome, None, None]:
    """Yield the outcomes of many puzzles in their order; a search that raises an exception gives ``crashed``.

    An exception of `puzzles` comes after the outcomes of the puzzles before. One thread is the caller's; with
    several, at most `ahead` puzzles are read ahead of the first one without an outcome.
    """
    if threads == 1:
        wanted, wall, stop = request.wanted, request.limits.wall, StopFlag()
        for puzzle in puzzles:
            yield _outcome(puzzle, request, run(method, _flat(puzzle), wanted, wall, stop), stopped=False)
        return
    batch = Batch(method, request.wanted, request.limits.wall, threads)
    open_puzzles: list[Puzzle] = []
    supply, fault = iter(puzzles), None
    reads = True
    while reads or open_puzzles:
        takes_more = reads and batch.size < ahead and batch.waiting < FEW * threads
        if takes_more:
            read: list[Puzzle] = []
            try:
                reads = _read(supply, read)
            except Exception as error:
                reads, fault = False, error
            batch.put([_flat(puzzle) for puzzle in read])
            open_puzzles += read
        results = batch.take(AT_ONCE, not takes_more)
        for puzzle, result in zip(open_puzzles, results, strict=False):
            yield _outcome(puzzle, request, result, stopped=False)
        del open_puzzles[: len(results)]
    if fault:
        raise fault


def _read(supply: Iterator[Puzzle], read: list[Puzzle]) -> bool:
    """Append the next puzzles of a supply, fewer if it is slow; return whether there may be more."""
    until = time.perf_counter() + READING_S
    for puzzle in islice(supply, AT_ONCE):
        read.append(puzzle)
        if time.perf_counter() > until:
            return True
    return len(read) == AT_ONCE


def _flat(puzzle: Puzzle) -> tuple[FlatClues, FlatClues, int]:
    return puzzle.flat_rows, puzzle.flat_columns, len(puzzle.palette)


_TERMINATIONS = {
    End.SETTLED: Termination.OK,
    End.INTERRUPTED: Termination.WALL,
    End.UNSUPPORTED: Termination.UNSUPPORTED,
    End.MEMORY: Termination.MEMORY,
    End.WRONG: Termination.CRASHED,
    End.FAULT: Termination.CRASHED,
}


def _outcome(puzzle: Puzzle, request: Request, result: MethodResult, *, stopped: bool) -> Outcome:
    solutions, partial, wrong, exhausted, end, message, stats, wall, cpu = result
    if len(solutions) >= 2:
        answer = Answer.MULTIPLE
    elif solutions:
        answer = Answer.UNIQUE if exhausted and request.task is not Task.SOLVE else Answer.SOLVED
    elif exhausted:
        answer = Answer.UNSAT
    else:
        answer = Answer.PARTIAL if partial is not None else Answer.UNKNOWN
    termination = _TERMINATIONS[end]
    if end is not End.SETTLED:
        if end is End.INTERRUPTED and stopped:
            termination = Termination.KILLED
        message = _message(puzzle, request, result, stopped=stopped)
    found = len(solutions) if request.task is Task.COUNT else 0
    return Outcome(
        answer,
        termination,
        tuple([_grid(puzzle, cells) for cells in solutions]),
        None if partial is None else _grid(puzzle, partial),
        stats,
        wall,
        cpu,
        message,
        wrong is not None,
        found if exhausted and request.task is Task.COUNT else None,
        found,
        puzzle.palette,
    )


def _grid(puzzle: Puzzle, cells: bytes) -> Grid:
    return Grid.of_bytes(cells, puzzle.shape)


def _message(puzzle: Puzzle, request: Request, result: MethodResult, *, stopped: bool) -> str:
    """Return why a run ended early, for people."""
    wrong, end, message = result[2], result[4], result[5]
    if end is End.INTERRUPTED:
        return "stopped on request" if stopped else f"the wall limit of {request.limits.wall} s was reached"
    if end is End.MEMORY:
        return message or "the backend ran out of memory"
    if wrong is not None:
        lines = mismatches(puzzle, _grid(puzzle, wrong))
        if not lines:
            return "wrong answer: the same solution came twice"
        clue = puzzle.line_clue(lines[0]).named(puzzle.palette)
        return f"wrong answer: {lines[0]} does not have the clue {clue}"
    return f"the backend raised RuntimeError: {message}" if end is End.FAULT else str(message)
