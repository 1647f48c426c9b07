"""The order encoding: its models are the solutions within the candidates, no more and no fewer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from pysat.solvers import Solver

from nonocsp._core import ClauseStream
from nonocsp.encodings import Cnf, Encoding, encode_order
from nonocsp.engine import LineSolver
from nonocsp.model import Grid, Puzzle
from nonocsp.testing import SMALL, SMALL_IN_COLOUR, n_dom, permutations, solutions


def grids_of_models(encoding: Encoding) -> list[Grid]:
    """All grids, each as often as a model has it."""
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


@pytest.mark.parametrize("puzzle", [*SMALL, *SMALL_IN_COLOUR], ids=lambda puzzle: puzzle.title)
def test_small_puzzles_have_their_solutions_as_models(puzzle: Puzzle) -> None:
    root = LineSolver(puzzle).propagate()
    if root.contradiction is None:
        grids = grids_of_models(encode_order(LineSolver(puzzle), root.candidates))
        assert len(grids) == len(set(grids))
        assert set(grids) == set(solutions(puzzle))


@pytest.mark.parametrize("start", ["fixpoint", "nothing known"])
@pytest.mark.parametrize("colours", [1, 2, 3])
def test_random_puzzles_have_their_solutions_as_models(colours: int, start: str) -> None:
    for puzzle in random_puzzles(colours):
        known = LineSolver(puzzle).propagate().candidates if start == "fixpoint" else everything(puzzle)
        assert set(grids_of_models(encode_order(LineSolver(puzzle), known))) == set(solutions(puzzle))


@pytest.mark.parametrize("colours", [1, 2])
def test_within_other_candidates_the_models_are_the_solutions_that_lie_there(colours: int) -> None:
    random = np.random.default_rng(7)
    for puzzle in random_puzzles(colours):
        found = solutions(puzzle)
        known = everything(puzzle).copy()
        kept = found[0].candidates
        forbidden = np.uint64(1) << random.integers(0, colours + 1, puzzle.shape).astype(np.uint64)
        known &= ~np.where(forbidden == kept, np.uint64(0), forbidden)
        expected = {grid for grid in found if not (grid.candidates & ~known).any()}
        assert set(grids_of_models(encode_order(LineSolver(puzzle), known))) == expected


@pytest.mark.parametrize("colours", [1, 3])
def test_every_order_variable_follows_from_the_cells(colours: int) -> None:
    for puzzle in random_puzzles(colours, 15):
        encoding = encode_order(LineSolver(puzzle), LineSolver(puzzle).propagate().candidates)
        with Solver("minisat22", bootstrap_with=list(encoding.cnf)) as solver:
            models = list(solver.enum_models())
        assert len(models) == (len(solutions(puzzle)) if encoding.cnf.variables else 1)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_shuffled_encoding_has_the_same_grids(seed: int) -> None:
    for puzzle in (permutations(4), SMALL_IN_COLOUR[1], *random_puzzles(3, 10)):
        encoding = encode_order(LineSolver(puzzle), everything(puzzle))
        assert set(grids_of_models(encoding.shuffled(seed))) == set(grids_of_models(encoding))


def test_seeds_number_the_variables_differently() -> None:
    encoding = encode_order(LineSolver(n_dom(3)), everything(n_dom(3)))
    first, again, other = (encoding.shuffled(seed).cnf.literals for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_a_decided_puzzle_needs_no_formula() -> None:
    puzzle = Puzzle.from_clues([[2, 1]], [[1], [1], [], [1]])
    encoding = encode_order(LineSolver(puzzle), LineSolver(puzzle).propagate().candidates)
    assert (encoding.cnf.variables, encoding.cnf.clauses) == (0, 0)
    assert encoding.decode([]) == Grid.from_strings(["##.#"])


def test_no_variable_and_no_clause_is_there_twice_or_for_nothing() -> None:
    puzzle = Puzzle.from_grid(Grid.from_cells(np.random.default_rng(5).random((20, 20)) < 0.5))
    cnf = encode_order(LineSolver(puzzle), LineSolver(puzzle).propagate().candidates).cnf
    clauses = list(cnf)
    assert {abs(literal) for clause in clauses for literal in clause} == set(range(1, cnf.variables + 1))
    assert all(len(set(map(abs, clause))) == len(clause) > 1 for clause in clauses)
    assert len({frozenset(clause) for clause in clauses}) > 0.99 * len(clauses)


@pytest.mark.parametrize(
    ("candidates", "complaint"),
    [
        (np.full((2, 3), 3, np.uint64), "shape"),
        (np.array([[1, 1], [3, 3]], np.uint64), "no placement"),
    ],
)
def test_candidates_that_do_not_fit_are_an_error(candidates: np.ndarray, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        encode_order(LineSolver(permutations(2)), candidates)


@pytest.mark.parametrize("clauses", [[], [[1]], [[-1, 2], [3], [], [1, 2, 3, -4]]])
def test_a_stream_gives_the_clauses_one_by_one(clauses: list[list[int]]) -> None:
    literals = np.array([literal for clause in clauses for literal in (*clause, 0)], np.int32)
    assert list(Cnf(4, len(clauses), literals)) == clauses


def test_a_literal_beyond_the_variables_is_an_error() -> None:
    with pytest.raises(ValueError, match="out of range"):
        ClauseStream(np.array([1, 3, 0], np.int32), 2)


def test_every_cell_of_more_than_two_candidates_has_exactly_one_colour() -> None:
    puzzle = Puzzle.from_clues([[1, (1, 2)], [(1, 2), 1]], [[1, (1, 2)], [(1, 2), 1]])
    encoding = encode_order(LineSolver(puzzle), everything(puzzle))
    for cells in product((1, -1), repeat=len(encoding.cells)):
        model = [sign * variable for variable, sign in enumerate(cells, 1)]
        with Solver("minisat22", bootstrap_with=list(encoding.cnf)) as solver:
            if solver.solve(assumptions=model):
                counts = np.bincount(encoding.cells[np.array(cells) > 0], minlength=4)
                assert (counts[np.bincount(encoding.cells, minlength=4) > 1] == 1).all()
