"""The typed Python face of the C++ core: NumPy in, NumPy out.

A line or grid is a uint64 array of candidate sets (bit c = colour c is possible). *Settle* removes every
candidate that no placement of the clue's blocks leaves possible (Batenburg & Kosters 2009); it is complete.
A contradiction is a result, not an exception.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from nonocsp._core import StopFlag
from nonocsp.model import Clue, Line, Puzzle

__all__ = ["LineSolver", "Order", "Propagation", "StopFlag", "Sweep", "feasible", "settle"]

Candidates = NDArray[np.uint64]


class Order(StrEnum):
    """In which order `LineSolver.propagate` settles dirty lines. The fixpoint is the same."""

    QUEUE = "queue"
    """First dirty, first settled."""
    SWEEPS = "sweeps"
    """Alternating h-sweeps and v-sweeps, rows first, as the difficulty of a puzzle is defined."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """The result of one h-sweep or v-sweep.

    Parameters
    ----------
    candidates
        Shape (rows, columns); with a contradiction, as far as it got.
    contradiction
        The first line that no placement fits, or None.
    settles
        Lines settled.
    """

    candidates: Candidates
    contradiction: Line | None
    settles: int


@dataclass(frozen=True, slots=True)
class Propagation:
    """The result of propagating to the fixpoint.

    Parameters
    ----------
    candidates, contradiction, settles
        As in `Sweep`.
    sweeps
        With ``Order.SWEEPS``: sweeps until nothing changed any more, the last useless ones not counted; with
        ``Order.QUEUE``: 0.
    interrupted
        The stop flag was set; the candidates are sound but not at the fixpoint.
    """

    candidates: Candidates
    contradiction: Line | None
    settles: int
    sweeps: int
    interrupted: bool


def settle(clue: Clue, line: Candidates) -> Candidates | None:
    """Return the settled line, or None if no placement of `clue` fits.

    Parameters
    ----------
    line
        Candidate sets, shape (length,), 1 to 4096 cells.
    """
    raise NotImplementedError


def feasible(clue: Clue, line: Candidates) -> bool:
    """Return whether some placement of `clue` fits the line (forward pass only, cheaper than `settle`)."""
    raise NotImplementedError


class LineSolver:
    """The line solver of one puzzle: its clues, compiled once. Immutable, safe to share between threads."""

    def __init__(self, puzzle: Puzzle) -> None:
        raise NotImplementedError

    def propagate(
        self,
        candidates: Candidates | None = None,
        *,
        order: Order = Order.QUEUE,
        stop: StopFlag | None = None,
    ) -> Propagation:
        """Settle dirty lines until nothing changes; at the start every line is dirty.

        Parameters
        ----------
        candidates
            Where to start, shape (rows, columns); default: everything possible. Not modified.
        """
        raise NotImplementedError

    def h_sweep(self, candidates: Candidates | None = None) -> Sweep:
        """Settle every row, each from the grid as it was when the sweep began."""
        raise NotImplementedError

    def v_sweep(self, candidates: Candidates | None = None) -> Sweep:
        """Settle every column, each from the grid as it was when the sweep began."""
        raise NotImplementedError

    def starts(self, line: Line, candidates: Candidates) -> list[NDArray[np.int32]] | None:
        """Return for every block of a line its sorted starts in placements that fit; None if none fits."""
        raise NotImplementedError
