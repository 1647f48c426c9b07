"""Hint at the next step for a half-filled grid, or at its mistakes.

A cell is certainly wrong if line solving from the empty grid gives it another value, or, if asked for, if the
only solution does. A line that no placement fits contains a mistake somewhere. Without known mistakes, the
cheapest deduction is the hint. If there is none, a search tells whether the puzzle has several solutions, and
in which cells they differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from nonocsp.engine import Candidates, LineSolver, feasible, feasible_lines
from nonocsp.grading.ambiguity import ambiguity
from nonocsp.grading.explain.board import Board, line_cells, lines_of
from nonocsp.grading.explain.line import cells_named
from nonocsp.grading.explain.steps import Step, after, cell_named, stay_open
from nonocsp.grading.explain.walk import checked_start, walk
from nonocsp.model import Grid, Line, Puzzle, PuzzleError, UsageError

SOLUTION_WALL = 60.0
"""Seconds to find the solution that a grid is compared with."""
AMBIGUITY_WALL = 10.0
"""Seconds to find the ambiguous cells if no technique helps."""
MOST_NAMED = 8
"""Ambiguous cells that a remark names."""


class Broken(NamedTuple):
    """A line that no placement fits, and the cells each of which would mend it if opened."""

    line: Line
    suspects: tuple[int, ...]

    def __str__(self) -> str:
        what = f"no placement of the blocks of {self.line} fits its cells"
        one_of = "one of " if len(self.suspects) > 1 else ""
        return (
            f"{what}; opening {one_of}{cells_named(self.suspects)} would mend it" if self.suspects else what
        )


@dataclass(frozen=True, slots=True)
class Hint:
    """The mistakes of a half-filled grid, or its next step.

    Parameters
    ----------
    puzzle, grid
        The puzzle and the grid.
    wrong
        The cells that are certainly wrong, as (row, column) from 0.
    broken
        The lines that no placement fits.
    clash
        The line where line solving from here ends in a contradiction, if nothing else is known to be wrong.
    steps
        The next step; in several colours, steps that narrow cells and then one that decides some. Empty if
        something is wrong, the grid is full, or no technique helps.
    ambiguous
        If no technique helps: the open cells in which solutions differ, as (row, column) from 0.
    is_unique
        Whether no technique helps although there is one solution.
    """

    puzzle: Puzzle
    grid: Grid
    wrong: tuple[tuple[int, int], ...] = ()
    broken: tuple[Broken, ...] = ()
    clash: Line | None = None
    steps: tuple[Step, ...] = ()
    ambiguous: tuple[tuple[int, int], ...] = ()
    is_unique: bool = False

    @property
    def is_sound(self) -> bool:
        """Whether nothing is known to be wrong."""
        return not (self.wrong or self.broken or self.clash)

    @property
    def remarks(self) -> list[str]:
        """The mistakes, or why there is no step; a sentence each."""
        names = [colour.name for colour in self.puzzle.palette.colours]
        colours = self.grid.colours(unknown=0)
        told = [f"Wrong: {cell_named(r, c)} is not {names[colours[r, c]]}." for r, c in self.wrong]
        told += [f"Wrong: {broken}." for broken in self.broken]
        if self.clash:
            told.append(f"Something is wrong: line solving from here contradicts itself in {self.clash}.")
        if told or self.steps:
            return told
        if self.grid.is_full:
            return ["The grid is full, and right."]
        if self.ambiguous:
            cells = "; ".join(cell_named(row, column) for row, column in self.ambiguous[:MOST_NAMED])
            more = len(self.ambiguous) - MOST_NAMED
            rest = f"; and {more} more" if more > 0 else ""
            return [f"No step is left: the puzzle has several solutions, which differ in {cells}{rest}."]
        if self.is_unique:
            return ["No technique helps: the puzzle has one solution, but only deeper search finds it."]
        return [f"No technique helps: {stay_open(self.grid.unknown_cells)}."]

    def __str__(self) -> str:
        from nonocsp.grading.explain.paragraphs import hint_text

        return "\n".join(hint_text(self))

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the text, and the grid with the changed or wrong cells marked."""
        from nonocsp.render.notebook import grids_html

        text = " ".join([*self.remarks, *(f"{step.title}: {step.text}" for step in self.steps)])
        marked = np.zeros(self.grid.shape, bool)
        for row, column in (*self.wrong, *(change[:2] for step in self.steps for change in step.changes)):
            marked[row, column] = True
        return grids_html(text, [after(self.grid, self.steps)], self.puzzle.palette, marked)

    def record(self) -> dict[str, Any]:
        """Return the hint as plain JSON values; rows and columns counted from 1."""
        return {
            "sound": self.is_sound,
            "wrong": [{"row": row + 1, "column": column + 1} for row, column in self.wrong],
            "broken": [str(line) for line in (*(broken.line for broken in self.broken), self.clash) if line],
            "steps": [step.record(self.puzzle.palette) for step in self.steps],
            "ambiguous": [{"row": row + 1, "column": column + 1} for row, column in self.ambiguous],
            "remarks": self.remarks,
        }


