"""A draft: an image in the making, changed cell by cell (Batenburg et al. 2009, figures 7 to 9).

*Generate* changes open cells until line solving solves the image. The cost of a change counts the cells that
it leaves open, how far the cell's new colour is from the picture, and the earlier puzzles that have this
colour there. In the paper only white cells change, so the loop ends. With `Scene.clears`, cells change to any
other colour, each only once; then open white cells become black.

Beyond the paper, `depart` makes puzzles differ, `wander` looks for a target difficulty that *Vary* has
missed, and `prune` undoes or replaces changes that turned out superfluous. `WORK` limits it by a count, not
by a clock, so a seed gives the same image on any machine.

All functions that change drafts raise Interrupted when the time is over.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from nonocsp.engine.images import ImageTrials
from nonocsp.making.cells import Cells, Mask, Values
from nonocsp.making.judging import Changes, ImageJudge, crossing, open_cells
from nonocsp.making.likeness import visibilities
from nonocsp.model import UsageError

Change = NDArray[np.int32]
"""Shape (3,): row, column, new colour."""
Counts = NDArray[np.int64]
"""Number of earlier puzzles with the colour in the cell, shape (rows, columns, colours)."""
LOSS = 127.5
"""Half of the distance from white to black."""
CHEAP = 4
"""Changes at random are drawn from the cheapest 1/`CHEAP` of all changes."""
WORK = 20_000
"""Changed images to line solve in search of better changes; a proof counts as many as cells are open."""
NEAR = 4
"""Rows and columns between two changes, at most, that one change may replace."""
FEW = 4
"""Up to so many changes, one may replace any two."""
PROOFS = 8
"""Proofs of uniqueness for each replacement, where line solving does not suffice."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of what counts when a change is chosen; UsageError if one is negative or not finite."""

    alpha: float = 8.0  # a cell that line solving leaves open
    beta: float = 1.0  # a distance of 1 (of 255) between picture and new colour: high for resemblance
    gamma: float = 8.0  # an earlier puzzle with that colour in the cell: high for diversity

    def __post_init__(self) -> None:
        if not all(0 <= weight < math.inf for weight in (self.alpha, self.beta, self.gamma)):
            raise UsageError("alpha, beta and gamma are finite, and 0 or more")


@dataclass(frozen=True, eq=False)
class Scene:
    """What all puzzles of a picture have in common."""

    far: Values  # the distance of the picture from each colour, shape (rows, columns, colours), 0 to 255
    start: Cells  # the image that every puzzle starts from
    weights: Weights = Weights()
    clears: bool = False  # whether cells may also lose their colour
    loss: float = LOSS  # distance that a cell costs more if it loses a colour of `start`
    visible: float = 0.0  # weight of how visible a change is; 0 in the paper

    def costs(self, earlier: Counts) -> Values:
        """Return the cost of each colour in each cell, without the cells left open."""
        other = self.start[..., np.newaxis] != np.arange(self.far.shape[2])
        lost = (self.start > 0)[..., np.newaxis] & other
        costs: Values = self.weights.beta * (self.far + self.loss * lost) + self.weights.gamma * earlier
        return costs


class Draft:
    """An image in the making, and the changes that may be made to it; `rng` decides between equal ones."""

    def __init__(
        self, image: Cells, scene: Scene, earlier: Counts, judge: ImageJudge, rng: np.random.Generator
    ) -> None:
        self.image = image
        self.scene = scene
        self.judge = judge
        self.rng = rng
        self._costs = scene.costs(earlier)
        self._unchanged = np.ones(image.shape, bool)

    def changes(self, cells: Mask | None = None) -> Changes:
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

    def costs(self, changes: Changes) -> Values:
        """Return the cost of each change, without the cells that it leaves open, shape (count,)."""
        costs: Values = self._costs[tuple(changes.T)]
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

    def adapt(self, changes: Changes, trials: ImageTrials | None = None) -> None:
        """Make the best of some changes, at least one: *Adapt*, figure 8."""
        alpha, costs = self.scene.weights.alpha, self.costs(changes)
        trials = trials or self.judge.trials(self.image)
        self.make(changes[self.judge.best_change(trials, changes, costs, alpha)])


def generate(draft: Draft, gaps: Callable[[Cells], Mask] | None = None) -> Cells:
    """Change open cells, those of `gaps` or of line solving, until none is left: figure 7."""
    while True:
        trials = draft.judge.trials(draft.image)
        is_open = open_cells(trials.known())
        if gaps is not None and is_open.any():
            is_open = gaps(draft.image)
        if not is_open.any():
            return draft.image
        draft.adapt(draft.changes(is_open), trials)


def depart(draft: Draft, earlier: Sequence[tuple[Cells, int]]) -> bool:
    """Change the best cells until a draft differs enough from earlier images; False if no more may change."""
    while near := [image for image, least in earlier if np.count_nonzero(draft.image != image) < least]:
        same = np.logical_and.reduce([draft.image == image for image in near])
        changes = draft.changes(same if same.any() else draft.image == near[0])
        row, column = changes[:, 0], changes[:, 1]
        changes = changes[draft.image[row, column] == near[0][row, column]]
        if not len(changes):
            return False
        draft.adapt(changes)
    return True


