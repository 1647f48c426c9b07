"""*Generate* and *Vary*: images changed cell by cell until line solving solves them, and on from there.

Figures 7 and 9 of Batenburg, Henstra, Kosters & Palenstijn (Constructing simple nonograms of varying
difficulty, 2009), and their cost: what is left open, how far the cell's new colour is from the picture, and
how many earlier puzzles have it there. There white cells become black, and nothing else changes; so the loop
ends, at the latest when all is black. In several colours, white cells get any colour.

With `Scene.clears`, cells change to any other colour, white too, for the same cost: clearing what is dark in
the picture is as expensive as blackening what is light, and to lose what *Init* has drawn costs `LOSS` more,
lest outlines dissolve. To end nevertheless, each cell changes once; when no open cell is left that has not,
the rest is blackened as without.

Puzzles beyond line solving come from the same images by taking changes back: it is line solving that needs
most of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nonocsp._core import ImageTrials
from nonocsp.making.adapt import Changes, Trier, best_change
from nonocsp.making.colouring import Distances
from nonocsp.making.picture import Cells
from nonocsp.model import UsageError

Mask = NDArray[np.bool_]
LOSS = 127.5
"""Half of the way from white to black."""
CHEAP = 4
"""A change at random is one of the cheapest: of this part of all."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What counts how much when a change is chosen.

    Parameters
    ----------
    alpha
        A cell that line solving leaves open.
    beta
        A step of 255 between the picture and the colour that the cell gets: high for resemblance.
    gamma
        An earlier puzzle with that colour in the cell: high for diversity.
    """

    alpha: float = 8.0
    beta: float = 1.0
    gamma: float = 8.0

    def __post_init__(self) -> None:
        if not all(0 <= weight < math.inf for weight in (self.alpha, self.beta, self.gamma)):
            raise UsageError("alpha, beta and gamma are finite, and 0 or more")


@dataclass(frozen=True, eq=False)
class Scene:
    """What stays the same for all puzzles of a picture.

    Parameters
    ----------
    far
        How far the picture is from each colour, shape (rows, columns, colours), 0 to 255.
    start
        Where every puzzle begins.
    clears
        Whether cells may also lose their colour.
    """

    far: Distances
    start: Cells
    weights: Weights = Weights()
    clears: bool = False

    def costs(self, earlier: NDArray[np.int64]) -> Distances:
        """Return what each colour costs in each cell, apart from what it leaves open.

        Parameters
        ----------
        earlier
            In how many earlier puzzles the cell has the colour, shape (rows, columns, colours).
        """
        lost = (self.start > 0)[..., np.newaxis] & (
            self.start[..., np.newaxis] != np.arange(self.far.shape[2])
        )
        costs: Distances = self.weights.beta * (self.far + LOSS * lost) + self.weights.gamma * earlier
        return costs


class Draft:
    """An image in the works.

    Parameters
    ----------
    start
        Where it begins.
    earlier
        As for `Scene.costs`.
    """

    def __init__(
        self, start: Cells, scene: Scene, earlier: NDArray[np.int64], trier: Trier, rng: np.random.Generator
    ) -> None:
        self.image = start
        self._scene = scene
        self._costs = scene.costs(earlier)
        self._trier = trier
        self._rng = rng
        self._fresh = np.ones(start.shape, bool)

    def generate(self) -> Cells:
        """Change open cells until line solving leaves none: *Generate*, figure 7.

        Raises
        ------
        Interrupted
            If the time is over before.
        """
        while True:
            trials = self._trier.trials(self.image)
            is_open = np.bitwise_count(trials.known()) > 1
            if not is_open.any():
                return self.image
            self._adapt(trials, self._changes(is_open))

    def undo(self, accept: Callable[[Cells], bool]) -> None:
        """Take back every change without which `accept` takes the image too, the dearest ones first."""
        start = self._scene.start
        changed = np.argwhere(self.image != start)
        costs = self._costs[(*changed.T, self.image[tuple(changed.T)])]
        for row, column in changed[costs.argsort(kind="stable")[::-1]]:
            undone = np.array([row, column, start[row, column]], np.int32)
            if accept(image := self._changed(undone)):
                self.image = image

    def variations(self) -> Iterator[Cells]:
        """Change any cell, again and again, and yield the image each time, solvable or not: *Vary*, figure 9.

        Ends when there is no cell left to change, or by `Interrupted`.
        """
        while len(changes := self._changes()):
            self._adapt(self._trier.trials(self.image), changes)
            yield self.image

    def wander(self, welcome: Callable[[Cells], bool], steps: int) -> Iterator[Cells]:
        """Try cheap changes at random, and yield those images that stay simple and that `welcome` takes."""
        trials = self._trier.trials(self.image)
        for _ in range(steps):
            changes = self._changes()
            by_cost = self._costs[tuple(changes.T)].argsort(kind="stable")
            if not len(changes):
                return
            change = changes[self._rng.choice(by_cost[: -(-len(changes) // CHEAP)])]
            if self._trier.open_after(trials, change) == 0 and welcome(image := self._changed(change)):
                self._change(change)
                trials = self._trier.trials(image)
                yield image

    def _changes(self, cells: Mask | None = None) -> Changes:
        """Return what may be done to some cells (all by default), in random order."""
        others = self.image[..., np.newaxis] != np.arange(self._scene.far.shape[2])
        if cells is not None:
            others &= cells[..., np.newaxis]
        white = (self.image == 0)[..., np.newaxis]
        changes = np.argwhere(others & (self._fresh[..., np.newaxis] if self._scene.clears else white))
        if self._scene.clears and not len(changes):
            changes = np.argwhere(others & white)
        return self._rng.permutation(changes).astype(np.int32)

    def _adapt(self, trials: ImageTrials, changes: Changes) -> None:
        """Make the best change: *Adapt*, figure 8."""
        costs = self._costs[tuple(changes.T)]
        self._change(changes[best_change(trials, changes, costs, self._scene.weights.alpha, self._trier)])

    def _change(self, change: NDArray[np.int32]) -> None:
        self.image = self._changed(change)
        self._fresh[change[0], change[1]] = False

    def _changed(self, change: NDArray[np.int32]) -> Cells:
        image = self.image.copy()
        image[change[0], change[1]] = change[2]
        return image
