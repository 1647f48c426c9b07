"""Compare backends two by two: who wins, by how much, and whether that could be chance.

Only instances that both have run count. A time-out is never dropped: an undecided run counts its wall limit,
the least that it can have needed, and where neither decided the two are tied.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Self

import numpy as np

from nonocsp.bench.scoring.means import SHIFT_S
from nonocsp.bench.scoring.runs import BoolArray, Runs
from nonocsp.bench.scoring.significance import PairedTest, paired_tests


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair(PairedTest):
    """Two backends on the instances that both have run, and the evidence for a difference."""

    first: str
    second: str
    instances: int
    puzzles: int  # of these instances
    wins: int  # only the first decided, or in less time
    losses: int  # the reverse
    ties: int

    def turned(self) -> Self:
        """Return the same comparison with the backends exchanged."""
        low, high = self.interval or (0.0, 0.0)
        return replace(
            self,
            first=self.second,
            second=self.first,
            wins=self.losses,
            losses=self.wins,
            ratio=1.0 / self.ratio if self.ratio else None,
            interval=(1.0 / high, 1.0 / low) if low else None,
        )


def pairwise(
    runs: Runs, *, chosen: Sequence[tuple[int, int]] | None = None, shift_s: float = SHIFT_S
) -> list[Pair]:
    """Compare backends two by two, the `chosen` ones or all; below a ratio of 1 the first is faster."""
    places = list(combinations(range(len(runs.backends)), 2) if chosen is None else chosen)
    if not places:
        return []
    first, second = ([runs.censored_s[b] for b in side] for side in zip(*places, strict=True))
    found = paired_tests(first, second, runs.puzzle_of, shift_s=shift_s)
    pairs = []
    for (i, j), one in zip(places, found, strict=True):
        both = runs.has_run[i] & runs.has_run[j]
        wins, losses = int(_is_better(runs, i, j)[both].sum()), int(_is_better(runs, j, i)[both].sum())
        pair = Pair(
            first=runs.backends[i],
            second=runs.backends[j],
            instances=int(both.sum()),
            puzzles=len(np.unique(runs.puzzle_of[both])),
            wins=wins,
            losses=losses,
            ties=int(both.sum()) - wins - losses,
            **asdict(one),
        )
        pairs.append(pair)
    return pairs


def _is_better(runs: Runs, i: int, j: int) -> BoolArray:
    """Return whether `i` decided and `j` did not, or not as fast, shape (I,)."""
    better: BoolArray = runs.is_decided[i] & (~runs.is_decided[j] | (runs.time_s[i] < runs.time_s[j]))
    return better
