"""Lemmas 4.1 and 4.2 of Batenburg et al., against settling by enumeration."""

import pytest

from nonocsp import Puzzle
from nonocsp.grading.lemmas import LineFact, LineFacts, line_facts
from nonocsp.model import FlatClues
from tests import oracle

FACTS = LineFact.FIXED, LineFact.PARTLY, LineFact.SILENT


@pytest.mark.parametrize(("length", "colours"), [(1, 1), (2, 1), (7, 1), (8, 1), (1, 2), (5, 2), (4, 3)])
def test_the_lemmas_predict_the_settled_line_of_a_clue_alone(length, colours):
    clues = oracle.clues(length, colours)
    for clue, fact in zip(clues, line_facts(FlatClues.of(clues), length), strict=True):
        settled = oracle.settle_by_enumeration(clue, [2 ** (colours + 1) - 1] * length)
        assert settled is not None
        fixed = sum(cell.bit_count() == 1 for cell in settled)
        assert fact is (FACTS[0] if fixed == length else FACTS[1] if fixed else FACTS[2]), clue


def test_a_puzzle_has_the_facts_of_all_lines():
    facts = LineFacts.of(Puzzle.from_clues([[3], [1, 1], []], [[2], [1], [2]]))
    assert facts.rows == (LineFact.FIXED,) * 3
    assert facts.columns == (LineFact.PARTLY, LineFact.SILENT, LineFact.PARTLY)
