"""Hint at the next step for a half-filled grid, or at its mistakes.

A cell is certainly wrong if line solving from the empty grid gives it another value, or, if asked for, if the
only solution does. A line that no placement fits contains a mistake somewhere. Without known mistakes, the
cheapest deduction is the hint. If there is none, a search tells whether the puzzle has several solutions, and
in which cells they differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from nonocsp.engine import Candidates, LineSolver, grading
from nonocsp.engine.lines import as_cells
from nonocsp.grading.context import ambiguity
from nonocsp.grading.explain.steps import Step, after, checked_start, named_line, steps_of
from nonocsp.grading.explain.texts import Words, filled, table
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
        words, texts = Words(self.puzzle.palette), table()["hints"]
        colours = self.grid.colours(unknown=0)
        told = [
            filled(texts["wrong"], place=words.place(r, c), colour=words.colour(int(colours[r, c])))
            for r, c in self.wrong
        ]
        told += [
            filled(texts["broken-suspect"], len(suspects), line=line, cells=words.cells(suspects))
            if suspects
            else filled(texts["broken"], line=line)
            for line, suspects in self.broken
        ]
        if self.clash:
            told.append(filled(texts["clash"], line=self.clash))
        if told or self.steps:
            return told
        if self.grid.is_full:
            return [texts["full"]]
        if self.ambiguous:
            places = "; ".join(words.place(row, column) for row, column in self.ambiguous[:MOST_NAMED])
            more = len(self.ambiguous) - MOST_NAMED
            if more > 0:
                places = filled(texts["and-more"], more, places=places)
            return [filled(texts["ambiguous"], places=places)]
        if self.is_unique:
            return [texts["deeper"]]
        return [filled(texts["open"], open=filled(table()["ends"]["open"], self.grid.unknown_cells))]

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
    compiled = LineSolver(puzzle).compiled
    found = grading.hint(compiled, as_cells(grid.candidates), as_cells(known))
    wrong = tuple((row, column) for row, column in found["wrong"])
    broken = tuple(Broken(Line(*one["line"]), tuple(one["suspects"])) for one in found["broken"])
    steps, clash = tuple(steps_of(puzzle, found["steps"])), named_line(found["clash"])
    if wrong or broken or clash or steps or grid.is_full:
        return Hint(puzzle, grid, wrong, broken, clash, steps)
    several = ambiguity(puzzle, wall=AMBIGUITY_WALL)
    cells = tuple((row, column) for row, column in np.argwhere(several.cells & ~grid.decided).tolist())
    return Hint(puzzle, grid, ambiguous=cells, is_unique=several.is_complete and not several.cells.any())


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
