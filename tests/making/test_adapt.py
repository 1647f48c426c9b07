"""The best change by bounds, against trying every change with line solving from the clues alone."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from nonocsp.engine import Interrupted, LineSolver
from nonocsp.making.adapt import best_change, change_evaluator
from nonocsp.model import Grid, Palette, Puzzle

from .naive import after, first_of_the_least, open_cells


@dataclass(frozen=True, eq=False)
class Case:
    """A random image, changes of it, and what is true of them."""

    image: NDArray[np.uint8]
    colours: int
    changes: NDArray[np.int32]
    costs: NDArray[np.float64]
    alpha: float
    bounds: NDArray[np.int32]
    open: NDArray[np.int64]

    @property
    def best(self) -> int:
        return first_of_the_least((self.alpha * self.open + self.costs).tolist())


def case(seed: int) -> Case:
    """Return an image of up to 7x7 in one to three colours; in half of the cases only white cells change.

    Costs are all equal, a few times alpha, or of 60 values, so that open cells, ties or costs decide.
    """
    rng = np.random.default_rng(seed)
    colours = 1 + seed % 3
    rows, columns = (int(lines) for lines in rng.integers(4, 8, 2))
    filled = rng.random((rows, columns)) < rng.uniform(0.2, 0.5)
    image = (rng.integers(1, colours + 1, (rows, columns)) * filled).astype(np.uint8)
    every = np.argwhere(image[..., np.newaxis] != np.arange(colours + 1))
    if seed % 2:
        every = every[image[tuple(every[:, :2].T)] == 0]
    changes = rng.permutation(every).astype(np.int32)
    alpha = (8.0, 1.0, 0.3)[seed // 9 % 3]
    steps, step = ((1, alpha), (6, alpha), (60, 0.7))[seed // 3 % 3]
    costs = rng.integers(0, steps, len(changes)) * step
    return examined(image, colours, changes, costs, alpha)


def examined(
    image: NDArray[np.uint8],
    colours: int,
    changes: NDArray[np.int32],
    costs: NDArray[np.float64],
    alpha: float,
) -> Case:
    with change_evaluator(colours + 1, 1, None) as evaluator:
        bounds = evaluator.least_open(evaluator.trials(image), changes)
    still_open = np.array([open_cells(after(image, tuple(change)), colours) for change in changes.tolist()])
    return Case(image, colours, changes, costs, alpha, bounds, still_open)


TIES = ((139, 1), (139, 4), (277, 1), (277, 12), (379, 1), (691, 1), (11212, 12), (23197, 12), (28318, 12))
"""Seed and number of costs of rare images: several changes are best, and their bounds have another order."""


def tie(seed: int, steps: int) -> Case:
    rng = np.random.default_rng(seed)
    colours = 1 + seed % 3
    rows, columns = (int(lines) for lines in rng.integers(4, 10, 2))
    filled = rng.uniform(0.1, 0.6)
    image = (rng.integers(1, colours + 1, (rows, columns)) * (rng.random((rows, columns)) < filled)).astype(
        np.uint8
    )
    changes = rng.permutation(np.argwhere(image[..., np.newaxis] != np.arange(colours + 1))).astype(np.int32)
    for fewer in (1, 4, 12):
        costs = rng.integers(0, fewer, len(changes)).astype(float)
        if fewer == steps:
            break
    return examined(image, colours, changes, costs, 1.0)


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return [*(case(seed) for seed in range(162)), *(tie(*one) for one in TIES)]


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 3])
def test_the_best_change_agrees_with_trying_all_changes_ties_included(cases: list[Case], jobs: int) -> None:
    for number, one in enumerate(cases):
        with change_evaluator(one.colours + 1, jobs, None) as evaluator:
            found = best_change(evaluator.trials(one.image), one.changes, one.costs, one.alpha, evaluator)
        assert found == one.best, number


@pytest.mark.slow
def test_a_bound_is_never_above_the_truth_and_the_exact_number_is_the_truth(cases: list[Case]) -> None:
    for one in cases:
        assert (one.bounds <= one.open).all()
        with change_evaluator(one.colours + 1, 1, None) as evaluator:
            trials = evaluator.trials(one.image)
            assert [evaluator.open_after(trials, change) for change in one.changes] == one.open.tolist()


WRONG: dict[str, Callable[[Case], int]] = {
    "the first bound": lambda one: first_of_the_least((one.alpha * one.bounds + one.costs).tolist()),
    "the last of several": lambda one: (
        len(one.costs) - 1 - first_of_the_least((one.alpha * one.open + one.costs)[::-1].tolist())
    ),
    "of several the one with the least bound": lambda one: int(
        np.lexsort((one.alpha * one.bounds + one.costs, one.alpha * one.open + one.costs))[0]
    ),
    "without costs": lambda one: first_of_the_least(one.open.tolist()),
    "costs for ties only": lambda one: int(np.lexsort((one.costs, one.open))[0]),
    "costs alone": lambda one: first_of_the_least(one.costs.tolist()),
    "alpha is 1": lambda one: first_of_the_least((one.open + one.costs).tolist()),
    "the best of white cells": lambda one: min(
        range(len(one.costs)),
        key=lambda i: (
            one.image[tuple(one.changes[i, :2])] > 0,
            one.alpha * one.open[i] + one.costs[i],
        ),
    ),
}
"""Rules that are not Adapt's."""


