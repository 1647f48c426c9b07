"""What is printed of a puzzle beside its clues: how hard it is, and its solution."""

from __future__ import annotations

from nonocsp.api import solve
from nonocsp.grading.meter import difficulty
from nonocsp.model import Grid, Puzzle
from nonocsp.render.figure import Exercise, caption

PATIENCE = 5.0
"""Seconds for a puzzle's grade, and for its solution."""


def exercise(
    puzzle: Puzzle, name: str, *, is_graded: bool = True, is_solved: bool = True, wall: float = PATIENCE
) -> Exercise:
    """Return a puzzle with its grade and its solution, as far as they are asked for.

    Parameters
    ----------
    name
        The heading of a puzzle without title.
    wall
        Seconds for each of the two.
    """
    solution = _solution(puzzle, wall) if is_solved else None
    return Exercise(puzzle, puzzle.title or name, _caption(puzzle, is_graded, wall), solution)


def _caption(puzzle: Puzzle, is_graded: bool, wall: float) -> str:
    if not is_graded:
        return caption(puzzle.shape)
    grade = difficulty(puzzle, wall=wall)
    return caption(puzzle.shape, grade.label, grade.sweeps)


def _solution(puzzle: Puzzle, wall: float) -> Grid | None:
    if puzzle.goal is not None:
        return puzzle.goal
    found = solve(puzzle, task="solve", wall=wall).solutions
    return found[0] if found else None
