"""*Generate*: change an image cell by cell until line solving solves it (Batenburg et al. 2009, figure 7).

The cost of a change counts the cells that it leaves open, how far the cell's new colour is from the picture,
and the earlier puzzles that have this colour there. White cells become black and nothing else changes, so the
loop ends when all is black at the latest. In several colours, white cells get any colour.

With `Scene.clears`, cells change to any other colour, white included, at the same cost: clearing what is dark
in the picture is as expensive as blackening what is light. Clearing what *Init* has drawn costs `LOSS` more,
because otherwise outlines dissolve. Each cell changes only once, so that the loop ends. When no open cell may
change any more, open white cells become black.

Puzzles that need more than line solving come from the same images: changes that only line solving needs are
undone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nonocsp.engine.images import ImageTrials
from nonocsp.making.adapt import ChangeEvaluator, Changes, Costs, best_change
from nonocsp.making.colours import Distances
from nonocsp.making.picture import Cells
from nonocsp.model import UsageError

Change = NDArray[np.int32]
"""Shape (3,): row, column, new colour."""
LOSS = 127.5
"""Half of the distance from white to black."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of what counts when a change is chosen, each finite and not negative.

    Parameters
    ----------
    alpha
        A cell that line solving leaves open.
    beta
        A distance of 1 (of 255) between the picture and the cell's new colour: high for resemblance.
    gamma
        An earlier puzzle with that colour in the cell: high for diversity.

    Raises
    ------
    UsageError
        If one is negative or not finite.
    """

    alpha: float = 8.0
    beta: float = 1.0
    gamma: float = 8.0

    def __post_init__(self) -> None:
        if not all(0 <= weight < math.inf for weight in (self.alpha, self.beta, self.gamma)):
            raise UsageError("alpha, beta and gamma are finite, and 0 or more")


@dataclass(frozen=True, eq=False)
class Scene:
    """What all puzzles of a picture have in common.

    Parameters
    ----------
    far
        The distance of the picture from each colour, shape (rows, columns, colours), 0 to 255.
    start
        The image that every puzzle starts from, shape (rows, columns).
    weights
        The weights of a change.
    clears
        Whether cells may also lose their colour.
    """

    far: Distances
    start: Cells
    weights: Weights = Weights()
    clears: bool = False

    def costs(self, earlier: NDArray[np.int64]) -> Distances:
        """Return the cost of each colour in each cell, without the cells left open.

        Parameters
        ----------
        earlier
            Number of earlier puzzles with the colour in the cell, shape (rows, columns, colours).
        """
        other = self.start[..., np.newaxis] != np.arange(self.far.shape[2])
        lost = (self.start > 0)[..., np.newaxis] & other
        costs: Distances = self.weights.beta * (self.far + LOSS * lost) + self.weights.gamma * earlier
        return costs


class Draft:
    """An image in the making, and the changes that may be made to it.

    Parameters
    ----------
    image
        Where it begins, shape (rows, columns).
    scene
        What all puzzles of the picture have in common.
    earlier
        As for `Scene.costs`.
    evaluator
        Tries changes, within the time limit.
    rng
        Orders the changes, and so decides between equal ones.
    """

    def __init__(
        self,
        image: Cells,
        scene: Scene,
        earlier: NDArray[np.int64],
        evaluator: ChangeEvaluator,
        rng: np.random.Generator,
    ) -> None:
        self.image = image
        self.scene = scene
        self.evaluator = evaluator
        self.rng = rng
        self._costs = scene.costs(earlier)
        self._unchanged = np.ones(image.shape, bool)

    def trials(self) -> ImageTrials:
        """Return what the evaluator needs to try changes of the image."""
        return self.evaluator.trials(self.image)

    def changes(self, cells: NDArray[np.bool_] | None = None) -> Changes:
        """Return the allowed changes of the marked cells (default: all) in random order, shape (count, 3)."""
        others = self.image[..., np.newaxis] != np.arange(self.scene.far.shape[2])
        if cells is not None:
            others &= cells[..., np.newaxis]
        white = (self.image == 0)[..., np.newaxis]
        changes = np.argwhere(others & (self._unchanged[..., np.newaxis] if self.scene.clears else white))
        if self.scene.clears and not len(changes):
            changes = np.argwhere(others & white)
        return self.rng.permutation(changes).astype(np.int32)

    def costs(self, changes: Changes) -> Costs:
        """Return the cost of each change, without the cells that it leaves open, shape (count,)."""
        costs: Costs = self._costs[tuple(changes.T)]
        return costs

    def after(self, change: Change) -> Cells:
        """Return a copy of the image with a change."""
        image = self.image.copy()
        image[change[0], change[1]] = change[2]
        return image

    def make(self, change: Change) -> None:
        """Change the image."""
        self.image = self.after(change)
        self._unchanged[change[0], change[1]] = False

    def adapt(self, trials: ImageTrials, changes: Changes) -> None:
        """Make the best of some changes: *Adapt*, figure 8.

        Parameters
        ----------
        trials
            As `trials` returns them for the present image.
        changes
            Shape (count, 3), count at least 1.
        """
        alpha = self.scene.weights.alpha
        self.make(changes[best_change(trials, changes, self.costs(changes), alpha, self.evaluator)])


def generate(draft: Draft) -> Cells:
    """Change open cells of a draft until line solving leaves none open, and return the image: figure 7.

    Raises
    ------
    Interrupted
        If the time is over before.
    """
    while True:
        trials = draft.trials()
        is_open = np.bitwise_count(trials.known()) > 1
        if not is_open.any():
            return draft.image
        draft.adapt(trials, draft.changes(is_open))


def undo_changes(draft: Draft, accept: Callable[[Cells], bool]) -> None:
    """Undo the changes of a draft that are not needed, the most expensive ones first.

    Parameters
    ----------
    draft
        An image that `accept` accepts; it is changed in place.
    accept
        Whether an image will do.
    """
    start = draft.scene.start
    changed = np.argwhere(draft.image != start)
    made = np.c_[changed, draft.image[tuple(changed.T)]]
    for row, column in changed[draft.costs(made).argsort(kind="stable")[::-1]]:
        image = draft.after(np.array([row, column, start[row, column]], np.int32))
        if accept(image):
            draft.image = image
