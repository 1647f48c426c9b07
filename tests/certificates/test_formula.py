"""The formula of the certificates: its models are the solutions, one for one."""

from collections.abc import Sequence
from itertools import chain, combinations, product

import numpy as np
import pytest
from pysat.solvers import Solver

from nonocsp.certificates import formula as formula_module
from nonocsp.certificates.formula import TRUE, LinePlaces, cell_literals, exclusion, formula_of
from nonocsp.model import Clue, Grid, Puzzle, PuzzleError, bounds
from nonocsp.testing import SMALL, SMALL_IN_COLOUR, descriptions, n_dom, solutions


def models(puzzle: Puzzle, excluded: Sequence[Grid] = (), version: int = 2) -> list[Grid]:
    """Return the grid of every model, as a SAT solver enumerates them."""
    literals = np.array(cell_literals(puzzle, version))[:, :, 1:]
    colours = np.arange(1, len(puzzle.palette))
    with Solver("minisat22", bootstrap_with=formula_of(puzzle, excluded, version).clauses) as solver:
        signs = (np.array([0, *model]) > 0 for model in solver.enum_models())
        return [Grid.from_cells(sign[literals] @ colours) for sign in signs]


def random_puzzle(seed: int) -> Puzzle:
    random = np.random.default_rng(seed)
    shape = random.integers(1, 6, 2)
    cells = random.integers(1, random.integers(2, 5), shape) * (random.random(shape) < 0.5)
    return Puzzle.from_grid(Grid.from_cells(cells))


def assert_one_model_for_each(puzzle: Puzzle, expected: list[Grid], version: int) -> None:
    found = models(puzzle, None, version)
    assert len(found) == len(expected)
    assert set(found) == set(expected)


@pytest.mark.parametrize("version", [1, 2])
def test_the_models_are_the_solutions(version):
    for puzzle, grids in descriptions(3, 3):
        assert_one_model_for_each(puzzle, grids, version)
    for puzzle in (*SMALL, *SMALL_IN_COLOUR, *map(random_puzzle, range(60))):
        assert_one_model_for_each(puzzle, solutions(puzzle), version)


def lines(length: int, colours: int) -> dict[Clue, list[tuple[int, ...]]]:
    """Return all clues of a line, and the lines that have each."""
    found: dict[Clue, list[tuple[int, ...]]] = {}
    for line in product(range(colours + 1), repeat=length):
        clue = Puzzle.from_grid(Grid.from_cells([line])).rows[0]
        found.setdefault(clue, []).append(line)
    return found


def decided(clue: Clue, fitting: list[tuple[int, ...]]) -> set[tuple[int, int]]:
    """Return cells with their colours: those that a block always covers, and those always between two."""
    starts = [[s for s, k in enumerate(line) if k and (s == 0 or line[s - 1] != k)] for line in fitting]
    cells, end = set[tuple[int, int]](), 0
    for block, at in zip(clue, zip(*starts, strict=True), strict=True):
        first, last = min(at), max(at)
        cells |= {(s, 0) for s in range(end, first)}
        cells |= {(s, block.colour) for s in range(last, first + block.length)}
        end = last + block.length
    return cells | {(s, 0) for s in range(end, len(fitting[0]))}


GUARD = 1000
"""A variable that all clauses wait for, so that the solver tells what follows from them alone, too."""
LONG = [pytest.param(*size, marks=pytest.mark.slow) for size in ((8, 1), (4, 2), (3, 3))]


@pytest.mark.parametrize(("length", "colours"), [(6, 1), (3, 2), (2, 3), *LONG])
def test_unit_propagation_refutes_exactly_the_lines_without_a_placement(length, colours):
    """The lemma of docs/explanation/certificates.md, for all clues and all sets of candidates."""
    puzzle = Puzzle.from_grid(Grid.from_cells([[colours] * length]))
    [cells] = cell_literals(puzzle)
    of_cells = [[], *([cell, *([-a, -b] for a, b in combinations(cell, 2))] for cell in cells)]
    subsets = range(1, 1 << (colours + 1))
    for clue, placements in lines(length, colours).items():
        clauses = [*chain.from_iterable(of_cells)] if colours > 1 else []
        made = (clause for clause in LinePlaces(clue, length, 100).clauses(cells) if TRUE not in clause)
        clauses += [[literal for literal in clause if literal != -TRUE] for clause in made]
        known = Solver("minisat22", bootstrap_with=[[*clause, -GUARD] for clause in clauses])
        for sets in product(subsets, repeat=length):
            fitting = [
                line for line in placements if all(s >> k & 1 for s, k in zip(sets, line, strict=True))
            ]
            assumed = [GUARD] + [
                -literal
                for s, cell in zip(sets, cells, strict=True)
                for k, literal in enumerate(cell)
                if not s >> k & 1
            ]
            is_open, implied = known.propagate(assumed)
            assert is_open is bool(fitting), (clue, sets)
            if fitting:
                assert {cells[s][k] for s, k in decided(clue, fitting)} <= {*implied}, (clue, sets)
        known.delete()


def test_excluding_a_solution_removes_only_that_model():
    for puzzle in map(random_puzzle, range(30)):
        every = solutions(puzzle)
        for excluded in every[:5]:
            assert set(models(puzzle, [excluded])) == set(every) - {excluded}
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
    monkeypatch.setattr(formula_module, "cell_literals", None)  # refused by its cells, before any is made
    with pytest.raises(PuzzleError, match="up to 100 clauses"):
        formula_of(Puzzle.from_clues([[]] * 11, [[]] * 10))
