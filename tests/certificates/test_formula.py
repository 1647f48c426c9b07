"""The formula of the certificates: its models are the solutions, one for one."""

import numpy as np
import pytest
from pysat.solvers import Solver

from nonocsp.certificates import formula as formula_module
from nonocsp.certificates.formula import cell_variables, exclusion, formula_of
from nonocsp.model import Grid, Puzzle, PuzzleError, bounds
from nonocsp.testing import SMALL, SMALL_IN_COLOUR, descriptions, n_dom, solutions


def models(puzzle: Puzzle, excluded: Grid | None = None) -> list[Grid]:
    """Return the grid of every model, as a SAT solver enumerates them."""
    variables = np.array(cell_variables(puzzle))
    colours = np.arange(1, len(puzzle.palette))
    with Solver("minisat22", bootstrap_with=formula_of(puzzle, excluded).clauses) as solver:
        signs = (np.array([0, *model]) > 0 for model in solver.enum_models())
        return [Grid.from_cells(sign[variables] @ colours) for sign in signs]


def random_puzzle(seed: int) -> Puzzle:
    random = np.random.default_rng(seed)
    shape = random.integers(1, 6, 2)
    cells = random.integers(1, random.integers(2, 5), shape) * (random.random(shape) < 0.5)
    return Puzzle.from_grid(Grid.from_cells(cells))


def assert_one_model_for_each(puzzle: Puzzle, expected: list[Grid]) -> None:
    found = models(puzzle)
    assert len(found) == len(expected)
    assert set(found) == set(expected)


def test_the_models_are_the_solutions():
    for puzzle, grids in descriptions(3, 3):
        assert_one_model_for_each(puzzle, grids)
    for puzzle in (*SMALL, *SMALL_IN_COLOUR, *map(random_puzzle, range(60))):
        assert_one_model_for_each(puzzle, solutions(puzzle))


def test_excluding_a_solution_removes_only_that_model():
    for puzzle in map(random_puzzle, range(30)):
        every = solutions(puzzle)
        for excluded in every[:5]:
            assert set(models(puzzle, excluded)) == set(every) - {excluded}
    empty = Puzzle.from_clues([[]], [[], []])
    assert exclusion(empty, Grid.from_cells([[0, 0]])) == []


def test_the_formula_of_one_block_in_a_row_of_three_is_the_one_of_the_manual():
    """Cells 1 to 3; 4 and 5: the row's block starts at 0, at 0 or 1; columns leave no choice."""
    formula = formula_of(Puzzle.from_clues([[1]], [[], [1], []]))
    assert formula.variables == 5
    row = [[-4, 5], [-4, 1], [-5, 4, 2], [5, 3], [4, -1], [5, -2], [-4, -2], [-5, -3]]
    columns = [[-1], [2], [-3]]
    assert sorted(map(sorted, formula.clauses)) == sorted(map(sorted, row + columns))
    assert next(formula.dimacs()) == b"p cnf 5 11\n"


def test_a_puzzle_beyond_the_limit_is_refused(monkeypatch):
    formula_of(n_dom(3))
    monkeypatch.setattr(bounds, "CLAUSES", 100)
    with pytest.raises(PuzzleError, match="up to 100 clauses"):
        formula_of(n_dom(3))
    monkeypatch.setattr(formula_module, "cell_variables", None)  # refused by its cells, before any is made
    with pytest.raises(PuzzleError, match="up to 100 clauses"):
        formula_of(Puzzle.from_clues([[]] * 11, [[]] * 10))
