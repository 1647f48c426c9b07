"""A search by probing with a budget: the solutions before it gives up, and the root for the next search."""

import numpy as np
import pytest

from nonocsp.engine import LineSolver, ProbingLevel, probing
from nonocsp.model import Grid, Palette, Puzzle
from nonocsp.testing import permutations, solutions


def random_puzzle(colours: int, seed: int) -> Puzzle:
    rng = np.random.default_rng([colours, seed])
    cells = rng.integers(1, colours + 1, (6, 6)) * (rng.random((6, 6)) < 0.5)
    return Puzzle.from_grid(Grid.from_cells(cells), palette=Palette.of(colours))


PUZZLES = [permutations(5), *(random_puzzle(colours, seed) for colours in (1, 2) for seed in range(8))]


def search_of(puzzle: Puzzle, budget: int | None) -> probing.ProbingSearch:
    method = probing.search_by_probing(ProbingLevel.FP1, False, 2, "min_logd", "larger", 0, budget)
    search = method.search(LineSolver(puzzle).compiled)
    assert isinstance(search, probing.ProbingSearch)
    return search


def run(search: probing.ProbingSearch) -> tuple[list[Grid], bool]:
    """Return the solutions of the search, and whether the budget was enough."""
    found: list[Grid] = []
    while True:
        try:
            cells = search.next(None, None)
        except probing.BudgetSpent:
            return found, False
        if cells is None:
            return found, True
        found.append(Grid(cells))


def within(root: np.ndarray[tuple[int, ...], np.dtype[np.uint64]] | None, solution: Grid) -> bool:
    return root is not None and not (solution.candidates & ~root).any()


@pytest.mark.parametrize("budget", [0, 1, 2, 5, 20])
def test_every_solution_is_found_within_the_budget_or_remains_in_the_root(budget):
    spent = 0
    for puzzle in PUZZLES:
        search = search_of(puzzle, budget)
        found, is_enough = run(search)
        expected = set(solutions(puzzle))
        assert len(set(found)) == len(found)
        assert set(found) <= expected
        left = {solution for solution in expected if within(search.root, solution)}
        assert (is_enough and set(found) == expected) or set(found) | left == expected
        spent += not is_enough
    assert spent


def test_a_budget_counts_probes_and_grows_with_removed_candidates():
    puzzle = permutations(5)
    root = LineSolver(puzzle).probe()
    assert root.candidates.tolist() == LineSolver(puzzle).propagate().candidates.tolist()  # nothing is earned
    enough, little = root.probes + 3, 7
    for budget, probes in ((little, little), (enough, root.probes + enough)):
        search = search_of(puzzle, budget)
        run(search)
        assert dict(search.statistics())["probes"] == probes
