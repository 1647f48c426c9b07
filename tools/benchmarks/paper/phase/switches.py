"""Predict how many random images have a twin: four cells at the corners of a rectangle that can swap.

A *switch* of an image is a rectangle of which two opposite corners are filled and the other two empty, and
whose two rows and two columns keep their clues when all four corners change. The image with a switch is not
the only solution of its puzzle. It is the smallest difference that two solutions can have.

A line keeps its clue when a filled cell at ``b`` and an empty one at ``d`` swap exactly in two cases: the
cells between are all filled, or they are runs of single cells with empty ends; and the cells beyond ``b`` and
``d`` are empty or outside. From that the expected number of switches follows in closed form.
"""

from __future__ import annotations

from collections.abc import Iterator


def expected_switches(size: int, density: float) -> float:
    """Return the expected number of switches of a random square image.

    If switches were independent and nothing else made puzzles ambiguous, ``exp(-expected_switches(...))``
    would be the probability that a puzzle is unique.
    """
    empty = 1 - density
    lines = sum(
        between**2 * _beyond(size, distance, empty)
        for distance, between in zip(range(1, size), _between(density), strict=False)
    )
    return 2 * (density * empty * lines) ** 2


def _between(density: float) -> Iterator[float]:
    """Yield the probability that 0, 1, 2, ... cells between the two that swap let the clue stay."""
    yield 1.0
    filled, before, singles = density, 0.0, 1 - density
    while True:
        yield filled + singles
        filled *= density
        before, singles = singles, (1 - density) * (singles + density * before)


def _beyond(size: int, distance: int, empty: float) -> float:
    """Return the sum, over the places in two lines, of the probability that the cells beyond are empty."""
    if distance == size - 1:
        return 1.0
    return 2 * empty**2 + (size - distance - 2) * empty**4
