"""Propagation and sweeps, against the fixpoint of the reference and the published difficulties."""

import threading

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp.engine import LineSolver, Order, Propagation, StopFlag
from nonocsp.model import Grid, Palette, Puzzle
from tests import oracle

SHAPES = [
    (1, 1, 1), (1, 9, 1), (9, 1, 2), (5, 5, 1), (12, 17, 1), (12, 9, 3), (4, 64, 1), (65, 3, 2), (3, 128, 1),
    (300, 2, 1), (2, 300, 3), (25, 25, 1),
]  # fmt: skip
"""Rows, columns, colours; the sizes on both sides of a word make rows and columns differ in words."""


def random_puzzle(rows: int, columns: int, colours: int, seed: int, filled: float = 0.6) -> Puzzle:
    rng = np.random.default_rng([rows, columns, colours, seed])
    cells = rng.integers(1, colours + 1, (rows, columns)) * (rng.random((rows, columns)) < filled)
    return Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(colours))


def spoiled(puzzle: Puzzle, seed: int) -> NDArray[np.uint64]:
    """Return a start for which some cells of the solution are ruled out, and some others known."""
    rng = np.random.default_rng(seed)
    assert puzzle.goal is not None
    every = np.uint64(2 ** len(puzzle.palette) - 1)
    truth = puzzle.goal.candidates
    kind = rng.random(puzzle.shape)
    return np.where(kind < 0.1, truth, np.where(kind > 0.97, every & ~truth, every)).astype(np.uint64)


def check(puzzle: Puzzle, start: NDArray[np.uint64]) -> None:
    expected, sweeps = oracle.fixpoint(puzzle, start.tolist())
    solver = LineSolver(puzzle)
    for order in Order:
        given = start.copy()
        result = solver.propagate(given, order=order)
        assert np.array_equal(given, start)
        assert not result.interrupted
        if expected is None:
            check_contradiction(puzzle, result)
        else:
            assert result.contradiction is None
            assert result.candidates.tolist() == expected
            assert result.sweeps == (sweeps if order is Order.SWEEPS else 0)
            assert result.settles >= sum(puzzle.shape)


def check_contradiction(puzzle: Puzzle, result: Propagation) -> None:
    line = result.contradiction
    assert line is not None
    cells = result.candidates if line.axis == "row" else result.candidates.T
    assert oracle.settle(puzzle.line_clue(line), cells[line.position].tolist()) is None


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(("rows", "columns", "colours"), SHAPES)
def test_propagation_reaches_the_fixpoint_of_the_reference(rows, columns, colours, seed):
    puzzle = random_puzzle(rows, columns, colours, seed)
    check(puzzle, Grid.unknown(rows, columns, puzzle.palette).candidates)
    check(puzzle, spoiled(puzzle, seed))


@pytest.mark.parametrize(("rows", "columns", "colours"), SHAPES)
def test_one_sweep_settles_every_line_of_the_grid_before_the_sweep(rows, columns, colours):
    puzzle = random_puzzle(rows, columns, colours, 2)
    solver = LineSolver(puzzle)
    start = Grid.unknown(rows, columns, puzzle.palette).candidates
    by_rows = solver.h_sweep(start)
    assert by_rows.candidates.tolist() == oracle.sweep(puzzle.rows, start.tolist())
    by_columns = solver.v_sweep(start)
    assert by_columns.candidates.T.tolist() == oracle.sweep(puzzle.columns, start.T.tolist())
    assert (by_rows.settles, by_columns.settles) == (rows, columns)
    assert by_rows.contradiction is None
    assert by_columns.contradiction is None


def test_the_first_line_without_a_placement_is_named():
    puzzle = Puzzle.from_clues([[3], [1], [1]], [[1], [3], [1]])
    start = np.full((3, 3), 3, np.uint64)
    start[1:, 1] = 1
    solver = LineSolver(puzzle)
    assert str(solver.v_sweep(start).contradiction) == "column 2"
    assert solver.h_sweep(start).contradiction is None
    for order in Order:
        assert str(solver.propagate(start, order=order).contradiction) == "column 2"


def test_another_thread_can_stop_a_long_propagation():
    cells = np.random.default_rng(0).random((1000, 1000)) < 0.5
    solver = LineSolver(Puzzle.from_grid(Grid.from_cells(cells)))
    stop = StopFlag()
    timer = threading.Timer(0.02, stop.set)
    timer.start()  # its thread runs only because the core releases the GIL
    result = solver.propagate(stop=stop)
    timer.join()
    assert result.interrupted
    assert result.contradiction is None
    for order in Order:  # the flag is set by now
        assert solver.propagate(order=order, stop=stop).settles == 0
    assert (result.candidates >> cells.astype(np.uint64) & np.uint64(1)).all()


@pytest.mark.parametrize("size", [512, 2048])
def test_large_puzzles_are_solved(size):
    cells = np.tri(size, dtype=np.uint8)
    cells[size // 3, size // 2 :] = 1
    result = LineSolver(Puzzle.from_grid(Grid.from_cells(cells))).propagate()
    assert np.array_equal(result.candidates, np.uint64(1) << cells.astype(np.uint64))
