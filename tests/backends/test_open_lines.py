"""The diagrams and tables of lines that the root fixpoint leaves open."""

import numpy as np
import pytest

from nonocsp.backends.base import Request, Run, Unsupported
from nonocsp.backends.open_lines import OpenLine, diagram, open_lines, table
from nonocsp.engine import LineSolver, StopFlag
from nonocsp.model import Grid, Puzzle
from nonocsp.testing import placements


def words(arcs: list[tuple[int, int, int]]) -> set[tuple[int, ...]]:
    """Return the labels of all paths of a diagram from node 0 to the node without arcs."""
    leaving: dict[int, list[tuple[int, int]]] = {}
    for node, colour, following in arcs:
        leaving.setdefault(node, []).append((colour, following))
    (sink,) = {following for *_, following in arcs} - set(leaving)

    def from_node(node: int) -> set[tuple[int, ...]]:
        if node == sink:
            return {()}
        return {(colour, *rest) for colour, following in leaving[node] for rest in from_node(following)}

    return from_node(0)


def placements_of(line: OpenLine) -> set[tuple[int, ...]]:
    """Return the colours of the open cells in every placement that fits."""
    is_open = [candidates.bit_count() > 1 for candidates in line.candidates.tolist()]
    fits = (
        placed
        for placed in placements(line.clue, len(is_open))
        if all(int(c) >> colour & 1 for c, colour in zip(line.candidates, placed, strict=True))
    )
    return {tuple(colour for colour, o in zip(placed, is_open, strict=True) if o) for placed in fits}


def test_the_paths_of_a_diagram_and_the_rows_of_a_table_are_the_placements():
    random = np.random.default_rng(5)
    lines = 0
    for _ in range(40):
        colours = int(random.integers(1, 4))
        cells = random.integers(1, colours + 1, (6, 7)) * (random.random((6, 7)) < 0.5)
        solver = LineSolver(Puzzle.from_grid(Grid.from_cells(cells)))
        candidates = solver.propagate().candidates
        for line in open_lines(solver, candidates, Run(Request(), StopFlag())):
            lines += 1
            rows = {tuple(row) for row in table(line).tolist()}
            assert words(diagram(line)) == rows == placements_of(line)
    assert lines > 100


@pytest.mark.parametrize(
    ("blocks", "columns", "number"), [(10, 40, "44,352,165"), (100, 300, "more than 1.8e19")]
)
def test_a_table_that_would_be_too_long_names_size_and_line(blocks, columns, number):
    solver = LineSolver(Puzzle.from_clues([[1] * blocks] * columns, [[blocks]] * columns))
    first = next(open_lines(solver, solver.propagate().candidates, Run(Request(), StopFlag())))
    with pytest.raises(Unsupported, match=f"row 1 has {number} placements; model=table lists 100,000 at"):
        table(first)
