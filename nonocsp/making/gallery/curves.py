"""Draw how difficulty evolves while *Vary* changes more cells: figure 11 of Batenburg et al. (2009).

Only simple puzzles have a difficulty, so a curve has a point for each simple puzzle and for no other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from nonocsp.making.puzzles import Generated, Varied
from nonocsp.model import Puzzle

WIDTH, HEIGHT = 760, 380
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 14, 46
SERIES, DASHES = 8, 4
"""Number of colours and of dash patterns in the style of the page."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A value on an axis and its place."""

    value: int
    at: float


@dataclass(frozen=True, slots=True)
class Point:
    """A puzzle on its curve: changed cells, sweeps, and its place."""

    depth: int
    difficulty: int
    x: float
    y: float
    puzzle: Puzzle


@dataclass(frozen=True, slots=True)
class Curve:
    """The variations of one puzzle.

    Parameters
    ----------
    style
        The CSS classes of its colour and dashes.
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
    """Return the curves of all puzzles; None if none of them was varied."""
    if not any(one.varied for one in puzzles):
        return None
    stages = [
        (*([Varied(one.puzzle, one.difficulty, 0)] if one.is_simple else ()), *one.varied) for one in puzzles
    ]
    depths = _ticks(max(stage.depth for curve in stages for stage in curve))
    difficulties = _ticks(max(stage.difficulty for curve in stages for stage in curve))

    def x(depth: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) / depths[-1] * depth, 1)

    def y(difficulty: int) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) / difficulties[-1] * difficulty, 1)

    curves = tuple(
        Curve(
            one.puzzle.title,
            f"s{number % SERIES} d{number // SERIES % DASHES}",
            tuple(Point(at.depth, at.difficulty, x(at.depth), y(at.difficulty), at.puzzle) for at in curve),
        )
        for number, (one, curve) in enumerate(zip(puzzles, stages, strict=True))
    )
    return Plot(
        curves,
        tuple(Tick(value, x(value)) for value in depths),
        tuple(Tick(value, y(value)) for value in difficulties),
    )


def _ticks(highest: int) -> list[int]:
    """Return round values from 0 to the first that is not below the highest."""
    rough = max(highest, 1) / 6
    power = 10 ** math.floor(math.log10(rough))
    step = max(1, round(next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)))
    return list(range(0, -(-highest // step) * step + 1, step))