def hint(puzzle: Puzzle, grid: Grid, *, by_solution: bool = False) -> Hint:
    """Return the next step from a half-filled grid, or its mistakes.

    Parameters
    ----------
    puzzle, grid
        The puzzle and the grid. `Grid.from_strings` reads one from text, `Grid.from_cells` from an array.
    by_solution
        Whether to search for the puzzle's only solution and compare the grid with it.

    Raises
    ------
    PuzzleError
        If the grid has another shape or other colours than the puzzle, or the puzzle has no solution.
    TypeError
        If the puzzle is not a `Puzzle` or the grid not a `Grid`.
    UsageError
        If `by_solution` is set, and there are several solutions or none was found in time.
    """
    checked_start(puzzle, grid)
    if by_solution:
        known = _solution(puzzle)
    else:
        root = LineSolver(puzzle).propagate()
        if root.contradiction is not None:
            reason = "no placement of its blocks fits: there is no solution"
            raise PuzzleError(reason, line=str(root.contradiction))
        known = root.candidates
    wrong = np.argwhere(grid.decided & (grid.candidates & known == 0)).tolist()
    broken = tuple(_broken(puzzle, grid.candidates))
    if wrong or broken:
        return Hint(puzzle, grid, tuple((row, column) for row, column in wrong), broken)
    if clash := LineSolver(puzzle).propagate(grid.candidates).contradiction:
        return Hint(puzzle, grid, clash=clash)
    steps = list[Step]()
    for step in walk(Board(puzzle, grid), probes=True):
        if step.line is not None or step.decided:  # colours that both lines share need no hint
            steps.append(step)
        if step.decided:
            break
    if steps or grid.is_full:
        return Hint(puzzle, grid, steps=tuple(steps))
    found = ambiguity(puzzle, wall=AMBIGUITY_WALL)
    cells = tuple((row, column) for row, column in np.argwhere(found.cells & ~grid.decided).tolist())
    return Hint(puzzle, grid, ambiguous=cells, is_unique=found.is_complete and not found.cells.any())


def _solution(puzzle: Puzzle) -> Candidates:
    """Return the only solution; an error without it."""
    from nonocsp.api import solve
    from nonocsp.backends.base import Answer

    outcome = solve(puzzle, wall=SOLUTION_WALL)
    if outcome.answer is Answer.UNSAT:
        raise PuzzleError("the puzzle has no solution")
    if outcome.answer is not Answer.UNIQUE:
        several = outcome.answer is Answer.MULTIPLE
        what = "there are several" if several else f"no verdict within {SOLUTION_WALL:g} s"
        raise UsageError(f"the grid cannot be compared with the only solution: {what}")
    return outcome.solutions[0].candidates


def _broken(puzzle: Puzzle, candidates: Candidates) -> Iterator[Broken]:
    """Yield the lines that no placement fits, with the cells that would mend them.

    Parameters
    ----------
    puzzle
        The puzzle.
    candidates
        Candidate sets of the grid, shape (rows, columns).
    """
    for line in lines_of(puzzle):
        clue, cells = puzzle.line_clue(line), line_cells(candidates, line)
        if not feasible(clue, cells):
            decided = np.flatnonzero(np.bitwise_count(cells) == 1)
            lines = np.tile(cells, (len(decided), 1))
            lines[np.arange(len(decided)), decided] = 2 ** len(puzzle.palette) - 1
            yield Broken(line, tuple(decided[feasible_lines(clue, lines)].tolist()))