@pytest.mark.slow
@pytest.mark.parametrize("rule", WRONG)
def test_the_cases_expose_wrong_rules(cases: list[Case], rule: str) -> None:
    assert sum(WRONG[rule](one) != one.best for one in cases) >= 5


@pytest.mark.parametrize("shape", [(1, 1), (12, 12), (2, 70)], ids=str)
@pytest.mark.parametrize("alpha", [8.0, 0.0])
def test_other_shapes_give_the_best_change_too(shape: tuple[int, int], alpha: float) -> None:
    rng = np.random.default_rng(shape)
    image = (rng.random(shape) < 0.4).astype(np.uint8)
    changes = rng.permutation(np.argwhere(image[..., np.newaxis] != np.arange(2))).astype(np.int32)
    costs = rng.integers(0, 4, len(changes)) * 0.7

    def still_open(change: NDArray[np.int32]) -> int:
        grid = Grid.from_cells(after(image, tuple(change.tolist())))
        found = LineSolver(Puzzle.from_grid(grid, palette=Palette.of(1))).propagate()
        return Grid(found.candidates).unknown_cells

    values = [alpha * still_open(change) + cost for change, cost in zip(changes, costs, strict=True)]
    with change_evaluator(2, 2, None) as evaluator:
        found = best_change(evaluator.trials(image), changes, costs, alpha, evaluator)
    assert found == first_of_the_least(values)


def counted(monkeypatch: pytest.MonkeyPatch, image: NDArray[np.uint8]) -> tuple[int, int, int]:
    """Return the numbers of changes of white cells, of those with a bound, and of those tried."""
    changes = np.c_[np.argwhere(image == 0), np.ones(np.count_nonzero(image == 0))].astype(np.int32)
    bounded, tried = [], []
    with change_evaluator(2, 1, None) as evaluator:
        least_open, open_after = evaluator.least_open, evaluator.open_after
        monkeypatch.setattr(
            evaluator, "least_open", lambda *args: bounded.extend(args[1]) or least_open(*args)
        )
        monkeypatch.setattr(evaluator, "open_after", lambda *args: tried.append(1) or open_after(*args))
        costs = np.random.default_rng(0).random(len(changes)) * 200
        best_change(evaluator.trials(image), changes, costs, 8.0, evaluator)
    return len(changes), len(bounded), len(tried)


def test_the_bounds_save_most_of_the_exact_trials(monkeypatch: pytest.MonkeyPatch) -> None:
    image = (np.random.default_rng(4).random((20, 20)) < 0.4).astype(np.uint8)
    changes, bounded, tried = counted(monkeypatch, image)
    assert bounded == changes
    assert tried < changes / 20


def test_a_simple_image_needs_no_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    image = np.triu(np.ones((9, 9), np.uint8))
    changes, bounded, tried = counted(monkeypatch, image)
    assert bounded == 0
    assert tried < changes / 2


def test_the_remaining_time_counts_down_from_the_limit() -> None:
    with change_evaluator(2, 1, 100.0) as evaluator:
        first, second = evaluator.remaining(), evaluator.remaining()
    assert first
    assert second
    assert 90 < second < first <= 100
    with change_evaluator(2, 1, 0.9) as evaluator:
        assert evaluator.remaining()
    with change_evaluator(2, 1, None) as evaluator:
        assert evaluator.remaining() is None
    with change_evaluator(2, 1, 1e-9) as evaluator, pytest.raises(Interrupted):
        evaluator.remaining()


def test_trials_end_at_the_time_limit_or_when_their_owner_is_gone() -> None:
    image = (np.random.default_rng(4).random((20, 20)) < 0.4).astype(np.uint8)
    with change_evaluator(2, 1, 1e-9) as evaluator, pytest.raises(Interrupted):
        evaluator.trials(image)
    with change_evaluator(2, 1, None) as evaluator:
        trials = evaluator.trials(image)
    with pytest.raises(Interrupted):
        evaluator.open_after(trials, np.array([0, 0, 1], np.int32))


def test_there_is_a_thread_for_each_core_unless_a_number_is_given() -> None:
    for jobs, threads in ((None, os.cpu_count()), (3, 3)):
        with change_evaluator(2, jobs, None) as evaluator:
            assert evaluator.jobs == threads
