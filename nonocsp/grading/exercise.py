"""Prepare a puzzle for print: its level, its solution, and whether it can be solved at all."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod

from nonocsp.api import solve
from nonocsp.grading.levels import Level
from nonocsp.grading.meter import difficulty
from nonocsp.model import Puzzle
from nonocsp.render.figure import Exercise, caption

PATIENCE = 5.0
"""Seconds for the level of a puzzle, and for its solution."""
_FAULTS = {"multiple": "several solutions", "unsat": "no solution"}


def exercise(
    puzzle: Puzzle, name: str, *, is_graded: bool = True, is_solved: bool = True, wall: float = PATIENCE
) -> Exercise:
    """Return a puzzle with its level and its solution, if asked for."""
    if is_graded:
        grade = difficulty(puzzle, wall=wall)
        found, level = str(grade.class_), str(grade.level or "")
    else:
        found, level = str(solve(puzzle, wall=wall).answer), ""
    fault = _FAULTS.get(found, "")
    solution = puzzle.goal if is_solved else None
    if is_solved and solution is None:
        solution = next(iter(solve(puzzle, task="solve", wall=wall).solutions), None)
    below = caption(puzzle.shape, (level or fault) * is_graded)
    return Exercise(puzzle, puzzle.title or name, below, solution, fault, level)


def easiest_first(exercises: Iterable[Exercise]) -> list[Exercise]:
    """Return puzzles by level, then by size; those without level come last."""
    order = {str(level): rank for rank, level in enumerate(Level)}
    return sorted(exercises, key=lambda one: (order.get(one.level, len(order)), prod(one.puzzle.shape)))
