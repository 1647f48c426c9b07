"""Every encoding: its models are the solutions within the candidates, no more and no fewer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from pysat.solvers import Solver

from nonocsp.engine import LineSolver
from nonocsp.engine.encodings import (
    ENCODERS,
    ClauseStream,
    Cnf,
    Encoder,
    Encoding,
    encode_automaton,
)
from nonocsp.model import Grid, Puzzle
from nonocsp.testing import SMALL, SMALL_IN_COLOUR, n_dom, permutations, solutions


@pytest.fixture(params=ENCODERS)
def encode(request: pytest.FixtureRequest) -> Encoder:
    return ENCODERS[request.param]


def grids_of_models(encoding: Encoding) -> list[Grid]:
    """All grids, one for each model."""
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
def test_the_models_of_small_puzzles_are_their_solutions(encode: Encoder, puzzle: Puzzle) -> None:
    root = LineSolver(puzzle).propagate()
    if root.contradiction is None:
        grids = grids_of_models(encode(LineSolver(puzzle), root.candidates))
        assert len(grids) == len(set(grids))
        assert set(grids) == set(solutions(puzzle))


@pytest.mark.parametrize("start", ["fixpoint", "nothing known"])
@pytest.mark.parametrize("colours", [1, 2, 3])
def test_the_models_of_random_puzzles_are_their_solutions(encode: Encoder, colours: int, start: str) -> None:
    for puzzle in random_puzzles(colours):
        known = LineSolver(puzzle).propagate().candidates if start == "fixpoint" else everything(puzzle)
        assert set(grids_of_models(encode(LineSolver(puzzle), known))) == set(solutions(puzzle))


@pytest.mark.parametrize("colours", [1, 2])
def test_under_given_candidates_the_models_are_the_solutions_within_them(
    encode: Encoder, colours: int
) -> None:
    random = np.random.default_rng(7)
    for puzzle in random_puzzles(colours):
        found = solutions(puzzle)
        known = everything(puzzle).copy()
        kept = found[0].candidates
        forbidden = np.uint64(1) << random.integers(0, colours + 1, puzzle.shape).astype(np.uint64)
        known &= ~np.where(forbidden == kept, np.uint64(0), forbidden)
        expected = {grid for grid in found if not (grid.candidates & ~known).any()}
        assert set(grids_of_models(encode(LineSolver(puzzle), known))) == expected


@pytest.mark.parametrize("colours", [1, 3])
def test_the_cells_determine_every_other_variable(encode: Encoder, colours: int) -> None:
    for puzzle in random_puzzles(colours, 15):
        encoding = encode(LineSolver(puzzle), LineSolver(puzzle).propagate().candidates)
        with Solver("minisat22", bootstrap_with=list(encoding.cnf)) as solver:
            models = list(solver.enum_models())
        assert len(models) == (len(solutions(puzzle)) if encoding.cnf.variables else 1)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_shuffled_encoding_has_the_same_grids(encode: Encoder, seed: int) -> None:
    for puzzle in (permutations(4), SMALL_IN_COLOUR[1], *random_puzzles(3, 10)):
        encoding = encode(LineSolver(puzzle), everything(puzzle))
        assert set(grids_of_models(encoding.shuffled(seed))) == set(grids_of_models(encoding))


def test_seeds_number_the_variables_differently(encode: Encoder) -> None:
    encoding = encode(LineSolver(n_dom(3)), everything(n_dom(3)))
    first, again, other = (encoding.shuffled(seed).cnf.literals for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_a_decided_puzzle_needs_no_formula(encode: Encoder) -> None:
    puzzle = Puzzle.from_clues([[2, 1]], [[1], [1], [], [1]])
    encoding = encode(LineSolver(puzzle), LineSolver(puzzle).propagate().candidates)
    assert (encoding.cnf.variables, encoding.cnf.clauses) == (0, 0)
    assert encoding.decode([]) == Grid.from_strings(["##.#"])


def test_every_variable_is_used_and_hardly_any_clause_is_repeated(encode: Encoder) -> None:
    puzzle = Puzzle.from_grid(Grid.from_cells(np.random.default_rng(6).random((25, 25)) < 0.5))
    cnf = encode(LineSolver(puzzle), LineSolver(puzzle).propagate().candidates).cnf
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
def test_candidates_that_do_not_fit_are_an_error(
    encode: Encoder, candidates: np.ndarray, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        encode(LineSolver(permutations(2)), candidates)


@pytest.mark.parametrize("clauses", [[], [[1]], [[-1, 2], [3], [], [1, 2, 3, -4]]])
def test_a_stream_gives_the_clauses_one_by_one(clauses: list[list[int]]) -> None:
    literals = np.array([literal for clause in clauses for literal in (*clause, 0)], np.int32)
    assert list(Cnf(4, len(clauses), literals)) == clauses


def test_a_literal_beyond_the_variables_is_an_error() -> None:
    with pytest.raises(ValueError, match="out of range"):
        ClauseStream(np.array([1, 3, 0], np.int32), 2)


def test_every_cell_of_more_than_two_candidates_has_exactly_one_colour(encode: Encoder) -> None:
    puzzle = Puzzle.from_clues([[1, (1, 2)], [(1, 2), 1]], [[1, (1, 2)], [(1, 2), 1]])
    encoding = encode(LineSolver(puzzle), everything(puzzle))
    for cells in product((1, -1), repeat=len(encoding.cells)):
        model = [sign * variable for variable, sign in enumerate(cells, 1)]
        with Solver("minisat22", bootstrap_with=list(encoding.cnf)) as solver:
            if solver.solve(assumptions=model):
                counts = np.bincount(encoding.cells[np.array(cells) > 0], minlength=4)
                assert (counts[np.bincount(encoding.cells, minlength=4) > 1] == 1).all()


def known_by_unit_propagation(encoding: Encoding, known: np.ndarray) -> np.ndarray | None:
    """The candidates in `known` that unit propagation leaves; None for a contradiction."""
    cells, bits = encoding.cells, np.uint64(1) << encoding.colours.astype(np.uint64)
    before = encoding.candidates.ravel()[cells]
    of_two = np.bitwise_count(before) == 2
    variables = np.arange(1, len(cells) + 1)
    excluded = -variables[known.ravel()[cells] & bits == 0]
    confirmed = variables[of_two & (known.ravel()[cells] & ~bits == 0)]
    units = [clause[0] for clause in encoding.cnf if len(clause) == 1]  # as clauses, they would go unreported
    others = [clause for clause in encoding.cnf if len(clause) > 1]
    with Solver("minisat22", bootstrap_with=others) as solver:
        consistent, literals = solver.propagate([*units, *excluded.tolist(), *confirmed.tolist()])
    if not consistent:
        return None
    result = encoding.candidates.ravel().copy()
    for literal in literals:
        if (index := abs(literal) - 1) >= len(cells):
            continue
        if literal < 0:
            result[cells[index]] &= ~bits[index]
        elif of_two[index]:
            result[cells[index]] &= bits[index]
    return result.reshape(known.shape)


def with_a_few_cells_known(candidates: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Candidates that lack one colour in up to 12 open cells: often a contradiction."""
    known = candidates.copy()
    for cell in random.permutation(np.flatnonzero(np.bitwise_count(known) > 1))[: random.integers(1, 13)]:
        colours = [colour for colour in range(4) if int(known.flat[cell]) >> colour & 1]
        known.flat[cell] &= ~(np.uint64(1) << random.choice(np.array(colours, np.uint64)))
    return known


@pytest.mark.parametrize(("size", "colours"), [(20, 1), (16, 2), (16, 3)])
def test_unit_propagation_equals_line_solving_for_automata_and_is_weaker_for_other_encodings(
    encode: Encoder, size: int, colours: int
) -> None:
    random = np.random.default_rng(4)
    less = 0
    for _ in range(3):
        cells = random.integers(1, colours + 1, (size, size)) * (random.random((size, size)) < 0.5)
        solver = LineSolver(Puzzle.from_grid(Grid.from_cells(cells)))
        encoding = encode(solver, solver.propagate().candidates)
        for _ in range(6):
            known = with_a_few_cells_known(encoding.candidates, random)
            root, found = solver.propagate(known), known_by_unit_propagation(encoding, known)
            if root.contradiction is not None:
                less += found is not None
            else:
                assert found is not None
                assert not (root.candidates & ~found).any(), "known, but not by line solving"
                less += not np.array_equal(found, root.candidates)
    assert (less == 0) == (encode is encode_automaton)
