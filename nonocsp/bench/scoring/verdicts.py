"""Judge from alternating blocks of sessions which backends got better or worse.

Three quantities of each backend are tested together: its time; from four backends on, its own time, without
the session's factor, which is the median of the others; and how many questions it leaves undecided. The own
time is the most precise. It only counts if the time itself changed in the same direction, and enough to
matter: a backend that stayed as it was while all others improved has not got worse.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np

from nonocsp.bench.scoring.blocks import SHIFT_S, Blocks
from nonocsp.bench.scoring.means import finite
from nonocsp.bench.scoring.permutation import (
    LEVEL,
    MAX_SESSIONS,
    POWER,
    TARGET,
    Differences,
    differences,
    least_sessions,
    normal,
    sessions_needed,
)
from nonocsp.bench.scoring.runs import BoolArray, FloatArray

THRESHOLD = 0.05
"""The least change of the ratio that matters, either way."""
_LEAST = float(np.log1p(THRESHOLD))
MIN_RIVALS = 4
"""From this many backends on, the others tell what a session's factor was."""
_MORE = 1.5
"""Factor by which the sessions grow if those that should have been enough left a doubt."""
_LARGE = float(np.log(1.5))
"""Logarithm of a ratio that is shown by medians."""
_LEAST_QUESTIONS = 0.5
"""The least change of the mean number of undecided questions that matters."""


class Verdict(StrEnum):
    """What a change amounts to."""

    REGRESSION = "regression"
    IMPROVEMENT = "improvement"
    SAME = "same"
    UNDECIDED = "undecided"


