"""Backend ``milp``: a mixed-integer program with a variable for each start of a block, solved by HiGHS.

As in Khan's program, cells have no variables: in each cell, as many blocks of a colour that start in the row
cover it as blocks that start in the column, and the next block of a line starts after the one before. Only
what the root fixpoint leaves open is in it. A cut forbids the row starts of a solution, which fix its grid,
and HiGHS solves again. Nothing stops HiGHS within seconds, so it has a process of its own. Complete.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated

import numpy as np
from annotated_doc import Doc
from numpy.typing import NDArray

from nonocsp.backends.base import Run
from nonocsp.backends.forked import forked
from nonocsp.backends.open_lines import OpenLine, OpenLinesBackend, RootOptions, colours_in, open_lines
from nonocsp.backends.solvers import EXTRA
from nonocsp.engine import Candidates, LineSolver
from nonocsp.model import BackendError, Grid, UsageError

if TYPE_CHECKING:
    from highspy import Highs


@dataclass(frozen=True, slots=True)
class MilpOptions(RootOptions):
    """Options of ``milp``."""

    parameters: Annotated[str, Doc("options of HiGHS, such as presolve:off mip_heuristic_effort:0.2")] = ""


OURS = {
    "threads": "the backend, to 1",
    "parallel": "the backend, to off",
    "random_seed": "the seed of the request",
    "time_limit": "the limits of the request",
}
"""Options of HiGHS that are not passed through, and what sets them."""


class Milp(OpenLinesBackend):
    """Start variables of blocks, in HiGHS."""

    Options = MilpOptions
    summary = "a mixed-integer program with a variable for each start of a block, for HiGHS"
    paper = "Khan, Solving nonograms using integer programming without coloring, 2022"
    requires = ("highspy",)
    extra = EXTRA

    def __init__(self, options: MilpOptions) -> None:
        if options.parameters:
            from highspy import Highs

            highs = Highs()
            highs.silent()
            for name, value in parsed(options.parameters):
                if name in OURS:
                    raise UsageError(f"backend 'milp': option {name} of HiGHS is set by {OURS[name]}")
                set_option(highs, name, value)
        self.options = options

    def search_open(self, line_solver: LineSolver, candidates: Candidates, run: Run) -> Iterator[Grid]:
        """Yield all solutions; the seed is HiGHS's random seed."""
        import highspy  # noqa: F401  (before the fork)

        program = _Program(candidates)
        for line in open_lines(line_solver, candidates, run):
            program.post(line)
        program.link()
        run.stats["variables"], run.stats["constraints"] = program.variables, len(program.rows)
        yield from forked(run, lambda: self._solutions(program, run))

    def _solutions(self, program: _Program, run: Run) -> Iterator[Grid]:
        """Solve, forbid what was found, and solve again."""
        from highspy import HighsModelStatus

        highs = program.load()
        highs.setOptionValue("threads", 1)
        highs.setOptionValue("parallel", "off")
        highs.setOptionValue("random_seed", run.request.seed % 2**31)
        for name, value in parsed(self.options.parameters):
            set_option(highs, name, value)
        while True:
            highs.run()
            run.stats["solves"] = int(run.stats.get("solves", 0)) + 1
            run.stats["nodes"] = int(run.stats.get("nodes", 0)) + max(0, int(highs.getInfo().mip_node_count))
            status = highs.getModelStatus()
            if status == HighsModelStatus.kInfeasible:
                return
            if status != HighsModelStatus.kOptimal:
                said = highs.modelStatusToString(status)
                raise BackendError(f"HiGHS ended before its search did, with status {said}")
            values = np.array(highs.getSolution().col_value)
            yield program.grid(values)
            chosen = np.array([each for each in program.row_starts if values[each] > 0.5], np.int32)
            highs.addRow(-np.inf, len(chosen) - 1, len(chosen), chosen, np.ones(len(chosen)))


@dataclass(frozen=True, slots=True)
class _Start:
    """What a variable says: a block of this colour covers these cells."""

    cells: Sequence[int]
    colour: int


