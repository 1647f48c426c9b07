"""Backend ``sat``: what the root fixpoint leaves open, as clauses for a SAT solver.

Three encodings say where the blocks of a line are (Tamura's order encoding, Walsh's direct one, Bacchus's
automata; see `nonocsp.engine.encodings`); the variables of the cells are the same. A solution is a model; to
see whether there is another, its grid is forbidden by one clause and the solver goes on with all it has
learnt. Complete, and robust where search without learning is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from annotated_doc import Doc
from numpy.typing import NDArray

from nonocsp.backends.base import Backend, Run
from nonocsp.backends.interruption import root_fixpoint
from nonocsp.backends.open_lines import RootOptions
from nonocsp.backends.sat_solver import WITHOUT_PHASES, SatSolver, SolverName
from nonocsp.engine import Candidates, LineSolver, Stage
from nonocsp.engine.encodings import ENCODERS
from nonocsp.model import Grid, Line, Puzzle, UsageError


@dataclass(frozen=True, slots=True)
class SatOptions(RootOptions):
    """Options of ``sat``."""

    encoding: Annotated[
        Literal["order", "direct", "automaton"],
        Doc("extra variables: start ≤ position, start = position, or the automaton's state"),
    ] = "order"
    solver: Annotated[SolverName, Doc("which of python-sat's solvers (lingeling stops only when killed)")] = (
        "glucose4"
    )
    phase: Annotated[
        Literal["none", "likely"],
        Doc(
            "which colour of a cell is tried first: the solver's own choice, or the colour in most placements"
        ),
    ] = "none"


class Sat(Backend):
    """A CNF encoding and an incremental SAT solver."""

    Options = SatOptions
    summary = "what line solving leaves open, as clauses for a SAT solver"
    paper = "Tamura, Taga, Kitagawa & Banbara, Compiling finite linear CSP into SAT, 2009"
    requires = ("pysat",)

    def __init__(self, options: SatOptions) -> None:
        if options.phase != "none" and options.solver in WITHOUT_PHASES:
            raise UsageError(f"backend 'sat': solver={options.solver} takes no hints; leave phase=none")
        self.options = options

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        """Yield all solutions; the seed renumbers the variables (0: leaves them as they are)."""
        line_solver = LineSolver(puzzle)
        root = root_fixpoint(line_solver, run, is_wanted=self.options.root)
        if root.contradiction is not None:
            return
        run.stop.report(Stage.ENCODING, Grid(root.candidates).unknown_cells)
        encoding = ENCODERS[self.options.encoding](line_solver, root.candidates)
        run.stats["cell_variables"] = len(encoding.cells)
        run.stats["variables"] = encoding.cnf.variables
        run.stats["clauses"] = encoding.cnf.clauses
        if encoding.cnf.variables == 0:
            yield encoding.decode(())
            return
        if run.request.seed:
            encoding = encoding.shuffled(run.request.seed)
        with closing(SatSolver(self.options.solver, encoding.cnf, run)) as solver:
            if self.options.phase == "likely":
                solver.set_phases(encoding.literals_of(likely_colours(line_solver, root.candidates)))
            run.stop.report(Stage.SEARCHING)
            while True:
                try:
                    if not solver.solve(run):
                        return
                finally:
                    run.stats.update(solver.statistics(), solver_s=solver.seconds)
                model = solver.model()
                yield encoding.decode(model)
                solver.add(encoding.blocking_clause(model))


def likely_colours(solver: LineSolver, candidates: Candidates) -> NDArray[np.uint8]:
    """Return the likeliest colour of each cell, as a hint which value of a variable to try first.

    A block counts as equally likely at each of the starts that the root fixpoint leaves it. The share of them
    that covers a cell is the block's claim on it; what no block claims is background. Row and column must
    agree, so their claims multiply. An estimate: true shares would count placements, not starts.
    """
    rows, columns = candidates.shape
    by_rows = np.stack([claims(solver, Line("row", i), candidates) for i in range(rows)])
    by_columns = np.stack([claims(solver, Line("column", i), candidates) for i in range(columns)], axis=1)
    colours = np.arange(by_rows.shape[-1], dtype=np.uint64)
    possible = candidates[..., np.newaxis] >> colours & np.uint64(1) > 0
    likelihood = np.where(possible, by_rows * by_columns, -1.0)
    likely: NDArray[np.uint8] = likelihood.argmax(axis=-1).astype(np.uint8)
    return likely


def claims(solver: LineSolver, line: Line, candidates: Candidates) -> NDArray[np.float64]:
    """Return the share of a line's starts at which each colour covers each cell, shape (cells, colours)."""
    starts = solver.starts(line, candidates)
    assert starts is not None, "no line contradicts the fixpoint"
    rows, columns = candidates.shape
    length = columns if line.axis == "row" else rows
    steps = np.zeros((length + 1, len(solver.puzzle.palette)))  # of the claims, from cell to cell
    for block, where in zip(solver.puzzle.line_clue(line), starts, strict=True):
        np.add.at(steps[:, block.colour], where, 1 / len(where))
        np.subtract.at(steps[:, block.colour], where + block.length, 1 / len(where))
    claimed: NDArray[np.float64] = np.minimum(steps.cumsum(axis=0)[:length], 1.0)
    claimed[:, 0] = np.maximum(1.0 - claimed.sum(axis=1), 0.0)
    return claimed