class Judge:
    """Judges what sessions of two campaigns say about each backend, in one of several `comparisons`."""

    def __init__(self, blocks: Blocks, comparisons: int = 1) -> None:
        self.blocks, self.comparisons = blocks, comparisons
        self.levels = np.stack([cells.levels() for cells in blocks.backends], axis=1)
        self.counts = np.stack([cells.undecided_counts() for cells in blocks.backends], axis=1)
        has_level: BoolArray = np.asarray(np.isfinite(self.levels).all(axis=0))
        centred = self.levels - self.levels.mean(axis=0)
        self.own = np.full_like(self.levels, np.nan)
        if has_level.sum() >= MIN_RIVALS:
            for b in np.flatnonzero(has_level):
                rivals = has_level.copy()
                rivals[b] = False
                self.own[:, b] = centred[:, b] - np.median(centred[:, rivals], axis=1)

    @cached_property
    def found(self) -> Differences:
        """Differences of time, own time and undecided questions, each of shape (3, B); NaN without data."""
        values = np.hstack([self.levels, self.own, self.counts])
        is_there = np.isfinite(values).all(axis=0)
        found = differences(values[:, is_there], self.blocks.is_after, self.comparisons)

        def spread(column: FloatArray) -> FloatArray:
            whole = np.full(values.shape[1], np.nan)
            whole[is_there] = column
            return whole.reshape(3, -1)

        return Differences(*(spread(each) for each in (found.mean, found.deviation, found.p_value)))

    @property
    def is_enough(self) -> bool:
        """Whether each campaign has enough blocks for a test to be significant at all."""
        return self.blocks.of_each >= least_sessions(self.comparisons)

    def is_testable(self, b: int) -> bool:
        """Return whether sessions can tell anything of a backend: some question was asked in all of them."""
        return bool(np.isfinite(self.counts[:, b]).all())

    def needed(self, b: int) -> int | None:
        """Return how many sessions of each campaign find a change of `TARGET` in a backend, if any do."""
        if not self.is_testable(b):
            return None
        (time, own, _), size = self.found.deviation[:, b], len(self.blocks.is_after)
        quantities = int(np.isfinite(self.found.mean[:2]).sum())
        if np.isnan(time):
            return least_sessions(self.comparisons)
        needed = sessions_needed(time, size, quantities, self.comparisons)
        spare = float(np.log1p(TARGET)) - _LEAST
        if np.isfinite(own) and spare > 0.0:  # the time itself must exceed the least change as surely
            beyond = min(2.0 * (normal(POWER) * time / spare) ** 2, MAX_SESSIONS)
            by_own = sessions_needed(own, size, quantities, self.comparisons)
            needed = min(needed, max(by_own, int(np.ceil(beyond))))
        return needed if needed > self.blocks.of_each else int(np.ceil(_MORE * self.blocks.of_each))

    def verdict(self, b: int) -> Verdict:
        """Return what the tests of a backend amount to."""
        is_tested = self.is_enough and self.is_testable(b)
        sign = self._sign(b) if is_tested else self._failures(b)
        if sign:
            return Verdict.REGRESSION if sign > 0 else Verdict.IMPROVEMENT
        if not is_tested:
            return Verdict.UNDECIDED
        own = self.found.mean[1, b]
        is_doubtful = self.found.p_value[1, b] < LEVEL and abs(own) > _LEAST
        is_same = self._is_within((0, b)) or (
            np.isfinite(own) and not is_doubtful and self._is_within((1, b))
        )
        return Verdict.SAME if is_same else Verdict.UNDECIDED

    def _is_within(self, quantity: tuple[int, int]) -> bool:
        """Return whether a change of `TARGET` is excluded, as it is if no question has a limit."""
        low, high = self.interval(quantity) or (1.0, 1.0)
        return low * (1.0 + TARGET) > 1.0 > high / (1.0 + TARGET)

    def interval(self, quantity: tuple[int, int]) -> tuple[float, float] | None:
        """Return the 95 % interval of the ratio that a quantity and backend have, by Student's t."""
        from scipy.stats import t

        centre, after = self.found.mean[quantity], self.blocks.is_after
        if len(after) < 4 or not np.isfinite(centre):
            return None
        width = float(t.ppf(0.975, len(after) - 2)) * self.found.deviation[quantity]
        width *= np.sqrt(1.0 / after.sum() + 1.0 / (~after).sum())
        return float(np.exp(centre - width)), float(np.exp(centre + width))

    def _best(self, b: int) -> tuple[int, int]:
        """Return the more precise quantity of a backend: its own time if there is one, else its time."""
        return (1 if np.isfinite(self.found.mean[1, b]) else 0), b

    def _sign(self, b: int) -> int:
        """Return 1 if the backend got worse, -1 if better, 0 if the tests do not say."""
        time, own, count = self.found.mean[:, b]
        is_time, is_own, is_count = self.found.p_value[:, b] < LEVEL
        if is_count and abs(count) >= _LEAST_QUESTIONS:
            return 1 if count > 0 else -1
        is_own = is_own and abs(own) > _LEAST and (own > 0) == (time > 0)
        if (is_time or is_own) and abs(time) > _LEAST:
            return 1 if time > 0 else -1
        return 0

    def _failures(self, b: int) -> int:
        """Return 1 if the backend now fails on its own where it did not, -1 for the reverse, else 0."""
        from scipy.stats import binom

        # McNemar's exact test: a broken backend must not pass because it was measured once
        cells = self.blocks.backends[b]
        worse, better = (int(cells.turned(cells.failed, version).sum()) for version in (True, False))
        level = LEVEL / 2.0 / len(self.blocks.backends) / self.comparisons
        for sign, more in ((1, worse), (-1, better)):
            if binom.sf(more - 1, worse + better, 0.5) < level:
                return sign
        return 0

    def figures(self, b: int) -> dict[str, Any]:
        """Return the fields of a `Change` that are figures."""
        (time, own, _), after = self.found.mean[:, b], self.blocks.is_after
        means = [self.levels[after == version, b].mean() for version in (False, True)]
        if abs(time) > _LARGE:  # levels understate it, because strays are limited
            means = [self.blocks.backends[b].median(version) for version in (False, True)]
        beyond = means[1] - means[0] - time
        interval, factor = self.interval(self._best(b)), float(np.exp(beyond))
        p_values = self.found.p_value[:, b]
        return {
            "before_s": finite(np.exp(means[0]) - SHIFT_S),
            "after_s": finite(np.exp(means[1]) - SHIFT_S),
            "ratio": finite(np.exp(time + beyond)),
            "own_ratio": finite(np.exp(own + beyond)),
            "interval": interval and (interval[0] * factor, interval[1] * factor),
            "p_value": float(np.nanmin(p_values)) if np.isfinite(p_values).any() else None,
        }