@dataclass(slots=True)
class _Program:
    candidates: Candidates
    variables: int = 0
    rows: list[tuple[float, float, dict[int, float]]] = field(default_factory=list)
    """Of each constraint its lower bound, its upper bound, and its coefficients by variable."""
    row_starts: dict[int, _Start] = field(default_factory=dict)
    """The variables of rows, with what they say."""
    covers: dict[int, dict[str, dict[int, list[int]]]] = field(default_factory=dict)
    """Of the cells of open lines, the variables of an axis that give them a colour."""

    def post(self, line: OpenLine) -> None:
        """Add the variables of a line: each block starts once, and after the one before."""
        blocks = []
        for cell in line.cells:
            self.covers.setdefault(cell, {})[line.line.axis] = {}
        for block, starts in zip(line.clue, line.starts, strict=True):
            variables = {start: self.variables + i for i, start in enumerate(starts.tolist())}
            self.variables += len(variables)
            self.rows.append((1, 1, dict.fromkeys(variables.values(), 1)))
            blocks.append((block, variables))
            for start, variable in variables.items():
                covered = line.cells[start : start + block.length]
                if line.line.axis == "row":
                    self.row_starts[variable] = _Start(covered, block.colour)
                for cell in covered:
                    self.covers[cell][line.line.axis].setdefault(block.colour, []).append(variable)
        for (block, variables), (next_block, next_variables) in pairwise(blocks):
            step = block.length + int(block.colour == next_block.colour)
            for latest in next_variables:  # if the next block starts by then, this one does early enough
                coefficients = {v: 1.0 for start, v in variables.items() if start + step <= latest}
                coefficients |= {v: -1.0 for start, v in next_variables.items() if start <= latest}
                self.rows.append((0, np.inf, coefficients))

    def link(self) -> None:
        """Let row and column agree on every cell; a cell of one open line is decided."""
        for cell, axes in self.covers.items():
            colours = colours_in(int(self.candidates.flat[cell]))
            for colour in sorted({colour for axis in axes.values() for colour in axis}):
                if len(colours) > 1:
                    coefficients = dict.fromkeys(axes["row"].get(colour, ()), 1.0)
                    coefficients |= dict.fromkeys(axes["column"].get(colour, ()), -1.0)
                    self.rows.append((0, 0, coefficients))
                    continue
                for covering in axes.values():
                    has_it = float(colours == [colour])
                    self.rows.append((has_it, has_it, dict.fromkeys(covering.get(colour, ()), 1.0)))

    def load(self) -> Highs:
        from highspy import Highs, HighsLp, HighsVarType, MatrixFormat

        program, count = HighsLp(), self.variables
        program.num_col_, program.num_row_ = count, len(self.rows)
        program.integrality_ = [HighsVarType.kInteger] * count
        program.col_cost_ = program.col_lower_ = np.zeros(count)
        program.col_upper_ = np.ones(count)
        program.row_lower_ = np.array([lower for lower, _, _ in self.rows], float)
        program.row_upper_ = np.array([upper for _, upper, _ in self.rows], float)
        matrix = program.a_matrix_
        matrix.format_ = MatrixFormat.kRowwise
        matrix.start_ = np.cumsum([0, *(len(terms) for _, _, terms in self.rows)]).astype(np.int32)
        matrix.index_ = np.array([variable for _, _, terms in self.rows for variable in terms], np.int32)
        matrix.value_ = np.array([value for _, _, terms in self.rows for value in terms.values()], float)
        highs = Highs()
        highs.silent()
        highs.passModel(program)
        return highs

    def grid(self, values: NDArray[np.float64]) -> Grid:
        """Return the grid of a solution: what its row starts cover has their colour."""
        cells = self.candidates.copy()
        for variable, start in self.row_starts.items():
            if values[variable] > 0.5:
                cells.flat[start.cells] = np.uint64(1) << np.uint64(start.colour)
        lowest: Candidates = cells & (~cells + np.uint64(1))
        return Grid(lowest)


def parsed(parameters: str) -> list[tuple[str, str]]:
    """Return names and values of a text such as ``presolve:off mip_heuristic_effort:0.2``."""
    return [(name, value) for name, _, value in (word.partition(":") for word in parameters.split())]


def set_option(highs: Highs, name: str, value: str) -> None:
    """Set an option of HiGHS from text; UsageError if there is none, or the value does not fit."""
    from highspy import HighsOptionType, HighsStatus

    status, kind = highs.getOptionType(name)
    if status != HighsStatus.kOk:
        raise UsageError(f"backend 'milp': HiGHS has no option {name!r}")
    try:
        if kind == HighsOptionType.kBool:
            fitting: bool | float | str = {"true": True, "false": False}[value]
        elif kind == HighsOptionType.kInt:
            fitting = int(value)
        else:
            fitting = float(value) if kind == HighsOptionType.kDouble else value
        fits = highs.setOptionValue(name, fitting) == HighsStatus.kOk
    except (ValueError, KeyError):
        fits = False
    if not fits:
        raise UsageError(f"backend 'milp': {name}:{value} does not fit; see HiGHS's list of options")
