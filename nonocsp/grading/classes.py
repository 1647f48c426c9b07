"""Classes of difficulty: the weakest method that solves a puzzle, each a method with a paper.

The methods are tried from the weakest to the strongest, and the first that fills the grid names the class.
That a puzzle has no solution, or several, is said by backend ``hybrid``, whose grids are verified; a grid
that a method fills is verified as well. What time did not suffice for is not guessed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from nonocsp.backends import DEFAULT
from nonocsp.backends.base import Answer, Interrupted, Limits, Request, Run, Task, Termination
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import Candidates, LineSolver, ProbingLevel, Unsupported
from nonocsp.grading.sweeps import SweepTrace
from nonocsp.grading.what_if import consequences
from nonocsp.model import BackendError, Grid, verify


class DifficultyClass(StrEnum):
    """How hard a puzzle is, by what solves it; easiest first, then those that are no good puzzles."""

    TRIVIAL = "trivial"
    """One sweep: every row is fixed from nothing (Batenburg et al. 2009, corollary 4.4)."""
    SIMPLE = "simple"
    """Line solving (Batenburg & Kosters 2009)."""
    TWO_SAT = "2-sat"
    """Line solving combined with 2-SAT, without search: Solver0 of Batenburg & Kosters 2009."""
    FP1 = "fp1"
    """Fully probing (Wu et al. 2013), which is one level of what-if."""
    FP2 = "fp2"
    """Probes that know each other's contrapositives (Wu et al. 2013)."""
    FP3 = "fp3"
    """Probes that know all that follows from those (Wu et al. 2013)."""
    DEEP = "k-deep"
    """Two levels of nested what-if, or more."""
    BEYOND = "beyond"
    """One solution, but nothing of the above that was tried finds it."""
    MULTIPLE = "multiple"
    """Several solutions."""
    UNSAT = "unsat"
    """No solution."""
    UNKNOWN = "unknown"
    """The time was not enough for a verdict."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The class of a puzzle.

    Parameters
    ----------
    depth
        Levels of nested what-if that it takes; with class ``beyond`` those that do not suffice, at least;
        None without exactly one solution.
    message
        What could not be tried, and why; empty if all was.
    """

    class_: DifficultyClass
    depth: int | None = None
    message: str = ""


_DEPTHS = {
    DifficultyClass.TRIVIAL: 0,
    DifficultyClass.SIMPLE: 0,
    DifficultyClass.TWO_SAT: 1,
    DifficultyClass.FP1: 1,
    DifficultyClass.FP2: 2,
    DifficultyClass.FP3: 2,
}
"""Levels of what-if that do what the method does: a chain of 2-SAT is part of a trial, and what FP2 and FP3
know of other trials follows from trials within a trial."""
_STOPPED = Termination.WALL, Termination.KILLED


def classify(solver: LineSolver, trace: SweepTrace, deepest: int, run: Run) -> Verdict:
    """Return the class of a puzzle whose sweeps are known.

    Parameters
    ----------
    deepest
        How many levels of nested what-if are tried.

    Raises
    ------
    BackendError
        If a grid that some method filled is wrong.
    """
    if trace.has_contradiction:
        return Verdict(DifficultyClass.UNSAT)
    if trace.is_interrupted:
        return Verdict(DifficultyClass.UNKNOWN, message=f"{_ended(run)}: not even the sweeps came to an end")
    if trace.unknown_cells == 0:
        _verify(solver, trace.candidates, "line solving")
        class_ = DifficultyClass.TRIVIAL if trace.rows_first == 1 else DifficultyClass.SIMPLE
        return Verdict(class_, _DEPTHS[class_])
    decided = _decided(solver, run)
    return decided or _weakest_method(solver, trace.candidates, deepest, run)


