"""Test whether the blocks of two versions differ: a permutation test for many quantities at once.

The versions alternate. If the code makes no difference, every way to share out the labels is equally likely.
The p-value of a quantity is the share of these ways in which the largest difference of all is at least as
large (single-step maxT: Westfall and Young, "Resampling-based multiple testing", 1993). So the chance that
any quantity is called is at most the level. With up to 16 blocks all ways are tried, otherwise `DRAWS` random
ones, and more where several comparisons are made together; p-values are multiplied by their number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, combinations
from math import comb, log, sqrt

import numpy as np

from nonocsp.bench.scoring.runs import BoolArray, FloatArray

DRAWS = 5000
"""Random ways for one comparison, and the ways that are tried at a time."""
LEVEL = 0.02
"""Below this p-value a difference is more than chance. Whoever adds sessions until there is a verdict tests
about three times; so identical code is called changed in at most 5 % of all comparisons."""
TARGET = 0.1
"""The change that the number of sessions is chosen for: 10 %."""
POWER = 0.9
MIN_SESSIONS, MAX_SESSIONS = 5, 200
_ALL = 13_000
"""The most ways to share out labels that are all tried: those of 16 blocks."""
_MOST_DRAWS = 100_000
_LEAST_DEVIATION = 0.002
"""Standard deviation that every block has at least: no clock is better than .2 %."""


@dataclass(frozen=True, slots=True)
class Differences:
    """What distinguishes the blocks after a change from those before it, for K quantities, shape (K,)."""

    mean: FloatArray  # after minus before
    deviation: FloatArray  # of a block within its version; NaN with fewer than three blocks
    p_value: FloatArray  # corrected for the number of quantities


def differences(values: FloatArray, is_after: BoolArray, comparisons: int = 1) -> Differences:
    """Test K quantities at once, given their finite values in each of N blocks, shape (N, K)."""
    blocks, after = len(values), int(is_after.sum())
    centred = values - values.mean(axis=0)
    total = (centred**2).sum(axis=0)

    def compared(labels: BoolArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return differences of means, variances and t, each of shape (R, K)."""
        mean = labels.astype(float) @ centred * (1.0 / after + 1.0 / (blocks - after))
        square = total - after * (blocks - after) / blocks * mean**2
        variance = np.maximum(square, 0.0) / max(blocks - 2, 1)
        return mean, variance, np.abs(mean) / np.sqrt(variance + _LEAST_DEVIATION**2)

    labels = np.vstack([is_after, _labels(blocks, after, _draws(comparisons))])
    mean, variance, size = compared(labels[:DRAWS])
    others = (compared(labels[start : start + DRAWS])[2] for start in range(DRAWS, len(labels), DRAWS))
    largest = np.concatenate([each.max(axis=1, initial=0.0) for each in chain([size], others)])
    p_value = comparisons * (largest[:, np.newaxis] >= size[0] * (1.0 - 1e-9)).mean(axis=0)
    deviation = np.sqrt(variance[0]) if blocks > 2 else np.full(values.shape[1], np.nan)
    return Differences(mean[0], deviation, np.minimum(p_value, 1.0))


def _draws(comparisons: int) -> int:
    return DRAWS * min(comparisons, _MOST_DRAWS // DRAWS)


@lru_cache(maxsize=8)
def _labels(blocks: int, after: int, draws: int) -> BoolArray:
    """Return ways to choose the blocks after the change, shape (R, N)."""
    if comb(blocks, after) <= _ALL:
        chosen = np.array([*combinations(range(blocks), after)], np.intp)
        labels = np.zeros((len(chosen), blocks), bool)
        np.put_along_axis(labels, chosen, True, axis=1)
        return labels
    rng = np.random.default_rng(0)
    labels = np.zeros((draws, blocks), bool)
    for part in labels.reshape(-1, DRAWS, blocks):
        orders = rng.permuted(np.tile(np.arange(blocks), (DRAWS, 1)), axis=1)
        np.put_along_axis(part, orders[:, :after], True, axis=1)
    return labels


@cache
def least_sessions(comparisons: int) -> int:
    """Return from how many sessions of each version on a test can be significant at all."""
    for sessions in range(MIN_SESSIONS, MAX_SESSIONS):
        ways = min(comb(2 * sessions, sessions), _draws(comparisons))
        # the least p-value counts the true labels twice, and their mirror image once
        if 3 * comparisons / (ways + 1) < LEVEL:
            return sessions
    return MAX_SESSIONS


def sessions_needed(deviation: float, blocks: int, quantities: int, comparisons: int = 1) -> int:
    """Return how many sessions of each version find a change of `TARGET` with probability `POWER`."""
    least = least_sessions(comparisons)
    if blocks < 4:
        return least
    relative = deviation * _upper(blocks - 2) / log(1.0 + TARGET)
    for sessions in range(least, MAX_SESSIONS):
        critical = _critical(sessions, quantities * comparisons)
        if sessions >= 2.0 * (relative * (critical + normal(POWER))) ** 2:
            return sessions
    return MAX_SESSIONS


@cache
def _upper(freedom: int) -> float:
    from scipy.stats import chi2

    return sqrt(freedom / float(chi2.ppf(0.25, freedom)))


@cache
def _critical(sessions: int, quantities: int) -> float:
    from scipy.stats import t

    return float(t.ppf(1.0 - LEVEL / 2.0 / quantities, 2 * sessions - 2))


@cache
def normal(share: float) -> float:
    """Return the quantile of the standard normal distribution."""
    from scipy.stats import norm

    return float(norm.ppf(share))
