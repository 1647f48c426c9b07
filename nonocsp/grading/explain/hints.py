"""The next step for a grid that someone has half filled, and what is wrong in it.

A cell is wrong for certain if line solving from the empty grid gives it another value, or, if one asks, the
only solution does. A line that no placement fits holds a mistake, wherever that is. Where none is known, the
cheapest deduction is the hint.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from nonocsp.engine import Candidates, LineSolver, feasible, feasible_lines
from nonocsp.grading.explain.board import Board, line_cells, lines_of
from nonocsp.grading.explain.line import cells_named
from nonocsp.grading.explain.steps import Step, cell_named
from nonocsp.grading.explain.walk import checked_start, walk
from nonocsp.model import Grid, Line, Puzzle, PuzzleError, UsageError

SOLUTION_WALL = 60.0
"""Seconds in which the solution is to be found, where a grid is compared with it."""


class Broken(NamedTuple):
    """A line that no placement fits, and the cells of which any one alone, if opened, would mend it."""

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
    """What can be said about a half-filled grid.

    Parameters
    ----------
    puzzle, grid
        What it is about.
    wrong
        The cells that are wrong for certain, as (row, column) from 0.
    broken
        The lines that no placement fits.
    clash
        Where line solving from here contradicts, though nothing is wrong for certain and no line broken.
    steps
        The next step; in several colours, those that narrow cells and then one that decides some. Empty if
        something is wrong, if the grid is full, or if no technique helps.
    """

    puzzle: Puzzle
    grid: Grid
    wrong: tuple[tuple[int, int], ...] = ()
    broken: tuple[Broken, ...] = ()
    clash: Line | None = None
    steps: tuple[Step, ...] = ()

    @property
    def is_sound(self) -> bool:
        """Whether nothing is known to be wrong."""
        return not (self.wrong or self.broken or self.clash)

    @property
    def remarks(self) -> list[str]:
        """What is wrong, or why there is no step; a sentence each."""
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
        cells = self.grid.unknown_cells
        return [f"No technique helps: {cells} cell{'s' * (cells > 1)} open, for deeper search to decide."]

    def record(self) -> dict[str, Any]:
        """Return the hint as plain JSON values; rows and columns counted from 1."""
        return {
            "sound": self.is_sound,
            "wrong": [{"row": row + 1, "column": column + 1} for row, column in self.wrong],
            "broken": [str(line) for line in (*(broken.line for broken in self.broken), self.clash) if line],
            "steps": [step.record(self.puzzle.palette) for step in self.steps],
            "remarks": self.remarks,
        }


def hint(puzzle: Puzzle, grid: Grid, *, by_solution: bool = False) -> Hint:
    """Return the next step from a half-filled grid, or what is wrong in it.

    Parameters
    ----------
    by_solution
        Whether to compare the grid with the puzzle's only solution too, which is then searched for.

    Raises
    ------
    PuzzleError
        If the grid has another shape than the puzzle, or the puzzle no solution.
    UsageError
        If the grid is to be compared with the solution, and there are several or none was found in time.
    """
    checked_start(puzzle, grid)
    known = _solution(puzzle) if by_solution else _line_solved(puzzle)
    wrong = np.argwhere(grid.decided & (grid.candidates & known == 0)).tolist()
    broken = tuple(_broken(puzzle, grid.candidates))
    if wrong or broken:
        return Hint(puzzle, grid, tuple((row, column) for row, column in wrong), broken)
    if clash := LineSolver(puzzle).propagate(grid.candidates).contradiction:
        return Hint(puzzle, grid, clash=clash)
    return Hint(puzzle, grid, steps=tuple(_up_to_a_decision(walk(Board(puzzle, grid), probes=True))))


def _line_solved(puzzle: Puzzle) -> Candidates:
    """Return what line solving leaves of the empty grid."""
    root = LineSolver(puzzle).propagate()
    if root.contradiction is not None:
        raise PuzzleError(
            "no placement of its blocks fits: there is no solution", line=str(root.contradiction)
        )
    return root.candidates


def _solution(puzzle: Puzzle) -> Candidates:
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
    """Yield the lines that no placement fits."""
    for line in lines_of(puzzle):
        clue, cells = puzzle.line_clue(line), line_cells(candidates, line)
        if not feasible(clue, cells):
            decided = np.flatnonzero(np.bitwise_count(cells) == 1)
            lines = np.tile(cells, (len(decided), 1))
            lines[np.arange(len(decided)), decided] = 2 ** len(puzzle.palette) - 1
            yield Broken(line, tuple(decided[feasible_lines(clue, lines)].tolist()))


def _up_to_a_decision(steps: Iterator[Step]) -> Iterator[Step]:
    """Yield steps until one decides a cell; the colours are understood, if that is all they say."""
    for step in steps:
        if step.line is not None or step.decided:
            yield step
        if step.decided:
            return
