"""Classes of difficulty: the weakest method that solves a puzzle, each a method with a paper.

The methods are tried from the weakest to the strongest, and the first that fills the grid names the class.
Backend ``hybrid`` decides whether a puzzle has no solution, or several. Every grid is verified. A class is
proved or ``unknown``, never guessed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from nonocsp import engine
from nonocsp.backends import DEFAULT
from nonocsp.backends.base import Answer, Interrupted, Limits, Outcome, Request, Run, Task, Termination
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import Candidates, LineSolver, Unsupported, grading
from nonocsp.engine.verification import wrong_lines
from nonocsp.grading.sweeps import SweepTrace
from nonocsp.grading.what_if import consequences
from nonocsp.model import BackendError, Grid


class DifficultyClass(StrEnum):
    """The weakest method that solves a puzzle; easiest first, then invalid puzzles."""

    TRIVIAL = "trivial"
    """One sweep: every row is fixed by its clue alone (Batenburg et al. 2009, corollary 4.4)."""
    SIMPLE = "simple"
    """Line solving (Batenburg & Kosters 2009)."""
    TWO_SAT = "2-sat"
    """Line solving combined with 2-SAT, without search: Solver0 of Batenburg & Kosters 2009."""
    FP1 = "fp1"
    """Fully probing (Wu et al. 2013), which is one level of what-if."""
    FP2 = "fp2"
    """Probes that know each other's contrapositives (Wu et al. 2013)."""
    FP3 = "fp3"
    """Probes that know all consequences of those (Wu et al. 2013)."""
    DEEP = "k-deep"
    """Two levels of nested what-if, or more."""
    BEYOND = "beyond"
    """One solution, but none of the methods above that were tried finds it."""
    MULTIPLE = "multiple"
    """Several solutions."""
    UNSAT = "unsat"
    """No solution."""
    UNKNOWN = "unknown"
    """The time ran out before a verdict."""


@dataclass(frozen=True, slots=True)
class Classification:
    """The class of a puzzle."""

    class_: DifficultyClass
    """The class."""
    depth: int | None = None
    """Levels of nested what-if that solve the puzzle; with class ``beyond``, levels that do not suffice; None
    without exactly one solution."""
    message: str = ""
    """Methods that could not be tried, and why; empty if all were."""


_DEPTHS = {
    DifficultyClass.TRIVIAL: 0,
    DifficultyClass.SIMPLE: 0,
    DifficultyClass.TWO_SAT: 1,
    DifficultyClass.FP1: 1,
    DifficultyClass.FP2: 2,
    DifficultyClass.FP3: 2,
}
"""Levels of what-if that include the method: a chain of 2-SAT is part of a trial, and what FP2 and FP3 know
of other trials follows from trials within a trial."""
_STOPPED = Termination.WALL, Termination.KILLED


def classify(solver: LineSolver, trace: SweepTrace, deepest: int, run: Run) -> Classification:
    """Return the class of a puzzle whose sweeps are known."""
    if trace.has_contradiction:
        return Classification(DifficultyClass.UNSAT)
    if trace.is_interrupted:
        return Classification(DifficultyClass.UNKNOWN, message=f"{_ended(run)} during line solving")
    if _is_solved(solver, trace.candidates, "line solving"):
        class_ = DifficultyClass.TRIVIAL if trace.rows_first == 1 else DifficultyClass.SIMPLE
        return Classification(class_, _DEPTHS[class_])
    outcome = decide(solver, run)
    if outcome.answer is Answer.UNIQUE:
        return _weakest_method(solver, trace.candidates, deepest, run)
    if outcome.answer in (Answer.MULTIPLE, Answer.UNSAT):
        return Classification(DifficultyClass(outcome.answer))
    found = "one solution found, others possible" if outcome.solutions else "no solution found yet"
    why = _ended(run) if outcome.termination in _STOPPED else outcome.message
    return Classification(DifficultyClass.UNKNOWN, message=f"{why}: {found}")


def decide(solver: LineSolver, run: Run, spec: str = DEFAULT) -> Outcome:
    """Run a backend within the time that is left; BackendError if it crashed."""
    request = Request(Task.DECIDE, Limits(wall=run.remaining))
    outcome = run_backend(create(spec), solver.puzzle, request, run.stop)
    if outcome.termination is Termination.CRASHED:
        raise BackendError(f"{spec}: {outcome.message}")
    return outcome


def _weakest_method(solver: LineSolver, root: Candidates, deepest: int, run: Run) -> Classification:
    """Return the class of a puzzle with one solution."""
    depth, skipped = 0, list[str]()
    try:
        for class_, method in methods(solver, root, run).items():
            try:
                left = method()
            except Unsupported as error:
                skipped.append(f"{class_} was not tried: {error}")
                continue
            if _is_solved(solver, left, class_):
                return Classification(class_, _DEPTHS[class_], "; ".join(skipped))
            depth = 1 if class_ is DifficultyClass.FP1 else depth
        while depth < deepest:
            left = consequences(solver, root, depth + 1, run)
            depth += 1
            if _is_solved(solver, left, f"what-if of depth {depth}"):
                return Classification(DifficultyClass.DEEP, depth, "; ".join(skipped))
    except Interrupted:
        return Classification(
            DifficultyClass.BEYOND, depth, f"{_ended(run)}: stronger methods were not tried"
        )
    return Classification(DifficultyClass.BEYOND, depth, "; ".join(skipped))


def methods(
    solver: LineSolver, root: Candidates, run: Run
) -> dict[DifficultyClass, Callable[[], Candidates | None]]:
    """Return the methods between line solving and nested what-if, the weakest first."""

    def narrowed(method: str) -> Candidates | None:
        try:
            return grading.narrow_by(method, solver.compiled, root, run.stop, run.remaining)
        except engine.Interrupted:
            raise Interrupted from None

    return {DifficultyClass(method): partial(narrowed, method) for method in grading.methods()}


def _is_solved(solver: LineSolver, left: Candidates | None, method: str) -> bool:
    """Return whether a method filled the grid; BackendError if its grid is wrong."""
    if left is None:
        raise BackendError(f"{method} finds no solution where {DEFAULT} finds one")
    grid = Grid(left)
    puzzle, is_full = solver.puzzle, grid.is_full
    if is_full and wrong_lines(puzzle.flat_rows, puzzle.flat_columns, left):
        raise BackendError(f"{method} filled a grid that does not solve the puzzle")
    return is_full


def _ended(run: Run) -> str:
    limit = run.request.limits.wall
    return "stopped on request" if run.stop.is_set() else f"the wall limit of {limit:g} s was reached"
