"""Choose the best of many candidates with few runs: successive halving.

Every round runs the remaining candidates on `FACTOR` times as many puzzles as the round before and keeps the
best of them, one in `FACTOR`; the last round is on all puzzles (Karnin, Koren & Somekh, "Almost optimal
exploration in multi-armed bandits", 2013; Jamieson & Talwalkar, 2016). The first candidate is the one to beat
and stays to the end. Puzzles of a round contain those of the round before, so no run is done twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, inf

FACTOR = 3
FINALISTS = 3
"""The most candidates of the last round, beside the first one."""
LEAST_PUZZLES = 6
"""Of a round, if there are so many."""


@dataclass(frozen=True, slots=True)
class Round:
    """How many candidates run on how many puzzles."""

    candidates: int
    puzzles: int


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a candidate came.

    Parameters
    ----------
    spec
        The candidate.
    round
        The number of its last round, from 1.
    puzzles
        How many puzzles it has run on.
    cost_s
        Its cost on these.
    """

    spec: str
    round: int
    puzzles: int
    cost_s: float


def rounds(candidates: int, puzzles: int) -> list[Round]:
    """Return the rounds of a race."""
    counts = [candidates]
    while counts[-1] > FINALISTS + 1:
        counts.append(1 + max(1, ceil((counts[-1] - 1) / FACTOR)))
    sizes = [max(puzzles // FACTOR**left, min(LEAST_PUZZLES, puzzles)) for left in range(len(counts))]
    return [Round(count, size) for count, size in zip(counts, reversed(sizes), strict=True)]


def race(
    candidates: Sequence[str],
    puzzles: int,
    costs: Callable[[Sequence[str], int], Sequence[float]],
) -> list[Standing]:
    """Return how far each candidate came, the best first."""
    left, found = list(candidates), dict[str, Standing]()
    for number, plan in enumerate(rounds(len(candidates), puzzles), start=1):
        left = left[: plan.candidates]
        cost_of = dict(zip(left, costs(left, plan.puzzles), strict=True))
        found |= {spec: Standing(spec, number, plan.puzzles, cost_of[spec]) for spec in left}
        others = sorted((spec for spec in left[1:] if cost_of[spec] < inf), key=cost_of.__getitem__)
        left = [left[0], *others]
    return sorted(found.values(), key=lambda one: (-one.round, one.cost_s))
