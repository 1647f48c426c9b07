"""The check of counts: a third way agrees with enumeration, and a wrong count is reported."""

from __future__ import annotations

from math import factorial

import numpy as np
import pytest
from typer.testing import CliRunner

from nonocsp.testing import permutations, solutions
from nonocsp.testing.puzzles import SMALL, SMALL_IN_COLOUR, coloured_permutations
from tools.differential import counts
from tools.differential.__main__ import app


def test_the_third_way_counts_what_is_enumerated() -> None:
    random = np.random.default_rng(1)
    puzzles = [counts.random_puzzle(random, [4, 5], number % 3 + 1, 0.4) for number in range(60)]
    for puzzle in (*SMALL, *SMALL_IN_COLOUR, *puzzles):
        assert counts.count_by_cells(puzzle) == len(solutions(puzzle)), puzzle.title


def test_the_third_way_counts_permutations() -> None:
    assert counts.count_by_cells(permutations(9)) == factorial(9)
    assert counts.count_by_cells(coloured_permutations(4)) == factorial(4) ** 2


def test_three_ways_agree_on_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "LARGE", 10**4)
    result = CliRunner().invoke(app, ["counts", "--small", "300", "--large", "3"])
    assert result.exit_code == 0, result.output
    assert "; 0 counted otherwise" in result.output
    assert "3 large puzzles, 10^" in result.output


def test_a_wrong_count_fails_with_its_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "_counted", lambda way, puzzle: len(solutions(puzzle)) + 1)
    result = CliRunner().invoke(app, ["counts", "--small", "2", "--large", "0"])
    assert result.exit_code == 1
    assert "2 counted otherwise" in result.output
    assert result.output.count("rows (") == 2