def vary(draft: Draft) -> Iterator[Cells]:
    """Make the best change of any cell, again and again, and yield each image, solvable or not: figure 9."""
    while len(changes := draft.changes()):
        draft.adapt(changes)
        yield draft.image


def wander(
    draft: Draft, accept: Callable[[Cells], bool], steps: int, *, needs_lines: bool = True
) -> Iterator[Cells]:
    """Try cheap changes at random, yield the accepted images; with `needs_lines`, they stay simple."""
    trials = draft.judge.trials(draft.image)
    for _ in range(steps):
        changes = draft.changes()
        if not len(changes):
            return
        cheapest = draft.costs(changes).argsort(kind="stable")[: -(-len(changes) // CHEAP)]
        change = changes[draft.rng.choice(cheapest)]
        is_simple = not needs_lines or draft.judge.open_after(trials, change[np.newaxis])[0] == 0
        if is_simple and accept(draft.after(change)):
            draft.make(change)
            trials = draft.judge.trials(draft.image)
            yield draft.image


def prune(draft: Draft, gaps: Callable[[Cells], Mask], accept: Callable[[Cells], bool]) -> None:
    """Undo and replace changes of a draft that `accept` accepts, as long as it does.

    First every change goes that is not needed, the most expensive ones first. Then two neighbouring changes
    become one wherever one suffices, and a change a cheaper one. `gaps` returns the cells that the wanted
    method does not solve. The draft is acceptable even after an interruption.
    """
    undo_changes(draft, accept)
    search = _Replacement(draft, gaps, accept)
    while search.work < WORK and search.improve():
        undo_changes(draft, accept)


def undo_changes(draft: Draft, accept: Callable[[Cells], bool]) -> None:
    """Undo the changes of a draft that are not needed, the most expensive ones first."""
    start = draft.scene.start
    before = None
    while before is not draft.image:
        before, made = draft.image, draft.made()
        for row, column in made[draft.costs(made).argsort(kind="stable")[::-1], :2]:
            image = draft.after(np.array([row, column, start[row, column]], np.int32))
            if accept(image):
                draft.image = image


class _Replacement:
    """Looks for one change that does the work of one or two others."""

    def __init__(self, draft: Draft, gaps: Callable[[Cells], Mask], accept: Callable[[Cells], bool]) -> None:
        self.work = 0
        self._draft = draft
        self._gaps = gaps
        self._accept = accept
        self._tried: set[bytes] = set()

    def improve(self) -> bool:
        """Replace something in the draft; return whether there was anything to replace."""
        for replaced in self._replaceable():
            if self.work >= WORK:
                break
            if self._replace(replaced):
                return True
        return False

    def _replaceable(self) -> Iterator[Changes]:
        """Yield pairs of near changes, then single ones, the most expensive first."""
        made = self._draft.made()
        made = made[self._draft.costs(made).argsort(kind="stable")[::-1]]
        for one, other in combinations(made, 2):
            if len(made) <= FEW or np.abs(one[:2] - other[:2]).max() <= NEAR:
                yield np.stack([one, other])
        yield from made[:, np.newaxis]

    def _replace(self, replaced: Changes) -> bool:
        """Replace some changes by the cheapest single one that will do; return whether there is one."""
        draft, before = self._draft, self._draft.image
        cost, most = self._cost(), float("inf") if len(replaced) > 1 else draft.costs(replaced)[0]
        draft.image = before.copy()
        rows, columns = replaced[:, 0], replaced[:, 1]
        draft.image[rows, columns] = draft.scene.start[rows, columns]
        key, kept = draft.image.tobytes() + bytes([len(replaced)]), before
        try:
            if key not in self._tried:
                self._tried.add(key)
                base = draft.image
                for change in self._candidates(most):
                    draft.image = base.copy()
                    draft.image[change[0], change[1]] = change[2]
                    if (len(replaced) > 1 or self._cost() < cost - 1e-9) and self._accept(draft.image):
                        kept = draft.image
                        break
        finally:  # what was only tried is no puzzle, also when the time is over
            draft.image = kept
        return kept is not before

    def _cost(self) -> float:
        return float(self._draft.costs(self._draft.made()).sum())

    def _candidates(self, most: float) -> Iterator[Changes]:
        """Yield changes that may close the draft's gaps and cost less than `most`, the best first."""
        draft = self._draft
        found = self._gaps(draft.image)
        useful = crossing(found) if found.any() else ~found
        useful &= draft.image == (draft.scene.start if draft.scene.clears else 0)
        others = draft.image[..., np.newaxis] != np.arange(draft.scene.far.shape[2])
        changes = np.argwhere(others & useful[..., np.newaxis]).astype(np.int32)
        changes = changes[draft.costs(changes) < most]
        if not len(changes):
            return
        left_open = draft.judge.open_after(draft.judge.trials(draft.image), changes)
        self.work += len(changes)
        proofs = 0
        alpha = draft.scene.weights.alpha
        for i in (draft.costs(changes) + alpha * left_open).argsort(kind="stable"):
            proofs += bool(left_open[i])
            if proofs <= PROOFS or not left_open[i]:
                self.work += int(left_open[i])
                yield changes[i]
