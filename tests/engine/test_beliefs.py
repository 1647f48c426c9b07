"""Belief propagation against the same in plain Python, with marginals by brute force; long lines."""

from itertools import product
from math import prod

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp.engine import Interrupted, LineSolver, StopFlag
from nonocsp.model import Clue, Grid, Line, Palette, Puzzle
from tests import oracle

Sets = NDArray[np.uint64]
Shares = NDArray[np.float64]

LEAST = 0.001
TOLERANCE = 0.005


def by_brute_force(clue: Clue, line: Sets, weights: Shares) -> Shares:
    """Return P(cell has colour) by adding up the weights of all placements."""
    length, colours = weights.shape
    cells = np.zeros((length, colours))
    for placement in oracle.placements(clue, length):
        if all(int(line[i]) >> colour & 1 for i, colour in enumerate(placement)):
            cells[range(length), placement] += prod(weights[i, colour] for i, colour in enumerate(placement))
    return cells / cells[0].sum()


def reference_beliefs(puzzle: Puzzle, candidates: Sets, sweeps: int) -> Shares:
    """Propagate beliefs plainly: messages as shares, marginals by brute force."""
    rows, columns = puzzle.shape
    colours = len(puzzle.palette)
    to_lines = {axis: np.full((rows, columns, colours), 1 / colours) for axis in ("row", "column")}
    moved = {Line(axis, i): True for axis, n in (("row", rows), ("column", columns)) for i in range(n)}
    for _, line in product(range(sweeps), moved):
        sets = candidates[line.position] if line.axis == "row" else candidates[:, line.position]
        other = "column" if line.axis == "row" else "row"
        of_line = np.s_[line.position] if line.axis == "row" else np.s_[:, line.position]
        incoming, outgoing = to_lines[line.axis][of_line], to_lines[other][of_line]
        if not moved[line]:
            continue
        moved[line] = False
        found = by_brute_force(puzzle.line_clue(line), sets, incoming)
        for i in range(len(sets)):
            if int(sets[i]).bit_count() == 1:
                continue
            message = found[i] / incoming[i]
            message = np.clip(message / message.sum(), LEAST, 1 - LEAST)
            message /= message.sum()
            moved[Line(other, i)] |= bool((np.abs(message - outgoing[i]) >= TOLERANCE).any())
            outgoing[i] = message
    beliefs = to_lines["row"] * to_lines["column"] * (candidates[..., np.newaxis] >> np.arange(colours) & 1)
    return beliefs / beliefs.sum(axis=2, keepdims=True)


def random_puzzle(rows: int, columns: int, colours: int, seed: int) -> Puzzle:
    rng = np.random.default_rng([rows, columns, colours, seed])
    cells = rng.integers(1, colours + 1, (rows, columns)) * (rng.random((rows, columns)) < 0.5)
    return Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(colours))


@pytest.mark.parametrize("colours", [1, 2, 3])
@pytest.mark.parametrize("shape", [(1, 5), (6, 6), (4, 8), (7, 3)])
@pytest.mark.parametrize("sweeps", [1, 2, 6])
def test_beliefs_agree_with_plain_message_passing(shape, colours, sweeps):
    for seed in range(3):
        puzzle = random_puzzle(*shape, colours, seed)
        solver = LineSolver(puzzle)
        candidates = solver.propagate().candidates
        found = solver.beliefs(candidates, sweeps=sweeps, tolerance=0)
        assert found is not None
        expected = reference_beliefs(puzzle, candidates.astype(np.int64), sweeps)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("colours", [1, 3])
@pytest.mark.parametrize("length", [64, 90, 91, 300])
def test_beliefs_of_long_lines_are_finite_shares(length, colours):
    rng = np.random.default_rng([length, colours])
    cells = np.repeat(rng.integers(0, colours + 1, (length, length)), 3, axis=1)[:, :length]
    cells[rng.random(cells.shape) < 0.1] = 0
    puzzle = Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(colours))
    found = LineSolver(puzzle).beliefs(sweeps=3)
    assert found is not None
    np.testing.assert_allclose(found.sum(axis=2), 1, rtol=0, atol=1e-9)
    assert (found >= 0).all()


def test_lines_that_contradict_have_no_beliefs():
    puzzle = Puzzle.from_clues([[2], [1]], [[1], [1], [1]])
    assert LineSolver(puzzle).beliefs() is not None
    nothing_fits = np.array([[3, 1, 3], [3, 3, 3]], np.uint64)
    assert LineSolver(puzzle).beliefs(nothing_fits) is None


def test_a_stop_ends_belief_propagation():
    solver, stop = LineSolver(random_puzzle(8, 8, 1, 0)), StopFlag()
    stop.set()
    with pytest.raises(Interrupted):
        solver.beliefs(stop=stop)
