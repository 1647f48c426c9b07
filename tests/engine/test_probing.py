"""Fully probing, against the definitions of FP1 to FP3 written out plainly, and against all solutions."""

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp.engine import LineSolver, ProbingLevel, StopFlag, Unsupported
from nonocsp.model import Grid, Palette, Puzzle
from nonocsp.testing import n_dom, permutations, solutions

Cells = NDArray[np.uint64]
Candidate = tuple[int, int, int]
"""Row, column, colour."""


def random_puzzle(rows: int, columns: int, colours: int, seed: int, filled: float = 0.5) -> Puzzle:
    rng = np.random.default_rng([rows, columns, colours, seed])
    cells = rng.integers(1, colours + 1, (rows, columns)) * (rng.random((rows, columns)) < filled)
    return Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(colours))


SMALL = [
    permutations(4),
    Puzzle.from_clues([[1], [1], [1, (1, 2)]], [[1], [1, (1, 2)], [1]]),
    *(random_puzzle(*shape, 1, seed) for shape in ((5, 5), (4, 6), (6, 6)) for seed in range(6)),
    *(random_puzzle(*shape, 2, seed) for shape in ((5, 5), (4, 6)) for seed in range(6)),
    *(random_puzzle(5, 5, 3, seed, 0.7) for seed in range(6)),
]


def candidates_of(cells: Cells, shape: tuple[int, int]) -> Iterator[Candidate]:
    for row, column in np.ndindex(shape):
        values = int(cells[row, column])
        if values.bit_count() > 1:
            yield from ((row, column, c) for c in range(values.bit_length()) if values >> c & 1)


class Naive:
    """Fully probing by its definition: probe every cell repeatedly until nothing changes."""

    def __init__(self, puzzle: Puzzle, level: ProbingLevel, start: Cells | None = None) -> None:
        self.solver, self.level = LineSolver(puzzle), level
        self.excluded: dict[Candidate, set[Candidate]] = {}
        root = self.solver.propagate(start)
        self.fits, self.cells = root.contradiction is None, root.candidates
        while self.fits and self.round():
            pass

    def round(self) -> bool:
        """Probe every open cell once; return whether anything was learnt."""
        before = self.cells.copy(), {a: len(excluded) for a, excluded in self.excluded.items()}
        for row, column in zip(*np.nonzero(np.bitwise_count(self.cells) > 1), strict=True):
            self.probe(int(row), int(column))
            if not self.fits:
                return False
        after = {a: len(excluded) for a, excluded in self.excluded.items()}
        return not np.array_equal(before[0], self.cells) or before[1] != after

    def probe(self, row: int, column: int) -> None:
        values = [c for r, s, c in candidates_of(self.cells, self.cells.shape) if (r, s) == (row, column)]
        sides = [side for value in values if (side := self.side((row, column, value))) is not None]
        self.fits = bool(sides) or not values  # the cell may have been decided meanwhile
        if sides:
            found = self.solver.propagate(np.bitwise_or.reduce(sides) & self.cells)
            assert found.contradiction is None
            self.cells = found.candidates

    def side(self, candidate: Candidate) -> Cells | None:
        """Return the candidates that the probe of a candidate leaves, and learn from them."""
        row, column, colour = candidate
        side = self.cells.copy()
        side[row, column] = 1 << colour
        excluded = set(self.excluded.get(candidate, ()))
        while True:
            for r, s, c in excluded:
                side[r, s] &= ~np.uint64(1 << c)
            found = self.solver.propagate(side)
            if found.contradiction is not None:
                return None
            side = found.candidates
            excluded = {x for x in self.inherited(side) if side[x[:2]] >> np.uint64(x[2]) & np.uint64(1)}
            if not excluded:
                break
        if self.level is not ProbingLevel.FP1:
            self.learn(candidate, side)
        return side

    def inherited(self, side: Cells) -> set[Candidate]:
        if self.level is not ProbingLevel.FP3:
            return set()
        implied = [
            (r, s, c) for r, s, c in candidates_of(self.cells, self.cells.shape) if int(side[r, s]) == 1 << c
        ]
        return set().union(*(self.excluded.get(candidate, set()) for candidate in implied))

    def learn(self, candidate: Candidate, side: Cells) -> None:
        removed = self.cells & ~side
        for r, s, c in candidates_of(self.cells, self.cells.shape):
            if int(removed[r, s]) >> c & 1 and (r, s) != candidate[:2]:
                self.excluded.setdefault(candidate, set()).add((r, s, c))
                self.excluded.setdefault((r, s, c), set()).add(candidate)