def _decided(solver: LineSolver, run: Run) -> Verdict | None:
    """Return the verdict of a complete backend; None if there is exactly one solution."""
    request = Request(Task.DECIDE, Limits(wall=run.remaining))
    outcome = run_backend(create(DEFAULT), solver.puzzle, request, run.stop)
    if outcome.termination is Termination.CRASHED:
        raise BackendError(f"{DEFAULT}: {outcome.message}")
    match outcome.answer:
        case Answer.UNIQUE:
            return None
        case Answer.MULTIPLE:
            return Verdict(DifficultyClass.MULTIPLE)
        case Answer.UNSAT:
            return Verdict(DifficultyClass.UNSAT)
    found = "one solution was found, not whether there are others" if outcome.solutions else "no solution yet"
    why = _ended(run) if outcome.termination in _STOPPED else outcome.message
    return Verdict(DifficultyClass.UNKNOWN, message=f"{why}: {found}")


def _weakest_method(solver: LineSolver, root: Candidates, deepest: int, run: Run) -> Verdict:
    """Return which method finds the one solution of a puzzle that line solving leaves at `root`."""
    depth, skipped = 0, list[str]()
    try:
        for class_, method in _methods(solver, root, run).items():
            try:
                left = method()
            except Unsupported as error:
                skipped.append(f"{class_} was not tried: {error}")
                continue
            if _is_solved(solver, left, class_):
                return Verdict(class_, _DEPTHS[class_], "; ".join(skipped))
            depth = 1 if class_ is DifficultyClass.FP1 else depth
        while depth < deepest:
            left = consequences(solver, root, depth + 1, run)
            depth += 1
            if _is_solved(solver, left, f"what-if of depth {depth}"):
                return Verdict(DifficultyClass.DEEP, depth, "; ".join(skipped))
    except Interrupted:
        return Verdict(DifficultyClass.BEYOND, depth, f"{_ended(run)}: stronger methods were not tried")
    return Verdict(DifficultyClass.BEYOND, depth, "; ".join(skipped))


def _methods(
    solver: LineSolver, root: Candidates, run: Run
) -> dict[DifficultyClass, Callable[[], Candidates | None]]:
    return {
        DifficultyClass.TWO_SAT: partial(_by_two_sat, solver, run),
        DifficultyClass.FP1: partial(_by_probing, solver, root, ProbingLevel.FP1, run),
        DifficultyClass.FP2: partial(_by_probing, solver, root, ProbingLevel.FP2, run),
        DifficultyClass.FP3: partial(_by_probing, solver, root, ProbingLevel.FP3, run),
    }


def _by_two_sat(solver: LineSolver, run: Run) -> Candidates | None:
    request = Request(Task.DECIDE, Limits(wall=run.remaining))
    outcome = run_backend(create("twosat:search=no"), solver.puzzle, request, run.stop)
    if outcome.termination in _STOPPED:
        raise Interrupted
    if outcome.termination is not Termination.OK:
        raise BackendError(f"twosat: {outcome.message}")
    grid = outcome.solutions[0] if outcome.solutions else outcome.partial
    return grid.candidates if grid else None


def _by_probing(solver: LineSolver, root: Candidates, level: ProbingLevel, run: Run) -> Candidates | None:
    probed = solver.probe(root, level=level, stop=run.stop, seconds=run.remaining)
    if probed.interrupted:
        raise Interrupted
    return None if probed.contradiction else probed.candidates


def _is_solved(solver: LineSolver, left: Candidates | None, method: str) -> bool:
    """Return whether a method filled the grid; BackendError if it lost the solution that there is."""
    if left is None:
        raise BackendError(f"{method} finds no solution where {DEFAULT} finds one")
    if not Grid(left).is_full:
        return False
    _verify(solver, left, method)
    return True


def _verify(solver: LineSolver, cells: Candidates, method: str) -> None:
    if not verify(solver.puzzle, Grid(cells)):
        raise BackendError(f"{method} filled a grid that does not solve the puzzle")


def _ended(run: Run) -> str:
    limit = run.request.limits.wall
    return "stopped on request" if run.stop.is_set() else f"the wall limit of {limit:g} s was reached"
