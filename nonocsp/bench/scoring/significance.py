"""Weigh a difference of paired times: ratio, bootstrap interval, Wilcoxon's test, Holm's correction.

Everything takes K comparisons at once, as two arrays of times of shape (K, I), NaN where a pair is not
complete. The unit of chance is the puzzle: instances of one puzzle are averaged before the test, and the
bootstrap draws puzzles with all their instances (Efron and Tibshirani, "An introduction to the bootstrap",
1993, percentile method). 45 comparisons of 100 000 puzzles take 10 s of CPU time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nonocsp.bench.scoring.means import finite, log_times, unshifted
from nonocsp.bench.scoring.runs import BoolArray, FloatArray, IntArray

Times = FloatArray | list[FloatArray]

RESAMPLES = 1000
CONFIDENCE = 0.95
SIGNIFICANCE = 0.05
"""Below this corrected p-value a difference counts as more than chance."""
TESTABLE = 6
"""The fewest puzzles with different times for a test: five wins of five have the p-value 2 / 2^5 = 0.0625."""
_EXACT_STEPS = 100_000_000
"""The most additions that an exact p-value may take: .1 s."""
_BLOCK = 20_000_000
"""Entries of the table of draws that is held at a time: a byte each."""
_AT_ONCE = 1_000_000
"""Draws that are counted at a time."""
_SLICE = 2048
"""Puzzles that are multiplied at a time: their sums stay in the processor's cache."""
_MANY = 100
"""From this many puzzles on, a comparison draws from all: the number of its own hardly varies then."""


@dataclass(frozen=True, slots=True)
class PairedTest:
    """What one comparison of paired times says."""

    ratio: float | None  # of the shifted geometric means
    interval: tuple[float, float] | None  # bootstrap at `CONFIDENCE`; None with fewer than two puzzles
    p_value: float | None  # two-sided Wilcoxon test; None if fewer than `TESTABLE` puzzles differ
    corrected_p_value: float | None  # by Holm's method for the number of comparisons


def is_significant(p_value: float | None) -> bool:
    """Return whether a corrected p-value says that a difference is more than chance."""
    return p_value is not None and p_value < SIGNIFICANCE


def paired_tests(first_s: Times, second_s: Times, puzzle_of: IntArray, *, shift_s: float) -> list[PairedTest]:
    """Return what each of K comparisons says, given their times, shape (K, I), NaN where there is none."""
    sums = _Sums.of(first_s, second_s, puzzle_of, shift_s)
    p_values = [signed_rank_p(sums.mean_differences(k)) for k in range(len(first_s))]
    every = np.arange(len(sums.counts)), np.arange(sums.counts.shape[1])
    (ratios,) = sums.ratios(np.ones((1, len(every[1])), np.uint8), *every, shift_s)
    intervals = _intervals(sums, shift_s)
    return [
        PairedTest(finite(ratio), interval, p_value, corrected)
        for ratio, interval, p_value, corrected in zip(
            ratios, intervals, p_values, holm(p_values), strict=True
        )
    ]


def signed_rank_p(differences: FloatArray) -> float | None:
    """Return the p-value of Wilcoxon's signed-rank test; None if fewer than `TESTABLE` values are not zero.

    Differences of zero are ranked with the others, by Pratt's method: dropping them would drop the puzzles
    that neither backend decides. With zeros or ties `scipy.stats.wilcoxon` is a normal approximation: where
    most values are zero, up to 7.7 % of all tests without a difference have p < .05. So the p-value is exact
    where that is quick, as it is for 100 values beside 4000 zeros.
    """
    differs = differences != 0
    if differs.sum() < TESTABLE:
        return None
    from scipy.stats import rankdata, wilcoxon

    ranks = rankdata(np.abs(differences))[differs]
    if len(ranks) * 2 * ranks.sum() > _EXACT_STEPS:
        return float(wilcoxon(differences, zero_method="pratt").pvalue)
    return _exact_p(ranks, differences[differs] > 0)


def _exact_p(ranks: FloatArray, is_positive: BoolArray) -> float:
    """Return how likely a sum of positive ranks is that is at least as far from its mean, two-sided.

    Each rank is positive or negative with the same probability. The distribution of the sum is found rank by
    rank (shift algorithm: Streitberg and Röhmel, "Exact distributions for permutation and rank tests", 1986).
    SciPy has it only without ties and zeros.
    """
    doubled = (2 * ranks).astype(int)  # tied ranks are halves
    chance, reached = np.zeros(doubled.sum() + 1), 1
    chance[0] = 1.0
    for rank in doubled:
        moved = chance[:reached] / 2
        chance[:reached] /= 2
        reached += rank
        chance[rank:reached] += moved
    least = min(doubled[is_positive].sum(), doubled[~is_positive].sum())
    return min(1.0, 2 * float(chance[: least + 1].sum()))


