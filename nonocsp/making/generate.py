"""*Generate*: change an image cell by cell until line solving solves it (Batenburg et al. 2009, figure 7).

The cost of a change counts the cells that it leaves open, how far the cell's new colour is from the picture,
and the earlier puzzles that have this colour there. White cells become black and nothing else changes, so the
loop ends when all is black at the latest. In several colours, white cells get any colour.

With `Scene.clears`, cells change to any other colour, white included, at the same cost: clearing what is dark
in the picture is as expensive as blackening what is light. Clearing what *Init* has drawn costs `LOSS` more,
because otherwise outlines dissolve. Each cell changes only once, so that the loop ends. When no open cell may
change any more, open white cells become black.

Puzzles that need more than line solving are made in the same way, until nothing keeps the wanted method from
solving them. Where puzzles must differ, `depart` changes the best cells first, whatever line solving needs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nonocsp.engine.images import ImageTrials
from nonocsp.making.adapt import ChangeEvaluator, Changes, Costs, best_change
from nonocsp.making.changes import visibilities
from nonocsp.making.colours import Distances
from nonocsp.making.init import Mask
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
    loss
        Distance that a cell costs more if it loses a colour of `start`.
    visible
        Weight of how visible a change is; 0 in the paper.
    """

    far: Distances
    start: Cells
    weights: Weights = Weights()
    clears: bool = False
    loss: float = LOSS
    visible: float = 0.0

    def costs(self, earlier: NDArray[np.int64]) -> Distances:
        """Return the cost of each colour in each cell, without the cells left open."""
        other = self.start[..., np.newaxis] != np.arange(self.far.shape[2])
        lost = (self.start > 0)[..., np.newaxis] & other
        costs: Distances = self.weights.beta * (self.far + self.loss * lost) + self.weights.gamma * earlier
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
        marked = np.ones(self.image.shape, bool) if cells is None else cells
        white = self.image == 0
        others = self.image[..., np.newaxis] != np.arange(self.scene.far.shape[2])
        changes = np.argwhere(np.zeros((0, 0, 0)))
        # The later ones let every loop end: a line without white cells is solved.
        for allowed in ([marked & self._unchanged] if self.scene.clears else []) + [marked & white, white]:
            if not len(changes):
                changes = np.argwhere(others & allowed[..., np.newaxis])
        return self.rng.permutation(changes).astype(np.int32)

    def costs(self, changes: Changes) -> Costs:
        """Return the cost of each change, without the cells that it leaves open, shape (count,)."""
        costs: Costs = self._costs[tuple(changes.T)]
        if self.scene.visible:
            seen = visibilities(self.image, self.scene.start, self.scene.far.shape[2])
            costs = costs + self.scene.visible * seen[tuple(changes.T)]
        return costs

    def made(self) -> Changes:
        """Return the changes of the start that the image has, shape (count, 3)."""
        changed = np.argwhere(self.image != self.scene.start)
        made: Changes = np.c_[changed, self.image[tuple(changed.T)]].astype(np.int32)
        return made

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
        """Make the best of some changes: *Adapt*, figure 8."""
        alpha = self.scene.weights.alpha
        self.make(changes[best_change(trials, changes, self.costs(changes), alpha, self.evaluator)])


def generate(draft: Draft, gaps: Callable[[Cells], Mask] | None = None) -> Cells:
    """Change open cells of a draft until nothing is left to solve, and return the image: figure 7."""
    while True:
        trials = draft.trials()
        is_open = np.bitwise_count(trials.known()) > 1
        if gaps is not None and is_open.any():
            is_open = gaps(draft.image)
        if not is_open.any():
            return draft.image
        draft.adapt(trials, draft.changes(is_open))


def depart(draft: Draft, earlier: Sequence[tuple[Cells, int]]) -> bool:
    """Change the best cells until a draft differs from earlier images in a number of cells each."""
    while near := [image for image, least in earlier if np.count_nonzero(draft.image != image) < least]:
        same = np.logical_and.reduce([draft.image == image for image in near])
        changes = draft.changes(same if same.any() else draft.image == near[0])
        row, column = changes[:, 0], changes[:, 1]
        changes = changes[draft.image[row, column] == near[0][row, column]]
        if not len(changes):
            return False
        draft.adapt(draft.trials(), changes)
    return True
