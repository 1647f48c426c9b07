"""Summarise times by means and quantiles, None where they are infinite, and shares by their intervals.

A shifted geometric mean tells ratios and is not ruled by the longest times as an arithmetic mean is; the
shift keeps it from being ruled by the shortest (Mittelmann's benchmarks and SCIP use one of 1 to 10 s under
limits of hours). Nonograms take milliseconds, so the shift here is 10 ms.
"""

from __future__ import annotations

import math

import numpy as np

from nonocsp.bench.scoring.runs import FloatArray

SHIFT_S = 0.01
"""Shift of geometric means in seconds: times far below it count as equal."""


def finite(value: float) -> float | None:
    """Return the value as a plain number, None for what no one should see: inf and NaN."""
    return float(value) if math.isfinite(value) else None


def mean(times: FloatArray) -> float | None:
    """Return the arithmetic mean; None where it is infinite or there are no times."""
    return finite(times.mean()) if len(times) else None


def shifted_mean(times: FloatArray, shift_s: float = SHIFT_S) -> float | None:
    """Return ``exp(mean(log(t + shift))) - shift``; None where it is infinite or there are no times."""
    return finite(shift_s * math.expm1(log_times(times, shift_s).mean())) if len(times) else None


def log_times(times: FloatArray, shift_s: float = SHIFT_S) -> FloatArray:
    """Return ``log((t + shift) / shift)``, which keeps the digits of times far below the shift."""
    return np.log1p(times / shift_s)


def unshifted(means: FloatArray, shift_s: float = SHIFT_S) -> FloatArray:
    """Return the shifted geometric means that belong to means of `log_times`."""
    return shift_s * np.expm1(means)


def quantile(times: FloatArray, share: float) -> float | None:
    """Return a quantile, interpolated linearly; None where it is infinite or there are no times."""
    if not len(times):
        return None
    position = share * (len(times) - 1)
    below = math.floor(position)
    low, high = np.sort(times)[[below, math.ceil(position)]].tolist()
    return finite(low + (high - low) * (position - below))


def wilson(yes: int, count: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return Wilson's score interval of a share."""
    from scipy.stats import binomtest

    if not count:
        return 0.0, 1.0
    low, high = binomtest(yes, count).proportion_ci(confidence, method="wilson")
    return float(low), float(high)
