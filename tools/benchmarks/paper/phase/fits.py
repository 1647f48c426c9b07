"""Fit how likely random puzzles are unique, and how hard they are, against size and density.

All fits of shares maximise the binomial likelihood, and their intervals follow from its curvature, at 95 %.
The deviance divided by the degrees of freedom tells how well a curve fits: about 1 if only chance is left.
Where it is greater, errors are widened by its root.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import approx_fprime, brentq, curve_fit, least_squares
from scipy.special import expit, xlogy
from scipy.stats import norm

from tools.benchmarks.paper.phase.switches import expected_switches
from tools.benchmarks.paper.phase.tables import HALF, Hardness, Shares

Array = NDArray[np.float64]
Curve = Callable[[Array, Array], Array]
"""A function of the parameters and of the places, such as densities."""
Z = float(norm.ppf(0.975))
SPARSEST = 0.4
"""Below this density much more than switches makes puzzles ambiguous."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Parameters of a curve."""

    values: Array
    errors: Array  # standard errors of the values
    deviance: float  # of the fit
    freedom: int  # its degrees of freedom

    def __str__(self) -> str:
        pairs = zip(self.values, Z * self.errors, strict=True)
        return ", ".join(f"{value:.4g} ± {error:.2g}" for value, error in pairs)

    @property
    def quality(self) -> str:
        """Deviance by degree of freedom."""
        return f"{self.deviance / self.freedom:.1f} ({self.freedom})" if self.freedom else "–"


def fit_shares(curve: Curve, places: Sequence[float], cells: Sequence[Shares], start: ArrayLike) -> Fit:
    """Fit a curve to the shares of unique puzzles."""
    x = np.array(places, float)
    ones = np.array([cell.one for cell in cells], float)
    total = np.array([cell.decided for cell in cells], float)

    def chances(values: Array) -> Array:
        return np.clip(curve(values, x), 1e-12, 1 - 1e-12)

    def residuals(values: Array) -> Array:
        """Return deviance residuals: the sum of their squares is least where the likelihood is greatest."""
        p = chances(values)
        halved = xlogy(ones, ones / (total * p)) + xlogy(total - ones, (total - ones) / (total * (1 - p)))
        return np.asarray(np.sign(ones - total * p) * np.sqrt(2 * np.maximum(halved, 0)))

    found = least_squares(residuals, start, x_scale="jac", xtol=1e-12, ftol=1e-12, gtol=1e-12)
    slopes, p = np.atleast_2d(approx_fprime(found.x, chances, 1e-7)), chances(found.x)
    information = (slopes.T * (total / (p * (1 - p)))) @ slopes
    deviance, freedom = 2 * float(found.cost), len(x) - len(found.x)
    spread = max(1.0, deviance / freedom) if freedom else 1.0
    return Fit(found.x, np.sqrt(spread * np.diag(np.linalg.pinv(information))), deviance, freedom)


def grid_sizes(cells: Iterable[Shares | Hardness]) -> list[int]:
    """Return the sizes that have more densities than one half."""
    return sorted({cell.size for cell in cells if cell.density != HALF})


def upper(cells: Iterable[Shares], size: int) -> list[Shares]:
    """Return the cells of a size where uniqueness rises with density: from the least likely density on."""
    of_size = sorted((cell for cell in cells if cell.size == size), key=lambda cell: cell.density)
    least = min(range(len(of_size)), key=lambda i: (of_size[i].share, -i))
    return of_size[least:]


def halves(shares: Sequence[Shares]) -> dict[int, tuple[Fit, Fit]]:
    """Return, for each size of the grid, two fits in density: location and width of a logistic curve.

    The first is of the logistic curve, the second of one with a quadratic term as a third parameter. Both use
    the densities at which 5 to 95 % are unique, above the least likely one.
    """
    found = {}
    for size in grid_sizes(shares):
        cells = [cell for cell in upper(shares, size) if 0.05 <= cell.share <= 0.95]
        if len(cells) < 4:
            continue
        x = [cell.density for cell in cells]
        guess = x[min(range(len(cells)), key=lambda i: abs(cells[i].share - HALF))]
        straight = fit_shares(_logistic, x, cells, (guess, 0.05))
        found[size] = straight, fit_shares(_logistic, x, cells, (*straight.values, 0.0))
    return found


def _logistic(values: Array, x: Array) -> Array:
    scaled = (x - values[0]) / values[1]
    bend = values[2] if len(values) > 2 else 0.0
    return np.asarray(expit(scaled + bend * scaled**2))


def predicted_half(size: int) -> float:
    """Return the density at which half of the images have no switch, if switches are independent."""
    return float(brentq(lambda density: expected_switches(size, density) - log(2), 0.3, 0.999))


def at_density(shares: Sequence[Shares], density: float) -> tuple[list[Shares], Fit] | None:
    """Fit minus the logarithm of the share of unique puzzles at a density by a parabola of the size."""
    cells = [cell for cell in shares if cell.density == density and cell.size >= 10 and cell.one]
    if len(cells) < 5:
        return None
    sizes = [cell.size for cell in cells]
    start = np.polyfit(sizes, [-log(cell.share) for cell in cells], 2)[::-1]
    return cells, fit_shares(_decay, sizes, cells, start)


def _decay(values: Array, sizes: Array) -> Array:
    return np.asarray(np.exp(-(values[0] + values[1] * sizes + values[2] * sizes**2)))


def excess(shares: Sequence[Shares]) -> Fit:
    """Fit exp(-a * expected switches) to the shares of unique puzzles, from size 10 and density .5 on.

    What a has above 1 comes from ambiguities that are not switches.
    """
    cells = [cell for cell in shares if cell.size >= 10 and cell.density >= HALF]
    expected = [expected_switches(cell.size, cell.density) for cell in cells]
    return fit_shares(lambda values, x: np.asarray(np.exp(-values[0] * x)), expected, cells, (1.0,))


def power_of_halves(found: dict[int, tuple[Fit, Fit]]) -> tuple[Fit, Fit] | None:
    """Fit the density of one half from size 10 on by 1 - b n^-c, and by a - b n^-c.

    The parameters are b and c, and b, c and a. None if there are fewer than four sizes.
    """
    sizes = np.array([size for size in found if size >= 10], float)
    if len(sizes) < 4:
        return None
    values, errors = (
        np.array([getattr(found[int(size)][1], name)[0] for size in sizes]) for name in ("values", "errors")
    )

    def fit(*start: float) -> Fit:
        best, spread = curve_fit(_power, sizes, values, start, errors, absolute_sigma=True, maxfev=50_000)
        residuals = (_power(sizes, *best) - values) / errors
        freedom, squares = len(sizes) - len(best), float((residuals**2).sum())
        widening = max(1.0, squares / freedom) if freedom else 1.0
        return Fit(best, np.sqrt(widening * np.diag(spread)), squares, freedom)

    return fit(1, 0.25), fit(1, 0.25, 1)


def _power(sizes: Array, b: float, c: float, a: float = 1.0) -> Array:
    return np.asarray(a - b * sizes**-c)


def peak(hardness: Sequence[Hardness], backend: str, size: int, level: str) -> Hardness | None:
    """Return the density at which a quantile of the work is highest; None without data."""
    cells = [cell for cell in hardness if (cell.backend, cell.size) == (backend, size)]
    return max(cells, key=lambda cell: (getattr(cell, level), cell.undecided / cell.runs), default=None)
