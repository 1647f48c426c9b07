"""Prepare a puzzle for print: its grade, its solution, and whether it can be solved at all."""

from __future__ import annotations

from nonocsp.api import solve
from nonocsp.grading.meter import difficulty
from nonocsp.model import Puzzle
from nonocsp.render.figure import Exercise, caption

PATIENCE = 5.0
"""Seconds for the grade of a puzzle, and for its solution."""
_FAULTS = {"multiple": "several solutions", "unsat": "no solution"}


def exercise(
    puzzle: Puzzle, name: str, *, is_graded: bool = True, is_solved: bool = True, wall: float = PATIENCE
) -> Exercise:
    """Return a puzzle with its grade and its solution, if asked for.

    Parameters
    ----------
    puzzle
        What to print.
    name
        Heading of a puzzle without title.
    is_graded, is_solved
        Whether to find the grade, and a solution.
    wall
        Seconds for each of the two.
    """
    below = caption(puzzle.shape)
    if is_graded:
        grade = difficulty(puzzle, wall=wall)
        below, found = caption(puzzle.shape, grade.label, grade.sweeps), str(grade.class_)
    else:
        found = str(solve(puzzle, wall=wall).answer)
    solution = puzzle.goal if is_solved else None
    if is_solved and solution is None:
        solution = next(iter(solve(puzzle, task="solve", wall=wall).solutions), None)
    return Exercise(puzzle, puzzle.title or name, below, solution, _FAULTS.get(found, ""))
