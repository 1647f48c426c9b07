"""Describe what the root fixpoint leaves open, for solvers that take a constraint a line.

An `OpenLinesBackend` asks its solver only about what line solving leaves open. A line with an open cell is an
`OpenLine`. How a solver says that the line has its clue is up to the solver: an `automaton`, a `table` of
placements, or the starts of its blocks.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_doc import Doc
from numpy.typing import NDArray

from nonocsp.backends.base import Backend, Run, Unsupported
from nonocsp.backends.interruption import root_fixpoint
from nonocsp.engine import COUNTLESS, Candidates, LineSolver, Stage, placement_count, placements
from nonocsp.model import Clue, Grid, Line, Puzzle


@dataclass(frozen=True, slots=True, kw_only=True)
class RootOptions:
    """The option of backends that may leave line solving to their solver."""

    root: Annotated[
        bool, Doc("start from what line solving leaves open; no: give the solver the empty grid")
    ] = True


TABLE_CAP = 100_000
"""The most placements of a line that are listed; a few such lines keep a solver busy for half a minute."""


@dataclass(frozen=True, slots=True)
class OpenLine:
    """A line with an open cell."""

    line: Line
    clue: Clue
    cells: Sequence[int]  # the numbers of its cells in the grid, row-major
    candidates: Candidates  # their candidate sets at the root fixpoint
    starts: Sequence[NDArray[np.int32]]  # for every block its sorted starts in placements that fit


class OpenLinesBackend(Backend):
    """A backend that asks another solver about what the root fixpoint leaves open, unless ``root=no``."""

    def search(self, puzzle: Puzzle, run: Run) -> Iterator[Grid]:
        """Yield all solutions: the root fixpoint if it is a full grid, else those of `search_open`."""
        solver = LineSolver(puzzle)
        root = root_fixpoint(solver, run, is_wanted=self.options.root)
        if root.contradiction is not None:
            return
        if (grid := Grid(root.candidates)).is_full:
            yield grid
        else:
            run.stop.report(Stage.SEARCHING, grid.unknown_cells)
            yield from self.search_open(solver, root.candidates, run)

    @abstractmethod
    def search_open(self, line_solver: LineSolver, candidates: Candidates, run: Run) -> Iterator[Grid]:
        """Yield the solutions within the root fixpoint, which has an open cell and no contradiction."""


def open_lines(solver: LineSolver, candidates: Candidates, run: Run) -> Iterator[OpenLine]:
    """Yield the lines with an open cell, rows before columns; `run` is asked before each."""
    numbers = np.arange(candidates.size).reshape(candidates.shape)
    is_open = np.bitwise_count(candidates) > 1
    rows = [(Line("row", i), numbers[i]) for i in np.flatnonzero(is_open.any(axis=1)).tolist()]
    columns = [(Line("column", i), numbers[:, i]) for i in np.flatnonzero(is_open.any(axis=0)).tolist()]
    for line, cells in rows + columns:
        run.check()
        starts = solver.starts(line, candidates)
        assert starts is not None, "no line contradicts the fixpoint"
        yield OpenLine(line, solver.puzzle.line_clue(line), cells.tolist(), candidates.flat[cells], starts)


def full_grid(candidates: Candidates, values: Sequence[int]) -> Grid:
    """Return the full grid in which the open cells, row by row, have these colours."""
    cells = candidates.copy()
    cells[np.bitwise_count(cells) > 1] = np.uint64(1) << np.array(values, np.uint64)
    return Grid(cells)


def colours_in(candidate_set: int) -> list[int]:
    """Return the colours of a candidate set, ascending."""
    return [colour for colour in range(candidate_set.bit_length()) if candidate_set >> colour & 1]


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


def diagram(line: OpenLine) -> list[tuple[int, int, int]]:
    """Return the decision diagram of a line over its open cells: arcs (node, colour, node) from root 0.

    It is the automaton of the clue, unrolled (Pesant 2004). Nodes of layer i are its states before the i-th
    open cell from which the rest of the line can be completed; decided cells are passed over. The paths from
    the root to the only node of the last layer are the placements that fit.
    """
    start, finals, transitions = automaton(line.clue)
    steps: dict[int, dict[int, int]] = {}
    for state, colour, following in transitions:
        steps.setdefault(state, {})[colour] = following
    candidates = [colours_in(int(candidate)) for candidate in line.candidates]
    completable = [set(finals)]  # the states before each position, from the end
    for colours in reversed(candidates):
        after = completable[-1]
        completable.append(
            {state for state, step in steps.items() if any(step.get(c) in after for c in colours)}
        )
    completable.reverse()

    def next_open(position: int, state: int) -> tuple[int, int]:
        while position < len(candidates) and len(candidates[position]) == 1:
            state = steps[state][candidates[position][0]]
            position += 1
        return position, state if position < len(candidates) else -1

    root = next_open(0, start)
    numbers, pending, arcs = {root: 0}, [root], []
    while pending:
        position, state = place = pending.pop()
        for colour in candidates[position]:
            to = steps[state].get(colour)
            if to is None or to not in completable[position + 1]:
                continue
            reached = next_open(position + 1, to)
            if reached not in numbers:
                numbers[reached] = len(numbers)
                if reached[0] < len(candidates):
                    pending.append(reached)
            arcs.append((numbers[place], colour, numbers[reached]))
    return arcs


def table(line: OpenLine) -> NDArray[np.uint8]:
    """Return a line's placements, shape (placements, open cells); `Unsupported` above `TABLE_CAP`."""
    if (count := placement_count(line.clue, line.candidates)) > TABLE_CAP:
        number = "more than 1.8e19" if count == COUNTLESS else f"{count:,}"
        raise Unsupported(f"{line.line} has {number} placements; model=table lists {TABLE_CAP:,} at most")
    starts = np.stack(list(placements(line.clue, line.candidates)))
    coloured = np.zeros((count, len(line.cells)), np.uint8)  # every placement as the colours of the cells
    for block, start in zip(line.clue, starts.T, strict=True):
        np.put_along_axis(coloured, start[:, np.newaxis] + np.arange(block.length), block.colour, axis=1)
    return coloured[:, np.bitwise_count(line.candidates) > 1]