def holm(p_values: Iterable[float | None]) -> list[float | None]:
    """Return p-values corrected for how many there are, by Holm's step-down method; None stays None."""
    p_values = list(p_values)
    tested = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    corrected: list[float | None] = [None] * len(p_values)
    least = 0.0
    for done, (p, place) in enumerate(tested):
        least = max(least, min(1.0, (len(tested) - done) * p))
        corrected[place] = least
    return corrected


@dataclass(frozen=True, slots=True)
class _Sums:
    """Sums over the instances of each puzzle, and how many these are, each of shape (K, P)."""

    first: FloatArray
    second: FloatArray
    differences: FloatArray
    counts: FloatArray

    @classmethod
    def of(cls, first_s: Times, second_s: Times, puzzle_of: IntArray, shift_s: float) -> _Sums:
        """Sum the log times of complete pairs; NaN, but for differences, where one is infinite."""
        puzzles = int(puzzle_of.max(initial=-1)) + 1
        sums = cls(*(np.zeros((len(first_s), puzzles)) for _ in range(4)))
        for k, times in enumerate(zip(first_s, second_s, strict=True)):
            paired = np.flatnonzero(~np.isnan(times).any(axis=0))
            first, second = (log_times(each[paired], shift_s) for each in times)
            differences = np.subtract(first, second, out=np.zeros_like(first), where=first != second)
            if np.isinf(first).any() or np.isinf(second).any():
                first = second = np.full_like(first, np.nan)
            columns = (sums.first, sums.second, sums.differences, sums.counts)
            for column, weights in zip(columns, (first, second, differences, None), strict=True):
                column[k] = np.bincount(puzzle_of[paired], weights=weights, minlength=puzzles)
        return sums

    def mean_differences(self, k: int) -> FloatArray:
        """Return the mean difference of the log times of each puzzle that one comparison is about."""
        counts = self.counts[k]
        means = self.differences[k, counts > 0] / counts[counts > 0]
        return np.where(np.isnan(means), 0.0, means)  # infinitely better once, infinitely worse once

    def ratios(
        self, draws: NDArray[np.uint8], comparisons: IntArray, puzzles: IntArray, shift_s: float
    ) -> FloatArray:
        """Return ratios of shifted geometric means, shape (R, K); `draws` says how often puzzles count."""
        totals = np.zeros((3, len(draws), len(comparisons)))
        for start in range(0, len(puzzles), _SLICE):
            part = draws[:, start : start + _SLICE].astype(float)
            chosen = np.ix_(comparisons, puzzles[start : start + _SLICE])
            for number, each in enumerate((self.first, self.second, self.counts)):
                totals[number] += part @ each[chosen].T
        first, second, counts = totals
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(unshifted(first / counts, shift_s) / unshifted(second / counts, shift_s))


def _intervals(sums: _Sums, shift_s: float) -> list[tuple[float, float] | None]:
    """Return the bootstrap interval of each ratio; comparisons of the same puzzles share the draws."""
    intervals: list[tuple[float, float] | None] = [None] * len(sums.counts)
    tail = (1.0 - CONFIDENCE) / 2.0
    met = sums.counts > 0
    drawn_from = met | (met.sum(axis=1, keepdims=True) >= _MANY)
    patterns, pattern_of = np.unique(drawn_from, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        comparisons, puzzles = np.flatnonzero(pattern_of.ravel() == number), np.flatnonzero(pattern)
        if len(puzzles) >= 2:
            drawn = _draws(len(puzzles))
            ratios = np.vstack([sums.ratios(draws, comparisons, puzzles, shift_s) for draws in drawn])
            for k, own in zip(comparisons, ratios.T, strict=True):
                if np.isfinite(own).all():
                    low, high = np.quantile(own, [tail, 1.0 - tail]).tolist()
                    intervals[k] = low, high
    return intervals


def _draws(puzzles: int) -> Iterator[NDArray[np.uint8]]:
    """Yield tables of how often each puzzle is drawn, `RESAMPLES` rows in all."""
    rng = np.random.default_rng(0)
    most = max(1, _BLOCK // puzzles)
    for start in range(0, RESAMPLES, most):
        table = np.empty((min(most, RESAMPLES - start), puzzles), np.uint8)
        height = max(1, _AT_ONCE // puzzles)
        for low in range(0, len(table), height):
            rows = min(height, len(table) - low)
            drawn = rng.integers(puzzles, size=(rows, puzzles))
            drawn += puzzles * np.arange(rows)[:, np.newaxis]
            counts = np.bincount(drawn.ravel(), minlength=rows * puzzles)
            table[low : low + rows] = counts.reshape(rows, puzzles)  # 255 draws of one puzzle never happen
        yield table
