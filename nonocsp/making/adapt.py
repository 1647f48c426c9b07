"""*Adapt*: find the best change of an image (Batenburg et al. 2009, figure 8) without trying all of them.

The value of a change is alpha times the number of cells that line solving leaves open in the changed image,
plus a cost known beforehand. The best change has the least value; of several, the first one wins. The exact
number, line solving from the clues alone, is expensive. A lower bound, which costs a fraction of it, makes
most of these numbers unnecessary.

Let K be what line solving knows of the image. Everything in K except the changed cell is also true of the
changed image, and every line except the two through that cell keeps its clue. Settling is monotone: from
more true knowledge it reaches at least as much. So settling from K without that cell leaves at most as many
cells open as settling from the clues alone. All other lines are at their fixpoint, so only those two are
dirty at first. If K leaves nothing open, the bound is 0 without settling.

Changes are tried exactly in the order of their bounds. The search ends at the first change whose bound is not
below the best value. It returns what trying all changes would, ties included, after 1 to 10 exact trials.
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

from nonocsp.engine import Interrupted, StopFlag
from nonocsp.engine.images import ImageTrials
from nonocsp.making.picture import Cells

Changes: TypeAlias = NDArray[np.int32]
"""Shape (count, 3): row, column, colour."""
Costs: TypeAlias = NDArray[np.float64]


class ChangeEvaluator:
    """Count the cells that changes of an image leave open, on several cores and within a time limit.

    Parameters
    ----------
    colours
        Number of colours of the images, the background included.
    jobs
        Threads of `pool` to use.
    seconds
        Time limit, which starts now; None for no limit.
    pool
        Where bounds are computed.
    stop
        Interrupts; None for a flag of its own.

    Raises
    ------
    Interrupted
        From every method, when the time is over or `stop` is set.
    """

    def __init__(
        self,
        colours: int,
        jobs: int,
        seconds: float | None,
        pool: ThreadPoolExecutor,
        stop: StopFlag | None = None,
    ) -> None:
        self.colours = colours
        self.jobs = jobs
        self.stop = stop or StopFlag()
        self._deadline = None if seconds is None else time.perf_counter() + seconds
        self._pool = pool

    def remaining(self) -> float | None:
        """Return the seconds left, None without a limit."""
        if self._deadline is None:
            return None
        left = self._deadline - time.perf_counter()
        if left <= 0:
            raise Interrupted("the time is over")
        return left

    def trials(self, image: Cells) -> ImageTrials:
        """Return what the core needs to try changes of an image, with what line solving knows of it."""
        return ImageTrials(image, self.colours, self.stop, self.remaining())

    def open_after(self, trials: ImageTrials, change: NDArray[np.int32]) -> int:
        """Return the number of cells that line solving leaves open after one change."""
        (count,) = trials.open_after(change[np.newaxis], False, self.stop, self.remaining())
        return int(count)

    def least_open(self, trials: ImageTrials, changes: Changes) -> NDArray[np.int32]:
        """Return a lower bound of the number of cells that each change leaves open, shape (count,)."""
        return self._each(trials, changes, is_bound=True)

    def open_after_each(self, trials: ImageTrials, changes: Changes) -> NDArray[np.int32]:
        """Return the number of cells that each change leaves open, shape (count,)."""
        return self._each(trials, changes, is_bound=False)

    def _each(self, trials: ImageTrials, changes: Changes, *, is_bound: bool) -> NDArray[np.int32]:
        left = self.remaining()
        parts = [
            self._pool.submit(trials.open_after, part, is_bound, self.stop, left)
            for part in np.array_split(changes, min(self.jobs, len(changes)))
        ]
        return np.concatenate([part.result() for part in parts])


@contextmanager
def change_evaluator(
    colours: int, jobs: int | None, seconds: float | None, stop: StopFlag | None = None
) -> Iterator[ChangeEvaluator]:
    """Provide a `ChangeEvaluator`, and stop its threads at the end."""
    jobs = jobs or os.cpu_count() or 1
    with ThreadPoolExecutor(jobs) as pool:
        evaluator = ChangeEvaluator(colours, jobs, seconds, pool, stop)
        try:
            yield evaluator
        finally:
            evaluator.stop.set()


def best_change(
    trials: ImageTrials, changes: Changes, costs: Costs, alpha: float, evaluator: ChangeEvaluator
) -> int:
    """Return the index of the change with the least ``alpha * open + cost``, the first of several."""
    bounds = costs
    if (np.bitwise_count(trials.known()) > 1).any():
        bounds = costs + alpha * evaluator.least_open(trials, changes)
    best = inf, -1
    for i in bounds.argsort(kind="stable"):
        if (bounds[i], i) >= best:
            break
        value = alpha * evaluator.open_after(trials, changes[i]) + costs[i]
        best = min(best, (float(value), int(i)))
    return best[1]
