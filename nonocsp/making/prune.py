"""Keep only the changes of an image that are needed, and the least visible ones.

Adapt chooses one change at a time, so early changes are often superfluous in the end. First every change is
undone without which the image still will do, the most expensive ones first. Then two neighbouring changes are
replaced by one wherever one suffices, and a change by a cheaper one. The number of changes counts first, then
their cost, which includes how visible they are.

`WORK` limits the search by a count, not by a clock, so a seed gives the same image on any machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np

from nonocsp.making.adapt import Changes
from nonocsp.making.generate import Draft
from nonocsp.making.init import Mask
from nonocsp.making.picture import Cells

WORK = 20_000
"""Changed images to line solve in search of better changes; a proof counts as many as cells are open."""
NEAR = 4
"""Rows and columns between two changes, at most, that one change may replace."""
FEW = 4
"""Up to so many changes, one may replace any two."""
PROOFS = 8
"""Proofs of uniqueness for each replacement, where line solving does not suffice."""


def prune(draft: Draft, gaps: Callable[[Cells], Mask], accept: Callable[[Cells], bool]) -> None:
    """Undo and replace changes of a draft as long as it stays acceptable."""
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
        useful = np.logical_or.outer(found.any(axis=1), found.any(axis=0)) if found.any() else ~found
        useful &= draft.image == (draft.scene.start if draft.scene.clears else 0)
        others = draft.image[..., np.newaxis] != np.arange(draft.scene.far.shape[2])
        changes = np.argwhere(others & useful[..., np.newaxis]).astype(np.int32)
        changes = changes[draft.costs(changes) < most]
        if not len(changes):
            return
        left_open = draft.evaluator.open_after_each(draft.trials(), changes)
        self.work += len(changes)
        proofs = 0
        alpha = draft.scene.weights.alpha
        for i in (draft.costs(changes) + alpha * left_open).argsort(kind="stable"):
            proofs += bool(left_open[i])
            if proofs <= PROOFS or not left_open[i]:
                self.work += int(left_open[i])
                yield changes[i]
