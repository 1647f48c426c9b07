"""The reference is checked against itself: two ways to settle that share nothing."""

from itertools import product

import pytest

from nonocsp.model import Clue, Grid, Puzzle, verify
from tests import oracle


@pytest.mark.parametrize(("length", "colours"), [(1, 1), (4, 1), (6, 1), (3, 2), (4, 2)])
def test_the_placements_of_a_clue_are_exactly_the_lines_with_it(length, colours):
    lines = list(product(range(colours + 1), repeat=length))
    for clue in oracle.clues(length, colours):
        assert sorted(oracle.placements(clue, length)) == [ln for ln in lines if oracle.clue_of(ln) == clue]


@pytest.mark.parametrize(("length", "colours"), [(1, 1), (5, 1), (3, 2)])
def test_all_ways_to_settle_agree_on_every_state(length, colours):
    subsets = range(1, 2 ** (colours + 1))
    states = oracle.all_states(length, subsets).tolist()
    for clue in oracle.clues(length, colours):
        table = oracle.settle_all_states(clue, length, subsets).tolist()
        for line, settled in zip(states, table, strict=True):
            expected = settled if any(settled) else None
            assert oracle.settle(clue, line) == expected
            assert oracle.settle_by_enumeration(clue, line) == expected


def test_no_placement_fits_a_clue_longer_than_its_line():
    assert oracle.settle(Clue.of(2, 2), [3, 3, 3, 3]) is None


def test_the_search_finds_every_solution_of_the_smallest_ambiguous_puzzle():
    puzzle = Puzzle.from_clues([[1], [1]], [[1], [1]])
    assert len(oracle.solutions(puzzle)) == 2
    assert all(verify(puzzle, Grid.from_cells(cells)) for cells in oracle.solutions(puzzle))
