"""Every encoding: its models are the solutions within the candidates, no more and no fewer."""

from collections.abc import Iterator

import numpy as np
import pytest
from pysat.solvers import Solver

from nonocsp.engine import LineSolver
from nonocsp.engine.encodings import (
    ENCODERS,
    Encoder,
    Encoding,
)
from nonocsp.model import Grid, Puzzle
from nonocsp.testing import SMALL, SMALL_IN_COLOUR, n_dom, permutations, solutions


@pytest.fixture(params=ENCODERS)
def encode(request) -> Encoder:
    return ENCODERS[request.param]


def grids_of_models(encoding: Encoding) -> list[Grid]:
    grids: list[Grid] = []
    with Solver("minisat22", bootstrap_with=list(encoding.cnf)) as solver:
        while solver.solve():
            model = solver.get_model()
            grids.append(encoding.decode(model))
            solver.add_clause(encoding.blocking_clause(model))
    return grids


def random_puzzles(colours: int, count: int = 40) -> Iterator[Puzzle]:
    random = np.random.default_rng(colours)
    for _ in range(count):
        shape = random.integers(1, 6, 2)
        yield Puzzle.from_grid(
            Grid.from_cells(random.integers(1, colours + 1, shape) * (random.random(shape) < 0.5))
        )


def everything(puzzle: Puzzle) -> np.ndarray:
    return Grid.unknown(*puzzle.shape, puzzle.palette).candidates


def test_the_models_are_the_solutions_and_the_cells_determine_every_other_variable(encode):
    random = [puzzle for colours in (1, 2, 3) for puzzle in random_puzzles(colours)]
    for puzzle in (*SMALL, *SMALL_IN_COLOUR, *random):
        root, expected = LineSolver(puzzle).propagate(), set(solutions(puzzle))
        for known in (root.candidates, everything(puzzle)) if root.contradiction is None else ():
            encoding = encode(LineSolver(puzzle), known)
            grids = grids_of_models(encoding)
            assert len(grids) == len(set(grids))
            assert set(grids) == expected
            with Solver("minisat22", bootstrap_with=list(encoding.cnf)) as solver:
                assert len(list(solver.enum_models())) == (len(expected) if encoding.cnf.variables else 1)


@pytest.mark.parametrize("colours", [1, 2])
def test_under_given_candidates_the_models_are_the_solutions_within_them(encode, colours):
    random = np.random.default_rng(7)
    for puzzle in random_puzzles(colours):
        found = solutions(puzzle)
        known = everything(puzzle).copy()
        kept = found[0].candidates
        forbidden = np.uint64(1) << random.integers(0, colours + 1, puzzle.shape).astype(np.uint64)
        known &= ~np.where(forbidden == kept, np.uint64(0), forbidden)
        expected = {grid for grid in found if not (grid.candidates & ~known).any()}
        assert set(grids_of_models(encode(LineSolver(puzzle), known))) == expected


def test_a_shuffled_encoding_has_the_same_grids_under_other_numbers(encode):
    for puzzle in (permutations(4), SMALL_IN_COLOUR[1], n_dom(3), *random_puzzles(3, 10)):
        encoding = encode(LineSolver(puzzle), everything(puzzle))
        first, again, other = (encoding.shuffled(seed) for seed in (1, 1, 2))
        assert set(grids_of_models(first)) == set(grids_of_models(other)) == set(grids_of_models(encoding))
        assert np.array_equal(first.cnf.literals, again.cnf.literals)
    assert not np.array_equal(first.cnf.literals, other.cnf.literals)


def test_a_decided_puzzle_needs_no_formula(encode):
    puzzle = Puzzle.from_clues([[2, 1]], [[1], [1], [], [1]])
    encoding = encode(LineSolver(puzzle), LineSolver(puzzle).propagate().candidates)
    assert (encoding.cnf.variables, encoding.cnf.clauses) == (0, 0)
    assert encoding.decode([]) == Grid.from_strings(["##.#"])
