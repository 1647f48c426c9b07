"""Weigh a difference of paired times: ratio, bootstrap interval, Wilcoxon's test, Holm's correction.

Everything takes K comparisons at once, as two arrays of times of shape (K, I) that are NaN where a pair is
not complete. The unit of chance is the puzzle: instances of one puzzle (its seeds and repeats) are averaged
before the test, and the bootstrap draws puzzles with all their instances (Efron and Tibshirani, "An
introduction to the bootstrap", 1993, percentile method). 45 comparisons of 10 000 puzzles take half a second.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from nonocsp.bench.scoring.figures import finite, log_times, unshifted
from nonocsp.bench.scoring.runs import BoolArray, FloatArray, IntArray

RESAMPLES = 1000
CONFIDENCE = 0.95
SIGNIFICANCE = 0.05
"""Below this corrected p-value a difference counts as more than chance."""
_BLOCK = 1_000_000
"""Entries of the table of draws that is held at a time."""
_MANY = 100
"""From this many puzzles on a comparison draws from all, its own or not: their number hardly varies then."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one comparison of paired times says.

    Parameters
    ----------
    ratio
        Shifted geometric mean of the first times by that of the second; None if it is not a number.
    interval
        Percentile bootstrap interval of the ratio, at `CONFIDENCE`; None with fewer than two puzzles.
    p_value
        Of the Wilcoxon signed-rank test, two-sided; None without a puzzle.
    corrected_p_value
        The same, corrected by Holm's method for the number of comparisons.
    """

    ratio: float | None
    interval: tuple[float, float] | None
    p_value: float | None
    corrected_p_value: float | None


def is_significant(p_value: float | None) -> bool:
    """Return whether a corrected p-value says that a difference is more than chance."""
    return p_value is not None and p_value < SIGNIFICANCE


def evidence(
    first_s: FloatArray, second_s: FloatArray, puzzle_of: IntArray, *, shift_s: float, seed: int
) -> list[Evidence]:
    """Return what each of K comparisons says.

    Parameters
    ----------
    first_s, second_s
        Times, shape (K, I); inf where nothing bounds them, NaN where there is none.
    puzzle_of
        The number of each instance's puzzle, shape (I,).
    seed
        Of the draws of the bootstrap.
    """
    sums = _Sums.of(log_times(first_s, shift_s), log_times(second_s, shift_s), puzzle_of)
    p_values = [signed_rank_p(sums.mean_differences(k)) for k in range(len(first_s))]
    ratios = sums.ratios(np.ones((1, sums.counts.shape[1])), shift_s)[0]
    intervals = _intervals(sums, shift_s, seed)
    return [
        Evidence(finite(ratio), interval, p_value, corrected)
        for ratio, interval, p_value, corrected in zip(
            ratios, intervals, p_values, holm(p_values), strict=True
        )
    ]


def signed_rank_p(differences: FloatArray) -> float | None:
    """Return the p-value of Wilcoxon's signed-rank test; None without differences.

    Differences of zero are ranked with the others, by Pratt's method: dropping them would drop the puzzles
    that neither backend decides.
    """
    from scipy.stats import wilcoxon

    if not len(differences):
        return None
    if not differences.any():
        return 1.0
    return float(wilcoxon(differences, zero_method="pratt").pvalue)


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
    def of(cls, first: FloatArray, second: FloatArray, puzzle_of: IntArray) -> _Sums:
        """Sum the log times of complete pairs; NaN, but for differences, where one is infinite.

        Parameters
        ----------
        first, second
            Logarithms of times, shape (K, I); NaN where there is none.
        puzzle_of
            The number of each instance's puzzle, shape (I,).
        """
        paired = ~(np.isnan(first) | np.isnan(second))
        unbounded = np.isinf(np.where(paired, first + second, 0.0)).any(axis=1, keepdims=True)
        differences = np.subtract(first, second, out=np.zeros_like(first), where=first != second)
        puzzles = int(puzzle_of.max(initial=-1)) + 1

        def summed(values: FloatArray | BoolArray) -> FloatArray:
            complete = np.where(paired, values, 0.0)
            sums = [np.bincount(puzzle_of, weights=row, minlength=puzzles) for row in complete]
            return np.array(sums, float).reshape(len(complete), puzzles)

        first, second = (np.where(unbounded, np.nan, each) for each in (first, second))
        return cls(summed(first), summed(second), summed(differences), summed(paired))

    def of_puzzles(self, comparisons: IntArray, puzzles: BoolArray) -> _Sums:
        """Return the sums of some comparisons over some puzzles.

        Parameters
        ----------
        comparisons
            Indices of comparisons.
        puzzles
            Mask of puzzles, shape (P,).
        """
        chosen = np.ix_(comparisons, np.flatnonzero(puzzles))
        return _Sums(self.first[chosen], self.second[chosen], self.differences[chosen], self.counts[chosen])

    def mean_differences(self, k: int) -> FloatArray:
        """Return the mean difference of the log times of each puzzle that one comparison is about."""
        counts = self.counts[k]
        means = self.differences[k, counts > 0] / counts[counts > 0]
        return np.where(np.isnan(means), 0.0, means)  # infinitely better once, infinitely worse once

    def ratios(self, draws: FloatArray, shift_s: float) -> FloatArray:
        """Return ratios of shifted geometric means, shape (R, K), counting puzzle p `draws[r, p]` times.

        Parameters
        ----------
        draws
            How often each puzzle counts, shape (R, P).
        shift_s
            Shift of the geometric means, in seconds.
        """
        with np.errstate(invalid="ignore", divide="ignore"):
            counts = draws @ self.counts.T
            first, second = (
                unshifted(draws @ each.T / counts, shift_s) for each in (self.first, self.second)
            )
            return np.asarray(first / second)


def _intervals(sums: _Sums, shift_s: float, seed: int) -> list[tuple[float, float] | None]:
    """Return the bootstrap interval of each ratio; comparisons of the same puzzles share the draws."""
    intervals: list[tuple[float, float] | None] = [None] * len(sums.counts)
    tail = (1.0 - CONFIDENCE) / 2.0
    met = sums.counts > 0
    drawn_from = met | (met.sum(axis=1, keepdims=True) >= _MANY)
    patterns, pattern_of = np.unique(drawn_from, axis=0, return_inverse=True)
    for number, puzzles in enumerate(patterns):
        comparisons = np.flatnonzero(pattern_of.ravel() == number)
        if puzzles.sum() >= 2:
            own = sums.of_puzzles(comparisons, puzzles)
            ratios = np.vstack([own.ratios(draws, shift_s) for draws in _draws(int(puzzles.sum()), seed)])
            for k, drawn in zip(comparisons, ratios.T, strict=True):
                if np.isfinite(drawn).all():
                    low, high = np.quantile(drawn, [tail, 1.0 - tail]).tolist()
                    intervals[k] = low, high
    return intervals


def _draws(puzzles: int, seed: int) -> Iterator[FloatArray]:
    """Yield tables of how often each puzzle is drawn, `RESAMPLES` rows in all."""
    rng = np.random.default_rng(seed)
    height = max(1, min(RESAMPLES, _BLOCK // puzzles))
    for start in range(0, RESAMPLES, height):
        rows = min(height, RESAMPLES - start)
        drawn = rng.integers(puzzles, size=(rows, puzzles)) + puzzles * np.arange(rows)[:, np.newaxis]
        counts = np.bincount(drawn.ravel(), minlength=rows * puzzles).reshape(rows, puzzles)
        yield counts.astype(float)
