"""Backend ``cpmpy``: one model in CPMpy for several solvers.

Every open line is a constraint over its open cells: a decision diagram, an automaton, or a table of its
placements. CPMpy gives it to a solver that has such a constraint, and takes it apart for others. Several of
these solvers cannot be interrupted, and one ends the process on an error of its own; so the search has a
process of its own. Complete.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from annotated_doc import Doc

from nonocsp.backends.base import Run
from nonocsp.backends.forked import forked
from nonocsp.backends.open_lines import (
    OpenLine,
    OpenLinesBackend,
    RootOptions,
    automaton,
    colours_in,
    diagram,
    full_grid,
    open_lines,
    table,
)
from nonocsp.backends.solvers import EXTRA
from nonocsp.engine import Candidates, LineSolver
from nonocsp.model import BackendError, Grid

if TYPE_CHECKING:
    from cpmpy.expressions.core import Expression
    from cpmpy.solvers.solver_interface import SolverInterface

CpmpySolver = Literal["choco", "pumpkin", "exact", "z3"]

NEEDS: dict[CpmpySolver, tuple[str, str, str]] = {
    "choco": ("pychoco", "pychoco>=0.2.1", f"'nonocsp[{EXTRA}]'"),
    "pumpkin": ("pumpkin_solver", "pumpkin-solver>=0.3.0", f"'nonocsp[{EXTRA}]'"),
    "exact": ("exact", "exact>=2.1.0", "exact"),
    "z3": ("z3", "z3-solver>=4.8", f"'nonocsp[{EXTRA}]'"),
}
"""The module of each solver, the package that CPMpy needs for it, and what to install. Exact is not in the
extra: its licence is AGPL."""


@dataclass(frozen=True, slots=True)
class CpmpyOptions(RootOptions):
    """Options of ``cpmpy``."""

    solver: Annotated[
        CpmpySolver,
        Doc(
            "which solver: propagation, lazy clause generation, pseudo-Boolean conflicts, or modulo theories"
        ),
    ] = "choco"
    model: Annotated[
        Literal["regular", "mdd", "table"],
        Doc("constraint of a line: an automaton, a decision diagram (for exact and z3), or a table"),
    ] = "regular"


def _missing(module: str, requirement: str, package: str) -> str:
    """Return why CPMpy cannot use a solver here; empty if it can."""
    if not find_spec(module):
        return f"needs {module}: pip install {package}"
    from packaging.requirements import Requirement  # which CPMpy needs, too

    wanted = Requirement(requirement)
    try:
        found = version(wanted.name)
    except PackageNotFoundError:
        return f"module {module} is not that of {wanted.name}: pip install {package}"
    is_fine = wanted.specifier.contains(found, prereleases=True)
    return "" if is_fine else f"{wanted.name} {found} is too old: pip install '{requirement}'"


class Cpmpy(OpenLinesBackend):
    """One model in CPMpy, for several solvers."""

    Options = CpmpyOptions
    summary = "each line becomes a diagram, an automaton or a table, by CPMpy for Choco, Pumpkin, Exact or Z3"
    paper = "Guns, Increasing modeling language convenience with a universal n-dimensional array, 2019"
    requires = ("cpmpy",)
    extra = EXTRA

    def __init__(self, options: CpmpyOptions) -> None:
        if reason := self.missing_choices()[f"solver={options.solver}"]:
            raise BackendError(f"backend 'cpmpy': solver={options.solver} is not available: {reason}")
        self.options = options

    @staticmethod
    def missing_choices() -> dict[str, str]:
        """Return for each choice of a solver why it cannot be made here; an empty text if it can."""
        return {f"solver={name}": _missing(*needs) for name, needs in NEEDS.items()}

    def search_open(self, line_solver: LineSolver, candidates: Candidates, run: Run) -> Iterator[Grid]:
        """Yield all solutions; a seed other than 0 shuffles the order of the lines."""
        for module in ("cpmpy", NEEDS[self.options.solver][0]):
            import_module(module)  # before the fork
        lines = list(open_lines(line_solver, candidates, run))
        if run.request.seed:
            np.random.default_rng(run.request.seed).shuffle(lines)
        for values in forked(run, lambda: self._solutions(candidates, lines, run)):
            yield full_grid(candidates, values)

    def _solutions(self, candidates: Candidates, lines: list[OpenLine], run: Run) -> Iterator[list[int]]:
        """Yield the colours of the open cells in each solution."""
        import cpmpy

        cells = {
            cell: _variable(colours_in(int(candidates.flat[cell])))
            for cell in np.flatnonzero(np.bitwise_count(candidates.ravel()) > 1).tolist()
        }
        holes = [
            cpmpy.InDomain(variable, colours)
            for cell, variable in cells.items()
            if len(colours := colours_in(int(candidates.flat[cell]))) <= colours[-1] - colours[0]
        ]
        started = time.perf_counter()
        model = cpmpy.Model(holes, [self._constraint(line, cells) for line in lines])
        solver = cpmpy.SolverLookup.get(self.options.solver, model)  # one by one, Exact takes thrice as long
        run.stats |= {
            "variables": len(cells),
            "constraints": len(lines),
            "post_s": time.perf_counter() - started,
        }
        search = _by_choco if self.options.solver == "choco" else _by_cuts
        yield from search(solver, list(cells.values()), run)

    def _constraint(self, line: OpenLine, cells: dict[int, Expression]) -> Expression:
        """Return what says that a line has its clue."""
        import cpmpy

        variables = [cells[cell] for cell in line.cells if cell in cells]
        match self.options.model:
            case "mdd":
                return cpmpy.MDD(variables, diagram(line), start=0)
            case "table":
                return cpmpy.Table(variables, table(line).tolist())
            case "regular":
                start, finals, transitions = automaton(line.clue)
                whole = [
                    cells[cell] if cell in cells else cpmpy.intvar(*colours_in(int(candidate)) * 2)
                    for cell, candidate in zip(line.cells, line.candidates, strict=True)
                ]
                return cpmpy.Regular(whole, transitions, start, finals)


def _variable(colours: list[int]) -> Expression:
    import cpmpy

    variable: Expression = cpmpy.intvar(colours[0], colours[-1])
    return variable


def _by_choco(solver: SolverInterface, variables: list[Expression], run: Run) -> Iterator[list[int]]:
    """Let Choco go on after each solution: a constraint added there would hold only below it."""
    solver.solver_vars(variables)
    choco = solver.chc_model.get_solver()
    found = True
    while found:
        found = choco.solve()
        run.stats["fails"] = choco.get_fail_count()
        if found:
            yield [solver.solver_var(variable).get_value() for variable in variables]


def _by_cuts(solver: SolverInterface, variables: list[Expression], run: Run) -> Iterator[list[int]]:
    """Forbid each solution and solve on."""
    import cpmpy
    from cpmpy.solvers.solver_interface import ExitStatus

    run.stats["solver_s"] = 0.0
    while True:
        found = solver.solve()
        status: Any = solver.status()
        run.stats["solver_s"] = float(run.stats["solver_s"]) + status.solve_time
        if not found:
            if status.exitstatus != ExitStatus.UNSATISFIABLE:
                raise BackendError(
                    f"{solver.name} ended before its search did, with {status.exitstatus.name}"
                )
            return
        values = [int(variable.value()) for variable in variables]
        yield values
        solver += cpmpy.any([variable != value for variable, value in zip(variables, values, strict=True)])
