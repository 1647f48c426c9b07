"""The best change by bounds, against trying every change with line solving from nothing."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp.engine import Interrupted, LineSolver
from nonocsp.making.adapt import best_change, change_evaluator
from nonocsp.model import Grid, Palette, Puzzle


def open_cells(image: NDArray[np.uint8], colours: int) -> int:
    puzzle = Puzzle.from_grid(Grid.from_cells(image), palette=Palette.of(colours))
    return Grid(LineSolver(puzzle).propagate().candidates).unknown_cells


def naive_best(
    image: NDArray[np.uint8],
    colours: int,
    changes: NDArray[np.int32],
    costs: NDArray[np.float64],
    alpha: float,
) -> int:
    """Figure 8 as it is written: try all in their order, keep what is better than everything before."""
    least, best = np.inf, -1
    for i, (row, column, colour) in enumerate(changes):
        changed = image.copy()
        changed[row, column] = colour
        value = alpha * open_cells(changed, colours) + costs[i]
        if value < least:
            least, best = value, i
    return best


@pytest.mark.parametrize("alpha", [8.0, 0.3, 0.0])
@pytest.mark.parametrize("steps_of_cost", [1, 3, 256], ids=lambda n: f"{n} costs")
@pytest.mark.parametrize(
    "shape", [(1, 1, 1), (5, 4, 1), (9, 8, 1), (12, 12, 1), (6, 6, 3), (2, 70, 1)], ids=str
)
def test_the_best_change_is_that_of_trying_all_ties_included(
    shape: tuple[int, int, int], steps_of_cost: int, alpha: float
) -> None:
    rows, columns, colours = shape
    rng = np.random.default_rng([*shape, steps_of_cost])
    image = (rng.integers(1, colours + 1, (rows, columns)) * (rng.random((rows, columns)) < 0.4)).astype(
        np.uint8
    )
    every = np.argwhere(image[..., np.newaxis] != np.arange(colours + 1))
    changes = rng.permutation(every).astype(np.int32)
    costs = rng.integers(0, steps_of_cost, len(changes)) * 0.7
    with change_evaluator(colours + 1, 2, None) as evaluator:
        found = best_change(evaluator.trials(image), changes, costs, alpha, evaluator)
    assert found == naive_best(image, colours, changes, costs, alpha)


def test_the_bounds_spare_most_of_the_exact_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    image = (np.random.default_rng(4).random((20, 20)) < 0.4).astype(np.uint8)
    changes = np.c_[np.argwhere(image == 0), np.ones(np.count_nonzero(image == 0))].astype(np.int32)
    exact = []
    with change_evaluator(2, 1, None) as evaluator:
        ask = evaluator.open_after
        monkeypatch.setattr(evaluator, "open_after", lambda *args: exact.append(1) or ask(*args))
        best_change(evaluator.trials(image), changes, np.zeros(len(changes)), 8.0, evaluator)
    assert len(exact) < len(changes) / 10


def test_trials_end_when_the_time_is_over_or_their_owner_is_gone() -> None:
    image = (np.random.default_rng(4).random((20, 20)) < 0.4).astype(np.uint8)
    with change_evaluator(2, 1, 1e-9) as evaluator, pytest.raises(Interrupted):
        evaluator.trials(image)
    with change_evaluator(2, 1, None) as evaluator:
        trials = evaluator.trials(image)
    with pytest.raises(Interrupted):
        evaluator.open_after(trials, np.array([0, 0, 1], np.int32))
