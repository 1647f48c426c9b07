"""A puzzle as it is printed: with a heading, what people should know of it, and its solution."""

from __future__ import annotations

from dataclasses import dataclass

from nonocsp.model import Grid, Puzzle

PATIENCE = 5.0
"""Seconds for a puzzle's grade, and for its solution."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """A puzzle to be printed.

    Parameters
    ----------
    heading
        Above it.
    caption
        Below the heading: size, class, difficulty.
    solution
        For the last pages; None if none is known.
    """

    puzzle: Puzzle
    heading: str
    caption: str
    solution: Grid | None


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


def caption(shape: tuple[int, int], class_: str = "", sweeps: int = 0) -> str:
    """Return what is said of a puzzle: size, class, and the difficulty if line solving solves it."""
    size = f"{shape[0]}x{shape[1]}"
    match class_:
        case "" | "unknown":
            return size
        case "trivial" | "simple":
            return f"{size}, {class_}, difficulty {sweeps}"
        case "multiple":
            return f"{size}, several solutions"
        case "unsat":
            return f"{size}, no solution"
    return f"{size}, {class_}"


def _caption(puzzle: Puzzle, is_graded: bool, wall: float) -> str:
    if not is_graded:
        return caption(puzzle.shape)
    from nonocsp.grading.meter import difficulty

    grade = difficulty(puzzle, wall=wall)
    return caption(puzzle.shape, grade.label, grade.sweeps)


def _solution(puzzle: Puzzle, wall: float) -> Grid | None:
    if puzzle.goal is not None:
        return puzzle.goal
    from nonocsp.api import solve

    found = solve(puzzle, task="solve", wall=wall).solutions
    return found[0] if found else None
