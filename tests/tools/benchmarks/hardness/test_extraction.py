from __future__ import annotations

import pytest

from nonocsp import Puzzle
from tools.benchmarks.hardness.extraction import FEATURES, GROUPS, extract


def test_a_switch_has_four_open_cells_that_nothing_decides() -> None:
    puzzle = Puzzle.from_clues(rows=[[1], [1]], columns=[[1], [1]])
    assert extract(puzzle).values == pytest.approx(
        {
            **{"cells": 4, "colours": 1, "density": 2 / 4, "blocks": 1, "slack": 1 / 2, "placements": 1},
            **{"sweeps": 0, "open": 1, "open cells": 4, "left": 1, "widest": 1},
            **{"components": 1, "largest": 1},
            **{"clauses": 8 / 4, "open, 2-SAT": 1},  # at least, and at most, one cell of each line
            "open, probed": 1,
            **{"entropy": 1, "all entropy": 4, "certain": 0},
        }
    )


def test_switches_of_two_colours_are_two_components() -> None:
    clues = [[(1, 1)], [(1, 1)], [(1, 2)], [(1, 2)]]
    values = extract(Puzzle.from_clues(rows=clues, columns=clues)).values
    assert values == pytest.approx(
        {
            **{"cells": 16, "colours": 2, "density": 4 / 16, "blocks": 1, "slack": 3 / 4, "placements": 2},
            **{"sweeps": 2, "open": 8 / 16, "open cells": 8, "left": 1, "widest": 1},
            **{"components": 2, "largest": 1 / 2},
            **{"clauses": 2, "open, 2-SAT": 1},
            "open, probed": 1,
            **{"entropy": 1, "all entropy": 8, "certain": 0},
        }
    )


def test_without_open_cells_all_features_of_them_are_zero() -> None:
    extraction = extract(Puzzle.from_clues(rows=[[3], [1, 1]], columns=[[2], [1], [2]]))
    assert extraction.values == pytest.approx(
        dict.fromkeys(FEATURES, 0)
        | {"cells": 6, "colours": 1, "density": 5 / 6, "blocks": 6 / 5, "slack": 1 / 10, "sweeps": 1}
        | {"placements": 1 / 5}
    )
    assert extraction.cpu_s.keys() == GROUPS.keys()


def test_the_widest_line_has_the_most_placements_left() -> None:
    puzzle = Puzzle.from_clues(rows=[[1], [1], [1]], columns=[[1], [1], [1]])
    values = extract(puzzle).values
    assert values["widest"] == values["left"] == values["placements"] == pytest.approx(1.584963)
