"""What the root fixpoint leaves open, and the automata and tables of its lines."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from nonocsp.backends.base import Interrupted, Request, Run, Unsupported
from nonocsp.backends.open_lines import automaton, diagram, full_grid, open_lines, table
from nonocsp.engine import LineSolver, StopFlag
from nonocsp.model import Clue, Grid, Line, Puzzle
from nonocsp.testing import permutations, placements

CLUES = [
    Clue.of(),
    Clue.of(2),
    Clue.of(1, 1),
    Clue.of(2, 1, 1),
    Clue.of(1, (1, 2)),
    Clue.of((2, 2), 1, 1, (1, 2)),
]


@pytest.mark.parametrize("clue", CLUES, ids=str)
def test_an_automaton_accepts_exactly_the_lines_of_its_clue(clue: Clue) -> None:
    start, finals, transitions = automaton(clue)
    step = {(state, colour): following for state, colour, following in transitions}
    assert len(step) == len(transitions), "not deterministic"
    for length in range(1, 8):
        accepted = set()
        for line in product(range(3), repeat=length):
            state: int | None = start
            for colour in line:
                state = None if state is None else step.get((state, colour))
            if state in finals:
                accepted.add(line)
        assert accepted == set(placements(clue, length))


def test_only_lines_with_an_open_cell_are_open() -> None:
    puzzle = Puzzle.from_clues([[3], [1], [1]], [[1], [1, 1], [2]])
    solver = LineSolver(puzzle)
    root = solver.propagate()
    assert root.contradiction is None
    found = [line.line for line in open_lines(solver, root.candidates, Run(Request(), StopFlag()))]
    open_cells = np.bitwise_count(root.candidates) > 1
    assert found == [
        *(Line("row", i) for i in range(3) if open_cells[i].any()),
        *(Line("column", i) for i in range(3) if open_cells[:, i].any()),
    ]


def test_a_table_lists_the_placements_of_the_open_cells() -> None:
    puzzle = permutations(3)
    solver = LineSolver(puzzle)
    candidates = solver.propagate().candidates
    for line in open_lines(solver, candidates, Run(Request(), StopFlag())):
        assert sorted(map(tuple, table(line).tolist())) == sorted(placements(line.clue, 3))


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


def test_the_paths_of_a_diagram_are_the_rows_of_the_table() -> None:
    random = np.random.default_rng(5)
    lines = 0
    for _ in range(40):
        colours = int(random.integers(1, 4))
        cells = random.integers(1, colours + 1, (6, 7)) * (random.random((6, 7)) < 0.5)
        solver = LineSolver(Puzzle.from_grid(Grid.from_cells(cells)))
        candidates = solver.propagate().candidates
        for line in open_lines(solver, candidates, Run(Request(), StopFlag())):
            lines += 1
            assert words(diagram(line)) == set(map(tuple, table(line).tolist()))
    assert lines > 100


@pytest.mark.parametrize(
    ("blocks", "columns", "number"), [(10, 40, "44,352,165"), (100, 300, "more than 1.8e19")]
)
def test_a_table_that_would_be_too_long_names_size_and_line(blocks: int, columns: int, number: str) -> None:
    solver = LineSolver(Puzzle.from_clues([[1] * blocks] * columns, [[blocks]] * columns))
    first = next(open_lines(solver, solver.propagate().candidates, Run(Request(), StopFlag())))
    with pytest.raises(Unsupported, match=f"row 1 has {number} placements; model=table lists 100,000 at"):
        table(first)


def test_open_lines_are_not_read_after_a_stop() -> None:
    solver, stop = LineSolver(permutations(3)), StopFlag()
    stop.set()
    with pytest.raises(Interrupted):
        next(open_lines(solver, solver.propagate().candidates, Run(Request(), stop)))


def test_a_full_grid_has_the_colours_in_its_open_cells_row_by_row() -> None:
    candidates = np.array([[1, 3], [6, 2]], np.uint64)
    assert full_grid(candidates, [1, 2]).cells.tolist() == [[0, 1], [2, 1]]
