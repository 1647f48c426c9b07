"""What generating hands out: puzzles with exactly one solution, each with how hard it is."""

from __future__ import annotations

from dataclasses import dataclass

from nonocsp.making.picture import Cells
from nonocsp.model import Puzzle


@dataclass(frozen=True, slots=True)
class Varied:
    """A puzzle that *Vary* made of another one by changing more cells.

    Parameters
    ----------
    puzzle
        With its only solution as its goal.
    difficulty
        Sweeps.
    depth
        How many cells were changed.
    """

    puzzle: Puzzle
    difficulty: int
    depth: int

    @property
    def image(self) -> Cells:
        """The solution."""
        return solution(self.puzzle)


@dataclass(frozen=True, slots=True)
class Generated:
    """A puzzle made from a picture.

    Parameters
    ----------
    puzzle
        With its only solution as its goal.
    difficulty
        Sweeps; of a puzzle that is not simple, how long line solving goes on before it gets stuck.
    class_
        The weakest method that solves it, as the meter says: ``"simple"``, ``"fp1"``.
    varied
        What *Vary* made of it, by depth; every one simple.
    is_wanted
        Whether the difficulty is in the range that was asked for; a best effort is not.
    """

    puzzle: Puzzle
    difficulty: int
    class_: str
    varied: tuple[Varied, ...] = ()
    is_wanted: bool = True

    @property
    def is_simple(self) -> bool:
        """Whether line solving suffices, so that `difficulty` is one."""
        return self.class_ in ("trivial", "simple")

    @property
    def image(self) -> Cells:
        """The solution."""
        return solution(self.puzzle)


def solution(puzzle: Puzzle) -> Cells:
    """Return the goal of a puzzle that was made of it."""
    assert puzzle.goal is not None
    return puzzle.goal.cells
