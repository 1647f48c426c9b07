"""Find the ambiguous cells of a puzzle, and say whether one of several solutions stands out.

Ambiguous cells are those in which two solutions differ. The other cells are the backbone of its formula
(Marques-Silva, Janota & Lynce, On computing backbones of propositional theories, 2010). The core searches for
them, as `judging/ambiguity.hpp` explains.

*Solving Nonograms* (OddThinking) calls a puzzle contextually solvable if its clues leave several solutions
and a person who sees what the picture shows can still tell which one is meant. It names two hints: pictures
are often symmetric, and their parts hang together. Here they are traits of a grid. A puzzle is contextual if
some trait belongs to exactly one of its solutions, and no two traits point to different ones. A title is a
hint as well, but no program understands it: 2x2 with one cell in each line stays ambiguous.

Clues and line solving rule out most traits at once. For the others, backend ``hybrid`` enumerates the
solutions, at most `MOST`, for at most `PATIENCE` seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonocsp.backends import DEFAULT
from nonocsp.backends.base import Limits, Request, Run, Task, Termination
from nonocsp.backends.registry import create
from nonocsp.backends.run import run_backend
from nonocsp.engine import Candidates, LineSolver
from nonocsp.engine.searches import ambiguous_cells
from nonocsp.model import BackendError, Grid, Puzzle

MOST = 100
"""The most solutions to compare."""
PATIENCE = 5.0
"""Seconds for finding them."""

Cells = NDArray[np.uint8]


class Trait(StrEnum):
    """What people expect of a picture."""

    LEFT_RIGHT = "left and right are mirror images"
    UP_DOWN = "top and bottom are mirror images"
    HALF_TURN = "half a turn changes nothing"
    DIAGONAL = "mirrored at the falling diagonal, it stays the same"
    ANTIDIAGONAL = "mirrored at the rising diagonal, it stays the same"
    ONE_PIECE = "all painted cells hang together by their sides"


_TURNED: dict[Trait, Callable[[Cells], Cells]] = {
    Trait.LEFT_RIGHT: lambda cells: cells[..., ::-1],
    Trait.UP_DOWN: lambda cells: cells[..., ::-1, :],
    Trait.HALF_TURN: lambda cells: cells[..., ::-1, ::-1],
    Trait.DIAGONAL: lambda cells: cells.swapaxes(-1, -2),
    Trait.ANTIDIAGONAL: lambda cells: cells.swapaxes(-1, -2)[..., ::-1, ::-1],
}
"""How a symmetry moves the cells of images, shape (..., rows, columns)."""


@dataclass(frozen=True, slots=True)
class Context:
    """Whether one of several solutions stands out."""

    traits: tuple[Trait, ...] = ()  # those that exactly one solution has, perhaps different ones
    picture: Grid | None = None  # the solution that all of them belong to; None without one
    solutions: int | None = None  # how many; None if they were not enumerated, or are too many
    message: str = ""  # why nothing is known; empty if it is

    @property
    def is_contextual(self) -> bool | None:
        """Whether the puzzle is contextually solvable; None if that is not known."""
        return None if self.message else self.picture is not None

    @property
    def text(self) -> str:
        """The verdict and its reason, in words."""
        traits = "; ".join(self.traits)
        if self.message:
            return f"unknown: {self.message}"
        if self.picture:
            return f"contextually solvable: in exactly one of {self.solutions} solutions, {traits}"
        if self.traits:
            return (
                f"ambiguous: several of {self.solutions} solutions stand out, each by another trait: {traits}"
            )
        return "ambiguous: no solution stands out by symmetry, or as the only one in one piece"

    def record(self) -> dict[str, Any]:
        """Return the verdict as plain JSON values."""
        return {"contextual": self.is_contextual, "context": self.text}


NO_CONTEXT = dict.fromkeys(Context().record())
"""The keys of a record, for puzzles without several solutions."""


def context(puzzle: Puzzle, candidates: Candidates, run: Run) -> Context:
    """Return whether one solution of a puzzle with several stands out."""
    possible = possible_traits(puzzle, candidates)
    if not possible:
        return Context()
    limits = [limit for limit in (PATIENCE, run.remaining) if limit is not None]
    request = Request(Task.COUNT, Limits(wall=max(min(limits), 1e-3)), bound=MOST + 1)
    outcome = run_backend(create(DEFAULT), puzzle, request, run.stop)
    if outcome.termination is Termination.CRASHED:
        raise BackendError(f"{DEFAULT}: {outcome.message}")
    is_complete = outcome.termination is Termination.OK and len(outcome.solutions) <= MOST
    reason = (
        f"more than {MOST} solutions" if len(outcome.solutions) > MOST else "not all solutions were found"
    )
    return compared(outcome.solutions, possible, "" if is_complete else reason)


def possible_traits(puzzle: Puzzle, candidates: Candidates) -> list[Trait]:
    """Return the traits that clues and line solving do not rule out."""
    rows, columns = puzzle.flat_rows.pairs(), puzzle.flat_columns.pairs()
    back_rows, back_columns = ([clue[::-1] for clue in clues] for clues in (rows, columns))
    symmetric = {
        Trait.LEFT_RIGHT: rows == back_rows and columns == columns[::-1],
        Trait.UP_DOWN: rows == rows[::-1] and columns == back_columns,
        Trait.HALF_TURN: rows == back_rows[::-1] and columns == back_columns[::-1],
        Trait.DIAGONAL: rows == columns,
        Trait.ANTIDIAGONAL: rows == back_columns[::-1],
    }
    may_be_one = _pieces((candidates & ~np.uint64(1)) != 0, (candidates & np.uint64(1)) == 0) < 2
    return [trait for trait, holds in symmetric.items() if holds] + [Trait.ONE_PIECE] * may_be_one


def compared(solutions: Sequence[Grid], traits: Sequence[Trait], missing: str) -> Context:
    """Return whether one of these solutions stands out."""
    owners = dict(_owners(solutions, traits))
    if missing:
        is_open = any(len(having) < 2 for having in owners.values())
        return Context(message=missing) if is_open else Context()
    single = {trait: int(having[0]) for trait, having in owners.items() if len(having) == 1}
    meant = set(single.values())
    picture = solutions[meant.pop()] if len(meant) == 1 else None
    return Context(tuple(single), picture, len(solutions))


def _owners(solutions: Sequence[Grid], traits: Sequence[Trait]) -> Iterator[tuple[Trait, NDArray[np.intp]]]:
    """Yield each trait with the numbers of the solutions that have it."""
    shape = solutions[0].shape if solutions else (1, 1)
    images = np.array([grid.cells for grid in solutions], np.uint8).reshape(-1, *shape)
    for trait in traits:
        if trait is Trait.ONE_PIECE:
            having = np.array([_pieces(image > 0, image > 0) == 1 for image in images])
        else:
            having = (images == _TURNED[trait](images)).all(axis=(1, 2))
        yield trait, np.flatnonzero(having)


def _pieces(painted: NDArray[np.bool_], counted: NDArray[np.bool_]) -> int:
    """Return how many pieces of the painted cells contain a counted cell."""
    from scipy.ndimage import label

    numbers, _ = label(painted)
    return len(np.unique(numbers[counted]))


@dataclass(frozen=True, eq=False)
class Ambiguity:
    """Which cells are ambiguous, shape (rows, columns), and whether it is known that no others are."""

    cells: NDArray[np.bool_]
    is_complete: bool


def ambiguity(puzzle: Puzzle, *, wall: float | None = None) -> Ambiguity:
    """Return the ambiguous cells of a puzzle; without a solution, or with one, there are none."""
    return Ambiguity(*ambiguous_cells(LineSolver(puzzle).compiled, None, None, wall))
