"""Hatch boxes, so that colours differ for those who do not tell them apart, and on printers without colours.

A pattern is a set of line families: diagonals of either direction, horizontals, verticals and dots. Numbers 1
to 31 are all combinations, the simplest first. Later numbers are the same again, twice and three times as
dense. So all colours of a palette have patterns of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from math import ceil
from typing import NamedTuple

from nonocsp.render.drawing import Box, contrasting

_PATTERNS = [chosen for size in range(1, 6) for chosen in combinations("/-\\|.", size)]
_CONTRAST = 0.6
"""Share of black or white in the colour of the lines; the rest is the colour of the box."""
_WIDTH, _DOT = 0.22, 0.5
"""Width of a line and side of a dot, as shares of the pitch."""

Segment = tuple[float, float, float, float]
"""x1, y1, x2, y2."""


class Hatching(NamedTuple):
    """Lines on a box; dots are pairs of short lines."""

    segments: list[Segment]
    width: float
    colour: str


def hatching(box: Box) -> Hatching:
    """Return the lines of a box's pattern; they continue next door if the pitch divides the sides."""
    if not box.pattern:
        return Hatching([], 0.0, box.fill)
    finer, number = divmod(box.pattern - 1, len(_PATTERNS))
    pitch = box.pitch / (1 + finer)
    segments = [
        (box.x + x1, box.y + y1, box.x + x2, box.y + y2)
        for family in _PATTERNS[number]
        for x1, y1, x2, y2 in _lines(family, box.width, box.height, pitch)
    ]
    return Hatching(segments, _WIDTH * pitch, _mixed(box.fill, contrasting(box.fill)))


def _lines(family: str, width: float, height: float, pitch: float) -> Iterator[Segment]:
    """Yield the lines of a family in a box at (0, 0)."""
    across, down, around = (ceil(side / pitch - 0.01) for side in (width, height, width + height))
    match family:
        case "/":
            for sum_ in (step * pitch for step in range(1, around)):  # of x and y
                left, right = max(0.0, sum_ - height), min(sum_, width)
                yield left, sum_ - left, right, sum_ - right
        case "\\":
            for difference in (step * pitch for step in range(1 - down, across)):  # x minus y
                left, right = max(0.0, difference), min(width, height + difference)
                yield left, left - difference, right, right - difference
        case "-":
            for y in _middles(height, pitch):
                yield 0.0, y, width, y
        case "|":
            for x in _middles(width, pitch):
                yield x, 0.0, x, height
        case _:
            # Twice as far apart, so that they lie between horizontals and verticals.
            half, line = _DOT * pitch / 2, _WIDTH * pitch / 2
            for y, x in product(_middles(height, 2 * pitch), _middles(width, 2 * pitch)):
                yield x - half, y - line, x + half, y - line
                yield x - half, y + line, x + half, y + line


def _middles(side: float, pitch: float) -> list[float]:
    """Return the middles of the intervals of a side, without those at its end."""
    return [(step + 0.5) * pitch for step in range(int(side / pitch + 0.35))]


def _mixed(colour: str, other: str) -> str:
    """Return a colour between two."""
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + "".join(f"{round((1 - _CONTRAST) * a + _CONTRAST * b):02x}" for a, b in pairs)
