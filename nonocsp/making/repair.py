"""*Repair*: find the fewest cells whose change leaves an ambiguous puzzle one solution.

A puzzle with several solutions is usually meant as a picture, and a cell or two in another colour often make
that picture the only solution. The search is breadth first: all images that differ in one cell, then in two,
then more, until some depth has repairs.

Two observations spare most of the work. If a change touches no line in which two solutions differ, the other
solution with the same change has the clues of the changed image, so that image is ambiguous too. In the same
way, where line solving is stuck it stays stuck unless a line with an open cell changes. So at every depth
only cells of such lines are tried. With one cell, nothing else is left out: if there is no repair, none
exists. From two cells on the search goes on from the `BEAM` most promising images of each depth, and decides
at most `DECIDED` images, those with the fewest cells that line solving leaves open.

Repairs are ranked by the number of cells, then by how visible they are: a cell that changes at a rim moves
an outline a little; elsewhere it makes a speck or a hole, or breaks a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import NamedTuple

import numpy as np

from nonocsp.api import solve
from nonocsp.backends.base import Answer, Termination
from nonocsp.engine import Interrupted
from nonocsp.grading.ambiguity import ambiguity
from nonocsp.making.adapt import ChangeEvaluator, Changes, change_evaluator
from nonocsp.making.init import Mask, choose
from nonocsp.making.picture import Cells
from nonocsp.making.prove import RequiredClass, grade, puzzle_of
from nonocsp.model import Grid, Palette, Puzzle, UsageError, differing_cells
from nonocsp.runner.many import solve_many

BEAM = 16
"""Images of each depth from which the search goes on."""
DECIDED = 400
"""Images that are decided by search at each depth but the first."""
PATIENCE = 0.2
"""Seconds for the proof that a changed image is the only solution."""
MOST_CHANGES = 8


class CellChange(NamedTuple):
    """A cell in another colour; row and column count from 0."""

    row: int
    column: int
    before: int
    after: int


@dataclass(frozen=True, eq=False)
class Repair:
    """Cells whose change leaves one solution.

    Parameters
    ----------
    changes
        The cells, from top to bottom.
    puzzle
        The puzzle of the changed image, which is its goal and its only solution.
    visibility
        Sum over the cells: the share of the eight neighbours that do not have the new colour, and 1 where
        something appears or vanishes, breaks apart or grows together: where the old colour, or the new one,
        is not in one run around the cell (cells whose change does neither are the simple points of digital
        topology; Kong & Rosenfeld 1989). Outside the picture is background.
    class_
        The weakest method that solves the puzzle, as the meter says: ``"simple"``, ``"fp1"``.
    sweeps
        The difficulty; if the puzzle is not simple, the sweeps until line solving is stuck.
    """

    changes: tuple[CellChange, ...]
    puzzle: Puzzle
    visibility: float
    class_: str = ""
    sweeps: int = 0

    @property
    def changed(self) -> Mask:
        """Whether a cell is changed, shape (rows, columns)."""
        changed = np.zeros(self.puzzle.shape, bool)
        for change in self.changes:
            changed[change.row, change.column] = True
        return changed


@dataclass(frozen=True, eq=False)
class Repairs:
    """What is wrong with a puzzle, and what would repair it.

    Parameters
    ----------
    puzzle
        With the image that is repaired as its goal: its own goal, or else one of its solutions.
    answer
        Whether it has one solution, several, or none; ``unknown`` if the time was up before.
    ambiguous
        Whether two solutions differ in a cell, shape (rows, columns).
    is_all_ambiguous
        Whether no other cell is ambiguous.
    is_fine
        Whether nothing needs to change.
    found
        The repairs, the best first.
    at_least
        Number of cells that every repair changes at least.
    is_over
        Whether the time was up before the search ended.
    """

    puzzle: Puzzle
    answer: Answer
    ambiguous: Mask
    is_all_ambiguous: bool
    is_fine: bool = False
    found: tuple[Repair, ...] = ()
    at_least: int = 1
    is_over: bool = False

    def with_ambiguous(self) -> Grid:
        """Return the image with every colour possible in the ambiguous cells."""
        assert self.puzzle.goal is not None
        every = np.uint64(2 ** len(self.puzzle.palette) - 1)
        return Grid(np.where(self.ambiguous, every, self.puzzle.goal.candidates))


def repair(
    puzzle: Puzzle,
    *,
    class_: RequiredClass | str = RequiredClass.UNIQUE,
    max_changes: int = MOST_CHANGES,
    best: int = 5,
    time: float | None = 20.0,
    jobs: int | None = None,
) -> Repairs:
    """Find the smallest and least visible sets of cells whose change leaves a puzzle one solution.

    Parameters
    ----------
    puzzle
        Its goal is what is repaired; without one, the first solution found.
    class_
        Method that must suffice afterwards: ``"unique"``, any; ``"simple"``, line solving.
    max_changes
        The most cells to change, 1 to `MOST_CHANGES`.
    best
        How many repairs to return, at most.
    time
        Seconds for everything; None for as long as it takes.
    jobs
        Threads; by default one a core.

    Returns
    -------
    Repairs
        All repairs change equally many cells. If one cell suffices, they are the best of all.

    Raises
    ------
    UsageError
        For a number of changes or repairs out of range, or another class.
    """
    required = choose(RequiredClass, class_, "class")
    if required is RequiredClass.FP1:
        raise UsageError("a repair makes a puzzle unique or simple; choose one of these classes")
    if not 1 <= max_changes <= MOST_CHANGES or best < 1:
        raise UsageError(f"a repair changes 1 to {MOST_CHANGES} cells, and at least one repair is returned")
    diagnosis = _diagnosis(puzzle, time)
    if diagnosis.answer not in (Answer.UNIQUE, Answer.MULTIPLE):
        return diagnosis
    assert diagnosis.puzzle.goal is not None
    with change_evaluator(len(puzzle.palette), jobs, time) as evaluator:
        search = _Search(diagnosis.puzzle, required, evaluator)
        if diagnosis.answer is Answer.UNIQUE and search.is_required_class():
            return replace(diagnosis, is_fine=True, at_least=0)
        at_least, is_over = 1, True
        with suppress(Interrupted):
            for depth in range(1, max_changes + 1):
                if search.deepen():
                    break
                if depth == 1 and search.is_certain:
                    at_least = 2
            is_over = False
    found = []
    for one in sorted(search.found, key=lambda one: (one.visibility, one.changes))[:best]:
        sweeps, kind = grade(one.puzzle)
        found.append(replace(one, sweeps=sweeps, class_=kind))
    return replace(diagnosis, found=tuple(found), at_least=at_least, is_over=is_over)


def _diagnosis(puzzle: Puzzle, time: float | None) -> Repairs:
    """Return how many solutions there are and where they differ."""
    outcome = solve(puzzle, wall=time)
    if puzzle.goal is None and outcome.solutions:
        puzzle = Puzzle.from_grid(outcome.solutions[0], palette=puzzle.palette, title=puzzle.title)
    found = ambiguity(puzzle, wall=time)
    return Repairs(puzzle, outcome.answer, found.cells, found.is_complete)


@dataclass(frozen=True, eq=False)
class _Image:
    """An image, and what was changed in it."""

    cells: Cells
    changes: tuple[CellChange, ...] = ()


class _Search:
    """Looks at images with one more change at each depth.

    Parameters
    ----------
    puzzle
        With the goal to repair.
    required
        The method that must suffice.
    evaluator
        Tries changes, within the time limit.
    """

    def __init__(self, puzzle: Puzzle, required: RequiredClass, evaluator: ChangeEvaluator) -> None:
        assert puzzle.goal is not None
        others = (one for one in solve(puzzle, wall=evaluator.remaining()).solutions if one != puzzle.goal)
        # Another solution stays one unless one of these cells changes.
        self._useful = crossing(differing_cells([puzzle.goal, *islice(others, 1)]))
        self._palette: Palette = puzzle.palette
        self._title = puzzle.title
        self._required = required
        self._evaluator = evaluator
        self._images = [_Image(puzzle.goal.cells)]
        self._seen: set[frozenset[CellChange]] = set()
        self.found: list[Repair] = []
        """The repairs of the present depth."""
        self.is_certain = True
        """Whether all images that were looked at are known to be ambiguous or not."""

    def is_required_class(self) -> bool:
        """Return whether the method suffices for the image as it is, if that is the only solution."""
        if self._required is RequiredClass.UNIQUE:
            return True
        known = self._evaluator.trials(self._images[0].cells).known()
        return bool((np.bitwise_count(known) == 1).all())

    def deepen(self) -> bool:
        """Look at images with one more change; return whether some of them are repairs.

        Raises
        ------
        Interrupted
            If the time is over; `found` has those until then.
        """
        stuck: list[tuple[int, float, _Image]] = []
        for image in self._images:
            for number, (still_open, changed) in enumerate(self._changed(image)):
                if number % 64 == 0:
                    self._evaluator.remaining()
                if still_open == 0:
                    self.found.append(self._repair(changed))
                else:
                    stuck.append((still_open, visibility(changed.cells, changed.changes), changed))
        stuck.sort(key=lambda one: one[:2])
        images = [image for _, _, image in stuck]
        if self._required is RequiredClass.UNIQUE:
            images = self._still_ambiguous(images)
        self._images = images[:BEAM]
        return bool(self.found)

    def _changed(self, image: _Image) -> Iterator[tuple[int, _Image]]:
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
            yield still_open, _Image(cells, tuple(sorted(of_all)))

    def _still_ambiguous(self, images: Sequence[_Image]) -> list[_Image]:
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
                self.found.append(self._repair(image))
            self.is_certain &= outcome.termination is Termination.OK
            self._evaluator.remaining()
        return [image for image in images if image.changes not in repaired]

    def _repair(self, image: _Image) -> Repair:
        return Repair(image.changes, self._puzzle(image.cells), visibility(image.cells, image.changes))

    def _puzzle(self, cells: Cells) -> Puzzle:
        return puzzle_of(cells, self._palette, self._title)


def crossing(cells: Mask) -> Mask:
    """Return which cells are in the row or in the column of a marked one, shape (rows, columns)."""
    rows, columns = cells.any(axis=1), cells.any(axis=0)
    crossed: Mask = np.logical_or.outer(rows, columns)
    return crossed


def visibility(cells: Cells, changes: Sequence[CellChange]) -> float:
    """Return how visible changes are, as `Repair` says.

    Parameters
    ----------
    cells
        The changed image, shape (rows, columns).
    changes
        What was changed in it.
    """
    padded = np.pad(cells, 1)
    seen = 0.0
    for row, column, before, after in changes:
        around = [int(padded[row + 1 + down, column + 1 + right]) for down, right in _AROUND]
        is_smooth = _runs(around, before) == _runs(around, after) == 1
        seen += 1 - around.count(after) / len(around) + (not is_smooth)
    return seen


_AROUND = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
"""The neighbours of a cell, clockwise: rows down, columns right."""


def _runs(around: Sequence[int], colour: int) -> int:
    """Return how many runs of a colour there are on the way round a cell."""
    if set(around) == {colour}:
        return 1
    return sum(here == colour != before for before, here in pairwise((around[-1], *around)))
