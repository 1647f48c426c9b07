"""*Repair*: find the fewest cells whose change leaves an ambiguous puzzle one solution.

A puzzle with several solutions is usually meant as a picture, and a cell or two in another colour often make
that picture the only solution. Repairs are ranked by the number of cells, then by how visible they are.

The search is breadth first. If a change touches no line in which two solutions differ, the changed image is
ambiguous, too; and line solving stays stuck unless a line with an open cell changes. So only cells of such
lines are tried. With one cell, nothing else is left out. From two on, the search goes on from the `BEAM` most
promising images and decides at most `DECIDED`, those with the fewest cells that line solving leaves open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nonocsp.api import solve
from nonocsp.backends.base import Answer, Termination
from nonocsp.engine import Interrupted
from nonocsp.grading.context import ambiguity
from nonocsp.making.cells import Cells, Mask
from nonocsp.making.image import choose
from nonocsp.making.judging import Changes, ImageJudge, RequiredClass, crossing, grade, open_cells, puzzle_of
from nonocsp.making.likeness import CellChange, changed_cells, visibility
from nonocsp.model import Grid, Puzzle, UsageError, differing_cells
from nonocsp.run.many import solve_many

MOST_CHANGES = 8
BEAM = 16
"""Images of each depth from which the search goes on."""
DECIDED = 400
"""Images that are decided by search at each depth but the first."""
PATIENCE = 0.2
"""Seconds for the proof that a changed image is the only solution."""


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
        How visible the changes are: 0 if nobody would notice, below 1 where an outline moves by a cell, more
        for a speck, a hole or a broken line; see `nonocsp.making.likeness.visibility`.
    class_
        The weakest method that solves the puzzle, as the meter says: ``"simple"``, ``"fp1"``.
    sweeps
        The difficulty; if the puzzle is not simple, the sweeps until line solving is stuck.
    """

    changes: tuple[CellChange, ...]
    puzzle: Puzzle
    visibility: float
    class_: str
    sweeps: int

    @property
    def changed(self) -> Mask:
        """Whether a cell is changed, shape (rows, columns)."""
        return changed_cells(self.changes, self.puzzle.shape)

    def record(self) -> dict[str, Any]:
        """Return the JSON record; rows and columns count from 1."""
        palette, goal = self.puzzle.palette, self.puzzle.goal
        assert goal is not None
        return {
            "changes": [change.record(palette) for change in self.changes],
            "visibility": round(self.visibility, 3),
            "class": self.class_,
            "sweeps": self.sweeps,
            "solutions": [goal.strings(palette)],
        }


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

    def record(self) -> dict[str, Any]:
        """Return the JSON record; rows and columns of cells count from 1."""
        rows, columns = self.puzzle.shape
        return {
            "rows": rows,
            "columns": columns,
            "answer": str(self.answer),
            "fine": self.is_fine,
            "ambiguous": (np.argwhere(self.ambiguous) + 1).tolist(),
            "all_ambiguous": self.is_all_ambiguous,
            "at_least": self.at_least,
            "time_is_up": self.is_over,
            "repairs": [one.record() for one in self.found],
        }

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
    outcome = solve(puzzle, wall=time)
    if puzzle.goal is None and outcome.solutions:
        puzzle = Puzzle.from_grid(outcome.solutions[0], palette=puzzle.palette, title=puzzle.title)
    cells = ambiguity(puzzle, wall=time)
    diagnosis = Repairs(puzzle, outcome.answer, cells.cells, cells.is_complete)
    if outcome.answer not in (Answer.UNIQUE, Answer.MULTIPLE):
        return diagnosis
    search = RepairSearch(puzzle, outcome.solutions, required, ImageJudge(puzzle.palette, jobs, time))
    if outcome.answer is Answer.UNIQUE and search.needs_no_change():
        return replace(diagnosis, is_fine=True, at_least=0)
    at_least, is_over = 1, True
    with suppress(Interrupted):
        for depth in range(1, max_changes + 1):
            if search.deepen():
                break
            if depth == 1 and search.is_certain:
                at_least = 2
        is_over = False
    ranked = sorted(search.found, key=lambda image: (image.visibility, image.changes))[:best]
    found = tuple(_graded(image, puzzle) for image in ranked)
    return replace(diagnosis, found=found, at_least=at_least, is_over=is_over)


def _graded(image: ChangedImage, puzzle: Puzzle) -> Repair:
    """Return an image as a repair of a puzzle."""
    repaired = puzzle_of(image.cells, puzzle.palette, puzzle.title)
    sweeps, class_ = grade(repaired)
    return Repair(image.changes, repaired, image.visibility, class_, sweeps)


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
    """Looks at images with one more change at each depth; one or two solutions of the puzzle are known."""

    def __init__(
        self, puzzle: Puzzle, solutions: Sequence[Grid], required: RequiredClass, judge: ImageJudge
    ) -> None:
        assert puzzle.goal is not None
        others = [one for one in solutions if one != puzzle.goal]
        # Another solution stays one unless one of these cells changes.
        self._useful = crossing(differing_cells([puzzle.goal, *others[:1]]))
        self._required = required
        self._judge = judge
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
        return not open_cells(self._judge.trials(self._images[0].cells).known()).any()

    def deepen(self) -> bool:
        """Look at images with one more change; return whether some of them are repairs."""
        stuck: list[tuple[int, float, ChangedImage]] = []
        for image in self._images:
            for number, (still_open, changed) in enumerate(self._changed(image)):
                if number % 64 == 0:
                    self._judge.remaining()
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
        trials = self._judge.trials(image.cells)
        useful = crossing(open_cells(trials.known()))
        other = image.cells[..., np.newaxis] != np.arange(len(self._judge.palette))
        for change in image.changes:
            other[change.row, change.column] = False
        changes: Changes = np.argwhere(other & useful[..., np.newaxis]).astype(np.int32)
        if not len(changes):
            return
        for change, still_open in zip(
            changes.tolist(), self._judge.open_after(trials, changes).tolist(), strict=True
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
        puzzles = [puzzle_of(image.cells, self._judge.palette) for image in tried]
        repaired = set()
        for image, outcome in zip(
            tried, solve_many(puzzles, wall=PATIENCE, jobs=self._judge.jobs), strict=True
        ):
            if outcome.answer is Answer.UNIQUE:
                repaired.add(image.changes)
                self.found.append(image)
            self.is_certain &= outcome.termination is Termination.OK
            self._judge.remaining()
        return [image for image in images if image.changes not in repaired]
