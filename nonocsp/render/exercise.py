"""A puzzle as it is printed: with a heading, what people should know of it, and its solution."""

from __future__ import annotations

from dataclasses import dataclass

from nonocsp.model import Grid, Puzzle


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
