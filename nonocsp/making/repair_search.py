"""Search the images that differ from an ambiguous one in a few cells for those that are the only solution.

The search is breadth first: all images with one change, then with two, then with more, until some depth has
repairs.

Two observations spare most of the work. If a change touches no line in which two solutions differ, the other
solution with the same change has the clues of the changed image, so that image is ambiguous too. In the same
way, where line solving is stuck it stays stuck unless a line with an open cell changes. So at every depth
only cells of such lines are tried. With one cell, nothing else is left out: if there is no repair, none
exists. From two cells on the search goes on from the `BEAM` most promising images of each depth, and decides
at most `DECIDED` images, those with the fewest cells that line solving leaves open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from nonocsp.backends.base import Answer, Termination
from nonocsp.making.adapt import ChangeEvaluator, Changes
from nonocsp.making.changes import CellChange, visibility
from nonocsp.making.init import Mask
from nonocsp.making.picture import Cells
from nonocsp.making.prove import RequiredClass, puzzle_of
from nonocsp.model import Grid, Puzzle, differing_cells
from nonocsp.run.many import solve_many

BEAM = 16
"""Images of each depth from which the search goes on."""
DECIDED = 400
"""Images that are decided by search at each depth but the first."""
PATIENCE = 0.2
"""Seconds for the proof that a changed image is the only solution."""


@dataclass(frozen=True, eq=False)
class ChangedImage:
    """An image, and what was changed in it."""

    cells: Cells
    changes: tuple[CellChange, ...] = ()

    @property
    def visibility(self) -> float:
        """How visible the changes are."""
        return visibility(self.cells, self.changes)


class RepairSearch:
    """Looks at images with one more change at each depth.

    Parameters
    ----------
    puzzle
        With the goal to repair.
    solutions
        One or two solutions of the puzzle, which may or may not be the goal.
    required
        The method that must suffice.
    evaluator
        Tries changes, within the time limit.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        solutions: Sequence[Grid],
        required: RequiredClass,
        evaluator: ChangeEvaluator,
    ) -> None:
        assert puzzle.goal is not None
        others = [one for one in solutions if one != puzzle.goal]
        # Another solution stays one unless one of these cells changes.
        self._useful = crossing(differing_cells([puzzle.goal, *others[:1]]))
        self._palette = puzzle.palette
        self._title = puzzle.title
        self._required = required
        self._evaluator = evaluator
        self._images = [ChangedImage(puzzle.goal.cells)]
        self._seen: set[frozenset[CellChange]] = set()
        self.found: list[ChangedImage] = []
        """The repairs of the present depth."""
        self.is_certain = True
        """Whether all images that were looked at are known to be ambiguous or not."""

    def needs_no_change(self) -> bool:
        """Return whether the required method solves the image as it is; it must be the only solution."""
        if self._required is RequiredClass.UNIQUE:
            return True
        known = self._evaluator.trials(self._images[0].cells).known()
        return bool((np.bitwise_count(known) == 1).all())

    def deepen(self) -> bool:
        """Look at images with one more change; return whether some of them are repairs."""
        stuck: list[tuple[int, float, ChangedImage]] = []
        for image in self._images:
            for number, (still_open, changed) in enumerate(self._changed(image)):
                if number % 64 == 0:
                    self._evaluator.remaining()
                if still_open == 0:
                    self.found.append(changed)
                else:
                    stuck.append((still_open, changed.visibility, changed))
        stuck.sort(key=lambda one: one[:2])
        images = [image for _, _, image in stuck]
        if self._required is RequiredClass.UNIQUE:
            images = self._still_ambiguous(images)
        self._images = images[:BEAM]
        return bool(self.found)

    def _changed(self, image: ChangedImage) -> Iterator[tuple[int, ChangedImage]]:
        """Yield the images with one more change, and how many cells line solving leaves open in them."""
        trials = self._evaluator.trials(image.cells)
        useful = crossing(np.bitwise_count(trials.known()) > 1)
        other = image.cells[..., np.newaxis] != np.arange(len(self._palette))
        for change in image.changes:
            other[change.row, change.column] = False
        changes: Changes = np.argwhere(other & useful[..., np.newaxis]).astype(np.int32)
        if not len(changes):
            return
        for change, still_open in zip(
            changes.tolist(), self._evaluator.open_after_each(trials, changes).tolist(), strict=True
        ):
            row, column, colour = change
            made = CellChange(row, column, int(image.cells[row, column]), colour)
            of_all = frozenset((*image.changes, made))
            if of_all in self._seen:
                continue
            self._seen.add(of_all)
            cells = image.cells.copy()
            cells[row, column] = colour
            yield still_open, ChangedImage(cells, tuple(sorted(of_all)))

    def _still_ambiguous(self, images: Sequence[ChangedImage]) -> list[ChangedImage]:
        """Return those of some images that are not the only solution; keep the others as repairs."""
        hopeful = [image for image in images if len(image.changes) > 1 or self._useful[image.changes[0][:2]]]
        tried = hopeful if hopeful and len(hopeful[0].changes) == 1 else hopeful[:DECIDED]
        puzzles = [self._puzzle(image.cells) for image in tried]
        repaired = set()
        for image, outcome in zip(
            tried, solve_many(puzzles, wall=PATIENCE, jobs=self._evaluator.jobs), strict=True
        ):
            if outcome.answer is Answer.UNIQUE:
                repaired.add(image.changes)
                self.found.append(image)
            self.is_certain &= outcome.termination is Termination.OK
            self._evaluator.remaining()
        return [image for image in images if image.changes not in repaired]

    def _puzzle(self, cells: Cells) -> Puzzle:
        return puzzle_of(cells, self._palette, self._title)


def crossing(cells: Mask) -> Mask:
    """Return which cells are in the row or in the column of a marked one, shape (rows, columns)."""
    rows, columns = cells.any(axis=1), cells.any(axis=0)
    crossed: Mask = np.logical_or.outer(rows, columns)
    return crossed