def check_against_naive(puzzle: Puzzle, level: ProbingLevel, start: Cells | None = None) -> None:
    expected = Naive(puzzle, level, start)
    found = LineSolver(puzzle).probe(start, level=level)
    assert found.contradiction != expected.fits
    if expected.fits:
        assert np.array_equal(found.candidates, expected.cells)


@pytest.mark.parametrize("level", list(ProbingLevel))
def test_each_level_reaches_the_fixpoint_of_its_definition(level):
    for puzzle in (*SMALL, n_dom(3), random_puzzle(9, 9, 1, 0), random_puzzle(8, 8, 2, 1)):
        check_against_naive(puzzle, level)


def narrowed_at_random(puzzle: Puzzle, seed: int) -> Cells:
    """Return a start from which one cell in ten has lost candidates, solutions or not."""
    rng = np.random.default_rng(seed)
    every = 2 ** len(puzzle.palette) - 1
    narrow = rng.random(puzzle.shape) < 0.1
    return np.where(narrow, rng.integers(1, every, puzzle.shape), every).astype(np.uint64)


@pytest.mark.parametrize("level", list(ProbingLevel))
def test_probing_may_start_from_any_candidates(level):
    for seed, puzzle in enumerate(SMALL):
        start = narrowed_at_random(puzzle, seed)
        given = start.copy()
        check_against_naive(puzzle, level, start)
        assert np.array_equal(start, given)


@pytest.mark.parametrize("shape", [(66, 4), (3, 130)])
def test_boards_with_more_lines_than_bits_are_probed_correctly(shape):
    check_against_naive(random_puzzle(*shape, 1, 0, 0.4), ProbingLevel.FP1)


@pytest.mark.parametrize("colours", [1, 2, 3])
def test_probing_excludes_no_solution_and_groups_hold_in_every_solution(colours):
    grouped = 0
    for seed, level in product(range(12), ProbingLevel):
        puzzle = random_puzzle(5, 5, colours, seed)
        found = LineSolver(puzzle).probe(level=level, groups=True)
        assert found.groups is not None
        grouped += bool(found.groups.any())
        for solution in solutions(puzzle):
            assert not (solution.candidates & ~found.candidates).any()
            check_groups(found.candidates, found.groups, solution.candidates)
    assert grouped


def check_groups(candidates: Cells, groups: NDArray[np.int32], solution: Cells) -> None:
    is_high = solution > candidates & ~solution
    assert (np.bitwise_count(candidates)[groups != 0] == 2).all()
    for group in range(1, groups.max() + 1):
        assert len({*is_high[groups == group], *~is_high[groups == -group]}) == 1


@pytest.mark.parametrize(
    ("rows", "columns", "groups"),
    [
        ([[1], [1]], [[1], [1]], [[1, -1], [-1, 1]]),
        ([[1], [1], [1]], [[1], [1], [1]], [[0] * 3] * 3),
        ([[1], [1], [(1, 2)], [(1, 2)]], [[1], [1], [(1, 2)], [(1, 2)]],
         [[1, -1, 0, 0], [-1, 1, 0, 0], [0, 0, 2, -2], [0, 0, -2, 2]]),
    ],
)  # fmt: skip
def test_cells_that_determine_each_other_form_a_group(rows, columns, groups):
    solver = LineSolver(Puzzle.from_clues(rows, columns))
    found = solver.probe(groups=True).groups
    assert found is not None
    assert found.tolist() == groups
    assert solver.probe().groups is None


def test_a_stop_or_the_time_limit_ends_probing_and_keeps_its_findings():
    stop = StopFlag()
    stop.set()
    solver = LineSolver(n_dom(6))
    for found in (solver.probe(groups=True, stop=stop), solver.probe(groups=True, wall=0.0)):
        assert found.interrupted
        assert found.groups is not None
        assert not found.groups.any()
        assert not found.contradiction
        assert (found.candidates == 3).all()


def test_a_contradiction_is_a_result():
    unsolvable = Puzzle.from_clues([[2], [1, 1], [2], [2]], [[1, 1], [2], [2], [1, 1]])
    assert LineSolver(unsolvable).propagate().contradiction is None
    assert LineSolver(unsolvable).probe(groups=True).contradiction


def test_too_many_open_candidates_are_refused_and_the_message_gives_the_number():
    solver = LineSolver(Puzzle.from_clues([[1]] * 65, [[1]] * 65))
    with pytest.raises(Unsupported, match="at most 8192 open candidates; line solving leaves 8450"):
        solver.probe(level=ProbingLevel.FP3)
    with pytest.raises(ValueError, match="candidates of shape"):
        solver.probe(np.full((2, 2), 3, np.uint64))
