"""*Vary*: change a finished image further, by best changes or by cheap ones at random.

The best changes are figure 9 of Batenburg et al. (2009): the images are mostly simple again and usually
easier. Changes at random are not in the paper: they look for a target difficulty that figure 9 has missed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from nonocsp.making.generate import Draft
from nonocsp.making.picture import Cells

CHEAP = 4
"""Changes at random are drawn from the cheapest 1/`CHEAP` of all changes."""


def vary(draft: Draft) -> Iterator[Cells]:
    """Make the best change of any cell, again and again, and yield each image, solvable or not: figure 9.

    Ends when no cell is left to change.
    """
    while len(changes := draft.changes()):
        draft.adapt(draft.trials(), changes)
        yield draft.image


def wander(
    draft: Draft, accept: Callable[[Cells], bool], steps: int, *, needs_lines: bool = True
) -> Iterator[Cells]:
    """Try cheap changes at random, keep those after which the image is accepted, and yield it."""
    trials = draft.trials()
    for _ in range(steps):
        changes = draft.changes()
        if not len(changes):
            return
        cheapest = draft.costs(changes).argsort(kind="stable")[: -(-len(changes) // CHEAP)]
        change = changes[draft.rng.choice(cheapest)]
        is_simple = not needs_lines or draft.evaluator.open_after(trials, change) == 0
        if is_simple and accept(draft.after(change)):
            draft.make(change)
            trials = draft.trials()
            yield draft.image
