"""Say to CP-SAT that a line has its clue: by an automaton, by a table, or by where its blocks start.

Three models of the constraint literature, each over what the root fixpoint leaves open; decided cells are
constants. Variables that a model adds are functions of the cells, so an enumerating search meets no grid
twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from nonocsp.backends.base import Run
from nonocsp.backends.open_lines import OpenLine, automaton, colours_in, full_grid, open_lines, table
from nonocsp.engine import Candidates, LineSolver
from nonocsp.model import Grid

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar, LiteralT

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
