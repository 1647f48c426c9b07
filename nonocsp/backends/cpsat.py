"""Backend ``cpsat``: one automaton a line, solved by OR-tools' CP-SAT.

A clue is a regular expression over the colours, so a line is one `AddAutomaton` constraint over its cells
(Pesant 2004; for nonograms Lagerkvist's and Kjellerstrand's models). Lines that the root fixpoint decides are
left out, decided cells are constants. With one worker all solutions are enumerated in one search, which takes
a third to a half of the time of solving again with the first grid forbidden; CP-SAT cannot enumerate with
several workers, so they do the latter. Complete.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from queue import Empty, Queue
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import numpy as np
from annotated_doc import Doc
from annotated_types import Ge
from numpy.typing import NDArray

from nonocsp.backends.base import Capabilities, Run
from nonocsp.backends.interruption import POLL, interruptible, root_fixpoint
from nonocsp.engine import LineSolver
from nonocsp.model import BackendError, Clue, Grid, Puzzle

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar


@dataclass(frozen=True, slots=True)
class CpSatOptions:
    """Options of ``cpsat``."""

    workers: Annotated[int, Ge(1), Doc("threads of a search; several find the second solution anew")] = 1


class CpSat:
    """One automaton a line, in CP-SAT."""

    Options = CpSatOptions
    summary = "one automaton a line, for OR-tools' CP-SAT"
    paper = "Pesant, A regular language membership constraint for finite sequences of variables, 2004"
    capabilities = Capabilities()
    requires = ("ortools",)

    def __init__(self, options: CpSatOptions) -> None:
        self.options = options

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        """Yield all solutions; the seed is CP-SAT's random seed."""
        root = root_fixpoint(LineSolver(puzzle), run)
        if root.contradiction is not None:
            return
        if Grid(root.candidates).is_full:
            yield Grid(root.candidates)
            return
        formulation = _formulate(puzzle, root.candidates, run)
        run.stats["variables"] = len(formulation.variables)
        one = self.options.workers == 1
        solutions = _enumerated(formulation, run) if one else self._solved_again(formulation, run)
        for values in solutions:
            yield formulation.grid(values)

    def _solved_again(self, formulation: Formulation, run: Run) -> Iterator[list[int]]:
        """Solve, forbid what was found, and solve again."""
        while True:
            solver = _solver(run, num_workers=self.options.workers)
            interruptible(run, partial(solver.solve, formulation.model), solver.stop_search)
            if not _has_solution(solver, run):
                return
            values = [solver.value(variable) for variable in formulation.variables]
            yield values
            formulation.model.add_forbidden_assignments(formulation.variables, [values])


class Formulation(NamedTuple):
    """A model, the variables of the open cells (row-major), and the candidates they come from."""

    model: CpModel
    variables: list[IntVar]
    candidates: NDArray[np.uint64]

    def grid(self, values: Sequence[int]) -> Grid:
        """Return the full grid in which the open cells have these colours."""
        cells = self.candidates.copy()
        cells[np.bitwise_count(cells) > 1] = np.uint64(1) << np.array(values, np.uint64)
        return Grid(cells)


def _formulate(puzzle: Puzzle, candidates: NDArray[np.uint64], run: Run) -> Formulation:
    from ortools.sat.python.cp_model import CpModel, Domain

    model = CpModel()
    cells = np.empty(puzzle.shape, object)
    variables: list[IntVar] = []
    for place, candidate_set in np.ndenumerate(candidates):
        colours = [colour for colour in range(len(puzzle.palette)) if int(candidate_set) >> colour & 1]
        if len(colours) == 1:
            cells[place] = colours[0]
        else:
            variables.append(model.new_int_var_from_domain(Domain.from_values(colours), ""))
            cells[place] = variables[-1]
    is_open = np.bitwise_count(candidates) > 1
    for clues, lines, wanted in (
        (puzzle.rows, cells, is_open.any(axis=1)),
        (puzzle.columns, cells.T, is_open.any(axis=0)),
    ):
        for i in np.flatnonzero(wanted):
            run.check()
            model.add_automaton(list(lines[i]), *automaton(clues[i]))
    return Formulation(model, variables, candidates)


def automaton(clue: Clue) -> tuple[int, list[int], list[tuple[int, int, int]]]:
    """Return the deterministic automaton of the lines with a clue: start, finals, (from, colour, to).

    State 0 is before the first block. A block takes a state for each of its cells, and one for the gap after
    it; from its last state the next block starts at once if its colour differs.
    """
    transitions, gap = [(0, 0, 0)], 0
    for before, block in zip((None, *clue), clue, strict=False):
        first, touching = gap + 1, before is not None and before.colour != block.colour
        transitions += [(entry, block.colour, first) for entry in ([gap - 1, gap] if touching else [gap])]
        gap = first + block.length
        transitions += [(state, block.colour, state + 1) for state in range(first, gap - 1)]
        transitions += [(gap - 1, 0, gap), (gap, 0, gap)]
    return 0, [gap - 1, gap] if clue else [0], transitions


def _enumerated(formulation: Formulation, run: Run) -> Iterator[list[int]]:
    """Yield the solutions of one search, which waits in a thread of its own until the next one is wanted."""
    from concurrent.futures import ThreadPoolExecutor

    found: Queue[list[int] | None] = Queue(maxsize=1)
    solver = _solver(run, num_workers=1, enumerate_all_solutions=True)

    def search() -> None:
        try:
            solver.solve(formulation.model, _hand_over(formulation.variables, found))
        finally:
            found.put(None)

    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(search)
        try:
            while (values := _next(found, run)) is not None:
                yield values
        finally:
            while not future.done():
                solver.stop_search()
                with suppress(Empty):
                    found.get(timeout=POLL)
    future.result()
    _has_solution(solver, run)


def _hand_over(variables: list[IntVar], found: Queue[list[int] | None]) -> Any:
    """Return a solution callback that puts the values of `variables` into `found`."""
    from ortools.sat.python.cp_model import CpSolverSolutionCallback

    class HandOver(CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            found.put([self.value(variable) for variable in variables])

    return HandOver()


def _next(found: Queue[list[int] | None], run: Run) -> list[int] | None:
    """Wait for the next solution, or None after the last; raise `Interrupted` when `run` says stop."""
    while True:
        run.check()
        try:
            return found.get(timeout=POLL)
        except Empty:
            continue


def _solver(run: Run, **parameters: Any) -> CpSolver:
    from ortools.sat.python.cp_model import CpSolver

    solver = CpSolver()
    for name, value in parameters.items():
        setattr(solver.parameters, name, value)
    solver.parameters.random_seed = run.request.seed
    solver.parameters.catch_sigint_signal = False
    return solver


def _has_solution(solver: CpSolver, run: Run) -> bool:
    """Return whether a finished search found a solution, and add its counts to the statistics."""
    from ortools.sat.python.cp_model import FEASIBLE, INFEASIBLE, OPTIMAL

    status: int = solver.response_proto.status
    if status not in (FEASIBLE, INFEASIBLE, OPTIMAL):
        raise BackendError(f"CP-SAT ended with status {solver.status_name()}")
    for name, count in (("conflicts", solver.num_conflicts), ("branches", solver.num_branches)):
        run.stats[name] = int(run.stats.get(name, 0)) + count
    return status != int(INFEASIBLE)
