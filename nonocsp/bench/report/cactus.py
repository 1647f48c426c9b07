"""The cactus plot: how many runs each backend decides within a given time, as SVG that the page can style.

A point (n, t) says that n runs were decided within t seconds each: the n-th smallest wall time. Further right
is better, lower is better. Time is logarithmic.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from nonocsp.bench.report.table import seconds
from nonocsp.bench.scoring import is_decided
from nonocsp.bench.store import Row

WIDTH, HEIGHT = 760.0, 380.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 16.0, 14.0, 46.0
_SHORTEST_S = 1e-6
_MAX_POINTS = 2000


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled place on an axis, in the coordinates of the drawing."""

    position: float
    label: str


@dataclass(frozen=True, slots=True)
class Curve:
    """One backend: the points of its line, and where it ends (``x``, ``y``)."""

    backend: str
    decided: int
    points: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Cactus:
    """Everything that the template draws."""

    curves: list[Curve]
    x_ticks: list[Tick]
    y_ticks: list[Tick]


def cactus(rows: Iterable[Row], backends: Iterable[str]) -> Cactus:
    """Return the plot of the decided runs of each backend, in this order; times are per run."""
    times: dict[str, list[float]] = {backend: [] for backend in backends}
    for row in rows:
        if is_decided(row):
            times[row["backend"]].append(max(row["wall_s"], _SHORTEST_S))
    every = [time for own in times.values() for time in own] or [1.0]
    low, high = math.floor(math.log10(min(every))), math.ceil(math.log10(max(every)) + 1e-9)
    most = max(map(len, times.values()), default=0) or 1
    axes = _Axes(most, low, max(high, low + 1))
    return Cactus(
        [axes.curve(backend, sorted(own)) for backend, own in times.items()],
        [Tick(axes.x(n), str(n)) for n in _round_numbers(most)],
        [Tick(axes.y(10.0**e), _power(e)) for e in range(axes.low, axes.high + 1)],
    )


@dataclass(frozen=True, slots=True)
class _Axes:
    """Runs to the right from 0 to `most`; seconds upwards from 10^low to 10^high."""

    most: int
    low: int
    high: int

    def x(self, count: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * count / self.most, 1)

    def y(self, time: float) -> float:
        share = (math.log10(time) - self.low) / (self.high - self.low)
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share, 1)

    def curve(self, backend: str, times: list[float]) -> Curve:
        every = max(1, len(times) // _MAX_POINTS)
        drawn = [*enumerate(times, start=1)][::every] + [(len(times), time) for time in times[-1:]]
        points = [(self.x(n), self.y(time)) for n, time in drawn] or [(LEFT, HEIGHT - BOTTOM)]
        text = " ".join(f"{x:g},{y:g}" for x, y in points)
        return Curve(backend, len(times), text, *points[-1])


def _power(exponent: int) -> str:
    """Return 10^exponent seconds as people say it: ``10 ms``."""
    number, unit = seconds(10.0**exponent).split()
    return f"{float(number):g} {unit}"


def _round_numbers(most: int) -> list[int]:
    """Return up to about eight round numbers from 0 to `most`."""
    magnitude = 10 ** math.floor(math.log10(most / 4)) if most >= 4 else 1
    step = next(factor * magnitude for factor in (1, 2, 5, 10) if most / (factor * magnitude) <= 8)
    return list(range(0, most + 1, step))
