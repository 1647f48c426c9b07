"""How difficulty evolves while *Vary* changes more cells: figure 11 of Batenburg et al. (2009) as a drawing.

Only simple puzzles have a difficulty, so a curve has a point for each of them, and none where one was not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nonocsp.making.generated import Generated
from nonocsp.model import Puzzle

WIDTH, HEIGHT = 760, 380
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 14, 46
SERIES, DASHES = 8, 4
"""How many colours and patterns of dashes the pages' style has."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A value on an axis and where it is."""

    value: int
    at: float


@dataclass(frozen=True, slots=True)
class Point:
    """A puzzle on its curve: changed cells, sweeps, and where that is."""

    depth: int
    difficulty: int
    x: float
    y: float
    puzzle: Puzzle


@dataclass(frozen=True, slots=True)
class Curve:
    """The evolution of one puzzle.

    Parameters
    ----------
    style
        The classes of its colour and dashes.
    points
        By depth; depth 0 is the puzzle itself.
    """

    name: str
    style: str
    points: tuple[Point, ...]

    @property
    def path(self) -> str:
        """The points as SVG writes them."""
        return " ".join(f"{point.x:.1f},{point.y:.1f}" for point in self.points)


@dataclass(frozen=True, slots=True)
class Plot:
    """All curves, and the ticks of both axes."""

    curves: tuple[Curve, ...]
    depths: tuple[Tick, ...]
    difficulties: tuple[Tick, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


def plot(puzzles: Sequence[Generated]) -> Plot | None:
    """Return the curves of all puzzles that were varied; None if none was."""
    stages = [list(_stages(one)) for one in puzzles]
    if not any(one.varied for one in puzzles):
        return None
    depths = _ticks(max(depth for curve in stages for depth, _, _ in curve))
    difficulties = _ticks(max(difficulty for curve in stages for _, difficulty, _ in curve))
    across = (WIDTH - LEFT - RIGHT) / depths[-1]
    up = (HEIGHT - TOP - BOTTOM) / difficulties[-1]

    def x(depth: int) -> float:
        return round(LEFT + across * depth, 1)

    def y(difficulty: int) -> float:
        return round(HEIGHT - BOTTOM - up * difficulty, 1)

    curves = tuple(
        Curve(one.puzzle.title, _style(number), tuple(Point(d, s, x(d), y(s), p) for d, s, p in curve))
        for number, (one, curve) in enumerate(zip(puzzles, stages, strict=True))
    )
    return Plot(
        curves,
        tuple(Tick(value, x(value)) for value in depths),
        tuple(Tick(value, y(value)) for value in difficulties),
    )


def _stages(one: Generated) -> Iterator[tuple[int, int, Puzzle]]:
    """Yield depth, difficulty and puzzle wherever it was simple."""
    if one.is_simple:
        yield 0, one.difficulty, one.puzzle
    for varied in one.varied:
        yield varied.depth, varied.difficulty, varied.puzzle


def _style(number: int) -> str:
    return f"s{number % SERIES} d{number // SERIES % DASHES}"


def _ticks(highest: int) -> list[int]:
    """Return round values from 0 to the first that is not below the highest."""
    rough = max(highest, 1) / 6
    power = 10 ** math.floor(math.log10(rough))
    step = max(1, round(next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)))
    return list(range(0, highest + step, step)) if highest % step else list(range(0, highest + 1, step))
