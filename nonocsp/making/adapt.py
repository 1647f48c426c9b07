"""*Adapt*: which change of an image is best (Batenburg et al. 2009, figure 8), without trying all of them.

The value of a change is alpha times what line solving leaves open of the changed image, plus a cost that is
known beforehand. Asked for is the change with the least value, and among equals the one that comes first.
The exact figure, line solving from nothing, is expensive; a bound at a fraction of its cost spares most.

Let K be what line solving knows of the image. All of K but what it says of the changed cell is true of the
changed image too, and each of its lines but the two through that cell has the clue that it had. Settling is
monotone: starting from more that is true, it ends with at least as much. So settling from K without that
cell leaves open at most as many cells as settling from nothing does; and since all lines but two were at
their fixpoint, only those two are dirty at first. If K leaves nothing open, the bound is 0 without trying.

Changes are tried exactly in the order of their bounds, and the search ends at the first whose bound is not
below the best value: the same argmin as trying all, ties included. It takes 1 to 10 trials a step.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from math import inf
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from nonocsp._core import ImageTrials
from nonocsp.engine import Interrupted, StopFlag
from nonocsp.making.picture import Cells

Changes: TypeAlias = NDArray[np.int32]
"""Shape (count, 3): row, column, colour."""
Costs: TypeAlias = NDArray[np.float64]


class Trier:
    """Line solving of images and of their changes, on several cores and within a time.

    Every method raises `Interrupted` when the time is over or `stop` is set.

    Parameters
    ----------
    colours
        Of the images, the background included.
    jobs
        Threads.
    seconds
        From now on; None is no limit.
    """

    def __init__(self, colours: int, jobs: int, seconds: float | None, pool: ThreadPoolExecutor) -> None:
        self.colours = colours
        self.jobs = jobs
        self.stop = StopFlag()
        self._deadline = None if seconds is None else time.perf_counter() + seconds
        self._pool = pool

    def remaining(self) -> float | None:
        """Return the seconds that are left, None without a limit."""
        if self._deadline is None:
            return None
        left = self._deadline - time.perf_counter()
        if left <= 0:
            raise Interrupted("the time is over")
        return left

    def trials(self, image: Cells) -> ImageTrials:
        """Return the core's trials of changes to an image."""
        return ImageTrials(image, self.colours, self.stop, self.remaining())

    def open_after(self, trials: ImageTrials, change: NDArray[np.int32]) -> int:
        """Return how many cells one change leaves open."""
        (count,) = trials.open_after(change[np.newaxis], False, self.stop, self.remaining())
        return int(count)

    def least_open(self, trials: ImageTrials, changes: Changes) -> NDArray[np.int32]:
        """Return how many cells each change leaves open at least."""
        left = self.remaining()
        parts = [
            self._pool.submit(trials.open_after, part, True, self.stop, left)
            for part in np.array_split(changes, min(self.jobs, len(changes)))
        ]
        return np.concatenate([part.result() for part in parts])


@contextmanager
def trier(colours: int, jobs: int | None, seconds: float | None) -> Iterator[Trier]:
    """Provide a `Trier`; without `jobs`, on all cores. At the end, however it comes, its threads stop."""
    jobs = jobs or os.cpu_count() or 1
    with ThreadPoolExecutor(jobs) as pool:
        made = Trier(colours, jobs, seconds, pool)
        try:
            yield made
        finally:
            made.stop.set()


def best_change(trials: ImageTrials, changes: Changes, costs: Costs, alpha: float, trier: Trier) -> int:
    """Return the index of the change with the least ``alpha * open + cost``, the first of several.

    Parameters
    ----------
    changes, costs
        Shapes (count, 3) and (count,), count at least 1.
    """
    bounds = costs
    if (np.bitwise_count(trials.known()) > 1).any():
        bounds = costs + alpha * trier.least_open(trials, changes)
    best = inf, -1
    for i in bounds.argsort(kind="stable"):
        if (bounds[i], i) >= best:
            break
        value = alpha * trier.open_after(trials, changes[i]) + costs[i]
        best = min(best, (float(value), int(i)))
    return best[1]
