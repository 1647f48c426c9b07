"""Marginals against all placements; belief propagation against the same in plain Python; long lines."""

from itertools import product
from math import prod

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp.engine import Interrupted, LineMarginals, LineSolver, StopFlag
from nonocsp.model import Clue, Grid, Line, Palette, Puzzle
from tests import oracle

Sets = NDArray[np.uint64]
Shares = NDArray[np.float64]

LEAST = 0.001
TOLERANCE = 0.005


def starts_of(cells: tuple[int, ...], clue: Clue) -> list[int]:
    starts, end = [], 0
    for length, colour in clue:
        start = next(i for i in range(end, len(cells)) if cells[i] == colour)
        starts.append(start)
        end = start + length
    return starts


def by_brute_force(clue: Clue, line: Sets, weights: Shares) -> LineMarginals | None:
    """Return the marginals by adding up the weights of all placements."""
    length, colours = weights.shape
    cells, starts, total = np.zeros((length, colours)), np.zeros((len(clue), length)), 0.0
    for placement in oracle.placements(clue, length):
        if any(not int(line[i]) >> colour & 1 for i, colour in enumerate(placement)):
            continue
        weight = prod(weights[i, colour] for i, colour in enumerate(placement))
        total += weight
        cells[range(length), placement] += weight
        starts[range(len(clue)), starts_of(placement, clue)] += weight
    return LineMarginals(cells / total, starts / total) if total > 0 else None


def puzzle_of_one_row(cells: NDArray[np.int64], colours: int) -> Puzzle:
    return Puzzle.from_grid(Grid.from_cells(cells[np.newaxis]), palette=Palette.of(colours))


def marginals(puzzle: Puzzle, line: Sets, weights: Shares) -> LineMarginals | None:
    return LineSolver(puzzle).marginals(Line("row", 0), line[np.newaxis], weights)


def random_cells(rng: np.random.Generator, length: int, colours: int) -> NDArray[np.int64]:
    """Return runs of one to four cells."""
    runs = rng.integers(1, 5, length)
    return np.repeat(rng.integers(0, colours + 1, length), runs)[:length]


def random_sets(rng: np.random.Generator, cells: NDArray[np.int64], colours: int) -> Sets:
    """Return candidates: the true colour alone in some cells, with other colours in the rest."""
    more = rng.integers(0, 2 ** (colours + 1), len(cells)) * (rng.random(len(cells)) < 0.5)
    every = np.where(rng.random(len(cells)) < 0.4, 2 ** (colours + 1) - 1, 0)
    return (1 << cells | more | every).astype(np.uint64)


def assert_equal(found: LineMarginals | None, expected: LineMarginals | None) -> None:
    assert (found is None) == (expected is None)
    if found is not None and expected is not None:
        np.testing.assert_allclose(found.cells, expected.cells, rtol=0, atol=1e-12)
        np.testing.assert_allclose(found.starts, expected.starts, rtol=0, atol=1e-12)


@pytest.mark.parametrize("colours", [1, 2, 3])
@pytest.mark.parametrize("spread", [0, 1, 3, 30])
def test_marginals_are_those_of_all_placements(colours, spread):
    """`spread`: the powers of ten between the weights; with many of them doubles would underflow."""
    rng = np.random.default_rng([colours, spread])
    for _ in range(60):
        length = int(rng.integers(1, 14))
        cells = random_cells(rng, length, colours)
        line = random_sets(rng, cells, colours)
        weights = 10.0 ** rng.uniform(-spread, spread, (length, colours + 1))
        weights[rng.random(weights.shape) < 0.05] = 0
        clue = oracle.clue_of(cells.tolist())
        found = marginals(puzzle_of_one_row(cells, colours), line, weights)
        assert_equal(found, by_brute_force(clue, line, weights))


def test_a_line_without_a_placement_of_positive_weight_has_no_marginals():
    puzzle = Puzzle.from_clues([[1]], [[1], []])
    every = np.full(2, 3, np.uint64)
    assert marginals(puzzle, every, np.array([[1.0, 0.0], [1.0, 0.0]])) is None
    assert marginals(puzzle, np.full(2, 1, np.uint64), np.ones((2, 2))) is None
    with pytest.raises(ValueError, match=r"\(2, 3\) for 2 cells"):
        marginals(puzzle, every, np.ones((2, 3)))


@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf, 1e80])
def test_invalid_weights_are_refused(weight):
    weights = np.ones((2, 2))
    weights[1, 1] = weight
    with pytest.raises(ValueError, match="weight"):
        marginals(Puzzle.from_clues([[1]], [[1], []]), np.full(2, 3, np.uint64), weights)


@pytest.mark.parametrize("colours", [1, 3])
@pytest.mark.parametrize("length", [64, 65, 90, 91, 300, 1000])
def test_long_lines_of_extreme_weights_have_finite_marginals(length, colours):
    rng = np.random.default_rng([length, colours])
    cells = random_cells(rng, length, colours)
    every = np.full(length, 2 ** (colours + 1) - 1, np.uint64)
    for weights in (rng.choice([LEAST, 1.0], (length, colours + 1)), np.ones((length, colours + 1))):
        found = marginals(puzzle_of_one_row(cells, colours), every, weights)
        assert found is not None
        for shares in (found.cells, found.starts):
            assert np.isfinite(shares).all()
            assert (shares >= 0).all()
            np.testing.assert_allclose(shares.sum(axis=1), 1, rtol=0, atol=1e-10)
        counts = np.bincount(cells, minlength=colours + 1)
        np.testing.assert_allclose(found.cells.sum(axis=0), counts, rtol=1e-10)


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
        assert found is not None
        for i in range(len(sets)):
            if int(sets[i]).bit_count() == 1:
                continue
            message = found.cells[i] / incoming[i]
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
