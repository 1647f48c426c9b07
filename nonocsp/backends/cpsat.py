"""Backend ``cpsat``: a constraint a line, solved by OR-tools' CP-SAT.

How a line has its clue is a choice of three models of the constraint literature: an automaton, a table, or
where blocks start. Each is over what the root fixpoint leaves open; decided cells are constants. Variables
that a model adds are functions of the cells, so an enumerating search meets no grid twice. With one worker
all solutions are enumerated in one search, which takes a third to a half of the time of solving again with
the first grid forbidden; CP-SAT cannot enumerate with several workers, so they do the latter. Complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from queue import Empty, Queue
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import numpy as np
from annotated_doc import Doc

from nonocsp.backends.base import Bounds, Run
from nonocsp.backends.interruption import POLL, interruptible
from nonocsp.backends.open_lines import (
    OpenLine,
    OpenLinesBackend,
    RootOptions,
    automaton,
    colours_in,
    full_grid,
    open_lines,
    table,
)
from nonocsp.engine import Candidates, LineSolver, Stage
from nonocsp.model import BackendError, Grid, UsageError

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver, IntVar, LiteralT

ModelName = Literal["automaton", "table", "intervals"]


class Formulation(NamedTuple):
    """A model, the variables of the open cells (row-major), and the candidates they come from."""

    model: CpModel
    variables: list[IntVar]
    candidates: Candidates

    def grid(self, values: Sequence[int]) -> Grid:
        """Return the full grid in which the open cells have these colours."""
        return full_grid(self.candidates, values)


def formulate(name: ModelName, solver: LineSolver, candidates: Candidates, run: Run) -> Formulation:
    """Return the model of what the root fixpoint leaves open; a table may be `Unsupported`."""
    grid = Cells(candidates)
    for line in open_lines(solver, candidates, run):
        POST[name](grid, line)
    return Formulation(grid.model, grid.variables, candidates)


class Cells:
    """The cells of a grid in a new model: their values and the variables among these, row-major."""

    def __init__(self, candidates: Candidates) -> None:
        from ortools.sat.python.cp_model import CpModel, Domain

        self.model = CpModel()
        self.values: list[IntVar | int] = []
        self.variables: list[IntVar] = []
        self._literals: dict[tuple[int, int], LiteralT] = {}
        for colours in map(colours_in, candidates.ravel().tolist()):
            if len(colours) == 1:
                self.values.append(colours[0])
            else:
                self.variables.append(self.model.new_int_var_from_domain(Domain.from_values(colours), ""))
                self.values.append(self.variables[-1])

    def has_colour(self, cell: int, colour: int) -> LiteralT:
        """Return the literal that says whether the cell of an index has a colour; row and column share it."""
        value = self.values[cell]
        if isinstance(value, int):
            return value == colour
        if value.is_boolean:
            return value if colour else ~value
        if (cell, colour) not in self._literals:
            literal = self._literals[cell, colour] = self.model.new_bool_var("")
            self.model.add(value == colour).only_enforce_if(literal)
            self.model.add(value != colour).only_enforce_if(~literal)
        return self._literals[cell, colour]


def post_automaton(cells: Cells, line: OpenLine) -> None:
    """Let the line be a word of its clue's automaton (Pesant 2004; for nonograms Lagerkvist)."""
    cells.model.add_automaton([cells.values[cell] for cell in line.cells], *automaton(line.clue))


def post_table(cells: Cells, line: OpenLine) -> None:
    """Let the open cells be those of one of the line's placements, all of which are listed."""
    is_open = np.bitwise_count(line.candidates) > 1
    variables = [cells.values[line.cells[position]] for position in np.flatnonzero(is_open).tolist()]
    cells.model.add_allowed_assignments(variables, table(line).tolist())


def post_intervals(cells: Cells, line: OpenLine) -> None:
    """Let the blocks start in order, and the cells have the colours of the blocks that cover them.

    One variable a block, as in Kjellerstrand's models and Tamura's Copris; a literal says that a block covers
    a cell. CP-SAT's own intervals, kept apart by NoOverlap from a unit for each background cell, take far
    longer.
    """
    from ortools.sat.python.cp_model import Domain

    starts = [
        cells.model.new_int_var_from_domain(Domain.from_values(values.tolist()), "") for values in line.starts
    ]
    for (start, block), (following, next_block) in pairwise(zip(starts, line.clue, strict=True)):
        cells.model.add(following >= start + block.length + int(block.colour == next_block.colour))
    for position, cell in enumerate(line.cells):
        for colour in filter(None, colours_in(int(line.candidates[position]))):
            covers = list(_post_covers(cells.model, line, starts, position, colour))
            has_colour = cells.has_colour(cell, colour)
            cells.model.add_bool_or(covers).only_enforce_if(has_colour)
            for cover in covers:
                cells.model.add_implication(cover, has_colour)


def _post_covers(
    model: CpModel, line: OpenLine, starts: list[IntVar], position: int, colour: int
) -> Iterator[LiteralT]:
    """Yield a literal for each block of the colour that may cover a cell: whether it does."""
    from ortools.sat.python.cp_model import Domain

    for start, values, block in zip(starts, line.starts, line.clue, strict=True):
        covering = (position - block.length < values) & (values <= position)
        if block.colour != colour or not covering.any():
            continue
        cover = model.new_bool_var("")
        for literal, which in ((cover, covering), (~cover, ~covering)):
            domain = Domain.from_values(values[which].tolist())
            model.add_linear_expression_in_domain(start, domain).only_enforce_if(literal)
        yield cover


POST: dict[ModelName, Callable[[Cells, OpenLine], None]] = {
    "automaton": post_automaton,
    "table": post_table,
    "intervals": post_intervals,
}


@dataclass(frozen=True, slots=True)
class CpSatOptions(RootOptions):
    """Options of ``cpsat``."""

    model: Annotated[
        ModelName,
        Doc("constraint of a line: an automaton, a table of its placements, or the starts of its blocks"),
    ] = "automaton"
    workers: Annotated[
        int, Bounds(1), Doc("threads of a search; if several, each solution takes a new search")
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
    """Return whether a finished search found a solution, and add its counts to the statistics."""
    from ortools.sat.python.cp_model import INFEASIBLE, OPTIMAL

    status: int = solver.response_proto.status
    if status not in (INFEASIBLE, OPTIMAL):
        raise BackendError(f"CP-SAT ended before its search did, with status {solver.status_name(status)}")
    for name, count in (("conflicts", solver.num_conflicts), ("branches", solver.num_branches)):
        run.stats[name] = int(run.stats.get(name, 0)) + count
    return status == int(OPTIMAL)
