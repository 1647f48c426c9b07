"""Settle and feasible, on every clue and every partial state of short lines."""

from collections.abc import Sequence

import numpy as np
import pytest

from nonocsp import engine
from nonocsp.model import Clue
from tests import oracle

ONE_COLOUR = (0b01, 0b10, 0b11)
TWO_COLOURS = tuple(range(1, 8))
KNOWN_OR_OPEN = (0b001, 0b010, 0b100, 0b111)


def check(clues: Sequence[Clue], length: int, states: Sequence[int]) -> None:
    lines = oracle.all_states(length, states)
    for clue in clues:
        expected = oracle.settle_all_states(clue, length, states)
        settled, fits = engine.settle_lines(clue, lines)
        assert np.array_equal(settled, expected), clue
        assert np.array_equal(fits, expected.any(axis=1)), clue
        assert np.array_equal(engine.feasible_lines(clue, lines), fits), clue


@pytest.mark.parametrize("length", range(1, 9))
def test_every_state_of_a_short_line_in_one_colour_is_settled_correctly(length):
    check(oracle.clues(length, 1), length, ONE_COLOUR)


@pytest.mark.parametrize("blocks", range(6))
@pytest.mark.parametrize("length", [9, 10])
def test_every_state_of_a_line_in_one_colour_is_settled_correctly(length, blocks):
    check([clue for clue in oracle.clues(length, 1) if len(clue) == blocks], length, ONE_COLOUR)


@pytest.mark.parametrize("length", range(1, 6))
def test_every_candidate_set_of_every_cell_in_two_colours_is_settled_correctly(length):
    check(oracle.clues(length, 2), length, TWO_COLOURS)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_every_candidate_set_of_six_cells_in_two_colours_is_settled_correctly(part):
    check(oracle.clues(6, 2)[part::8], 6, TWO_COLOURS)


@pytest.mark.parametrize("part", range(4))
def test_every_line_of_seven_known_or_open_cells_in_two_colours_is_settled_correctly(part):
    """All candidate sets would be 7 ** 7 states for each of 577 clues."""
    check(oracle.clues(7, 2)[part::4], 7, KNOWN_OR_OPEN)


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_a_cell_without_candidates_is_a_contradiction(length):
    check(oracle.clues(length, 2), length, range(8))
