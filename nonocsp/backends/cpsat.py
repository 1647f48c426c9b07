"""Backend ``cpsat``: a constraint a line, solved by OR-tools' CP-SAT.

How a line has its clue is a choice of three models (`nonocsp.backends.cpsat_models`). Lines that the root
fixpoint decides are left out, decided cells are constants. With one worker all solutions are enumerated in
one search, which takes a third to a half of the time of solving again with the first grid forbidden; CP-SAT
cannot enumerate with several workers, so they do the latter. Complete.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from queue import Empty, Queue
from typing import TYPE_CHECKING, Annotated

from annotated_doc import Doc
from annotated_types import Ge

from nonocsp.backends.base import Run
from nonocsp.backends.cpsat_models import Formulation, ModelName, formulate
from nonocsp.backends.interruption import POLL, interruptible
from nonocsp.backends.open_lines import OpenLinesBackend, RootOptions
from nonocsp.engine import Candidates, LineSolver, Stage
from nonocsp.model import BackendError, Grid, UsageError

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpSolver


@dataclass(frozen=True, slots=True)
class CpSatOptions(RootOptions):
    """Options of ``cpsat``."""

    model: Annotated[
        ModelName,
        Doc("constraint of a line: an automaton, a table of its placements, or the starts of its blocks"),
    ] = "automaton"
    workers: Annotated[
        int, Ge(1), Doc("threads of a search; if several, each solution takes a new search")
    ] = 1
    parameters: Annotated[
        str, Doc("parameters of CP-SAT in its text format, such as linearization_level:0 symmetry_level:0")
    ] = ""


OURS = {
    "num_workers": "workers=N",
    "num_search_workers": "workers=N",
    "random_seed": "the seed of the request",
    "catch_sigint_signal": "the backend",
    "enumerate_all_solutions": "the task",
}
"""Parameters that are not passed through, and what sets them."""


class CpSat(OpenLinesBackend):
    """A constraint a line, in CP-SAT."""

    Options = CpSatOptions
    summary = "each line becomes an automaton, a table or start variables, for OR-tools' CP-SAT"
    paper = "Pesant, A regular language membership constraint for finite sequences of variables, 2004"
    requires = ("ortools",)

    def __init__(self, options: CpSatOptions) -> None:
        for word in options.parameters.split():
            from ortools.sat.python.cp_model_helper import SatParameters

            name = word.partition(":")[0]
            if name in OURS:
                raise UsageError(f"backend 'cpsat': parameter {name} is set by {OURS[name]}")
            if not hasattr(SatParameters, f"clear_{name}"):
                raise UsageError(f"backend 'cpsat': CP-SAT has no parameter {name!r}")
            if not SatParameters().parse_text_format(word):
                expected = f"{name}:VALUE, without a space"
                raise UsageError(f"backend 'cpsat': {word!r} does not fit; expected {expected}")
        self.options = options

    def search_open(self, line_solver: LineSolver, candidates: Candidates, run: Run) -> Iterator[Grid]:
        """Yield all solutions; the seed is CP-SAT's random seed."""
        run.stop.report(Stage.ENCODING)
        formulation = formulate(self.options.model, line_solver, candidates, run)
        run.stats["variables"] = len(formulation.variables)
        run.stop.report(Stage.SEARCHING)
        if self.options.workers == 1:
            yield from map(formulation.grid, _enumerated(formulation, self.options, run))
            return
        while True:  # solve, forbid what was found, and solve again
            solver = _solver(self.options, run)
            interruptible(run, partial(solver.solve, formulation.model), solver.stop_search)
            if not _has_solution(solver, run):
                return
            values = [solver.value(variable) for variable in formulation.variables]
            yield formulation.grid(values)
            formulation.model.add_forbidden_assignments(formulation.variables, [values])


def _enumerated(formulation: Formulation, options: CpSatOptions, run: Run) -> Iterator[list[int]]:
    """Yield the solutions of one search, which waits in a thread of its own until the next one is wanted."""
    from concurrent.futures import ThreadPoolExecutor

    from ortools.sat.python.cp_model import CpSolverSolutionCallback

    found: Queue[list[int] | None] = Queue(maxsize=1)
    solver = _solver(options, run)
    solver.parameters.enumerate_all_solutions = True

    class HandOver(CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            found.put([self.value(variable) for variable in formulation.variables])

    def search() -> None:
        try:
            solver.solve(formulation.model, HandOver())
        finally:
            found.put(None)

    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(search)
        try:
            while True:
                run.check()
                try:
                    values = found.get(timeout=POLL)
                except Empty:
                    continue
                if values is None:
                    break
                yield values
        finally:
            while not future.done():
                solver.stop_search()
                with suppress(Empty):
                    found.get(timeout=POLL)
    future.result()
    _has_solution(solver, run)


def _solver(options: CpSatOptions, run: Run) -> CpSolver:
    from ortools.sat.python.cp_model import CpSolver

    solver = CpSolver()
    solver.parameters.parse_text_format(options.parameters)
    solver.parameters.num_workers = options.workers
    solver.parameters.random_seed = run.request.seed
    solver.parameters.catch_sigint_signal = False
    return solver


def _has_solution(solver: CpSolver, run: Run) -> bool:
    """Return whether a finished search found a solution, and add its counts to the statistics.

    Without an objective, a search that ended by itself is optimal or infeasible; a parameter may end it
    earlier.
    """
    from ortools.sat.python.cp_model import INFEASIBLE, OPTIMAL

    status: int = solver.response_proto.status
    if status not in (INFEASIBLE, OPTIMAL):
        raise BackendError(f"CP-SAT ended before its search did, with status {solver.status_name(status)}")
    for name, count in (("conflicts", solver.num_conflicts), ("branches", solver.num_branches)):
        run.stats[name] = int(run.stats.get(name, 0)) + count
    return status == int(OPTIMAL)
